#include "libfem/solid/grown_material.hpp"

#include "libfem/solid/deformation_gradient.hpp"

namespace invar {
namespace {

constexpr int n_growth = static_cast<int>(growth_parameters.size());
constexpr int row_of[n_growth]{0, 1, 2, 0, 0, 1}, column_of[n_growth]{0, 1, 2, 1, 2, 2};

/// The symmetric tensor of six components.
template <class B>
Matrix<B, 3, 3> symmetric(const B* g) {
  Matrix<B, 3, 3> full;
  for (int k = 0; k < n_growth; ++k) full(row_of[k], column_of[k]) = full(column_of[k], row_of[k]) = g[k];
  return full;
}

/// A row of nine as a tensor, times G⁻¹.
template <class B>
void grow(B* entries, const Matrix<B, 3, 3>& inverse, const B& volume) {
  Matrix<B, 3, 3> m;
  std::copy_n(entries, 9, m.entries);
  m = m * inverse;
  for (int k = 0; k < 9; ++k) entries[k] = volume * m.entries[k];
}

/// ∂²W/∂F∂F from ∂²W_e/∂F_e∂F_e.
template <class B>
void grow_tangent(B (*tangent)[9], const Matrix<B, 3, 3>& inverse, const B& volume) {
  for (int r = 0; r < 9; ++r) grow(tangent[r], inverse, B(1.0));
  for (int c = 0; c < 9; ++c) {
    B column[9];
    for (int r = 0; r < 9; ++r) column[r] = tangent[r][c];
    grow(column, inverse, volume);
    for (int r = 0; r < 9; ++r) tangent[r][c] = column[r];
  }
}

}  // namespace

GrownMaterial::GrownMaterial(std::unique_ptr<Material> elastic)
    : WrappedMaterial(std::move(elastic), {growth_parameters[0], growth_parameters[1], growth_parameters[2], growth_parameters[3], growth_parameters[4], growth_parameters[5]}) {}

/// ∂F_e/∂g_k = −F_e E_k G⁻¹ with the derivative E_k of g, −E_k at small strains; ∂det G/∂g_k = det G tr(G⁻¹ E_k).
template <class B>
void GrownMaterial::respond(const Matrix<B, 3, 3>& H, std::span<const B> p, MaterialRequest request, MaterialResponse<B>& out) const {
  const std::size_t first = p.size() - n_growth;
  const bool finite = finite_strain();
  const Matrix<B, 3, 3> g = symmetric(p.data() + first), unit = identity<B, 3>();
  const Matrix<B, 3, 3> inverse = finite ? invar::inverse(g + unit) : unit;
  const B volume = finite ? B(1.0 + grown_volume(p.data() + first, true)) : B(1.0);
  // F G⁻¹ − I = (H − g) G⁻¹: without cancellation at small strains
  const Matrix<B, 3, 3> elastic = (H - g) * inverse;
  MaterialRequest needed = request;
  needed.energy |= request.by_parameter;
  needed.stress |= request.by_parameter;
  needed.tangent |= request.by_parameter;
  wrapped().evaluate(elastic, p.first(first), needed, out);
  if (request.by_parameter) {
    for (std::size_t k = 0; k < first; ++k) {
      out.energy_by_parameter[k] = volume * out.energy_by_parameter[k];
      grow(out.stress_by_parameter[k], inverse, volume);
    }
    for (int k = 0; k < n_growth; ++k) {
      B one[n_growth];
      for (int m = 0; m < n_growth; ++m) one[m] = B(m == k ? 1.0 : 0.0);
      const Matrix<B, 3, 3> E = symmetric(one), by_volume = inverse * E;
      const Matrix<B, 3, 3> moved = finite ? B(-1.0) * ((elastic + unit) * E * inverse) : B(-1.0) * E;
      const B rate = finite ? B(trace(by_volume)) : B(0.0);
      B work(0.0), slope[9], turned[9];
      for (int r = 0; r < 9; ++r) {
        work += out.stress[r] * moved.entries[r];
        slope[r] = rate * out.stress[r];
        turned[r] = out.stress[r];
        for (int c = 0; c < 9; ++c) slope[r] += out.tangent[r][c] * moved.entries[c];
      }
      out.energy_by_parameter[first + k] = volume * (rate * out.energy + work);
      grow(slope, inverse, volume);
      if (finite) grow(turned, B(-1.0) * (inverse * E * inverse), volume);
      for (int r = 0; r < 9; ++r) out.stress_by_parameter[first + k][r] = finite ? B(slope[r] + turned[r]) : slope[r];
    }
  }
  if (needed.energy) out.energy = volume * out.energy;
  if (needed.stress) grow(out.stress, inverse, volume);
  if (request.tangent) grow_tangent(out.tangent, inverse, volume);
}

template class WrappedMaterial<GrownMaterial>;

int growth_index(const Material& material) {
  const auto table = material.parameters();
  return !table.empty() && table.back().key == growth_parameters.back().key ? static_cast<int>(table.size()) - n_growth : -1;
}

}  // namespace invar
