#pragma once
#include <memory>

#include "libfem/solid/wrapped_material.hpp"

namespace invar {

/// Plane stress of an incompressible material, from the isochoric part of a law. There is no pressure unknown: det F =
/// 1 gives F33 = 1/(F11 F22 − F12 F21) (small strains: H33 = −H11 − H22), and P33 = 0 gives the pressure. Other
/// out-of-plane components of H are zero. Reads the upper left 2 × 2 block of H; the third rows and columns of the
/// results are zero.
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
