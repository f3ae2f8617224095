#pragma once
#include <memory>

#include "libfem/solid/wrapped_material.hpp"

namespace invar {

/// Plane stress of a compressible material: H33 follows from P33 = 0, other out-of-plane components of H are zero.
/// Reads the upper left 2 × 2 block of H; the third rows and columns of the results are zero. Newton's method finds the
/// thickness strain in every lane; if it fails, energy and stress are NaN.
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
