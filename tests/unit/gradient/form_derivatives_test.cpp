// Every weak form by itself, on bent cells and facets: ∂r/∂u, ∂r/∂X, ∂r/∂p forward against finite
// differences, reverse against forward, second order against differences of the reverse.
#include <gtest/gtest.h>

#include <random>

#include "libfluid/flow/flow_law_library.hpp"
#include "libfluid/fsi/fsi_forms.hpp"
#include "libfluid/objective/flow_objectives.hpp"
#include "tests/unit/gradient/problem_table.hpp"

namespace invar::gradient_test {
namespace {

using Array = std::vector<double>;

double dot(const Array& a, const Array& b) {
  double s = 0;
  for (std::size_t i = 0; i < a.size(); ++i) s += a[i] * b[i];
  return s;
}

/// Largest |a − b| over the largest |b|.
double difference(const Array& a, const Array& b) {
  double worst = 0, size = 1e-300;
  for (std::size_t i = 0; i < a.size(); ++i) {
    worst = std::max(worst, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(b[i]));
  }
  return worst / size;
}

/// Everything that a form depends on, or a direction or derivative of it.
struct Inputs {
  Array u, X, lambda;
  std::vector<Array> p;

  Inputs moved(double h, const Inputs& d) const {
    Inputs m = *this;
    const auto move = [h](Array& a, const Array& b) { for (std::size_t i = 0; i < b.size(); ++i) a[i] += h * b[i]; };
    move(m.u, d.u), move(m.X, d.X), move(m.lambda, d.lambda);
    for (std::size_t k = 0; k < d.p.size(); ++k) move(m.p[k], d.p[k]);
    return m;
  }
  Array joined() const {
    Array all = u;
    all.insert(all.end(), X.begin(), X.end());
    for (const Array& a : p) all.insert(all.end(), a.begin(), a.end());
    return all;
  }
};

/// A form at a random state near rest; coefficients are constant, per cell and per node in turn. Rates, where the form reads
/// them, are equal to the values, as of an exponential.
class FormProbe {
 public:
  FormProbe(const DofMap& dofs, WeakForm& form, const Array& constants, int n_cells)
      : dofs_(dofs), form_(form), rates_(form.traits().reads[Level::rate]) {
    const Mesh& mesh = dofs.mesh();
    at.u = random(dofs.n_local(), 0.03);
    at.X = mesh.coordinates;
    at.lambda = random(dofs.n_local(), 1);
    for (std::size_t k = 0; k < constants.size(); ++k) {
      const auto layout = static_cast<Coefficient::Layout>(k % 3);
      const int n = layout == Coefficient::Layout::constant   ? 1
                    : layout == Coefficient::Layout::per_cell ? n_cells
                                                              : mesh.node_total();
      at.p.push_back(random(n, 0.05));
      for (double& v : at.p.back()) v = constants[k] * (1 + v);
      form.coefficients()[k] = {layout, at.p.back()};
    }
    d = zeros();
    d.u = random(static_cast<int>(at.u.size()), 0.1);
    d.X = random(static_cast<int>(at.X.size()), 0.1);
    d.lambda = random(static_cast<int>(at.u.size()), 1);
    for (std::size_t k = 0; k < at.p.size(); ++k)
      for (std::size_t i = 0; i < at.p[k].size(); ++i) d.p[k][i] = at.p[k][i] * random(1, 0.5)[0];
  }

