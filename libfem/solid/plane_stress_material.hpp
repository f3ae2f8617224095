#pragma once
#include <memory>

#include "libfem/solid/wrapped_material.hpp"

namespace invar {

/// Plane stress of a compressible material: H33 is eliminated by P33 = 0, the other out-of-plane
/// components of H are zero. Takes H as 3 × 3 and reads its upper left 2 × 2 block; the third rows
/// and columns of what it gives are zero. The thickness strain is solved for in every lane by
/// Newton's method; where that fails, energy and stress are NaN.
class PlaneStressMaterial final : public WrappedMaterial<PlaneStressMaterial> {
 public:
  explicit PlaneStressMaterial(std::unique_ptr<Material> solid) : WrappedMaterial(std::move(solid)) {}

 private:
  friend WrappedMaterial;
  struct Thickness {
    Pack H33;
    Pack slope;  // ∂P33/∂H33
  };
  Thickness solve(const Matrix<Pack, 3, 3>& H, std::span<const Pack> p) const;
  template <class B>
  void respond(const Matrix<B, 3, 3>& H, std::span<const B> p, MaterialRequest request,
               MaterialResponse<B>& out) const;
};

extern template class WrappedMaterial<PlaneStressMaterial>;

}  // namespace invar
