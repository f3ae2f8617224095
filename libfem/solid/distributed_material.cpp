#include "libfem/solid/distributed_material.hpp"

#include <algorithm>
#include <limits>

#include "libfem/solid/deformation_gradient.hpp"

namespace invar {
namespace {

/// 0 if det(I + H) is positive, else NaN.
Pack zero_if_oriented(const Matrix<Pack, 3, 3>& H) {
  return select(det(deformation_gradient(H)) > 0.0, Pack(0.0), Pack(std::numeric_limits<double>::quiet_NaN()));
}
Pack zero_if_oriented(const Matrix<Dual<Pack, 1>, 3, 3>& H) {
  Matrix<Pack, 3, 3> values;
  for (int k = 0; k < 9; ++k) values.entries[k] = H.entries[k].value;
  return zero_if_oriented(values);
}

}  // namespace

DistributedMaterial::DistributedMaterial(std::unique_ptr<Material> law, std::span<const double> constants)
    : WrappedMaterial(std::move(law), {material_share_parameter, finite_share_parameter}) {
  Pack p[max_material_parameters];
  for (std::size_t k = 0; k < constants.size(); ++k) p[k] = constants[k];
  MaterialResponse<Pack> rest;
  wrapped().evaluate(Matrix<Pack, 3, 3>{}, std::span<const Pack>(p, constants.size()), {.energy = false, .stress = false, .tangent = true}, rest);
  for (int r = 0; r < 9; ++r)
    for (int k = 0; k < 9; ++k) at_rest_[r][k] = rest.tangent[r][k][0];
}

/// With G = γ H and L = C:H: W = s (W_m(G) + ½ (1 − γ²) H:L), P = s (γ P_m(G) + (1 − γ²) L), A = s (γ² A_m(G) + (1 − γ²) C),
/// ∂W/∂γ = s (P_m(G) − γ L):H, ∂P/∂γ = s (P_m(G) + γ A_m(G):H − 2 γ L).
template <class B>
void DistributedMaterial::respond(const Matrix<B, 3, 3>& H, std::span<const B> p, MaterialRequest request,
                                  MaterialResponse<B>& out) const {
  const std::size_t share = p.size() - 2, finite = p.size() - 1;
  const B s = p[share], gamma = p[finite], rest = 1.0 - gamma * gamma;
  const Matrix<B, 3, 3> G = gamma * H;
  MaterialRequest needed = request;
  needed.energy |= request.by_parameter;
  needed.stress |= request.by_parameter;
  needed.tangent |= request.by_parameter;
  wrapped().evaluate(G, p.first(share), needed, out);
  const Pack valid = finite_strain() ? zero_if_oriented(G) : Pack(0.0);
  B linear[9], quadratic(0.0), work(0.0);  // L, H:L, (P_m − γ L):H
  for (int r = 0; r < 9; ++r) {
    linear[r] = B(0.0);
    for (int k = 0; k < 9; ++k) linear[r] += at_rest_[r][k] * H.entries[k];
    quadratic += linear[r] * H.entries[r];
  }
  if (request.by_parameter) {
    for (std::size_t k = 0; k < share; ++k) {
      out.energy_by_parameter[k] = s * out.energy_by_parameter[k];
      for (B& entry : out.stress_by_parameter[k]) entry = s * gamma * entry;
    }
    for (int r = 0; r < 9; ++r) {
      B slope(0.0);
      for (int k = 0; k < 9; ++k) slope += out.tangent[r][k] * H.entries[k];
      work += (out.stress[r] - gamma * linear[r]) * H.entries[r];
      out.stress_by_parameter[share][r] = gamma * out.stress[r] + rest * linear[r];
      out.stress_by_parameter[finite][r] = s * (out.stress[r] + gamma * slope - 2.0 * gamma * linear[r]);
    }
    out.energy_by_parameter[share] = out.energy + 0.5 * rest * quadratic;
    out.energy_by_parameter[finite] = s * work;
  }
  if (needed.energy) out.energy = s * (out.energy + 0.5 * rest * quadratic) + valid;
  if (needed.stress)
    for (int r = 0; r < 9; ++r) out.stress[r] = s * (gamma * out.stress[r] + rest * linear[r]) + valid;
  if (!request.tangent) return;
  const B curvature = gamma * gamma;
  for (int r = 0; r < 9; ++r)
    for (int k = 0; k < 9; ++k) out.tangent[r][k] = s * (curvature * out.tangent[r][k] + rest * at_rest_[r][k]);
}

template class WrappedMaterial<DistributedMaterial>;

int material_share_index(const Material& material) {
  const auto table = material.parameters();
  const auto found = std::ranges::find(table, material_share_parameter.key, &ParamSpec::key);
  return found == table.end() ? -1 : static_cast<int>(found - table.begin());
}

}  // namespace invar
