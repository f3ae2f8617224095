// Bodies that touch, as problems for tests of derivatives.
#pragma once
#include <algorithm>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "libadjoint/path/path_case.hpp"
#include "libadjoint/static_case.hpp"
#include "libfem/contact/contact_forms.hpp"
#include "libfem/contact/contact_quantities.hpp"
#include "libfem/contact/surface_fields.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/join_bodies.hpp"
#include "libfem/objective/reaction.hpp"
#include "libfem/objective/weighted_sum.hpp"
#include "libfem/solid/displacement_measures.hpp"
#include "libfem/solid/dynamic_forms.hpp"
#include "libfem/solid/material_library.hpp"
#include "tests/unit/gradient/transient_problem.hpp"

namespace invar::gradient_test {

/// Two bodies of which one presses on the other.
struct TouchingSpec {
  std::string name;
  std::optional<TimeScheme::Kind> scheme = {};  // none: at rest, without friction
  CellType cell{Shape::quadrilateral, 1};
  int dim = 2;
  bool coordinates = false, self = false;
  bool rigid = false;     // at rest: all nodes of the upper body are prescribed
  bool obstacle = false;  // at rest: a sphere supports the lower body from the left
  enum class Path { none, quantity, chords } path = Path::none;  // at rest: the load that presses the upper body down is found
  SolidKind plane = SolidKind::plane_strain;  // in 2-D
  int changes = 0;  // fewer than those of the pattern
  bool whole = false;  // the matrix has entries for all that might ever touch
};
inline void PrintTo(const TouchingSpec& s, std::ostream* out) { *out << s.name; }

inline constexpr double touching_gap = 0.01;  // m

inline Mesh touching_mesh(const TouchingSpec& s) {
  const auto block = [&](std::array<double, 3> low, std::array<double, 3> high, int n) {
    return s.dim == 2 ? make_rectangle(low[0], low[1], high[0], high[1], n, 1, s.cell.shape, s.cell.order)
                      : make_box(low, high, {n, 1, 1}, s.cell.shape, s.cell.order);
  };
  Mesh mesh = join_bodies({{"lower", block({0.5, 0, 0}, {1.7, 0.4, 0.5}, 3)},
                           {"upper", block({0.73, 0.4 + touching_gap, 0.1}, {1.43, 0.8, 0.45}, s.dim == 2 ? 3 : 2)}});
  for (int n = 0; n < mesh.node_total(); ++n) {  // the upper one is turned a little: contact spreads from its left end
    double* x = &mesh.coordinates[std::size_t(n) * mesh.dim];
    if (x[1] > 0.4 + 0.5 * touching_gap) x[1] += 0.06 * (x[0] - 0.73);
  }
  return mesh;
}

/// Builds their equation, quantities and designs.
class TouchingBuilder : TransientBuilder {
 public:
  TouchingBuilder(const TouchingSpec& s, MPI_Comm comm)
      : TransientBuilder(s.name, TimeScheme(s.scheme.value_or(TimeScheme::Kind::backward_euler), 2, 0.5),
                         times_of(s), touching_mesh(s), components(s),
                         comm, 0, {{"lower_top", "upper_bottom"}}),
        s_(s), kind_(s.dim == 3 ? SolidKind::spatial : s.plane) {}

  bool on_a_path() const { return s_.path != TouchingSpec::Path::none; }

  TransientProblem build() {
    std::vector<ControlledValue> constants{number("young", 10, 0), number("poisson", 0.3, 0)};
    p_.material = make_material({.name = "neo_hookean"});
    add("make_displacement_form", make_displacement_form(kind_, p_.material, cells()), constants);
    if (s_.scheme) {
      add("make_inertia", make_inertia(kind_, cells()), {number("density", 0.5, 0)});
      begin_with_speed();
    } else {
      load();
    }
    touch();
    if (s_.obstacle) lean();
    hold();
    watch();
    if (s_.coordinates) p_.fields.push_back(r().add_coordinates());
    return finish();
  }

