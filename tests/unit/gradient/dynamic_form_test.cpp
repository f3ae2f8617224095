// Every form that time adds by itself, on bent cells and facets: derivatives in every level of the
// unknown, in coordinates and in coefficients; forward against finite differences, reverse against
// forward, second order against differences of the reverse, matrices with any weights of the levels
// against the forward.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "libfem/form/assembled_matrix.hpp"
#include "tests/unit/gradient/dynamic_form_table.hpp"
#include "tests/unit/gradient/gradient_checks.hpp"
#include "tests/unit/gradient/library_terms.hpp"

namespace invar::gradient_test::levels {
namespace {

using Array = std::vector<double>;

double dot(const Array& a, const Array& b) {
  double s = 0;
  for (std::size_t i = 0; i < a.size(); ++i) s += a[i] * b[i];
  return s;
}

double largest(const Array& a) {
  double size = 0;
  for (double v : a) size = std::max(size, std::abs(v));
  return size;
}

Array minus(Array a, const Array& b, double factor = 1) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = factor * (a[i] - b[i]);
  return a;
}

/// All that a form depends on, or a direction or derivative of it.
struct Inputs {
  std::array<Array, level_count> u;
  Array X, lambda;
  std::vector<Array> p;

  Inputs moved(double h, const Inputs& d) const {
    Inputs m = *this;
    const auto move = [h](Array& a, const Array& b) {
      for (std::size_t i = 0; i < b.size(); ++i) a[i] += h * b[i];
    };
    for (int l = 0; l < level_count; ++l) move(m.u[l], d.u[l]);
    move(m.X, d.X), move(m.lambda, d.lambda);
    for (std::size_t k = 0; k < d.p.size(); ++k) move(m.p[k], d.p[k]);
    return m;
  }
  Array joined() const {
    Array all = X;
    for (const Array& a : u) all.insert(all.end(), a.begin(), a.end());
    for (const Array& a : p) all.insert(all.end(), a.begin(), a.end());
    return all;
  }
};

/// A form at a random state; coefficients are constant, per cell and per node in turn.
class LevelProbe {
 public:
  LevelProbe(const DofMap& dofs, WeakForm& form, const Array& constants, int n_cells) : dofs_(dofs), form_(form) {
    const int n = dofs.n_local();
    at.u = {random(n, 0.03), random(n, 0.4), random(n, 1), random(n, 0.2)};
    at.X = dofs.mesh().coordinates;
    at.lambda = random(n, 1);
    for (std::size_t k = 0; k < constants.size(); ++k) {
      const auto layout = static_cast<Coefficient::Layout>(k % 3);
      const int size = layout == Coefficient::Layout::constant   ? 1
                       : layout == Coefficient::Layout::per_cell ? n_cells
                                                                 : dofs.mesh().node_total();
      at.p.push_back(random(size, 0.05));
      for (double& v : at.p.back()) v = constants[k] * (1 + v);
      form.coefficients()[k] = {layout, at.p.back()};
    }
    d = zeros();
    for (Array& u : d.u) u = random(n, 0.1);
    d.X = random(static_cast<int>(at.X.size()), 0.1);
    d.lambda = random(n, 1);
    for (std::size_t k = 0; k < at.p.size(); ++k)
      for (std::size_t i = 0; i < at.p[k].size(); ++i) d.p[k][i] = at.p[k][i] * random(1, 0.3)[0];
  }

