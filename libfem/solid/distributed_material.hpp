#pragma once
#include <memory>
#include <span>

#include "libfem/solid/wrapped_material.hpp"

namespace invar {

/// A law of a body whose material is distributed by a density, at finite strain where there is material and linear where there
/// is none, so that cells of void, which nothing keeps from turning inside out, do not stop Newton's method:
///   W(H) = s (W_m(γ H) + (1 − γ²) ½ H:C:H),   C = ∂²W_m/∂H∂H at rest
/// with the last two parameters s, the share of the material that is there (stiffness of a density), and γ, 1 in material and 0
/// in void. C is that of the constants with which the law was made: in material, where it counts for nothing, it need not follow them.
/// Where I + γ H has no positive determinant, a law at finite strain gives numbers that are none.
/// Wang, Lazarov, Sigmund, Jensen: Comput. Methods Appl. Mech. Eng. 276 (2014) 453, whose linear law is the same.
class DistributedMaterial final : public WrappedMaterial<DistributedMaterial> {
 public:
  /// constants: of the law.
  DistributedMaterial(std::unique_ptr<Material> law, std::span<const double> constants);
  bool keeps_orientation() const override { return false; }

 private:
  friend WrappedMaterial;
  template <class B>
  void respond(const Matrix<B, 3, 3>& H, std::span<const B> p, MaterialRequest request, MaterialResponse<B>& out) const;

  double at_rest_[9][9];  // C
};

extern template class WrappedMaterial<DistributedMaterial>;

inline constexpr ParamSpec material_share_parameter{
    .key = "material_share", .unit = "1", .doc = "share of the law's energy and stress that is there: what a density (solid_density) scales", .lower = 0, .lower_open = true};
inline constexpr ParamSpec finite_share_parameter{
    .key = "finite_share", .unit = "1", .doc = "γ: share of the strain that the law sees, the rest being linear; a density lowers it in void", .default_value = 1, .lower = 0, .upper = 1};

/// Where in the law's parameters `material_share` is, which `finite_share` follows; −1: the law has none.
int material_share_index(const Material& material);

}  // namespace invar