  std::shared_ptr<Case> process(const TransientProblem& p) const {
    if (s_.scheme) return p.make_case();
    LinearSolverOptions linear;
    linear.rtol = 1e-15;
    const auto solver = std::make_shared<LinearSolver>(p.dofs->comm(), linear);
    NewtonOptions newton;
    newton.rtol = 1e-13;
    if (!on_a_path()) return std::make_shared<StaticCase>(s_.name, p.residual, solver, p.times, 0.0, LoadSteppingOptions{.newton = newton});
    newton.min_iterations = 1;
    PathControl control;
    control.chords = s_.path == TouchingSpec::Path::chords;
    std::vector<double> distance, tip{0.75, 0.79, 0.3};
    tip.resize(p.mesh->dim);
    if (control.chords) control.quantity = squared_;
    else control.quantity = std::make_shared<WeightedSum>(make_point_samples(p.dofs, {{tip, 1}}, distance), std::vector<double>{-1});
    for (std::size_t k = 0; k < p.residual->controls().size(); ++k)
      if (p.residual->controls()[k].name.starts_with("press.")) control.scaled.push_back(static_cast<int>(k));
    return std::make_shared<PathCase>(s_.name, p.residual, solver, control, p.times, 0.0, PathOptions{.newton = newton});
  }

  /// Number of pairs that press in that state, those of several ranks several times.
  std::size_t active(const EvaluationPoint& u) const {
    std::size_t pairs = pairs_at(u, 0.016).size();
    MPI_Allreduce(MPI_IN_PLACE, &pairs, 1, MPI_UNSIGNED_LONG, MPI_SUM, finder_dofs_->comm());
    return pairs;
  }

  /// The pairs that press in the states of the last run, on this rank.
  std::vector<ActivePairs> met(Case& process) const {
    const double d_hat = (*process.controls())[values_[1].control][0];
    std::vector<ActivePairs> all;
    process.visit_states([&](int, const EvaluationPoint& u) { all.push_back(pairs_at(u, d_hat)); });
    return all;
  }

 private:
  static std::vector<Component> components(const TouchingSpec& s) {
    std::vector<Component> all;
    for (int i = 0; i < s.dim; ++i) all.push_back({std::string("u_") + "xyz"[i], s.cell.order});
    return all;
  }
  static std::vector<double> times_of(const TouchingSpec& s) {
    if (s.scheme) return {0, 0.01, 0.02, 0.03, 0.045, 0.06, 0.075};
    if (s.path == TouchingSpec::Path::none) return {0.5, 1};
    return s.path == TouchingSpec::Path::quantity ? std::vector<double>{0.02, 0.04} : std::vector<double>{0.01, 0.02};
  }
  const ActivePairs& pairs_at(const EvaluationPoint& u, double d_hat) const {
    const DofMap& dofs = *finder_dofs_;
    const SurfaceTransfer transfer(finder_->surface(), finder_->nodes(), finder_dofs_);
    const LocalArray local(u);
    return finder_->active({dofs.mesh().dim, transfer.of_coordinates(residual_->coordinates(u.given).data()), transfer.of_unknown(local.data())}, d_hat);
  }
  CellBatches cells() const { return CellBatches::on_cells(p_.dofs, "", 4); }

  void begin_with_speed() {
    const double speeds[] = {0.9, -0.7, 0.3};
    for (int i = 0; i < dim(); ++i)
      for (const char* region : {"upper"}) begin(Level::rate, region, i, number("speed." + std::to_string(i), speeds[i]));
  }

  void load() {
    std::vector<ControlledValue> weight, traction;
    for (int i = 0; i < dim(); ++i) {
      weight.push_back(number("weight." + std::to_string(i), 0.2 - 0.3 * i, -INFINITY, [](const double* x, double t) { return t * (1 + 0.4 * x[0]); }));
      traction.push_back(number("traction." + std::to_string(i), -0.1 + 0.05 * i));
    }
    add("make_body_force", make_body_force(kind_, cells()), weight);
    add("make_traction", make_traction(kind_, CellBatches::on_facets(p_.dofs, "lower_right", 4)), traction);
  }

  /// A ball beside the lower body's left side, 0.01 m away.
  void lean() {
    std::vector<ControlledValue> values{number("obstacle.stiffness", 2, 0), number("obstacle.distance", 0.02, 0), {r().add_control({"", ""}, {0}), {}},
                                        {r().add_control({"", ""}, {1}), {}}};
    const double centre[] = {0.09, 0.25, 0.27};
    for (int i = 0; i < dim(); ++i) values.push_back(number("obstacle." + std::to_string(i), centre[i]));
    for (int i = 0; i < dim(); ++i) values.push_back({r().add_control({"", ""}, {1}), {}});  // a ball has no direction
    values.push_back(number("obstacle.radius", 0.4, 0));
    add("make_obstacle_contact", make_obstacle_contact(kind_, ObstacleShape::sphere, CellBatches::on_facets(p_.dofs, "lower_left", 6)), values);
  }

