"""Inverse design of soft bodies and flows: invar's problems as functions of NumPy arrays.

    import invar
    problem = invar.Problem("spec.yaml")              # or a dict
    J, g = problem.value_and_gradient(problem.start)
    scipy.optimize.minimize(**problem.scipy())
    result = invar.run("spec.yaml", out="results/a")  # the program itself, in a process of its own

`invar.torch` and `invar.jax` hold differentiable operators for PyTorch and JAX.
"""
import atexit as _atexit
import os as _os

# OpenBLAS reads its settings when it is loaded. With a thread per core it is slower on the small fronts of sparse
# factorisations; where NumPy has loaded it before, set the variable outside.
_os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from invar import _core
from invar._core import IoError, SolveError, SpecError, VtkError
from invar.problem import Problem
from invar.results import Result, read_vtu
from invar.runner import RunError, run

__version__ = _core.version
__all__ = ["IoError", "Problem", "Result", "RunError", "SolveError", "SpecError", "VtkError", "read_vtu", "run"]

_atexit.register(_core.stop)
