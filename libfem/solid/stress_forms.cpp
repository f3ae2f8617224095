#include "libfem/solid/stress_forms.hpp"

#include <algorithm>
#include <iterator>

#include "libfem/form/lanes.hpp"
#include "libfem/form/point_kernel.hpp"
#include "libfem/form/q_form.hpp"
#include "libfem/mesh/reference_element.hpp"
#include "libfem/solid/active_stress.hpp"
#include "libfem/solid/displacement_form.hpp"
#include "libfem/solid/kelvin_voigt.hpp"
#include "libfem/solid/shared_material.hpp"

namespace invar {
namespace {

/// x^n by repeated squaring.
template <class T>
T power(T x, int n) {
  T result(1.0);
  for (; n > 0; n /= 2) {
    if (n % 2) result = result * x;
    if (n > 1) x = x * x;
  }
  return result;
}

/// cosh(√x) e^(−shift) for x ≥ 0; by its series where the root has no derivative.
template <class T>
T shifted_cosh(const T& x, double shift) {
  constexpr double small = 1e-4;  // the next term of the series is x⁴/40320
  const T series = (1.0 + x * (0.5 + x * (1.0 / 24 + x * (1.0 / 720)))) * std::exp(-shift);
  const T root = sqrt(select(x > small, x, T(small)));
  return select(x > small, T(0.5 * (exp(root - shift) + exp(-root - shift))), series);
}

/// F S Fᵀ/J of Kelvin–Voigt elements and muscles; in plane stress, where only muscles are, J = 1 as below. p: their coefficients.
template <int Dim, class R, class Tp>
Matrix<R, 3, 3> added_cauchy_stress(const StressOf& of, const Matrix<R, 3, 3>& F, const Matrix<R, 3, 3>& F_dot, const Tp* p) {
  Matrix<R, 3, 3> S;
  std::fill_n(S.entries, 9, R(0.0));
  for (int k = 0; k < of.viscous; ++k, p += 2) S = S + kelvin_voigt_stress<R>(F, F_dot, p);
  for (int k = 0; k < of.active; ++k, p += 1 + Dim) S = S + active_stress<R, Dim>(p);
  const Matrix<R, 3, 3> sigma = F * S * transpose(F);
  return of.kind == SolidKind::plane_stress ? sigma : sigma / R(det(F));
}

/// s² = 3/2 dev σ : dev σ, σ = P Fᵀ/J; incompressible laws in plane stress have J = 1. Nearly all that the forms below compute: they share one compiled
/// instance, which makes this file a third as large.
template <int Dim, class R, class Tp>
INVAR_SHARED R squared_von_mises(const StressOf& of, const Matrix<R, 3, 3>& H, const Matrix<R, 3, 3>& H_dot, const Tp* p) {
  const auto P = material_point<1, R, Tp>(*of.material, H, p).stress;
  Matrix<R, 3, 3> sigma;
  std::copy(P.begin(), P.end(), sigma.entries);
  if (of.material->finite_strain()) {
    const Matrix<R, 3, 3> F = deformation_gradient(H);
    sigma = sigma * transpose(F);
    if (of.kind != SolidKind::plane_stress) sigma = sigma / R(det(F));
  }
  if (of.viscous + of.active > 0) sigma = sigma + added_cauchy_stress<Dim>(of, deformation_gradient(H), H_dot, p + of.first_added());
  const Matrix<R, 3, 3> s = dev(sigma);
  return R(1.5 * inner(s, s));
}

/// ρ^e for the density, a coefficient after the law's constants; 1 without density. Densities below 0 are due to rounding.
template <class Tp>
Tp density_power(const StressOf& of, const Tp* p, double e) {
  using std::max;
  if (of.relaxation == 0) return Tp(1.0);
  const Tp density = max(p[of.material->parameters().size()], Tp(0.0));
  return e == 1 ? density : Tp(pow(density, e));
}

/// The gradient of the displacement, and where it is wanted that of its rate.
template <class K, bool Rates>
constexpr auto stress_slots() {
  if constexpr (Rates) return join(K::slots, at_level(Level::rate, K::slots));
  else return K::slots;
}

/// Ḣ from the second half of the slots, if they have one.
template <class K, class R, class T, class Tg, std::size_t N>
Matrix<R, 3, 3> rate_of_gradient(const std::array<T, N>& z, const PointGeometry<Tg, K::dim, K::dim>& g) {
  constexpr std::size_t n = K::slots.size();
  std::array<T, n> rate;
  rate.fill(T(0.0));
  if constexpr (N == 2 * n) std::copy_n(z.begin() + n, n, rate.begin());
  return displacement_gradient<K, R>(rate, g);
}

/// Common part of both forms: the domain of integration.
template <class K, bool Rates>
struct StressForm {
  static constexpr int dim = K::dim, ref_dim = K::dim, n_components = K::dim;
  static constexpr std::array<int, K::dim> basis{};
  static constexpr auto slots = stress_slots<K, Rates>();
  static constexpr bool functional = true, symmetric = !Rates, uses_position = K::uses_position;
  static constexpr std::size_t ns = slots.size();

