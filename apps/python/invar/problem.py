"""A spec as functions of arrays."""
import numpy

from invar import _core
from invar.spec_file import assignments, named, spec_file


class Problem:
    """The objective J of a spec, its constraints and data as functions of a design x, with exact derivatives.

    spec         path of a YAML file, or a dict of the same content
    set          {"materials.rubber.c1": 2}: values in place of those of the spec
    folder       folder of the relative file names in a dict
    coordinates  "scaled": x is what the optimiser sees (θ, the logarithm of a variable with `scale: log`);
                 "physical": x holds values with their units

    x holds the numbers that are designed, in the order of `names`, then the entries of fields; `blocks` says what is
    where. Under MPI every rank holds the same numbers and its own entries, and all calls are collective.

    SpecError lists all mistakes of a spec. SolveError: an equation could not be solved at x; value and gradient do not exist.
    """

    def __init__(self, spec, *, set=None, folder=".", coordinates="scaled"):
        if coordinates not in ("scaled", "physical"):
            raise ValueError(f"coordinates are 'scaled' or 'physical', not {coordinates!r}")
        with spec_file(spec, folder) as file:
            try:
                self._core = _core.FlatProblem(file, assignments(set))
            except _core.SpecError as error:
                raise _core.SpecError(named(str(error), spec, file)) from None
        self._scaled = coordinates == "scaled"

    @property
    def title(self):
        return self._core.title

    @property
    def size(self):
        """Entries of x."""
        return self._core.size

    @property
    def names(self):
        """Names of the designed numbers, the first entries of x."""
        return self._core.names

    @property
    def blocks(self):
        """What the entries of x are: dicts of name, of (numbers, cells, nodes), components, first, count, positions."""
        return self._core.blocks

    @property
    def constraints(self):
        """The constraints lower <= c(x) <= upper: dicts of name, lower, upper, scale."""
        return self._core.constraints

    @property
    def stages(self):
        """Number of stages of a density design."""
        return self._core.stages

    def set_stage(self, stage):
        """Penalisation and projection of one of the stages; a problem begins at the first."""
        self._core.set_stage(range(self.stages)[stage])

    @property
    def start(self):
        return self._x(self._core.start())

    @property
    def bounds(self):
        """[size, 2]: lower and upper bound of each entry, infinite where there is none."""
        pair = numpy.array([self._x(self._core.lower()), self._x(self._core.upper())]).T
        return numpy.sort(pair, axis=1)  # a negative scale exchanges them

    def physical(self, x):
        """Values with their units, whatever the coordinates of x."""
        return self._core.physical(self._theta(x))

    def from_physical(self, values):
        """x of values with their units."""
        return self._x(self._core.coordinate(_array(values)))

    def value(self, x):
        """J(x)"""
        return self._core.value(self._theta(x))

    def gradient(self, x):
        """dJ/dx [size], by the adjoint."""
        return self.value_and_gradient(x)[1]

    def value_and_gradient(self, x):
        """J(x) and dJ/dx [size], by the adjoint."""
        theta = self._theta(x)
        value, gradient = self._core.value_and_gradient(theta)
        return value, gradient / self._slope(theta)

    def directional_derivative(self, x, direction):
        """dJ/dx · direction by the tangent, which is independent of the adjoint."""
        theta = self._theta(x)
        return self._core.directional_derivative(theta, _array(direction) / self._slope(theta))

    def hessian_product(self, x, direction):
        """d²J/dx² · direction [size], by the second-order adjoint."""
        theta = self._theta(x)
        if self._scaled:
            return self._core.hessian_product(theta, _array(direction))
        # J(x) = f(θ(x)), dθ/dx = 1/p': H_x v = (H_θ (v/p') - g_θ p'' v / p'²) / p'
        slope, direction = self._slope(theta), _array(direction) / self._slope(theta)
        curved = self._core.value_and_gradient(theta)[1] * self._core.curvature(theta) / slope
        return (self._core.hessian_product(theta, direction) - curved * direction) / slope

    def constraint_values(self, x):
        """c(x) [constraints]"""
        return self._core.constraint_values(self._theta(x))

    def constraint_jacobian(self, x):
        """dc/dx [constraints, size], by adjoints."""
        theta = self._theta(x)
        return self._core.constraint_jacobian(theta) / self._slope(theta)

    @property
    def residual_count(self):
        """Number of residuals, i.e. of scalar data."""
        return self._core.residual_count

    def residuals(self, x):
        """Weighted residuals (model - data)/noise of all data; J is half the sum of their squares, and terms."""
        return self._core.residuals(self._theta(x))

    def residual_jacobian(self, x):
        """Derivatives of the residuals [residuals, size]; for designs without fields."""
        theta = self._theta(x)
        return self._core.residual_jacobian(theta) / self._slope(theta)

    def quantities(self, x):
        """{name: value} of `output.quantities` and `output.probes`."""
        return self._core.quantities(self._theta(x))

    @property
    def cases(self):
        return self._core.cases

    def times(self, case=""):
        """Load parameters or times at which the states of a case are known."""
        return numpy.array(self._core.times(self._case(case)))

    def mesh(self, x, case=""):
        """points [nodes, dim] at the positions of the design x, and cells: (shape and number of nodes, [cells, nodes])."""
        return self._core.mesh(self._theta(x), self._case(case))

    def fields(self, x, case="", step=-1):
        """Fields of a state: ({name: [nodes, components]}, {name: [cells, components]})."""
        return self._core.fields(self._theta(x), self._case(case), step)

    def scipy(self, failed="raise"):
        """Arguments for `scipy.optimize.minimize`: minimize(**problem.scipy(), method=…).

        failed  "raise": SolveError ends the search where an equation cannot be solved; "inf": J is infinite there and
                the gradient undefined, for methods that reject such a point, as derivative-free ones and those that
                look at J before they ask for the gradient
        """
        if failed not in ("raise", "inf"):
            raise ValueError(f"failed is 'raise' or 'inf', not {failed!r}")

        def function(x):
            try:
                return self.value_and_gradient(x)
            except _core.SolveError:
                if failed == "raise":
                    raise
                return numpy.inf, numpy.full(self.size, numpy.nan)

        arguments = {"fun": function, "x0": self.start, "jac": True, "bounds": self.bounds}
        if self.constraints:
            from scipy.optimize import NonlinearConstraint

            arguments["constraints"] = NonlinearConstraint(
                self.constraint_values, [c["lower"] for c in self.constraints], [c["upper"] for c in self.constraints],
                jac=self.constraint_jacobian)
        return arguments

    def least_squares(self):
        """Arguments for `scipy.optimize.least_squares`."""
        return {"fun": self.residuals, "jac": self.residual_jacobian, "x0": self.start, "bounds": tuple(self.bounds.T)}

    def _case(self, case):
        return case if case else self.cases[0]

    def _theta(self, x):
        return _array(x) if self._scaled else self._core.coordinate(_array(x))

    def _x(self, theta):
        return theta if self._scaled else self._core.physical(theta)

    def _slope(self, theta):
        return 1.0 if self._scaled else self._core.slope(theta)


def _array(x):
    return numpy.asarray(x, dtype=float)
