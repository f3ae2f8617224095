#pragma once
#include <memory>

#include "libfem/solid/swollen_growth.hpp"
#include "libfem/solid/wrapped_material.hpp"

namespace invar {

/// A law whose stress-free state is swollen: every length is 1 + s times that of the reference, s the last parameter.
/// Swelling of gels, thermal expansion, growth, shrinkage by drying (s < 0).
///   W(F) = (1 + s)³ W_e(F_e), F_e = F/(1 + s)          finite strain, per volume of the reference
///   W(ε) = W_e(ε − s I)                                small strain
/// A law of C̄ or dev ε alone does not feel that; only the volume counts: W = (1 + s)³ W_e(F).
/// Rodriguez, Hoger, McCulloch: J. Biomech. 27 (1994); Boley, Weiner: Theory of Thermal Stresses (1960).
class SwollenMaterial final : public WrappedMaterial<SwollenMaterial> {
 public:
  /// of_shape_alone: the law does not depend on changes of volume.
  SwollenMaterial(std::unique_ptr<Material> elastic, bool of_shape_alone);

 private:
  friend WrappedMaterial;
  template <class B>
  void respond(const Matrix<B, 3, 3>& H, std::span<const B> p, MaterialRequest request, MaterialResponse<B>& out) const;

  bool of_shape_alone_;
};

extern template class WrappedMaterial<SwollenMaterial>;

inline constexpr ParamSpec swelling_parameter{
    .key = "swelling", .unit = "1", .doc = "s: without stress, every length is 1 + s times that of the mesh", .lower = -1, .lower_open = true};

/// Index of the swelling parameter; −1: the law does not swell.
int swelling_index(const Material& material);

}  // namespace invar