  StressOf stress;
  bool on_side = false;
  Vector<double, K::dim> normal{};  // of the reference cell's facet, times its area

  /// The element of volume, or of the side by Nanson's formula: |cof(∂X/∂ξ) N|.
  template <class Tg>
  Tg size(const PointGeometry<Tg, dim, dim>& g) const {
    if (!on_side) return K::volume(g);
    PointGeometry<Tg, dim, dim> side = g;
    side.measure = norm(cofactor(g.A) * normal);
    return K::volume(side);
  }
};

template <class K, bool Rates>
struct StressPower : StressForm<K, Rates> {
  using StressForm<K, Rates>::dim, StressForm<K, Rates>::ns, StressForm<K, Rates>::stress, StressForm<K, Rates>::size;

  int exponent = 2;
  std::shared_ptr<const double> unit = {};  // or the shift of exponentials
  double sharpness = 0;                     // κ of exponentials; 0: powers

  int n_coefficients() const { return stress.coefficient_count(); }

  template <class Tz, class Tg, class Tp>
  auto density(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const R squared = squared_von_mises<dim, R, Tp>(stress, displacement_gradient<K, R>(z, g), rate_of_gradient<K, R>(z, g), p) * density_power(stress, p, 2 * stress.relaxation);
    if (sharpness > 0) return R(shifted_cosh(R(squared * (sharpness * sharpness)), *unit) * size(g));
    return R(power(R(squared * (1 / (*unit * *unit))), exponent / 2) * size(g));
  }
};

template <class K>
struct StressExcess : StressForm<K, false> {
  using StressForm<K, false>::dim, StressForm<K, false>::ns, StressForm<K, false>::stress, StressForm<K, false>::size;

  double limit = 1;

  int n_coefficients() const { return stress.coefficient_count() + 2; }

