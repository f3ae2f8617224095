"""The Python package against closed forms, differences and the program itself.

PYTHONPATH holds the package of the build tree; ctest runs this file (`ctest -R python`).
"""
import contextlib
import io
import math
import os
import pathlib
import tempfile
import unittest
import warnings

import invar
import numpy
import scipy.optimize

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
STRESS, YOUNG = 3.0, 50.0


def bar(**more):
    """A unit block of linear elasticity under tension: it lengthens by p/E, and J is half the square of that over 0.01,
    compared with 0.05."""
    spec = {
        "title": "bar",
        "mesh": {"box": {"to": [1, 1, 1], "cells": [1, 1, 1], "shape": "hexahedron"}},
        "physics": {"type": "solid"},
        "materials": {"steel": {"model": "linear_elastic", "young": YOUNG, "poisson": 0.3}},
        "boundary": {"left": {"u_x": 0}, "bottom": {"u_y": 0}, "back": {"u_z": 0}},
        "loads": {"pull": {"type": "traction", "region": "right", "x": numpy.float64(STRESS)}},
        "objective": [{"type": "mean_displacement", "region": "right", "component": "x", "target": 0.05, "noise": 0.01}],
        "design": [{"variable": "materials.steel.young", "scale": "log", "lower": 1, "upper": 1e4},
                   {"variable": "loads.pull.x", "lower": 0.1, "upper": 10}],
        "output": {"quantities": {"tip": {"type": "mean_displacement", "region": "right", "component": "x"}}},
    }
    spec.update(more)
    return spec


def closed_form(young, stress):
    """J, gradient and Hessian by (E, p)."""
    r = (stress / young - 0.05) / 0.01
    dr = numpy.array([-stress / young**2, 1 / young]) / 0.01
    ddr = numpy.array([[2 * stress / young**3, -1 / young**2], [-1 / young**2, 0]]) / 0.01
    return 0.5 * r**2, r * dr, numpy.outer(dr, dr) + r * ddr