  Inputs zeros() const {
    Inputs z{Array(at.u.size(), 0.0), Array(at.X.size(), 0.0), Array(at.u.size(), 0.0), {}};
    for (const Array& a : at.p) z.p.emplace_back(a.size(), 0.0);
    return z;
  }
  Array residual(const Inputs& x) {
    Array r(x.u.size(), 0.0);
    EXPECT_TRUE(form_.residual(state(x), r.data()));
    return r;
  }
  double value(const Inputs& x) { return form_.value(state(x)); }
  Array jvp(const Inputs& direction) {
    Array r(at.u.size(), 0.0);
    form_.jvp(state(at), tangent(direction), r.data());
    return r;
  }
  double value_jvp() { return form_.value_jvp(state(at), tangent(d)); }
  Inputs vjp(const Inputs& x) {
    return reverse([&](FormCotangent& out) { form_.vjp(state(x), x.lambda.data(), out); });
  }
  Inputs vjp_tangent(const Inputs& direction) {
    return reverse([&](FormCotangent& out) { form_.vjp_tangent(state(at), at.lambda.data(), tangent(direction), out); });
  }
  Inputs value_vjp(const Inputs& x) {
    return reverse([&](FormCotangent& out) { form_.value_vjp(state(x), 1.7, out); });
  }
  Inputs value_vjp_tangent() {
    return reverse([&](FormCotangent& out) { form_.value_vjp_tangent(state(at), 1.7, tangent(d), out); });
  }
  Array product(AssembledMatrix& K, const Array& x) {
    K.begin();
    form_.jacobian(state(at), levels(1.0), K);
    K.end();
    VecHandle in = dofs_.create_vector(), out = dofs_.create_vector();
    double* a = nullptr;
    check(VecGetArray(in, &a));
    std::copy(x.begin(), x.end(), a);
    check(VecRestoreArray(in, &a));
    check(MatMult(K.mat(), in, out));
    const LocalArray y(out);
    return Array(y.data(), y.data() + x.size());
  }

  Inputs at, d;

 private:
  Array random(int n, double size) {
    Array a(n);
    for (double& v : a) v = size * (2 * std::generate_canonical<double, 53>(random_) - 1);
    return a;
  }
  FormState state(const Inputs& x) {
    for (std::size_t k = 0; k < x.p.size(); ++k) form_.coefficients()[k].values = x.p[k];
    return {levels(x.u.data()), x.X.data()};
  }
  template <class T>
  PerLevel<T> levels(T value) const {
    PerLevel<T> all(value);
    if (rates_) all[Level::rate] = value;
    return all;
  }
  FormTangent tangent(const Inputs& t) const {
    FormTangent out{.unknown = levels(t.u.data()), .coordinates = t.X.data(), .multiplier = t.lambda.data(), .coefficients = {}};
    for (const Array& a : t.p) out.coefficients.push_back(a.data());
    return out;
  }
  template <class F>
  Inputs reverse(F f) {
    Inputs bar = zeros();
    FormCotangent out{.unknown = levels(bar.u.data()), .coordinates = bar.X.data(), .coefficients = {}};
    for (Array& a : bar.p) out.coefficients.push_back(a.data());
    f(out);
    return bar;
  }

