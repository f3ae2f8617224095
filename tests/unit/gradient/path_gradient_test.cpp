// Equilibrium paths of solids whose load factor is found: derivatives with respect to every number and to the
// coordinates of all nodes, by every quantity that a path is controlled by, and by chords.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "libadjoint/path/path_case.hpp"
#include "libfem/objective/number_value.hpp"
#include "libfem/solid/displacement_measures.hpp"
#include "libfem/solid/load_library.hpp"
#include "tests/unit/gradient/observable_table.hpp"

namespace invar::gradient_test {
namespace {

enum class By { volume, reaction, mean_displacement, point, chords };

struct PathSpecimen {
  std::string name;
  SolidKind kind;
  Volume volume;
  const char* material;
  Shape shape;
  int order;
  By by;
};

std::vector<PathSpecimen> all_specimens() {
  return {{"volume_plane", SolidKind::plane_strain, Volume::compressible, "neo_hookean", Shape::triangle, 2, By::volume},
          {"volume_axisymmetric", SolidKind::axisymmetric, Volume::incompressible, "neo_hookean_isochoric", Shape::quadrilateral, 2, By::volume},
          {"volume_spatial", SolidKind::spatial, Volume::compressible, "mooney_rivlin", Shape::hexahedron, 1, By::volume},
          {"reaction_plane_stress", SolidKind::plane_stress, Volume::incompressible, "yeoh", Shape::quadrilateral, 1, By::reaction},
          {"mean_axisymmetric", SolidKind::axisymmetric, Volume::compressible, "neo_hookean", Shape::triangle, 1, By::mean_displacement},
          {"point_spatial", SolidKind::spatial, Volume::compressible, "neo_hookean", Shape::tetrahedron, 1, By::point},
          {"chords_plane", SolidKind::plane_strain, Volume::nearly_incompressible, "neo_hookean", Shape::triangle, 2, By::chords},
          {"chords_axisymmetric", SolidKind::axisymmetric, Volume::compressible, "neo_hookean", Shape::quadrilateral, 1, By::chords},
          {"chords_spatial", SolidKind::spatial, Volume::compressible, "neo_hookean", Shape::hexahedron, 1, By::chords}};
}

/// The numbers of all loads that grow with the load factor, as the library says.
std::set<std::string> numbers_that_grow(int dim) {
  std::set<std::string> names;
  for (const SolidLoad& load : solid_loads()) {
    int number = 0;
    for (const TermParameter& p : load.parameters)
      for (int i = 0; i < (p.per_axis ? dim : 1); ++i, ++number)
        if (p.grows) names.insert(std::string(load.name) + "." + std::to_string(number));
  }
  return names;
}

/// A problem and its path; the quantity is scaled so that the equilibrium under the loads as they are is that at t = 1.
struct SolidPath {
  SolidProblem problem;
  std::shared_ptr<PathCase> process;
  std::vector<int> scaled;
  Controls d;
  std::vector<double> u_given;  // own part of the equilibrium under given loads

  explicit SolidPath(const PathSpecimen& s) : problem(make_problem(spec_of(s), PETSC_COMM_WORLD)) {
    FormResidual& r = *problem.residual;
    r.add_coordinates();
    d = r.control_values();
    const std::set<std::string> growing = numbers_that_grow(problem.mesh->dim);
    for (std::size_t k = 0; k < r.controls().size(); ++k)
      if (growing.contains(r.controls()[k].name)) scaled.push_back(static_cast<int>(k));
    const auto given = problem.make_case();
    std::shared_ptr<Observable> quantity = make_quantity(s);
    const ProcessReport report = given->run(d);
    if (!report.ok) throw std::runtime_error(s.name + ": " + report.reason);
    double value = 0;
    given->with_state(0, [&](const EvaluationPoint& u) {
      quantity->evaluate(u, &value);
      const LocalArray local(u);
      u_given.assign(local.data(), local.data() + problem.dofs->n_owned());
    });
    // By chords the norm is squared; two of half the length end near the equilibrium, not at it.
    PathControl control{std::make_shared<WeightedSum>(quantity, std::vector<double>{1 / value}), s.by == By::chords, scaled};
    std::vector<double> times{1.0, 1.05};
    if (control.chords) times = {0.5, 0.8, 1.1};
    PathOptions options;
    options.newton.rtol = 1e-13;
    options.newton.min_iterations = 1;
    LinearSolverOptions linear;
    linear.rtol = 1e-14;
    process = std::make_shared<PathCase>(s.name, problem.residual, std::make_shared<LinearSolver>(PETSC_COMM_WORLD, linear),
                                         std::move(control), std::move(times), 0.0, options);
    const int last = static_cast<int>(process->times().size()) - 1;
    std::shared_ptr<Observable> load = std::make_shared<NumberValue>(problem.residual, scaled[1]),
                                points = point_samples(problem), reaction = all_observables()[0].make(problem);
    process->data().push_back({"load", load, {0, last}, {0.0, 0.1}, {0.3, 0.2}});
    process->data().push_back({"points", points, {last}, std::vector<double>(points->size(), 0.01), std::vector<double>(points->size(), 0.1)});
    process->terms().push_back({"reaction", reaction, {last - 1, last}, 0.7});
    process->terms().push_back({"energy", stored_energy(problem), {last}, 1.3});
  }

