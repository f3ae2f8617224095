#!/usr/bin/env python3
"""Every call on a file of a run goes wrong once: what is left must be whole, and the run must end as if nothing had been.

  tests/hostile/io_faults.py INVAR IO_FAULTS_LIBRARY [--config NAME] [--mode MODE] [--points N] [--first K] [--last K] [--jobs N]

Modes are those of io_faults.cpp: `kill` before the k-th call, `torn` in the middle of the k-th write, `eio` and `full` (a disk that
stays full) from the k-th call, `short` writes. After each the files of the run folder are held against what they must be, the run
is resumed, or begun again where it says that it had not begun, and its findings must have the bits of a run without faults.
Prints a line for each configuration and mode; exit code 1 where something was lost.
"""
import argparse
import concurrent.futures
import json
import os
import re
import resource
import shutil
import sys
import tempfile
import threading
import zlib

from fork_server import ForkServer, TooLong

CONFIGS = {
    "shape": """title: a wall of a channel
mesh: {rectangle: {to: [2, 1], cells: [6, 3], shape: triangle}}
physics: {type: flow, kind: planar}
materials:
  fluid: {model: newtonian, density: 1, viscosity: 0.1}
boundary:
  left: {u_x: "4*y*(1 - y)", u_y: 0}
  bottom: {no_slip: true}
  top: {no_slip: true}
loads:
  out: {type: pressure, region: right, p: 0}
design:
  - {kind: free_boundary, region: top, smoothing: 0.2, largest: 0.3}
objective:
  - {type: dissipation}
constraints:
  - {name: area, type: volume, lower: 2, upper: 2, scale: 2}
optimizer: {method: mma, max_iterations: 3}
output: {fields: iterations}
""",
    "topology": """title: a bend
mesh: {rectangle: {to: [1, 1], cells: [6, 6]}}
physics: {type: flow, kind: planar}
materials:
  fluid: {model: newtonian, density: 1, viscosity: 0.1}
boundary:
  left: {u_x: "abs(y - 0.75) < 0.25 ? 1 - ((y - 0.75)/0.25)^2 : 0", u_y: 0}
  right: {no_slip: true}
  top: {no_slip: true}
  bottom: {u_x: 0, u_y: "abs(x - 0.75) < 0.25 ? -(1 - ((x - 0.75)/0.25)^2) : 0"}
  right_top: {p: 0}
design:
  - {kind: density, radius: 0.3, max_resistance: 250, start: 0.5,
     stages: [{convexity: 0.01, iterations: 2}, {convexity: 0.1, steepness: 2, iterations: 3}]}
objective:
  - {type: dissipation}
constraints:
  - {name: volume, type: fluid_volume, upper: 0.5, scale: 0.5}
output: {report: true, fields: none}
""",
    # A picture takes longer than all else together, and it is made by one function: once, with as little as possible around it.
    "picture": """title: a block that is pulled
mesh: {rectangle: {to: [2, 1], cells: [2, 1]}}
physics: {type: solid, kind: plane_strain}
materials:
  body: {model: neo_hookean, young: 100, poisson: 0.3}
boundary:
  left: {u_x: 0, u_y: 0}
loads:
  pull: {type: traction, region: right, x: 1}
output: {report: true}
""",
    "transient": """title: a beam that swings, its states on disk
mesh: {rectangle: {to: [4, 1], cells: [4, 1]}}
physics: {type: solid, kind: plane_strain}
materials:
  body: {model: neo_hookean, young: 100, poisson: 0.3, density: 1}
boundary:
  left: {u_x: 0, u_y: 0}
loads:
  push: {type: traction, region: right, y: 0.1}
time: {scheme: newmark, end: 2, steps: 4, memory: 0.001, disk: 1}
design:
  - {variable: materials.body.young, scale: log}
objective:
  - {type: point, point: [4, 0.5], component: u_y, file: tip.csv}
optimizer: {max_iterations: 2}
output: {fields: all}
""",
}
DATA = {"tip.csv": "t,value\n0.5,0.01\n1,0.05\n1.5,0.08\n2,0.06\n"}
MODES = ["kill", "torn", "eio", "full", "short"]
ENVIRONMENT = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1",
               "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


