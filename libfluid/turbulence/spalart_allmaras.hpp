#pragma once
#include "libfluid/flow/stabilisation.hpp"
#include "libfluid/turbulence/spalart_allmaras_terms.hpp"

namespace invar {

/// Transport of χ = ν̃/ν by the negative Spalart–Allmaras model, see SpalartAllmarasTerms. Weakly, for all w,
///   ∫ w (∂χ/∂t + u·∇χ − P + D − c_b2 ν/σ |∇χ|² − s) + k ∇χ·∇w + τ R a·∇w + k_c ∇χ·∇w dV = 0
/// ∂χ/∂t in time only, k the diffusivity, s a source, a = u − c_b2 ν/σ ∇χ the convection velocity of χ, and
///   R = ∂χ/∂t + u·∇χ − P + D − (k' + c_b2 ν/σ) |∇χ|² − s
/// the residual (k' = ∂k/∂χ) without second derivatives, which vanish on straight simplices. SUPG (Brooks, Hughes,
/// Comput. Methods Appl. Mech. Engrg. 32, 1982) with
///   τ = (a·G a + 36 k² G:G + (P/χ)² + (D/χ)²)^(−1/2)   [s]
/// G the metric of the cell; see StabilisationParameters. As in PassiveScalar, τ does not depend on the time step. The
/// discontinuity-capturing diffusivity at edges of boundary layers is
///   k_c = C √(R² + ε²) (∇χ·G ∇χ + G:G)^(−1/2)
/// after Bazilevs, Calo, Tezduyar, Hughes, Int. J. Numer. Meth. Fluids 54 (2007), with a regularised gradient (a change of χ by
/// about one per cell), which makes it smooth.
///
/// On a mesh that moves by w, u is u − w in u·∇χ and a; the vorticity does not depend on the observer. ∂χ/∂t is then that at nodes.
///
/// In cells with all nodes on walls, as in corners, d is 0; therefore 1/d² is replaced by 1/(d² + 1e-8/tr G) everywhere.
///
/// ν/d², with which the vorticity is compared in Ŝ and r, is computed as ν/d times the cell mean of 1/d, because the vorticity of
/// linear elements is a cell mean, too. With the pointwise 1/d² the error of r is the variation of 1/d within a cell, and as f_w is
/// convex the destruction is too large where cells grow away from the wall (tests/bench/log_layer.py).
///
/// Coefficients: density [kg/m³], viscosity [Pa s], d [m], cell mean of 1/d [1/m], β, the constants of SpalartAllmarasConstants, s [1/s].
template <class K, bool InTime = false>
struct SpalartAllmaras {
  static constexpr int dim = K::dim, ref_dim = K::dim, n_components = K::dim + 2, scalar = K::dim + 1;
  static constexpr std::array<int, K::dim + 2> basis{};
  // u_i, ∂u_i/∂x_j, χ, ∂χ/∂x_j, in time ∂χ/∂t.
  static constexpr int value = K::pressure;
  static constexpr int slope(int j) { return value + 1 + j; }
  static constexpr int rate = slope(K::dim);
  static constexpr auto slots = [] {
    std::array<Slot, K::dim + 1> of_scalar{};
    of_scalar[0] = {scalar, -1};
    for (int j = 0; j < K::dim; ++j) of_scalar[1 + j] = {scalar, j};
    const auto steady = join(K::velocity_slots, of_scalar);
    if constexpr (InTime) return join(steady, std::array{Slot{scalar, -1, Level::rate}});
    else return steady;
  }();
  static constexpr bool symmetric = false, uses_position = K::axisymmetric, kinks = true, convects = true;
  static constexpr std::size_t ns = slots.size();
  static constexpr bool couples(int i, int j) { return i == scalar && j != K::dim; }  // all but the pressure
  static constexpr int density = 0, viscosity = 1, distance = 2, proximity = 3, multiplier = 4, constants = 5, source = constants + SpalartAllmarasConstants::count;

  ReferenceMetric metric = {};
  double capturing = 0;  // C
  int n_coefficients() const { return source + 1; }

  /// ν/d² [1/s]
  template <class Tp, class Tg>
  INVAR_HD static auto inverse_area(const Tp* p, const Matrix<Tg, dim, dim>& G) {
    constexpr double least_distance = 1e-8;  // squared, relative to the cell size
    return (p[viscosity] / p[density]) / (p[distance] * p[distance] + least_distance / trace(G));
  }

  /// The same with the cell mean of 1/d instead of one factor 1/d.
  template <class Tp, class T>
  INVAR_HD static auto mean_inverse_area(const Tp* p, const T& by_area) {
    return by_area * (p[distance] * p[proximity]);
  }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto flux(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* p) const {
    return flux(z, g, p, StillMesh{});
  }

  template <class Tz, class Tg, class Tp, class W>
  INVAR_HD auto flux(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* p, const W& mesh_velocity) const {
    using C = SpalartAllmarasConstants;
    using S = PromotedOf<Tz, Tg>;
    using R = PromotedOf<Tz, Tg, Tp>;
    const FlowPoint<K, S> at(z, g);
    const auto velocity = relative(at.u, mesh_velocity);
    const S chi = S(z[value]);
    Vector<S, dim> gradient;
    for (int j = 0; j < dim; ++j) gradient[j] = S(z[slope(j)]);
    const Tp nu = p[viscosity] / p[density];
    const Matrix<Tg, dim, dim> G = element_metric(g.A, metric);
    const auto by_area = inverse_area(p, G);
    const SpalartAllmarasTerms<R> terms(chi, at.vorticity_squared(), by_area, mean_inverse_area(p, by_area), nu, p[multiplier], p + constants);

    const Tp spread = p[constants + C::cb2] * nu / p[constants + C::sigma];
    const S steepness = dot(gradient, gradient);
    R balance = dot(velocity, gradient) - terms.production + terms.destruction - spread * steepness - p[source];
    if constexpr (InTime) balance += z[rate];
    R imbalance = balance - terms.diffusivity_slope * steepness;
    if constexpr (K::axisymmetric) imbalance -= terms.diffusivity * gradient[0] * at.inverse_radius;
    Vector<R, dim> carrier;
    for (int i = 0; i < dim; ++i) carrier[i] = velocity[i] - spread * gradient[i];
    const Tg G_squared = inner(G, G);
    constexpr double inverse_constant = 36;
    const R tau = 1.0 / sqrt(R(dot(carrier, G * carrier) + inverse_constant * (terms.diffusivity * terms.diffusivity) * G_squared + terms.rate_squared));
    R diffusivity = terms.diffusivity;
    if (capturing > 0) {
      constexpr double rest = 1e-8;
      const auto floor = rest * by_area;
      diffusivity += capturing * sqrt(R((imbalance * imbalance + floor * floor) / (dot(gradient, G * gradient) + G_squared)));
    }

    const Tg volume = K::measure(g);
    std::array<R, ns> f;
    for (R& entry : f) entry = R(0.0);
    f[value] = balance * volume;
    for (int j = 0; j < dim; ++j) f[slope(j)] = (diffusivity * gradient[j] + (tau * imbalance) * carrier[j]) * volume;
    return f;
  }
};

}  // namespace invar