  Inputs zeros() const {
    Inputs z = at;
    for (Array& u : z.u) std::ranges::fill(u, 0.0);
    for (Array& p : z.p) std::ranges::fill(p, 0.0);
    std::ranges::fill(z.X, 0.0), std::ranges::fill(z.lambda, 0.0);
    return z;
  }
  Array residual(const Inputs& x) {
    Array r(x.lambda.size(), 0.0);
    EXPECT_TRUE(form_.residual(state(x), r.data()));
    return r;
  }
  Array jvp(const Inputs& direction) {
    Array r(at.lambda.size(), 0.0);
    form_.jvp(state(at), tangent(direction), r.data());
    return r;
  }
  Inputs vjp(const Inputs& x) {
    return reverse([&](FormCotangent& out) { form_.vjp(state(x), x.lambda.data(), out); });
  }
  Inputs vjp_tangent(const Inputs& along) {
    return reverse([&](FormCotangent& out) { form_.vjp_tangent(state(at), at.lambda.data(), tangent(along), out); });
  }
  double value(const Inputs& x) { return form_.value(state(x)); }
  double value_jvp(const Inputs& direction) { return form_.value_jvp(state(at), tangent(direction)); }
  Inputs value_vjp(const Inputs& x, double seed) {
    return reverse([&](FormCotangent& out) { form_.value_vjp(state(x), seed, out); });
  }
  Inputs value_vjp_tangent(double seed) {
    return reverse([&](FormCotangent& out) { form_.value_vjp_tangent(state(at), seed, tangent(d), out); });
  }
  Array product(AssembledMatrix& K, const PerLevel<double>& weights, const Array& x) {
    K.begin();
    form_.jacobian(state(at), weights, K);
    K.end();
    VecHandle in = dofs_.create_vector(), out = dofs_.create_vector();
    double* a = nullptr;
    check(VecGetArray(in, &a));
    std::ranges::copy(x, a);
    check(VecRestoreArray(in, &a));
    check(MatMult(K.mat(), in, out));
    const LocalArray y(out);
    return Array(y.data(), y.data() + x.size());
  }
  /// d/dε of what `evaluate` makes of the inputs, by central differences.
  template <class F>
  Array centred(double h, const Inputs& along, F evaluate) {
    const Array forward = evaluate(at.moved(h, along)), backward = evaluate(at.moved(-h, along));
    value(at);  // coefficients back
    return minus(forward, backward, 1 / (2 * h));
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
    FormState s{{}, x.X.data()};
    for (Level l : all_levels) s.unknown[l] = x.u[static_cast<int>(l)].data();
    return s;
  }
  static FormTangent tangent(const Inputs& t) {
    FormTangent out{.unknown = {}, .coordinates = t.X.data(), .multiplier = t.lambda.data(), .coefficients = {}};
    for (Level l : all_levels) out.unknown[l] = t.u[static_cast<int>(l)].data();
    for (const Array& a : t.p) out.coefficients.push_back(a.data());
    return out;
  }
  template <class F>
  Inputs reverse(F f) {
    Inputs bar = zeros();
    FormCotangent out{.unknown = {}, .coordinates = bar.X.data(), .coefficients = {}};
    for (Level l : all_levels) out.unknown[l] = bar.u[static_cast<int>(l)].data();
    for (Array& a : bar.p) out.coefficients.push_back(a.data());
    f(out);
    return bar;
  }

  const DofMap& dofs_;
  WeakForm& form_;
  std::mt19937_64 random_{5};
};

// Differences over 2h of directions of size 0.1: truncation ~1e-11, round-off ~1e-11.
constexpr double h = 1e-5, by_differences = 2e-7;
// The same formula in another order: round-off alone.
constexpr double by_transposition = 1e-13;

/// Each group of inputs alone: a small contribution must not hide behind a large one.
std::vector<std::pair<std::string, Inputs>> groups_of(const LevelProbe& f) {
  std::vector<std::pair<std::string, Inputs>> groups;
  const auto alone = [&](const std::string& name, auto pick) {
    groups.emplace_back(name, f.zeros());
    pick(groups.back().second);
  };
  for (int l = 0; l < level_count; ++l) alone("level " + std::to_string(l), [&](Inputs& x) { x.u[l] = f.d.u[l]; });
  alone("coordinates", [&](Inputs& x) { x.X = f.d.X; });
  for (std::size_t k = 0; k < f.d.p.size(); ++k)
    alone("coefficient " + std::to_string(k), [&](Inputs& x) { x.p[k] = f.d.p[k]; });
  return groups;
}

void check_first_order(LevelProbe& f, const DynamicForm& form) {
  const Inputs bar = f.vjp(f.at);
  const Array r = f.residual(f.at);
  EXPECT_TRUE(form.may_vanish || (largest(r) > 0) == form.touches);
  const auto groups = groups_of(f);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto& [name, only] = groups[g];
    SCOPED_TRACE(name);
    const Array r_dot = f.jvp(only), expected = f.centred(h, only, [&](const Inputs&x) { return f.residual(x); });
    if (g < level_count) {
      const bool reads = std::ranges::find(form.levels, all_levels[g]) != form.levels.end();
      EXPECT_TRUE((reads && form.may_vanish) || (largest(expected) > 0) == (reads && form.touches));
    }
    EXPECT_LE(largest(minus(r_dot, expected)), by_differences * largest(expected) + 1e-10 * largest(r));
    const Array weighted = only.joined(), bars = bar.joined();
    double terms = 0;
    for (std::size_t i = 0; i < r_dot.size(); ++i) terms += std::abs(f.at.lambda[i] * r_dot[i]);
    for (std::size_t i = 0; i < bars.size(); ++i) terms += std::abs(bars[i] * weighted[i]);
    EXPECT_NEAR(dot(bars, weighted), dot(f.at.lambda, r_dot), by_transposition * terms);
  }
}

