#pragma once
#include <memory>
#include <span>

#include "libfem/solid/wrapped_material.hpp"

namespace invar {

/// Law of a distributed material: a finite-strain law where the density is 1 and a linear one in void, so that void cells, which may
/// invert, do not stop Newton's method:
///   W(H) = s (W_m(γ H) + (1 − γ²) ½ H:C:H),   C = ∂²W_m/∂H∂H at rest
/// with the last two parameters s, the material share (stiffness as a fraction of full material), and γ, 1 in material and 0 in void. C is
/// computed from the constants given at construction; in full material it has no influence and need not follow them. Where det(I + γ H) ≤
/// 0, a finite-strain law returns NaN. Wang, Lazarov, Sigmund, Jensen: Comput. Methods Appl. Mech. Eng. 276 (2014) 453, with the same
/// linear law.
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
    .key = "material_share", .unit = "1", .doc = "factor of the law's energy and stress, which a density (solid_density) scales", .lower = 0, .lower_open = true};
inline constexpr ParamSpec finite_share_parameter{
    .key = "finite_share", .unit = "1", .doc = "γ: share of the strain for which the law is used, the rest being linear; a density reduces it in void", .default_value = 1, .lower = 0, .upper = 1};

/// Index of the parameter `material_share`, which `finite_share` follows; −1: the law has none.
int material_share_index(const Material& material);

}  // namespace invar