  static ProblemSpec spec_of(const PathSpecimen& s) {
    ProblemSpec spec;
    // their bodies turn sharply here and there: differences of derivatives would need shorter steps
    spec.loads_at_points = false;
    spec.kind = s.kind;
    spec.volume = s.volume;
    spec.material = s.material;
    spec.cell = {s.shape, s.order};
    spec.refinement = s.kind == SolidKind::spatial ? 2 : 3;
    spec.index = 1;
    return spec;
  }

  std::shared_ptr<Observable> make_quantity(const PathSpecimen& s) {
    FormResidual& r = *problem.residual;
    const int dim = problem.mesh->dim;
    const auto value_of = [&](int form, double factor = 1) {
      std::vector<double> factors(r.form_count(), 0.0);
      factors[form] = factor;
      return std::make_shared<FormValue>(problem.residual, factors);
    };
    const auto fixed = [&](double v) { return ControlledValue{r.add_control({"", ""}, {v}), {}}; };
    const auto top = [&] { return CellBatches::on_facets(problem.dofs, "top", 4); };
    const auto cells = [&] { return CellBatches::on_cells(problem.dofs, "", 4); };
    std::shared_ptr<Observable> made;
    switch (s.by) {
      case By::volume: made = value_of(r.add_functional(make_deformed_volume(s.kind, {1, 0.3}, top()), {})); break;
      case By::reaction: {
        std::vector<double> direction{0.3, 1.0, 0.2};
        direction.resize(dim);
        made = Reaction::force(problem.residual, "right", direction);
        break;
      }
      case By::mean_displacement: {
        std::vector<ControlledValue> along;
        for (int i = 0; i < dim; ++i) along.push_back(fixed(i == 1));
        made = value_of(r.add_functional(make_traction(s.kind, CellBatches::on_facets(problem.dofs, "right", 4)), along), -1);
        break;
      }
      case By::point: {
        std::vector<double> distance, x{1.1, 0.5, 0.4};
        bend(x.data(), dim);
        made = make_point_samples(problem.dofs, {{x, 1}}, distance);
        break;
      }
      case By::chords: made = value_of(r.add_functional(make_squared_displacement(s.kind, cells()), {})); break;
    }
    d = r.control_values();
    return made;
  }