void check_matrix(const std::shared_ptr<const DofMap>& dofs, LevelProbe& f, const DynamicForm& form) {
  AssembledMatrix K(dofs);
  std::vector<char> held(dofs->n_local(), 0);  // what the matrix leaves out
  if (!form.carrier.empty())
    for (const int node : dofs->mesh().find_region(form.carrier)->nodes)
      for (int k = 0; k < dofs->dof_count(node); ++k) held[dofs->first_dof(node) + k] = 1;
  K.constrain(held);
  const auto freed = [&](Array v) {
    for (std::size_t i = 0; i < v.size(); ++i)
      if (held[i]) v[i] = 0;
    return v;
  };
  const double random_weights[] = {0.7, -1.9, 2.3, 0.4};
  for (int alone = -1; alone < level_count; ++alone) {  // all levels, then each
    PerLevel<double> weights;
    Inputs direction = f.zeros();
    const Array x = freed(f.d.u[0]), y = freed(f.d.lambda);
    for (int l = 0; l < level_count; ++l) {
      const double w = alone < 0 || alone == l ? random_weights[l] : 0.0;
      weights[all_levels[l]] = w;
      for (std::size_t i = 0; i < x.size(); ++i) direction.u[l][i] = w * x[i];
    }
    const Array Kx = f.product(K, weights, x), r_dot = freed(f.jvp(direction));
    EXPECT_LE(largest(minus(Kx, r_dot)), 10 * by_transposition * largest(r_dot)) << "weights " << alone;
    if (form.symmetric) {
      const double xKy = dot(x, f.product(K, weights, y)),
                   size = largest(Kx) * largest(y) * static_cast<double>(y.size());
      EXPECT_NEAR(dot(y, Kx), xKy, 10 * by_transposition * size);
    }
  }
}

void check_second_order(LevelProbe& f) {
  const Array along = f.vjp_tangent(f.d).joined();
  const Array expected = f.centred(h, f.d, [&](const Inputs& x) { return f.vjp(x).joined(); });
  EXPECT_LE(largest(minus(along, expected)),
            by_differences * largest(expected) + 1e-10 * largest(f.vjp(f.at).joined()));
}

void check_density(LevelProbe& f, const DynamicForm& form) {
  constexpr double seed = 1.7;
  const Inputs bar = f.value_vjp(f.at, seed);
  if (!form.functional) {  // the residual is the gradient of the value
    Array gradient(f.at.lambda.size(), 0.0), r = f.residual(f.at);
    for (const Array& level : bar.u)
      for (std::size_t i = 0; i < level.size(); ++i) gradient[i] += level[i] / seed;
    EXPECT_LE(largest(minus(gradient, r)), 10 * by_transposition * largest(r));
  }
  const double value = f.value(f.at);
  for (const auto& [name, only] : groups_of(f)) {
    SCOPED_TRACE(name);
    const double slope = f.value_jvp(only), size = std::abs(slope) + std::abs(value);
    EXPECT_NEAR(seed * slope, dot(bar.joined(), only.joined()), 100 * by_transposition * size);
    const double expected = f.centred(h, only, [&](const Inputs& x) { return Array{f.value(x)}; })[0];
    EXPECT_NEAR(slope, expected, by_differences * size);
  }
  const Array expected = f.centred(h, f.d, [&](const Inputs& x) { return f.value_vjp(x, seed).joined(); });
  EXPECT_LE(largest(minus(f.value_vjp_tangent(seed).joined(), expected)), by_differences * largest(expected));
}