  template <class Tz, class Tg, class Tp>
  auto density(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const R squared = squared_von_mises<dim, R, Tp>(stress, displacement_gradient<K, R>(z, g), rate_of_gradient<K, R>(z, g), p);
    const R excess = (0.5 / (limit * limit)) * (squared - limit * limit) * density_power(stress, p, stress.relaxation);
    const Tp &lambda = p[stress.coefficient_count()], &mu = p[stress.coefficient_count() + 1];
    const R least = R(-lambda / mu), h = select(excess > least, excess, least);
    return R((lambda * h + 0.5 * mu * h * h) * size(g));
  }
};

/// Σ_a v_a ⊗ N over all test functions: they add up to one.
template <int Dim>
Vector<double, Dim> side_normal(const BatchGroup& g) {
  Vector<double, Dim> normal{};
  for (int a = 0; a < g.test[0].n_nodes; ++a)
    for (int i = 0; i < Dim; ++i) normal[i] += g.test[0].dN[std::size_t(a) * Dim + i];
  return normal;
}

template <class Q>
std::unique_ptr<WeakForm> placed(Q q, CellBatches domain) {
  if (!domain.groups.empty() && domain.groups[0].test[0].n_nodes > 0) {
    q.on_side = true;
    q.normal = side_normal<Q::dim>(domain.groups[0]);
  }
  return make_form(std::move(q), std::move(domain));
}

/// Calls f with the kinematics of a kind.
template <class F>
auto with_kinematics(SolidKind kind, const F& f) {
  if (kind == SolidKind::spatial) return f(SpatialKinematics{});
  if (kind == SolidKind::axisymmetric) return f(AxisymmetricKinematics{});
  return f(PlanarKinematics{});
}

constexpr double on_axis = 1e-9;  // radius, in sizes of a cell

/// The sides of chosen facets, ascending.
template <class Choose>
std::vector<CellSide> sides_where(const Mesh& mesh, const Choose& choose) {
  std::vector<CellSide> sides;
  for (const BoundaryFacet& facet : boundary_facets(mesh))
    if (choose(facet))
      for (const CellSide& side : facet.sides)
        if (side.cell >= 0) sides.push_back(side);
  std::ranges::sort(sides);
  return sides;
}

template <class K>
void add_points(const StressOf& stress, const CellBatches& domain, const std::vector<Coefficient>& coefficients_given, const double* u,
                const double* rate, const double* coordinates, CellsOf which, std::vector<StressPoint>& out) {
  using Q = DisplacementForm<K, SharedMaterial>;
  constexpr int dim = K::dim;
  BatchCoefficients<Pack> coefficients(coefficients_given, {});
  Pack X[max_cell_nodes][dim], U[max_cell_nodes][dim], V[max_cell_nodes][dim];
  for (const BatchGroup& g : domain.groups)
    for (int b = 0; b < g.n_batches; ++b) {
      for (int a = 0; a < g.n_nodes; ++a) {
        for (int i = 0; i < dim; ++i) X[a][i] = gather(coordinates, &g.node[(std::size_t(b) * g.n_nodes + a) * simd_width], dim, i);
        for (int c = 0; c < dim; ++c)
          if (const auto [dof, shift] = g.dofs(c, b); a < g.basis[0].n_nodes) {
            U[a][c] = gather(u, dof + a * simd_width, 1, shift);
            V[a][c] = rate ? gather(rate, dof + a * simd_width, 1, shift) : Pack(0.0);
          }
      }
      for (int q = 0; q < g.n_points(); ++q) {
        const PointShape shape = g.at(q, dim);
        const auto geometry = geometry_of<Q, Pack>(shape, X);
        const auto inverse = inverse_map(geometry.A);
        const auto gradient_of = [&](const auto& nodal) {
          auto H = displacement_gradient<K, Pack>(slots_of<Q>(interpolate<Q, Pack>(shape, nodal), inverse), geometry);
          if constexpr (K::uses_position)  // on the axis, where u/r is 0/0
            H(2, 2) = select(geometry.x[0] > on_axis * sqrt(geometry.measure), H(2, 2), H(0, 0));
          return H;
        };
        const Pack* p = coefficients.at(g, b, q);
        const Pack squared = squared_von_mises<dim, Pack, Pack>(stress, gradient_of(U), gradient_of(V), p);
        const Pack share = density_power(stress, p, stress.relaxation);
        for (int l = 0; l < (which == CellsOf::own ? g.owned[b] : g.active[b]); ++l) {
          StressPoint at{{}, std::sqrt(squared[l]), share[l], g.cell[std::size_t(b) * simd_width + l]};
          for (int i = 0; i < dim; ++i)
            for (int a = 0; a < g.n_nodes; ++a) at.x[i] += shape.geometry.N[a] * X[a][i][l];
          out.push_back(at);
        }
      }
    }
}

std::unique_ptr<WeakForm> make_aggregated(const StressOf& stress, int exponent, std::shared_ptr<const double> unit, double sharpness, CellBatches domain) {
  return with_kinematics(stress.kind, [&]<class K>(K) {
    return stress.viscous > 0 ? placed(StressPower<K, true>{{stress}, exponent, std::move(unit), sharpness}, std::move(domain))
                              : placed(StressPower<K, false>{{stress}, exponent, std::move(unit), sharpness}, std::move(domain));
  });
}

}  // namespace

std::unique_ptr<WeakForm> make_stress_power(const StressOf& stress, int exponent, std::shared_ptr<const double> unit, CellBatches domain) {
  return make_aggregated(stress, exponent, std::move(unit), 0, std::move(domain));
}

std::unique_ptr<WeakForm> make_stress_exponential(const StressOf& stress, double sharpness, std::shared_ptr<const double> shift, CellBatches domain) {
  return make_aggregated(stress, 0, std::move(shift), sharpness, std::move(domain));
}

std::unique_ptr<WeakForm> make_stress_excess(const StressOf& stress, double limit, CellBatches domain) {
  return with_kinematics(stress.kind, [&]<class K>(K) { return placed(StressExcess<K>{{stress}, limit}, std::move(domain)); });
}

double stress_excess(double stress, double density_power, double limit) {
  return 0.5 * density_power * (stress * stress / (limit * limit) - 1);
}

std::vector<CellSide> sides_of(const Mesh& mesh, const Region& region) {
  std::vector<char> named;
  for (std::size_t b = 0; b < mesh.facets.size(); ++b) {
    const std::size_t first = named.size();
    named.resize(first + mesh.facets[b].count(), 0);
    if (b < region.members.size())
      for (const int e : region.members[b]) named[first + e] = 1;
  }
  return sides_where(mesh, [&](const BoundaryFacet& facet) { return std::ranges::any_of(facet.positions, [&](int p) { return named[p]; }); });
}

std::vector<CellSide> all_sides(const Mesh& mesh) {
  return sides_where(mesh, [](const BoundaryFacet&) { return true; });
}

std::vector<CellBatches> side_domains(const CellBatches& cells, const std::vector<CellSide>& sides) {
  std::vector<Shape> shapes;
  for (const CellBlock& block : cells.dofs->mesh().cells)
    if (std::ranges::find(shapes, block.type.shape) == shapes.end()) shapes.push_back(block.type.shape);
  std::vector<CellBatches> all;
  for (const Shape shape : shapes)
    for (int f = 0; f < static_cast<int>(facets_of(shape).size()); ++f) {
      std::vector<CellSide> alike;
      std::ranges::copy_if(sides, std::back_inserter(alike), [f](const CellSide& s) { return s.facet == f; });
      all.push_back(cells.on_sides(alike));
      std::erase_if(all.back().groups, [shape](const BatchGroup& g) { return g.type.shape != shape; });
    }
  return all;
}

std::vector<StressPoint> stress_points(const StressOf& stress, const CellBatches& domain, const std::vector<Coefficient>& coefficients,
                                       const double* u, const double* rate, const double* coordinates, CellsOf which) {
  std::vector<StressPoint> points;
  with_kinematics(stress.kind, [&]<class K>(K) { add_points<K>(stress, domain, coefficients, u, rate, coordinates, which, points); });
  return points;
}

}  // namespace invar
