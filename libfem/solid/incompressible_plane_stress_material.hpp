#pragma once
#include <memory>

#include "libfem/solid/wrapped_material.hpp"

namespace invar {

/// Plane stress of an incompressible material, made from the isochoric part of a law: no pressure
/// is needed, since det F = 1 gives F33 = 1/(F11 F22 − F12 F21) (small strains: H33 = −H11 − H22)
/// and P33 = 0 gives the pressure. The other out-of-plane components of H are zero. Takes H as
/// 3 × 3 and reads its upper left 2 × 2 block; the third rows and columns of what it gives are
/// zero.
class IncompressiblePlaneStressMaterial final : public WrappedMaterial<IncompressiblePlaneStressMaterial> {
 public:
  explicit IncompressiblePlaneStressMaterial(std::unique_ptr<Material> isochoric)
      : WrappedMaterial(std::move(isochoric)) {}

 private:
  friend WrappedMaterial;
  template <class B>
  void respond(const Matrix<B, 3, 3>& H, std::span<const B> p, MaterialRequest request,
               MaterialResponse<B>& out) const;
};

extern template class WrappedMaterial<IncompressiblePlaneStressMaterial>;

}  // namespace invar
