#include "libfem/solid/volumetric_material.hpp"

#include "libfem/math/near_zero.hpp"
#include "libfem/solid/invariants.hpp"
#include "libfem/solid/law/elastic_constants.hpp"

namespace invar {
namespace {

/// U/κ of j = J − 1, accurate near j = 0.
template <class T>
T unit_energy(VolumetricLaw law, const T& j) {
  switch (law) {
    case VolumetricLaw::logarithmic: {
      const T log_j = log1p(j);
      return 0.5 * log_j * log_j;
    }
    case VolumetricLaw::simo_taylor: return 0.25 * j * j - 0.5 * log1pmx(j);
    case VolumetricLaw::entropic: return (1.0 + j) * log1pmx(j) + j * j;
    default: return 0.5 * j * j;
  }
}

}  // namespace

VolumetricMaterial::VolumetricMaterial(std::unique_ptr<Material> isochoric, VolumetricLaw law)
    : WrappedMaterial(std::move(isochoric), {elastic_constants::bulk_of_volumetric_law}), law_(law) {}

template <class B>
void VolumetricMaterial::respond(const Matrix<B, 3, 3>& H, std::span<const B> p, MaterialRequest request,
                                 MaterialResponse<B>& out) const {
  using First = Dual<B, 1>;
  using Second = Dual<First, 1>;
  const std::size_t bulk = p.size() - 1;
  wrapped().evaluate(H, p.first(bulk), request, out);
  const Second u = unit_energy(law_, Second::variable(First::variable(det1pm1(H), 0), 0));
  const B w[3] = {B(0.0), B(0.0), u.value.grad[0]};
  B by_j[9];
  Invariants<B>::stress(H, w, by_j);
  if (request.energy) out.energy += p[bulk] * u.value.value;
  if (request.stress)
    for (int r = 0; r < 9; ++r) out.stress[r] += p[bulk] * by_j[r];
  if (request.tangent) {
    B ww[3][3]{};
    ww[2][2] = u.grad[0].grad[0];
    B curvature[9][9];
    Invariants<B>::tangent(H, w, ww, curvature);
    for (int r = 0; r < 9; ++r)
      for (int s = 0; s < 9; ++s) out.tangent[r][s] += p[bulk] * curvature[r][s];
  }
  if (!request.by_parameter) return;
  out.energy_by_parameter[bulk] = u.value.value;
  for (int r = 0; r < 9; ++r) out.stress_by_parameter[bulk][r] = by_j[r];
}

template class WrappedMaterial<VolumetricMaterial>;

}  // namespace invar
