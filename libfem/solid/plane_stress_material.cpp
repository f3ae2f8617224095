#include "libfem/solid/plane_stress_material.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "libfem/solid/deformation_gradient.hpp"

namespace invar {

namespace {

using D = Dual<Pack, 1>;
constexpr int plane[4] = {0, 1, 3, 4};  // indices 3·i + j of the in-plane components
constexpr int normal = 8;               // of the thickness component

}  // namespace

PlaneStressMaterial::Thickness PlaneStressMaterial::solve(const Matrix<Pack, 3, 3>& H,
                                                          std::span<const Pack> p) const {
  constexpr int max_iterations = 60;
  constexpr double smallest_step = 1e-12;  // relative change of the strain; the stored slope is that of the previous iteration
  const Pack nan = std::numeric_limits<double>::quiet_NaN();

  Matrix<D, 3, 3> G{};
  for (const int r : plane) G(r / 3, r % 3) = D(H(r / 3, r % 3));
  std::array<D, max_material_parameters> q;
  std::copy(p.begin(), p.end(), q.begin());

  Thickness t{.H33 = 0.0, .slope = nan};
  if (finite_strain()) {  // start at constant volume, where the slope of every law is positive
    t.H33 = isochoric_thickness_strain(H(0, 0), H(0, 1), H(1, 0), H(1, 1), true);
    t.H33 = select(t.H33 > -1.0, t.H33, nan);
  }
  Pack size = 0.0;
  for (const int r : plane) size = max(size, abs(H(r / 3, r % 3)));
  auto active = t.H33 == t.H33;
  MaterialResponse<D> response;
  for (int iteration = 0; iteration < max_iterations && any(active); ++iteration) {
    G(2, 2) = D::variable(t.H33, 0);
    wrapped().evaluate(G, std::span<const D>(q.data(), p.size()), {.energy = false}, response);
    const Pack slope = response.stress[normal].grad[0];
    Pack next = t.H33 - response.stress[normal].value / abs(slope);
    if (finite_strain()) {
      const Pack F33 = 1.0 + t.H33;
      next = min(max(next, 0.25 * F33 - 1.0), 4.0 * F33 - 1.0);
    }
    const Pack step = abs(next - t.H33);
    t.H33 = select(active, next, t.H33);
    t.slope = select(active, slope, t.slope);
    active = active && step > smallest_step * max(size, abs(next));
  }
  t.H33 = select(active, nan, t.H33);
  return t;
}

template <class B>
void PlaneStressMaterial::respond(const Matrix<B, 3, 3>& H, std::span<const B> p,
                                  MaterialRequest request, MaterialResponse<B>& out) const {
  MaterialResponse<B> solid;
  B H33;
  if constexpr (std::is_same_v<B, Pack>) {
    H33 = solve(H, p).H33;
  } else {
    Matrix<Pack, 3, 3> values{};
    for (const int r : plane) values(r / 3, r % 3) = H(r / 3, r % 3).value;
    std::array<Pack, max_material_parameters> q;
    for (std::size_t k = 0; k < p.size(); ++k) q[k] = p[k].value;
    const Thickness t = solve(values, std::span<const Pack>(q.data(), p.size()));
    // One more Newton step in B, whose derivative is exact although the slope is a plain number.
    wrapped().evaluate(in_plane(H, B(t.H33)), p, {.energy = false}, solid);
    H33 = t.H33 - solid.stress[normal] / t.slope;
  }

  const MaterialRequest needed{.energy = request.energy, .stress = request.stress,
                               .tangent = request.tangent || request.by_parameter,
                               .by_parameter = request.by_parameter};
  wrapped().evaluate(in_plane(H, H33), p, needed, solid);
  if (request.energy) out.energy = solid.energy;
  if (request.stress) {
    std::fill_n(out.stress, 9, B{});
    for (const int r : plane) out.stress[r] = solid.stress[r];
  }
  if (!needed.tangent) return;
  B share[9]{};  // −∂H33/∂H at P33 = 0
  for (const int r : plane) share[r] = solid.tangent[r][normal] / solid.tangent[normal][normal];
  if (request.tangent)
    for (int r = 0; r < 9; ++r)
      for (int s = 0; s < 9; ++s) out.tangent[r][s] = B{};
  if (request.tangent)
    for (const int r : plane)
      for (const int s : plane)
        out.tangent[r][s] = solid.tangent[r][s] - share[r] * solid.tangent[normal][s];
  if (!request.by_parameter) return;
  for (std::size_t k = 0; k < p.size(); ++k) {
    const B* by_k = solid.stress_by_parameter[k];
    out.energy_by_parameter[k] = solid.energy_by_parameter[k];
    std::fill_n(out.stress_by_parameter[k], 9, B{});
    for (const int r : plane) out.stress_by_parameter[k][r] = by_k[r] - share[r] * by_k[normal];
  }
}

template class WrappedMaterial<PlaneStressMaterial>;

}  // namespace invar