class Functions(unittest.TestCase):
    def test_physical_coordinates_give_the_closed_form(self):
        problem = invar.Problem(bar(), coordinates="physical")
        self.assertEqual(problem.names, ["materials.steel.young", "loads.pull.x"])
        numpy.testing.assert_allclose(problem.start, [YOUNG, STRESS], rtol=1e-14)
        numpy.testing.assert_allclose(problem.bounds, [[1, 1e4], [0.1, 10]], rtol=1e-14)
        x = numpy.array([70.0, 2.0])
        value, gradient = problem.value_and_gradient(x)
        expected, expected_gradient, hessian = closed_form(*x)
        self.assertAlmostEqual(value / expected, 1, delta=1e-11)
        numpy.testing.assert_allclose(gradient, expected_gradient, rtol=1e-10)
        for direction in (numpy.array([1.0, 0.0]), numpy.array([0.0, 1.0]), gradient):
            numpy.testing.assert_allclose(problem.hessian_product(x, direction), hessian @ direction, rtol=1e-9)
            self.assertAlmostEqual(problem.directional_derivative(x, direction) / (gradient @ direction), 1, delta=1e-10)
        self.assertAlmostEqual(problem.quantities(x)["tip"], 2 / 70, delta=1e-12)

    def test_scaled_coordinates_are_the_optimisers(self):
        problem = invar.Problem(bar())
        x = problem.from_physical([70.0, 2.0])
        _, expected, hessian = closed_form(70.0, 2.0)
        slope = numpy.array([70.0, 2.0 / x[1]])  # dE/dθ = E; p = scale θ
        value, gradient = problem.value_and_gradient(x)
        numpy.testing.assert_allclose(gradient, expected * slope, rtol=1e-10)
        numpy.testing.assert_allclose(problem.physical(x), [70, 2], rtol=1e-14)
        expected_hessian = hessian * numpy.outer(slope, slope) + numpy.diag([expected[0] * 70.0, 0])
        numpy.testing.assert_allclose(problem.hessian_product(x, gradient), expected_hessian @ gradient, rtol=1e-9)
        self.assertAlmostEqual(problem.residuals(x)[0] ** 2 / 2, value, delta=1e-13)
        numpy.testing.assert_allclose(problem.residual_jacobian(x).T @ problem.residuals(x), gradient, rtol=1e-10)

    def test_values_in_place_of_those_of_the_spec(self):
        problem = invar.Problem(bar(), set={"loads.pull.x": 4, "design.1.upper": 20}, coordinates="physical")
        self.assertEqual(problem.start[1], 4)
        self.assertEqual(problem.bounds[1, 1], 20)

    def test_fields_are_those_of_the_state(self):
        problem = invar.Problem(bar(), coordinates="physical")
        x = numpy.array([70.0, 2.0])
        points = problem.mesh(x)["points"]
        nodes, cells = problem.fields(x)
        u = nodes["displacement"]
        strain = 2 / 70
        expected = points * [strain, -0.3 * strain, -0.3 * strain]
        numpy.testing.assert_allclose(u, expected, atol=1e-13)
        self.assertEqual(problem.mesh(x)["cells"][0][1].shape[0], 1)

    @unittest.skipIf(int(os.environ.get("OMPI_COMM_WORLD_SIZE", 1)) > 1, "products of fields need a sum over the ranks")
    def test_fields_as_designs(self):
        spec = bar(mesh={"rectangle": {"to": [2, 1], "cells": [6, 3]}}, physics={"type": "solid", "kind": "plane_stress"},
                   boundary={"left": {"u_x": 0, "u_y": 0}},
                   design=[{"kind": "field", "variable": "materials.steel.young", "radius": 0.7, "lower": 5, "upper": 500}])
        spec["objective"].append({"type": "compliance", "weight": 0.01})
        problem = invar.Problem(spec, coordinates="physical")
        (block,) = problem.blocks
        self.assertEqual(block["count"], problem.size)
        rng = numpy.random.default_rng(1)
        x = problem.start * rng.uniform(0.8, 1.2, problem.size)
        gradient = problem.gradient(x)
        for direction in (gradient, rng.standard_normal(problem.size)):
            h = 1e-4 * numpy.linalg.norm(x) / numpy.linalg.norm(direction)
            difference = (problem.value(x + h * direction) - problem.value(x - h * direction)) / (2 * h)
            self.assertAlmostEqual(gradient @ direction / difference, 1, delta=1e-6)
            curved = (problem.gradient(x + h * direction) - problem.gradient(x - h * direction)) / (2 * h)
            numpy.testing.assert_allclose(problem.hessian_product(x, direction), curved, atol=1e-5 * abs(curved).max())

    def test_mistakes_are_told_all_at_once(self):
        wrong = bar()
        wrong["materials"]["steel"]["youngs"] = 3
        wrong["loads"]["pull"]["region"] = "rihgt"
        with self.assertRaises(invar.SpecError) as caught:
            invar.Problem(wrong)
        self.assertIn("spec:4:", str(caught.exception))  # the fourth section
        self.assertIn("youngs", str(caught.exception))
        with self.assertRaises(TypeError):
            invar.Problem(bar(title=object()))
        with self.assertRaises(ValueError):
            invar.Problem(bar()).value([1.0])

    def test_a_failed_solve_is_no_gradient(self):
        spec = bar(materials={"steel": {"model": "neo_hookean", "young": YOUNG, "poisson": 0.3}},
                   loads={"pull": {"type": "traction", "region": "right", "x": -1.0}},
                   design=[{"variable": "loads.pull.x", "lower": -1e9, "upper": 10}])
        problem = invar.Problem(spec, coordinates="physical")
        with self.assertRaises(invar.SolveError):
            problem.value_and_gradient([-1e8])
        value, gradient = problem.scipy(failed="inf")["fun"]([-1e8])
        self.assertEqual(value, math.inf)
        self.assertTrue(numpy.isnan(gradient).all())
        self.assertTrue(math.isfinite(problem.value([-1.0])))


class Scipy(unittest.TestCase):
    def test_least_squares_finds_yeohs_constants(self):
        problem = invar.Problem(ROOT / "configs/01_rubber_calibration.yaml")
        found = scipy.optimize.least_squares(**problem.least_squares(), xtol=1e-12, ftol=1e-12)
        # The optimum over Treloar's three tests; see the config.
        self.assertAlmostEqual(2 * found.cost, 1.00879, delta=2e-5)

    def test_minimize_with_a_constraint(self):
        # J = p²/E, and p/E is at least 0.04: J = 0.04 p is least where p is at its bound 0.1, with E = 2.5.
        spec = bar(objective=[{"type": "compliance"}],
                   constraints=[{"type": "mean_displacement", "region": "right", "component": "x", "lower": 0.04}])
        problem = invar.Problem(spec)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # SLSQP leaves bounds by rounding and says so
            found = scipy.optimize.minimize(**problem.scipy(), method="SLSQP", options={"ftol": 1e-12})
        self.assertTrue(found.success, found.message)
        young, stress = problem.physical(found.x)
        self.assertAlmostEqual(stress, 0.1, delta=1e-6)
        self.assertAlmostEqual(young, 2.5, delta=1e-5)
        self.assertAlmostEqual(found.fun, 0.004, delta=1e-7)

    def test_minimize_agrees_with_the_program(self):
        spec = bar(objective=[{"type": "mean_displacement", "region": "right", "component": "x", "target": 0.05, "noise": 0.01}],
                   design=[{"variable": "materials.steel.young", "scale": "log", "lower": 1, "upper": 1e4}])
        problem = invar.Problem(spec)
        found = scipy.optimize.minimize(**problem.scipy(), method="L-BFGS-B", options={"gtol": 1e-10})
        self.assertAlmostEqual(problem.physical(found.x)[0], STRESS / 0.05, delta=1e-4)


