#include "libfem/solid/swollen_material.hpp"

#include "libfem/solid/deformation_gradient.hpp"

namespace invar {

SwollenMaterial::SwollenMaterial(std::unique_ptr<Material> elastic, bool of_shape_alone)
    : WrappedMaterial(std::move(elastic), {swelling_parameter}), of_shape_alone_(of_shape_alone) {}

/// With g = 1 + s, 1 at small strains: ∂H_e/∂H = 1/g and ∂H_e/∂s = −F/g², −I at small strains. For a purely isochoric law H_e is H:
/// subtracting s would cause cancellation.
template <class B>
void SwollenMaterial::respond(const Matrix<B, 3, 3>& H, std::span<const B> p, MaterialRequest request,
                              MaterialResponse<B>& out) const {
  const std::size_t last = p.size() - 1;
  const bool finite = finite_strain();
  const B s = p[last], g = finite ? B(1.0 + s) : B(1.0), volume = g * g * g;
  const B inner = of_shape_alone_ ? B(1.0) : B(1.0 / g), area = volume * inner;
  Matrix<B, 3, 3> elastic = H, moved{};  // H_e, ∂H_e/∂s
  if (!of_shape_alone_) {
    for (int k = 0; k < 9; k += 4) elastic.entries[k] = H.entries[k] - s;
    elastic = inner * elastic;
    moved = (-inner * inner) * (finite ? deformation_gradient(H) : identity<B, 3>());
  }
  MaterialRequest needed = request;
  needed.energy |= request.by_parameter;
  needed.stress |= request.by_parameter;
  needed.tangent |= request.by_parameter;
  wrapped().evaluate(elastic, p.first(last), needed, out);
  if (request.by_parameter) {
    const B volume_by_s = finite ? B(3.0 * g * g) : B(0.0), area_by_s = of_shape_alone_ ? volume_by_s : finite ? B(2.0 * g) : B(0.0);
    B work(0.0);
    for (int k = 0; k < 9; ++k) work += out.stress[k] * moved.entries[k];
    out.energy_by_parameter[last] = volume_by_s * out.energy + volume * work;
    for (int r = 0; r < 9; ++r) {
      B slope(0.0);
      for (int k = 0; k < 9; ++k) slope += out.tangent[r][k] * moved.entries[k];
      out.stress_by_parameter[last][r] = area_by_s * out.stress[r] + area * slope;
    }
    for (std::size_t k = 0; k < last; ++k) {
      out.energy_by_parameter[k] = volume * out.energy_by_parameter[k];
      for (B& entry : out.stress_by_parameter[k]) entry = area * entry;
    }
  }
  if (needed.energy) out.energy = volume * out.energy;
  if (needed.stress)
    for (B& entry : out.stress) entry = area * entry;
  if (!request.tangent) return;
  const B curvature = area * inner;
  for (auto& row : out.tangent)
    for (B& entry : row) entry = curvature * entry;
}

template class WrappedMaterial<SwollenMaterial>;

int swelling_index(const Material& material) {
  const auto table = material.parameters();
  return !table.empty() && table.back().key == swelling_parameter.key ? static_cast<int>(table.size()) - 1 : -1;
}

}  // namespace invar