// With and without a pressure beside: time adds to the first components alone.
void check_on_cells_and_facets(const DynamicForm& form) {
  for (const bool simplex : {true, false})
    for (const bool pressure : {false, true}) {
      if (form.of_flow() && !pressure) continue;
      ProblemSpec s;
      if (form.dim == 3) s.kind = SolidKind::spatial;
      s.cell.shape = form.dim == 3 ? (simplex ? Shape::tetrahedron : Shape::hexahedron)
                                   : (simplex ? Shape::triangle : Shape::quadrilateral);
      s.cell.order = (simplex || pressure) && !form.equal_order ? 2 : 1;
      if (form.dim == 3 && simplex != pressure) continue;  // ten-noded tetrahedra with a pressure, bricks without
      SCOPED_TRACE(form.name + " on " + std::string(name_of(s.cell.shape)) + (pressure ? " with a pressure" : ""));
      const auto mesh = std::make_shared<const Mesh>(distribute(bent_mesh(s), PETSC_COMM_SELF));
      std::vector<Component> components(form.dim, {"u", s.cell.order});
      if (pressure) components.push_back({"p", 1});
      if (form.scalar) components.push_back({"c", 1});
      const auto dofs = std::make_shared<const DofMap>(mesh, components, PETSC_COMM_SELF);
      const bool cells = form.region.empty();
      const auto made = form.make(form.points ? CellBatches::on_points(dofs, form.region) : cells ? CellBatches::on_cells(dofs, "", 3) : CellBatches::on_facets(dofs, form.region, 3));
      ASSERT_EQ(made->coefficients().size(), form.coefficients.size());
      LevelProbe probe(*dofs, *made, form.coefficients, cells ? mesh->cells[0].count() : mesh->facets[0].count());
      if (!form.functional) {
        check_first_order(probe, form);
        check_matrix(dofs, probe, form);
        check_second_order(probe);
      }
      if (form.density) check_density(probe, form);
    }
}

TEST(DynamicForms, AreExactOnBentCellsAndFacets) {
  if (rank_count() > 1) GTEST_SKIP();
  for (const DynamicForm& form : all_dynamic_forms()) check_on_cells_and_facets(form);
}

// Whatever a library offers comes here by itself.
TEST(DynamicForms, TermsOfTheLibrariesAreExactOnBentCellsAndFacets) {
  if (rank_count() > 1) GTEST_SKIP();
  const std::vector<DynamicForm> terms = terms_of_libraries();
  EXPECT_GT(terms.size(), solid_loads().size() + flow_loads().size() + flow_integrals().size() + solid_integrals().size());
  for (const DynamicForm& form : terms) check_on_cells_and_facets(form);
}

TEST(DynamicForms, RefuseWhatTheyHaveNoFormulaFor) {
  ProblemSpec s;
  const auto mesh = std::make_shared<const Mesh>(distribute(bent_mesh(s), PETSC_COMM_SELF));
  const auto dofs = std::make_shared<const DofMap>(mesh, components_of(s), PETSC_COMM_SELF);
  EXPECT_THROW(make_kelvin_voigt(SolidKind::plane_stress, CellBatches::on_cells(dofs, "", 3)), std::invalid_argument);
  EXPECT_THROW(
      make_rigid_contact(SolidKind::axisymmetric, ObstacleShape::plane, CellBatches::on_facets(dofs, "top", 3)),
      std::invalid_argument);
  EXPECT_THROW(make_obstacle_contact(SolidKind::axisymmetric, ObstacleShape::plane, CellBatches::on_facets(dofs, "top", 3)), std::invalid_argument);
}

}  // namespace
}  // namespace invar::gradient_test::levels