  std::shared_ptr<PairFinder> make_finder() const {
    const int samples = s_.dim == 2 ? 3 : 2;
    const bool axisymmetric = kind_ == SolidKind::axisymmetric;
    return s_.self ? PairFinder::on_regions(*p_.mesh, {"lower_top", "upper_bottom"}, {}, samples, axisymmetric)
                   : PairFinder::on_regions(*p_.mesh, {"lower_top"}, {"upper_bottom"}, samples, axisymmetric);
  }

  void touch() {
    finder_dofs_ = p_.dofs, residual_ = p_.residual;
    finder_ = make_finder();
    // A contact that reaches everywhere and presses nowhere.
    if (s_.whole) r().add_form(make_contact(make_finder(), p_.dofs), {{r().add_control({"", ""}, {0}), {}}, {r().add_control({"", ""}, {10}), {}}});
    values_ = {number("stiffness", 1.5, 0), number("distance", 0.016, 0)};
    if (s_.scheme) {
      values_.push_back(number("friction", 0.4, 0));
      values_.push_back(number("slip_speed", 0.3, 0));
      add("make_frictional_contact", make_frictional_contact(finder_, p_.dofs), values_);
    } else {
      add("make_contact", make_contact(finder_, p_.dofs), values_);
    }
  }

  void hold() {
    for (int i = 0; i < dim(); ++i) r().add_dirichlet({.region = "lower_bottom", .component = i, .value = number("base." + std::to_string(i), 0.001)});
    if (s_.scheme) return;
    if (on_a_path()) return press();
    for (int i = 0; i < dim(); ++i)
      r().add_dirichlet({.region = s_.rigid ? "upper" : "upper_top", .component = i, .value = number("top." + std::to_string(i), i == 1 ? -0.03 : 0.01, -INFINITY, [](const double* x, double t) {
                           return t * (1 + 0.3 * x[0]);
                         })});
  }

  /// The upper body is held at its right side; its top is pressed by a load that a path finds.
  void press() {
    std::vector<ControlledValue> load;
    for (int i = 0; i < dim(); ++i) {
      r().add_dirichlet({.region = "upper_right", .component = i, .value = number("held." + std::to_string(i), 0.001)});
      load.push_back(number("press." + std::to_string(i), i == 1 ? -1 : 0.1));
    }
    add("make_traction", make_traction(kind_, CellBatches::on_facets(p_.dofs, "upper_top", 4)), load);
    std::vector<double> factors(r().add_functional(make_squared_displacement(kind_, cells()), {}) + 1, 0.0);
    factors.back() = 1;
    squared_ = std::make_shared<FormValue>(p_.residual, factors);
  }

  void watch() {
    std::vector<double> tip{1.4, 0.75, 0.3}, below{1.1, 0.35, 0.3};
    tip.resize(dim()), below.resize(dim());
    const int first = s_.scheme ? 1 : 0;
    const std::vector<int> steps = s_.scheme ? std::vector<int>{2, last()} : std::vector<int>{0, last()};
    quantity("tip", points({{tip, 0}, {tip, 1}}), {last()}, {});
    quantity("below", points({{below, 1}}), steps, {});
    std::vector<double> direction{0.3, 1, 0.2};
    direction.resize(dim());
    quantity("support", Reaction::force(p_.residual, "lower_bottom", direction), {first, last()}, {});
    if (!s_.self) {
      RigidVelocity along;
      std::ranges::copy(direction, along.constant.begin());
      for (const auto& [name, motion] : {std::pair("contact force", along), std::pair("contact moment", RigidVelocity::about({0.3, 0.1, 0.2}, {0.4, -0.3, 1}, dim()))})
        quantity(name, functional("make_contact_force", make_contact_force(finder_, p_.dofs, s_.scheme.has_value(), motion), values_), steps, {});
    }
    quantity("contact area", functional("make_contact_area", make_contact_area(finder_, p_.dofs), {values_[0], values_[1], {r().add_control({"", ""}, {0.2}), {}}}), steps, {});
    quantity("thrust", functional("make_contact_thrust", make_contact_thrust(finder_, p_.dofs), {values_[0], values_[1]}), steps, {});
    if (s_.coordinates)
      quantity("undeformed closeness", functional("make_undeformed_closeness", make_undeformed_closeness(finder_, p_.dofs), {{r().add_control({"", ""}, {1e-6}), {}}, {r().add_control({"", ""}, {0.03}), {}}}), steps, {});
    if (s_.scheme) {
      quantity("slip", functional("make_contact_slip", make_contact_slip(finder_, p_.dofs), {values_[0], values_[1], {r().add_control({"", ""}, {0.1}), {}}}), steps, {});
      quantity("mean slip", mean_slip(), steps, {});
      quantity("friction power", functional("make_friction_power", make_friction_power(finder_, p_.dofs), values_), steps, {});
    }
    p_.tracked = points({{below, 1}, {tip, 0}});
  }