class Runs(unittest.TestCase):
    def test_a_run_of_a_dict(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "run"
            spec = bar(design=[{"variable": "materials.steel.young", "scale": "log", "lower": 1, "upper": 1e4}])
            result = invar.run(spec, out, set={"loads.pull.x": 2}, folder=folder)
            self.assertEqual(result.exit_code, 0)
            self.assertAlmostEqual(result.fit["materials.steel.young"], 2 / 0.05, delta=1e-4)
            self.assertAlmostEqual(result.quantities["tip"], 0.05, delta=1e-7)
            self.assertIn("objective", result.history)
            grid = result.fields()
            numpy.testing.assert_allclose(grid["point_data"]["displacement"][:, 0], 0.05 * grid["points"][:, 0], atol=1e-7)
            self.assertEqual([p.name for p in pathlib.Path(folder).iterdir()], ["run"])  # the spec's file has gone

    def test_a_run_that_fails_says_why(self):
        with tempfile.TemporaryDirectory() as folder, self.assertRaises(invar.RunError) as caught:
            invar.run(bar(boundary={"left": {"u_q": 0}}), pathlib.Path(folder) / "run")
        self.assertEqual(caught.exception.exit_code, 3)
        self.assertIn("u_q", str(caught.exception))


    def test_a_file_that_is_no_grid(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "a.vtu"
            for text in ("", "<VTKFile", "no XML"):
                file.write_text(text)
                with self.assertRaises(invar.VtkError):
                    invar.read_vtu(file)


class Readme(unittest.TestCase):
    def test_the_example_works_as_it_stands(self):
        text = (ROOT / "apps/python/README.md").read_text(encoding="utf-8")
        example = text.split("```python\n")[1].split("```")[0]
        here = os.getcwd()
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as said:
            os.chdir(folder)
            try:
                names = {}
                exec(compile(example, "README.md", "exec"), names)  # pylint: disable=exec-used
            finally:
                os.chdir(here)
        young = names["result"].fit["materials.silicone.young"]
        numpy.testing.assert_allclose(names["problem"].physical(names["found"].x), [young], rtol=1e-6)
        self.assertIn("displacement", said.getvalue())


class Frameworks(unittest.TestCase):
    def test_torch(self):
        try:
            import torch
        except ImportError:
            self.skipTest("PyTorch is not installed")
        import invar.torch

        problem = invar.Problem(bar(), coordinates="physical")
        objective = invar.torch.objective(problem)
        x = torch.tensor([70.0, 2.0], dtype=torch.double, requires_grad=True)
        self.assertTrue(torch.autograd.gradcheck(objective, (x,), eps=1e-4, atol=1e-6))
        self.assertTrue(torch.autograd.gradgradcheck(objective, (x,), eps=1e-4, atol=1e-6))
        self.assertTrue(torch.autograd.gradcheck(invar.torch.residuals(problem), (x,), eps=1e-4, atol=1e-6))
        (3 * objective(x)).backward()
        numpy.testing.assert_allclose(x.grad.numpy(), 3 * closed_form(70.0, 2.0)[1], rtol=1e-10)
        hessian = torch.autograd.functional.hessian(objective, x.detach())
        numpy.testing.assert_allclose(hessian.numpy(), closed_form(70.0, 2.0)[2], rtol=1e-9)

    def test_jax(self):
        try:
            import jax
        except ImportError:
            self.skipTest("JAX is not installed")
        import invar.jax

        jax.config.update("jax_enable_x64", True)
        problem = invar.Problem(bar(), coordinates="physical")
        objective = invar.jax.objective(problem)
        x = jax.numpy.array([70.0, 2.0])
        expected, gradient, hessian = closed_form(70.0, 2.0)
        value, found = jax.jit(jax.value_and_grad(lambda y: 3 * objective(y)))(x)
        self.assertAlmostEqual(float(value) / (3 * expected), 1, delta=1e-10)
        numpy.testing.assert_allclose(found, 3 * gradient, rtol=1e-10)
        numpy.testing.assert_allclose(jax.jacrev(jax.grad(objective))(x), hessian, rtol=1e-9)


if __name__ == "__main__":
    unittest.main()
