#!/usr/bin/env python3
"""Memory that runs out, and exceptions on one rank of several.

  tests/hostile/memory_faults.py new|room|ranks|set_up INVAR MEMORY_FAULTS_LIBRARY [--points N] [--config NAME]

  new    of the calls of `new` between MPI_Init and MPI_Finalize one throws std::bad_alloc: N of them, spread evenly over the logarithm and
         over the run
  room   the address space is limited to what is taken when MPI is there, and more and more above it, until the run has all it needs
  ranks  as `new`, on one rank of two: all must end within ten seconds of it
  set_up the set-up of the first solver throws on one rank of two, while the other rank waits within it

The program must end with a documented exit code that suits, never by a signal; where it ends well, with the findings of a run that had
its memory. Exit code 1 where it does not.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time

import io_faults

SUITABLE = {4, 74}  # not solved for want of memory; not written


def numbers(arguments, n):
    points = arguments.points
    some = {max(1, round(n ** (k / (points - 1)))) for k in range(points // 2)} if points > 3 else set()
    return sorted(some | {1 + (n - 1) * k // max(1, points - points // 2 - 1) for k in range(points - points // 2)})


class Place:
    def __init__(self, arguments, config):
        self.arguments, self.config = arguments, config

    def run(self, ranks=1, **faults):
        """Exit code, complaint, seconds since the fault and findings of a run, in a folder of its own."""
        place = io_faults.prepared(self.config)
        stamp = os.path.join(place, "stamp")
        try:
            environment = {**io_faults.ENVIRONMENT, "MEMORY_FAULTS_STAMP": stamp, **{"MEMORY_FAULTS_" + k.upper(): str(v) for k, v in faults.items()}}
            # mpirun itself keeps its memory
            command = [self.arguments.invar, *io_faults.RUN]
            command = ["env", "LD_PRELOAD=" + self.arguments.library] + command
            if ranks > 1:
                command = ["mpirun", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1", "-n", str(ranks)] + command
                environment.update({"OMPI_MCA_pml": "ob1", "OMPI_MCA_hwloc_base_binding_policy": "none", "OMPI_MCA_odls_base_sigkill_timeout": "0"})
            try:
                done = subprocess.run(command, cwd=place, env=environment, capture_output=True, timeout=300)
                code, said = done.returncode, done.stderr.decode(errors="replace")
            except subprocess.TimeoutExpired:
                code, said = "too long", ""
            seconds = time.time() - 1e-9 * int(open(stamp).read()) if os.path.exists(stamp) else 0.0
            found = io_faults.findings(os.path.join(place, "watched/run")) if code in (0, 5) and ranks == 1 else None
            return code, said, seconds, found
        finally:
            shutil.rmtree(place)

    def counted(self, ranks=1):
        file = os.path.join(tempfile.gettempdir(), "invar_memory_faults_%d" % os.getpid())
        rank = {"rank": ranks - 1} if ranks > 1 else {}
        code, said, _, found = self.run(ranks, at=0, count=file, **rank)
        n = int(open(file).read())
        os.remove(file)
        return code, n, found


def verdict_of(code, said, reference_code, found, reference):
    """What is wrong, or nothing."""
    if code == reference_code:
        return "other findings" if found != reference else ""
    if code not in SUITABLE:
        return "exit %s: %s" % (code, said[-600:])
    if "memory" not in said and "cannot" not in said and code == 74:
        return "no message: " + said
    return ""


def campaign(arguments, config, ranks, faults):
    place = Place(arguments, config)
    reference_code, n, reference = place.counted(ranks)
    if n == 0:
        sys.exit("%s: no call of new was seen: the library is not at work" % config)
    ended, wrong, slowest = {}, 0, 0
    for fault in faults(n):
        code, said, seconds, found = place.run(ranks, **fault)
        trouble = verdict_of(code, said, reference_code, found, reference)
        if "set_up" in fault and code == reference_code:
            trouble = "no solver was set up"
        if seconds > 10 and ranks > 1:
            trouble = trouble or "ended %.0f s after the fault" % seconds
        slowest = max(slowest, seconds)
        if trouble:
            wrong += 1
            print("%s, %s: %s" % (config, fault, trouble), flush=True)
        ended[code] = ended.get(code, 0) + 1
        if "room" in fault and code == reference_code:
            break
    print("%-10s %d ranks, %d calls of new: exit codes %s; the last ended %.1f s after the fault" %
          (config, ranks, n, ", ".join("%s: %d" % item for item in sorted(ended.items(), key=str)), slowest), flush=True)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["new", "room", "ranks", "set_up"])
    parser.add_argument("invar")
    parser.add_argument("library")
    parser.add_argument("--points", type=int, default=20)
    parser.add_argument("--config", choices=list(io_faults.CONFIGS), action="append")
    arguments = parser.parse_args()
    arguments.invar, arguments.library = os.path.abspath(arguments.invar), os.path.abspath(arguments.library)
    wrong = 0
    for config in arguments.config or io_faults.CONFIGS:
        if arguments.what == "room":
            steps = [round(250 * 1.35 ** k) for k in range(60)]  # kB
            wrong += campaign(arguments, config, 1, lambda n: [{"room": room} for room in [0] + steps[::max(1, 40 // arguments.points)]])
        elif arguments.what == "set_up":
            wrong += campaign(arguments, config, 2, lambda n: [{"set_up": 1, "rank": rank} for rank in (0, 1)])
        elif arguments.what == "ranks":
            wrong += campaign(arguments, config, 2, lambda n: [{"at": k, "rank": i % 2} for i, k in enumerate(numbers(arguments, n))])
        else:
            wrong += campaign(arguments, config, 1, lambda n: [{"at": k} for k in numbers(arguments, n)])
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