class Lost(Exception):
    pass


def text(path):
    with open(path, "rb") as file:
        return file.read()


def findings(run):
    """Everything of a run that knows no clock."""
    found = {}
    for place, _, names in os.walk(run):
        for name in names:
            file = os.path.relpath(os.path.join(place, name), run)
            if not re.match(r"(fields|curves|steps|walls)/|(results|design|certificate)\.json$", file) or name.startswith("."):
                continue
            found[file] = text(os.path.join(run, file))
    if os.path.exists(os.path.join(run, "history.csv")):  # a simulation has none
        rows = [line.split(",") for line in text(os.path.join(run, "history.csv")).decode().splitlines()]
        seconds = rows[0].index("seconds")
        found["history.csv"] = [row[:seconds] + row[seconds + 1:] for row in rows]
    return found


def is_whole(file):
    content = text(file)
    if file.endswith(".json"):
        json.loads(content)
        return True
    if file.endswith((".vtu", ".pvd", ".pvtu")):
        return content.rstrip().endswith(b"</VTKFile>")
    if file.endswith(".png"):
        return content.endswith(b"IEND\xaeB`\x82")
    if file.endswith(".svg"):
        return content.rstrip().endswith(b"</svg>")
    if file.endswith(".html"):
        return content.rstrip().endswith(b"</html>")
    if file.endswith(".checkpoint"):
        head, _, rest = content.partition(b"\n")
        crc, size = head.split()[-2:]
        return int(size) == len(rest) and int(crc, 16) == zlib.crc32(rest)
    return content.endswith(b"\n")


def check_files(run, process_lives):
    """Nothing that bears a final name may be a part; nothing unfinished may be left by a process that could clean up."""
    for place, _, names in os.walk(run):
        for name in names:
            file = os.path.join(place, name)
            if ".part" in name:
                if process_lives:
                    raise Lost("left " + file)
            elif name.startswith(".lock."):  # a draft of a lock, which the next one to lock the folder removes when it is old
                continue
            elif name not in ("history.csv", "log.txt", "stderr"):  # which grow
                try:
                    whole = is_whole(file)
                except ValueError:
                    whole = False
                if not whole:
                    raise Lost("a part of " + file)
    rows = text(os.path.join(run, "history.csv")).count(b"\n") if os.path.exists(os.path.join(run, "history.csv")) else 0
    states = os.path.join(run, "checkpoints")
    if rows > 3 and not (os.path.isdir(states) and any(f.endswith(".checkpoint") for f in os.listdir(states))):
        raise Lost("no generation is left after %d rows" % rows)


class Program:
    """The program under test: one server of runs in each thread."""

    def __init__(self, program, library):
        self.servers, self.here = [], threading.local()
        self.make = lambda: ForkServer(program, library, ENVIRONMENT)

    def run(self, place, arguments, **faults):
        if not hasattr(self.here, "server"):
            self.here.server = self.make()
            self.servers.append(self.here.server)
        variables = {"IO_FAULTS_" + k.upper(): v for k, v in faults.items()}
        return self.here.server.run(place, arguments, {**variables, "TMPDIR": os.path.join(place, "tmp")})

    def end(self):
        for server in self.servers:
            server.end()