  const DofMap& dofs_;
  WeakForm& form_;
  bool rates_;
  std::mt19937_64 random_{12};
};

// Differences over 2h, h = 1e-5 of directions of size 0.1: truncation ~1e-11, round-off ~1e-11.
constexpr double h = 1e-5, by_differences = 2e-7;
// The same formula in another order: round-off alone.
constexpr double by_transposition = 1e-12;

/// Of what `evaluate` makes of the inputs, along the direction of all of them.
template <class Evaluate>
Array centred(const FormProbe& f, const Evaluate& evaluate) {
  Array forward = evaluate(f.at.moved(h, f.d)).joined();
  const Array backward = evaluate(f.at.moved(-h, f.d)).joined();
  for (std::size_t i = 0; i < forward.size(); ++i) forward[i] = (forward[i] - backward[i]) / (2 * h);
  return forward;
}

/// Derivatives of the value, that of 1.7 W where they are reverse.
void check_value(FormProbe& f) {
  const Inputs &at = f.at, &d = f.d;
  f.value(at);
  const Inputs w_bar = f.value_vjp(at);
  const double slope = f.value_jvp();
  EXPECT_NEAR(1.7 * slope, dot(w_bar.joined(), d.joined()), by_transposition * 100 * (std::abs(slope) + 1));
  EXPECT_NEAR(slope, (f.value(at.moved(h, d)) - f.value(at.moved(-h, d))) / (2 * h), by_differences * (std::abs(slope) + 0.1));
  const Array curvature = centred(f, [&](const Inputs& x) { return f.value_vjp(x); });
  f.value(at);
  EXPECT_LE(difference(f.value_vjp_tangent().joined(), curvature), by_differences);
}

void check_form(std::shared_ptr<const DofMap> dofs, WeakForm& form, const Array& constants, int n_cells, bool symmetric, bool density) {
  FormProbe f(*dofs, form, constants, n_cells);
  const Inputs &at = f.at, &d = f.d;

  // Each group of inputs alone: a small contribution must not hide behind a large one.
  std::vector<std::pair<const char*, Inputs>> groups;
  const auto alone = [&](const char* name, auto pick) {
    Inputs only = f.zeros();
    pick(only);
    groups.emplace_back(name, only);
  };
  alone("unknown", [&](Inputs& x) { x.u = d.u; });
  alone("coordinates", [&](Inputs& x) { x.X = d.X; });
  for (std::size_t k = 0; k < d.p.size(); ++k) alone("coefficient", [&](Inputs& x) { x.p[k] = d.p[k]; });

  const Inputs bar = f.vjp(at);
  const double size = std::abs(dot(at.lambda, f.jvp(d)));
  for (const auto& [name, only] : groups) {
    SCOPED_TRACE(name);
    // The residual is nearly linear in coefficients, and hardly depends on some: a longer step.
    const double step = std::string_view(name) == "coefficient" ? 10 * h : h;
    const Array forward = f.residual(at.moved(step, only)), backward = f.residual(at.moved(-step, only));
    const Array twice = f.residual(at.moved(2 * step, only)), twice_back = f.residual(at.moved(-2 * step, only));
    Array expected(forward.size());  // of fourth order: where fibres begin to pull, the second one is not enough
    for (std::size_t i = 0; i < expected.size(); ++i)
      expected[i] = (8 * (forward[i] - backward[i]) - (twice[i] - twice_back[i])) / (12 * step);
    f.residual(at);  // coefficients back
    const Array r_dot = f.jvp(only);
    double noise = 0;
    for (double v : forward) noise = std::max(noise, std::abs(v));
    double worst = 0, scale = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      worst = std::max(worst, std::abs(r_dot[i] - expected[i]));
      scale = std::max(scale, std::abs(expected[i]));
    }
    EXPECT_LE(worst, by_differences * scale + 1e-10 * noise);
    double sum = 0, terms = 0;
    for (std::size_t i = 0; i < r_dot.size(); ++i) sum += at.lambda[i] * r_dot[i], terms += std::abs(at.lambda[i] * r_dot[i]);
    EXPECT_NEAR(dot(bar.joined(), only.joined()), sum, by_transposition * (terms + size));
  }

  AssembledMatrix K(dofs);
  const Array Ku = f.product(K, d.u), r_dot = f.jvp(groups[0].second);
  double stiffness = 0;
  for (double v : r_dot) stiffness = std::max(stiffness, std::abs(v));
  for (std::size_t i = 0; i < Ku.size(); ++i) EXPECT_NEAR(Ku[i], r_dot[i], by_transposition * stiffness + 1e-300);
  if (symmetric) {
    EXPECT_NEAR(dot(at.lambda, Ku), dot(d.u, f.product(K, at.lambda)), 10 * by_transposition * (size + stiffness));
  }

  const Array curvature = centred(f, [&](const Inputs& x) { return f.vjp(x); });
  f.residual(at);
  EXPECT_LE(difference(f.vjp_tangent(d).joined(), curvature), by_differences);