  /// The quotient that the spec calls `slip`.
  std::shared_ptr<Observable> mean_slip() const {
    ContactQuantityCase c;
    c.dofs = p_.dofs, c.residual = p_.residual;
    c.in_time = true;
    c.pairs.push_back({.name = "bodies", .regions = {}, .finder = finder_, .values = values_, .friction = true});
    const auto entry = std::ranges::find(contact_quantities(), "slip", &QuantityEntry<ContactQuantityCase>::name);
    EntryValues values = EntryValues::defaults(entry->parameters);
    values.set_text("contact", "bodies");
    values.set("smoothing", {0.1});
    EntryMistakes none;
    return entry->make(c, values, none);
  }

  TouchingSpec s_;
  SolidKind kind_;
  std::shared_ptr<PairFinder> finder_;
  std::shared_ptr<const DofMap> finder_dofs_;
  std::shared_ptr<FormResidual> residual_;
  std::shared_ptr<Observable> squared_;  // ∫ |u|²
  std::vector<ControlledValue> values_;
};

inline std::vector<TouchingSpec> touching_bodies() {
  using Kind = TimeScheme::Kind;
  constexpr CellType tri3{Shape::triangle, 1}, tri6{Shape::triangle, 2}, quad9{Shape::quadrilateral, 2}, hex8{Shape::hexahedron, 1},
      hex27{Shape::hexahedron, 2}, tet4{Shape::tetrahedron, 1}, tet10{Shape::tetrahedron, 2};
  return {{.name = "at_rest", .coordinates = true},
          {.name = "at_rest_triangles", .cell = tri3, .coordinates = true, .obstacle = true},
          {.name = "at_rest_quadratic", .cell = tri6, .coordinates = true, .changes = 1},
          {.name = "at_rest_biquadratic_plane_stress", .cell = quad9, .coordinates = true, .plane = SolidKind::plane_stress},
          {.name = "at_rest_axisymmetric", .coordinates = true, .plane = SolidKind::axisymmetric},
          {.name = "at_rest_rigid", .cell = tri6, .coordinates = true, .rigid = true},
          {.name = "on_a_path", .coordinates = true, .path = TouchingSpec::Path::quantity},
          {.name = "on_a_path_by_chords", .cell = tri6, .coordinates = true, .path = TouchingSpec::Path::chords},
          {.name = "at_rest_self", .coordinates = true, .self = true},
          {.name = "at_rest_spatial", .cell = tet4, .dim = 3, .coordinates = true},
          {.name = "at_rest_spatial_hexahedra", .cell = hex8, .dim = 3, .coordinates = true, .obstacle = true},
          {.name = "at_rest_spatial_rigid", .cell = hex8, .dim = 3, .coordinates = true, .rigid = true},
          {.name = "at_rest_spatial_self", .cell = hex8, .dim = 3, .coordinates = true, .self = true},
          {.name = "at_rest_spatial_quadratic", .cell = tet10, .dim = 3, .coordinates = true},
          {.name = "at_rest_spatial_triquadratic", .cell = hex27, .dim = 3, .coordinates = true},
          {.name = "backward_euler", .scheme = Kind::backward_euler, .coordinates = true},
          {.name = "bdf2", .scheme = Kind::bdf2},
          {.name = "midpoint", .scheme = Kind::midpoint},
          {.name = "newmark", .scheme = Kind::newmark, .cell = tri6, .changes = 1},
          {.name = "generalised_alpha", .scheme = Kind::generalised_alpha, .self = true},
          {.name = "sdirk2", .scheme = Kind::sdirk2},
          {.name = "generalised_alpha_spatial", .scheme = Kind::generalised_alpha, .cell = hex8, .dim = 3}};
}

inline TransientProblem touching_problem(const char* name) {
  const std::vector<TouchingSpec> all = touching_bodies();
  return TouchingBuilder(*std::ranges::find(all, name, &TouchingSpec::name), PETSC_COMM_WORLD).build();
}

}  // namespace invar::gradient_test