def prepared(config):
    place = tempfile.mkdtemp(prefix="invar_faults_", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
    os.mkdir(os.path.join(place, "tmp"))
    os.mkdir(os.path.join(place, "watched"))
    with open(os.path.join(place, "spec.yaml"), "w") as out:
        out.write(CONFIGS[config])
    for name, content in DATA.items():
        with open(os.path.join(place, name), "w") as out:
            out.write(content)
    return place


RUN = ["run", "spec.yaml", "-q", "--out", "watched/run"]


def one(program, config, mode, k, reference, reference_code):
    """What happens with a fault at call k; Lost where something is."""
    place = prepared(config)
    try:
        run = os.path.join(place, "watched/run")
        code, _, complaint = program.run(place, RUN, folder=os.path.join(place, "watched"), mode=mode, at=k)
        killed = mode in ("kill", "torn")
        if killed and code != -9 and code != reference_code:
            raise Lost("exit %d, and no kill: %s" % (code, complaint))
        if mode == "short" and code != reference_code:
            raise Lost("a short write ended the run with %d: %s" % (code, complaint))
        if mode in ("eio", "full") and code not in (reference_code, 74):
            raise Lost("exit %d: %s" % (code, complaint))
        if code == 74 and not re.search(r"error: .*(cannot|No space|Input/output)", complaint):
            raise Lost("no message: " + complaint)
        if os.path.isdir(run):
            check_files(run, not killed)
        if os.listdir(os.path.join(place, "tmp")) and not killed:
            raise Lost("left files in the temporary folder")
        if code == reference_code:
            if findings(run) != reference:
                raise Lost("other findings")
            return "unharmed"
        again, _, complaint = program.run(place, ["resume", "watched/run", "-q"])
        way = "resumed"
        if again == 74 and re.search(r"the run has not begun|there is no folder|it has no run\.json", complaint):
            again, _, complaint = program.run(place, RUN)
            way = "begun again"
        if again != reference_code:
            raise Lost("exit %d when %s: %s" % (again, way, complaint))
        now = findings(run)
        differ = [name for name in sorted(reference.keys() | now.keys()) if reference.get(name) != now.get(name)]
        if differ:
            raise Lost("other bits when %s: %s" % (way, " ".join(differ)))
        check_files(run, False)
        return way
    except TooLong as e:
        raise Lost(str(e)) from e
    finally:
        shutil.rmtree(place)


def processor_seconds():
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in used)


def calls(arguments, n):
    """Numbers of calls from the first to the last; of N points those in the middle of N equal parts."""
    numbers = range(arguments.first, min(n, arguments.last or n) + 1)
    points = min(arguments.points or len(numbers), len(numbers))
    return [numbers[(2 * i + 1) * len(numbers) // (2 * points)] for i in range(points)]


def campaign(arguments, program, config, mode):
    place = prepared(config)
    try:
        count = os.path.join(place, "count")
        code, _, complaint = program.run(place, RUN, folder=os.path.join(place, "watched"), mode=mode, at=0, count=count)
        if code not in (0, 5):
            raise Lost("%s without faults: exit %d: %s" % (config, code, complaint))
        n = int(text(count))
        reference = findings(os.path.join(place, "watched/run"))
    finally:
        shutil.rmtree(place)

    def outcome(k):
        try:
            return one(program, config, mode, k, reference, code)
        except Lost as e:
            print("%s, %s at call %d: %s" % (config, mode, k, e), flush=True)
            return "lost"

    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        outcomes = list(pool.map(outcome, calls(arguments, n)))
    program.end()
    print("%-10s %-6s %4d calls, %s" % (config, mode, n, ", ".join("%d %s" % (outcomes.count(how), how) for how in sorted(set(outcomes)))),
          flush=True)
    return outcomes.count("lost")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("invar")
    parser.add_argument("library")
    parser.add_argument("--config", choices=list(CONFIGS), action="append")
    parser.add_argument("--mode", choices=MODES, action="append")
    parser.add_argument("--points", type=int, help="so many calls of each configuration and mode; default: all")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--last", type=int)
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time")
    arguments = parser.parse_args()
    program = Program(os.path.abspath(arguments.invar), os.path.abspath(arguments.library))
    lost = sum(campaign(arguments, program, config, mode) for config in arguments.config or CONFIGS for mode in arguments.mode or MODES)
    print("%d faults lost something; %.0f s of processor time" % (lost, processor_seconds()))
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