  if (!density) return;
  const Inputs w_bar = f.value_vjp(at);
  Array r = f.residual(at);
  for (double& v : r) v *= 1.7;
  EXPECT_LE(difference(w_bar.u, r), by_transposition);  // the residual is the gradient of the value
  check_value(f);
}

/// Every kind of solid with every law, and every load with every kind, cell and unknown.
TEST(FormDerivatives, LawsAreExactOnBentCells) {
  for (const ProblemSpec& s : all_problems()) {
    SCOPED_TRACE(name_of(s));
    const auto mesh = std::make_shared<const Mesh>(distribute(bent_mesh(s), PETSC_COMM_SELF));
    const auto dofs = std::make_shared<const DofMap>(mesh, components_of(s), PETSC_COMM_SELF);
    const std::shared_ptr<const Material> material = material_of(s);
    Array constants;
    for (const ParamSpec& k : material->parameters()) constants.push_back(typical_constant(std::string(k.key)));
    if (is_mixed(s)) constants.push_back(150);
    CellBatches cells = CellBatches::on_cells(dofs, "", 2);
    const auto form = is_mixed(s) ? make_mixed_form(s.kind, material, std::move(cells))
                                  : make_displacement_form(s.kind, material, std::move(cells));
    check_form(dofs, *form, constants, mesh->cells[0].count(), true, true);
  }
}

TEST(FormDerivatives, LoadsAreExactOnBentCellsAndFacets) {
  for (const LoadCase& load : all_loads())
    for (const SolidKind kind : {SolidKind::spatial, SolidKind::plane_strain, SolidKind::plane_stress, SolidKind::axisymmetric})
      for (const Volume volume : {Volume::compressible, Volume::nearly_incompressible})
        for (const bool simplex : {true, false})
          for (const int order : {1, 2}) {
            ProblemSpec s;
            s.kind = kind;
            s.volume = volume;
            s.cell.shape = kind == SolidKind::spatial ? (simplex ? Shape::tetrahedron : Shape::hexahedron)
                                                      : (simplex ? Shape::triangle : Shape::quadrilateral);
            s.cell.order = order;
            if (is_mixed(s) && order == 1) continue;
            SCOPED_TRACE(load.name + " " + name_of(s));
            const auto mesh = std::make_shared<const Mesh>(distribute(bent_mesh(s), PETSC_COMM_SELF));
            const auto dofs = std::make_shared<const DofMap>(mesh, components_of(s), PETSC_COMM_SELF);
            const bool cells = load.region.empty();
            const auto form = load.make(kind, load.at_points ? CellBatches::on_points(dofs, load.region + (mesh->dim == 3 ? "_back" : ""))
                                              : cells        ? CellBatches::on_cells(dofs, "", 3)
                                                             : CellBatches::on_facets(dofs, load.region, 3));
            const Array constants(form->coefficients().size(), load.size);
            const bool conservative = load.name != "pressure";
            check_form(dofs, *form, constants, load.at_points ? 1 : cells ? mesh->cells[0].count() : mesh->facets[0].count(), conservative,
                       conservative);
          }
}

/// Velocity, displacement and pressure on bent cells, as of fluid–structure interaction.
struct InteractionSpace {
  explicit InteractionSpace(Shape shape) {
    ProblemSpec s;
    s.kind = SolidKind::plane_strain;
    s.cell = {shape, 2};
    mesh = std::make_shared<const Mesh>(distribute(bent_mesh(s), PETSC_COMM_SELF));
    dofs = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"v_x", 2}, {"v_y", 2}, {"d_x", 2}, {"d_y", 2}, {"p", 1}}, PETSC_COMM_SELF);
  }
  CellBatches cells(std::vector<int> components) const { return CellBatches::on_cells(dofs, "", 4, std::move(components)); }
  std::shared_ptr<const Mesh> mesh;
  std::shared_ptr<const DofMap> dofs;
};

const FlowModel interacting_flow{.law = make_viscosity_law("newtonian"), .stress_form = true};
const Array flow_constants{2, 0.3, 0.1, -0.2, 0.5};  // density, viscosity, body force, resistance

