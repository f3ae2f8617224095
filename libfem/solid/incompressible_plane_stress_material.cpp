#include "libfem/solid/incompressible_plane_stress_material.hpp"

#include <algorithm>

#include "libfem/solid/deformation_gradient.hpp"

namespace invar {

namespace {

constexpr int plane[4] = {0, 1, 3, 4};  // indices 3·i + j of the in-plane components
constexpr int normal = 8;               // of the thickness component

}  // namespace

template <class B>
void IncompressiblePlaneStressMaterial::respond(const Matrix<B, 3, 3>& H, std::span<const B> p,
                                                MaterialRequest request,
                                                MaterialResponse<B>& out) const {
  using First = Dual<B, 4>;
  using Second = Dual<First, 4>;
  Second h[4];
  for (int a = 0; a < 4; ++a)
    h[a] = Second::variable(First::variable(H(plane[a] / 3, plane[a] % 3), a), a);
  const Second x = isochoric_thickness_strain(h[0], h[1], h[2], h[3], finite_strain());

  MaterialResponse<B> solid;
  MaterialRequest needed = request;
  needed.stress |= request.tangent;  // factor of the second derivative of the thickness strain
  wrapped().evaluate(in_plane(H, x.value.value), p, needed, solid);
  if (request.energy) out.energy = solid.energy;
  if (request.stress) {
    std::fill_n(out.stress, 9, B{});
    for (int a = 0; a < 4; ++a)
      out.stress[plane[a]] = solid.stress[plane[a]] + solid.stress[normal] * x.value.grad[a];
  }
  if (request.tangent) {
    const auto& A = solid.tangent;
    for (int r = 0; r < 9; ++r)
      for (int s = 0; s < 9; ++s) out.tangent[r][s] = B{};
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b) {
        const B &xa = x.value.grad[a], &xb = x.value.grad[b];
        const int r = plane[a], s = plane[b];
        out.tangent[r][s] = A[r][s] + A[r][normal] * xb + xa * A[normal][s] +
                            A[normal][normal] * xa * xb + solid.stress[normal] * x.grad[a].grad[b];
      }
  }
  if (!request.by_parameter) return;
  for (std::size_t k = 0; k < p.size(); ++k) {
    const B* by_k = solid.stress_by_parameter[k];
    out.energy_by_parameter[k] = solid.energy_by_parameter[k];
    std::fill_n(out.stress_by_parameter[k], 9, B{});
    for (int a = 0; a < 4; ++a)
      out.stress_by_parameter[k][plane[a]] = by_k[plane[a]] + by_k[normal] * x.value.grad[a];
  }
}

template class WrappedMaterial<IncompressiblePlaneStressMaterial>;

}  // namespace invar
