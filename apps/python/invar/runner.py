"""The program itself, as a process of its own."""
import os
import pathlib
import shutil
import subprocess

from invar.results import Result
from invar.spec_file import assignments, named, spec_file

EXIT_CODES_WITH_RESULTS = (0, 5, 75)  # done; not converged or not as expected; interrupted


class RunError(RuntimeError):
    """A run that ended without results. `exit_code` as documented by `invar --help`; `output` is what it said."""

    def __init__(self, exit_code, output):
        super().__init__(output.strip() or f"invar ended with {exit_code}")
        self.exit_code, self.output = exit_code, output


def program():
    """The path of the program: $INVAR, that of the package, or the first on the PATH."""
    here = pathlib.Path(__file__).parent
    for candidate in (os.environ.get("INVAR"), here / "bin" / "invar", here.parent.parent / "invar", shutil.which("invar")):
        if candidate and os.access(candidate, os.X_OK) and pathlib.Path(candidate).is_file():
            return str(candidate)
    raise FileNotFoundError("the program invar is not found: install it, or set the variable INVAR to its path")


def run(spec, out, *, set=None, folder=".", ranks=1, echo=False):
    """Runs a spec (a path, or a dict whose relative files are in `folder`) and returns its Result.

    The files of the run are in the folder `out`. A run that does not converge has a Result with `exit_code` 5. Where
    there are no results RunError has the reason. `echo`: the program's output is shown immediately.
    """
    with spec_file(spec, folder) as file:
        command = [program(), "run", str(file), "--out", str(out)]
        for text in assignments(set):
            command += ["--set", text]
        if ranks > 1:
            command = ["mpirun", "-n", str(ranks)] + command
        lines = []
        environment = dict(os.environ)
        if "OMPI_COMM_WORLD_SIZE" in environment:  # a process that mpirun has started: the program is no part of its job
            environment = {k: v for k, v in environment.items() if not k.startswith(("OMPI_", "PMIX_", "ORTE_", "OPAL_"))}
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                              env=environment) as process:
            for line in process.stdout:
                lines.append(named(line, spec, file))
                if echo:
                    print(lines[-1], end="", flush=True)
        code = process.returncode
    if code not in EXIT_CODES_WITH_RESULTS or not (pathlib.Path(out) / "results.json").exists():
        raise RunError(code, "".join(lines))
    return Result(out, code)