TEST(FormDerivatives, OfFluidStructureInteractionAreExactOnBentCellsAndFacets) {
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral}) {
    const InteractionSpace space(shape);
    const int n_cells = space.mesh->cells[0].count();
    const auto check = [&](const char* name, std::unique_ptr<WeakForm> form, const Array& constants, int n) {
      SCOPED_TRACE(name);
      check_form(space.dofs, *form, constants, n, false, false);
    };
    check("flow", make_moving_navier_stokes(FlowKind::planar, interacting_flow, space.cells({0, 1, 4, 2, 3})), flow_constants, n_cells);
    check("inertia", make_moving_inertia(FlowKind::planar, space.cells({0, 1, 2, 3})), {2}, n_cells);
    check("body velocity", make_body_velocity(FlowKind::planar, space.cells({0, 1, 2, 3})), {3}, n_cells);
    check("outlet", make_moving_outlet(FlowKind::planar, CellBatches::on_facets(space.dofs, "top", 3, {0, 1, 2, 3})), {1.5},
          space.mesh->facets[0].count());
    const std::shared_ptr<const Material> material = make_material({.name = "neo_hookean"});
    Array constants;
    for (const ParamSpec& k : material->parameters()) constants.push_back(typical_constant(std::string(k.key)));
    check("viscosity", make_first_order_viscosity(SolidKind::plane_strain, space.cells({2, 3, 0, 1})), {0.7, 0.4}, n_cells);
    check("muscle", make_first_order_muscle(SolidKind::plane_strain, space.cells({2, 3, 0, 1})), {0.6, 0.8, 0.5}, n_cells);
    check("body", make_first_order_solid(SolidKind::plane_strain, material, space.cells({2, 3, 0, 1})), constants, n_cells);
  }
}

// What moves is the mesh alone: the same flow on a mesh whose nodes stand where the displacement puts them.
TEST(FormsOnMovingMeshes, AreThePlainFormsOnMovedCoordinates) {
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral}) {
    const InteractionSpace space(shape);
    const std::unique_ptr<WeakForm> moving = make_moving_navier_stokes(FlowKind::planar, interacting_flow, space.cells({0, 1, 4, 2, 3}));
    const std::unique_ptr<WeakForm> plain =
        make_navier_stokes(FlowKind::planar, FlowDiscretisation::taylor_hood, interacting_flow, space.cells({0, 1, 4}));
    FormProbe on_moving(*space.dofs, *moving, flow_constants, space.mesh->cells[0].count());
    FormProbe on_moved(*space.dofs, *plain, flow_constants, space.mesh->cells[0].count());
    on_moved.at = on_moving.at;
    for (int node = 0; node < space.mesh->node_total(); ++node)
      for (int i = 0; i < 2; ++i) on_moved.at.X[std::size_t(node) * 2 + i] += on_moving.at.u[space.dofs->dof(node, 2 + i)];
    EXPECT_LE(difference(on_moving.residual(on_moving.at), on_moved.residual(on_moved.at)), 1e-13);
  }
}

TEST(FormsOnMovingMeshes, DensitiesAreThePlainOnesOnMovedCoordinates) {
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral}) {
    const InteractionSpace space(shape);
    const auto check = [&](std::unique_ptr<WeakForm> moving, std::unique_ptr<WeakForm> plain, const Array& constants) {
      FormProbe on_moving(*space.dofs, *moving, constants, space.mesh->cells[0].count());
      FormProbe on_moved(*space.dofs, *plain, constants, space.mesh->cells[0].count());
      on_moved.at = on_moving.at;
      for (int node = 0; node < space.mesh->node_total(); ++node)
        for (int i = 0; i < 2; ++i) on_moved.at.X[std::size_t(node) * 2 + i] += on_moving.at.u[space.dofs->dof(node, 2 + i)];
      const double value = on_moved.value(on_moved.at);
      EXPECT_NEAR(on_moving.value(on_moving.at), value, 1e-13 * std::abs(value));
      check_value(on_moving);
    };
    const FlowKind planar = FlowKind::planar;
    const ViscosityLaw law = interacting_flow.law;
    check(make_moving_kinetic_energy(planar, space.cells({0, 1, 2, 3})), make_kinetic_energy(planar, space.cells({0, 1})), {2});
    check(make_moving_dissipation(planar, law, space.cells({0, 1, 2, 3})), make_dissipation(planar, law, space.cells({0, 1})), {0.3, 0.5});
  }
}

}  // namespace
}  // namespace invar::gradient_test