  /// Along all that is designed; coordinates by a smooth field, the same on any number of ranks.
  Controls direction() const {
    Controls out(d.size());
    for (const int k : problem.designed) out[k] = {0.1 * std::abs(d[k][0]) * std::cos(1.0 + k)};
    std::vector<double>& x_dot = out[problem.residual->coordinates_control()];
    const Mesh& mesh = *problem.mesh;
    for (int n = 0; n < mesh.node_total(); ++n) {
      const double* x = &mesh.coordinates[std::size_t(n) * mesh.dim];
      for (int i = 0; i < mesh.dim; ++i) x_dot.push_back(0.03 * std::sin(1.7 * x[0] + 2.1 * x[1] + i));
    }
    return out;
  }
  Controls moved(double by) const {
    const Controls along = direction();
    Controls out = d;
    for (std::size_t k = 0; k < out.size(); ++k)
      for (std::size_t i = 0; i < along[k].size(); ++i) out[k][i] += by * along[k][i];
    return out;
  }
  Controls zeros() const {
    Controls out(d.size());
    for (const int k : problem.designed) out[k].assign(1, 0.0);
    out[problem.residual->coordinates_control()].assign(problem.mesh->coordinates.size(), 0.0);
    return out;
  }
  double product(const Controls& bar, const Controls& along) const {
    double sum = 0;
    const int nodes = problem.residual->coordinates_control();
    for (std::size_t k = 0; k < bar.size(); ++k) {
      const std::size_t n = static_cast<int>(k) == nodes ? std::size_t(problem.mesh->n_owned_nodes) * problem.mesh->dim : bar[k].size();
      for (std::size_t i = 0; i < n; ++i) sum += bar[k][i] * along[k][i];
    }
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
    return sum;
  }
  void run(const Controls& at) {
    const ProcessReport report = process->run(at);
    if (!report.ok) throw std::runtime_error(report.reason);
  }
  Controls gradient(const Controls& at) {
    run(at);
    Controls g = zeros();
    const SolveReport report = process->gradient(g);
    EXPECT_TRUE(report.converged) << report.reason;
    return g;
  }
};

class AlongAPath : public testing::TestWithParam<PathSpecimen> {};

TEST_P(AlongAPath, DerivativesAreExact) {
  SolidPath p(GetParam());
  const Controls g = p.gradient(p.d), along = p.direction();
  if (GetParam().by != By::chords) {
    EXPECT_NEAR(p.process->load_factors()[0], 1, 1e-9);
    p.process->with_state(0, [&](const State& u) {
      const LocalArray local(u);
      for (std::size_t i = 0; i < p.u_given.size(); ++i) EXPECT_NEAR(local.data()[i], p.u_given[i], 1e-9) << i;
    });
  }
  Eigen::MatrixXd rho_dot;
  Eigen::VectorXd value_dot;
  ASSERT_TRUE(p.process->tangent({along}, rho_dot, value_dot).converged);
  const double slope = p.product(g, along);
  EXPECT_GT(std::abs(slope), 1e-4);
  EXPECT_NEAR(value_dot[0], slope, 1e-10 * std::abs(slope));
  for (const ProcessTerm& term : p.process->terms()) {
    double forward = 0;
    Controls bar = p.zeros();
    ASSERT_TRUE(p.process->quantity_tangent(term, along, forward).converged);
    ASSERT_TRUE(p.process->quantity_gradient(term, bar).converged);
    EXPECT_NEAR(p.product(bar, along), forward, 1e-10 * std::abs(forward)) << term.name;
  }
  Controls h = p.zeros();
  const SolveReport second = p.process->hessian_action(along, h);
  ASSERT_TRUE(second.converged) << second.reason;
  // Central differences of fourth order: truncation e⁴, round-off 1e-13/e. Forces where regions meet bend more than
  // others.
  constexpr double e = 0.0025;
  double difference = 0;
  Controls change = p.zeros();
  for (const auto& [by, weight] : {std::pair{1.0, 8.0}, {-1.0, -8.0}, {2.0, -1.0}, {-2.0, 1.0}}) {
    const Controls there = p.gradient(p.moved(by * e));
    difference += weight / (12 * e) * p.process->value();
    for (std::size_t k = 0; k < there.size(); ++k)
      for (std::size_t i = 0; i < there[k].size(); ++i) change[k][i] += weight / (12 * e) * there[k][i];
  }
  EXPECT_NEAR(difference, slope, 1e-7 * std::abs(slope));
  double size = 0;
  for (const auto& entry : change)
    for (const double v : entry) size = std::max(size, std::abs(v));
  MPI_Allreduce(MPI_IN_PLACE, &size, 1, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD);
  const int nodes = p.problem.residual->coordinates_control();
  for (const int k : p.problem.designed) {
    double both[] = {h[k][0], change[k][0]};  // shares of sums
    MPI_Allreduce(MPI_IN_PLACE, both, 2, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
    EXPECT_NEAR(both[0], both[1], 3e-6 * size) << p.problem.residual->controls()[k].name;
  }
  for (std::size_t i = 0; i < std::size_t(p.problem.mesh->n_owned_nodes) * p.problem.mesh->dim; ++i)
    EXPECT_NEAR(h[nodes][i], change[nodes][i], 3e-6 * size) << "coordinate " << i;
}

INSTANTIATE_TEST_SUITE_P(Solids, AlongAPath, testing::ValuesIn(all_specimens()), [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace invar::gradient_test
