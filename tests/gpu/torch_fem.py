#!/usr/bin/env python3
"""Times two problems by torch-fem, the peer of tests/bench on a GPU, with PyTorch's default device given as --device.

  tests/gpu/torch_fem.py stretch 35 105     a block of 4 x (N - 1)^2 hexahedra drawn to ten times its length (as bench_stretch N)
  tests/gpu/torch_fem.py density 30 60      compliance of a cantilever of 2N x N x N hexahedra with random densities, and its gradient

Prints unknowns, seconds of the forward solve and of the gradient, and the most memory that PyTorch took on the device. A first run
of the smallest size loads kernels. torch-fem plots by PyVista, which is replaced by a mock where it is not installed.
"""
import argparse
import math
import sys
import time
from unittest.mock import MagicMock


try:
    import pyvista  # noqa: F401
except ImportError:
    sys.modules["pyvista"] = sys.modules["pyvista.plotting"] = MagicMock()

import torch  # noqa: E402
from torchfem import Solid  # noqa: E402
from torchfem.materials import Hyperelastic3D, IsotropicElasticity3D  # noqa: E402
from torchfem.mesh import cube_hexa  # noqa: E402


def stretch(n):
    """The forward solve in ten steps that are equal factors of stretch; the force at the end and its derivatives by Lamé's constants."""
    young, poisson, length = 1000.0, 0.3, 4.0 / (n - 1)
    nodes, cells = cube_hexa(5, n, n, length, 1.0, 1.0)
    lame = torch.tensor([young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))], requires_grad=True)

    def energy(F, p):
        C = F.transpose(-1, -2) @ F
        log_j = torch.logdet(C) / 2
        return p[0] / 2 * (torch.trace(C) - 3) - p[0] * log_j + p[1] / 2 * log_j**2

    block = Solid(nodes, cells, Hyperelastic3D(energy, lame))
    start, end = nodes[:, 0] == 0, nodes[:, 0] == length
    block.constraints[start, 0] = block.constraints[end, 0] = True
    for axis in (1, 2):
        block.constraints[nodes[:, axis] == 0.5, axis] = True
    block.displacements[end, 0] = 9 * length
    steps = (torch.logspace(0, 1, 11) - 1) / 9
    found = {}

    def forward():
        found["force"] = block.solve(increments=steps, differentiable_parameters=lame)[1][end, 0].sum()

    return 3 * block.n_nod, forward, lambda: found["force"].backward()


def density(n):
    """Compliance under a load on the free end; random densities between 0.05 and 0.95, penalised by their cube."""
    nodes, cells = cube_hexa(2 * n + 1, n + 1, n + 1, 2.0, 1.0, 1.0)
    made = torch.Generator(device="cpu").manual_seed(0)
    rho = (0.5 + 0.3 * torch.randn(len(cells), generator=made, device="cpu")).clamp(0.05, 0.95).to(nodes.device).requires_grad_()
    material = IsotropicElasticity3D(E=7e4, nu=0.3).vectorize(len(cells))
    material.C = (1e-3 + (1 - 1e-3) * rho**3)[:, None, None, None, None] * material.C
    body = Solid(nodes, cells, material)
    body.constraints[nodes[:, 0] == 0, :] = True
    end = nodes[:, 0] == 2
    share = torch.ones(len(nodes))
    for axis in (1, 2):
        share[(nodes[:, axis] == 0) | (nodes[:, axis] == 1)] /= 2
    body.forces[end, 2] = -share[end] / n**2
    found = {}

    def forward():
        found["u"] = body.solve(differentiable_parameters=rho)[0]

    return 3 * body.n_nod, forward, lambda: torch.inner(body.forces.ravel(), found["u"].ravel()).backward()


def timed(work):
    begin = time.perf_counter()
    work()
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    return time.perf_counter() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problem", choices=["stretch", "density"])
    parser.add_argument("sizes", type=int, nargs="+")
    parser.add_argument("--device", default="cuda")
    arguments = parser.parse_args()
    torch.set_default_dtype(torch.float64)
    torch.set_default_device(arguments.device)
    problem = {"stretch": stretch, "density": density}[arguments.problem]
    for n in [min(arguments.sizes)] + arguments.sizes:
        if arguments.device == "cuda":
            torch.cuda.reset_peak_memory_stats()
        unknowns, forward, backward = problem(n)
        seconds = timed(forward), timed(backward)
        memory = torch.cuda.max_memory_allocated() / 1e6 if arguments.device == "cuda" else math.nan
        print(f"torch-fem {arguments.problem} {n}: {unknowns} unknowns, forward {seconds[0]:.2f} s, gradient {seconds[1]:.2f} s, {memory:.0f} MB", flush=True)


if __name__ == "__main__":
    main()
