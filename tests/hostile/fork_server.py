"""Runs of a program by a process that has its libraries loaded (fork_server.hpp)."""
import os
import select
import struct
import subprocess


class TooLong(Exception):
    pass


class ForkServer:
    """One run at a time. `library` must contain fork_server.hpp."""

    def __init__(self, program, library, environment):
        self.command = program
        self.environment = {**environment, "LD_PRELOAD": library, "FORK_SERVER": "1"}
        self.process = None

    def run(self, place, arguments, variables, limit=120):
        """Exit code (negative: the signal), standard output and standard error of a run in the folder `place`."""
        if not self.process:
            self.process = subprocess.Popen([self.command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, env=self.environment)
        out, err = os.path.join(place, "stdout"), os.path.join(place, "stderr")
        words = [place, out, err, str(1 + len(arguments)), self.command, *arguments, *("%s=%s" % item for item in variables.items())]
        request = b"".join(os.fsencode(word) + b"\0" for word in words)
        self.process.stdin.write(struct.pack("=Q", len(request)) + request)
        if not select.select([self.process.stdout], [], [], limit)[0]:
            self.end()
            raise TooLong("not ended after %d s" % limit)
        answer = self.process.stdout.read(4)
        if len(answer) != 4:
            raise RuntimeError("the server of runs has ended")
        said = [open(file, "rb").read().decode(errors="replace") for file in (out, err)]
        return (os.waitstatus_to_exitcode(struct.unpack("=i", answer)[0]), *said)

    def end(self):
        """The server ends, and with it the run that it waits for."""
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None
