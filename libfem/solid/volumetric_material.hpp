#pragma once
#include <memory>

#include "libfem/solid/volumetric_law.hpp"
#include "libfem/solid/wrapped_material.hpp"

namespace invar {

/// W(C̄) + U(J) of a law's isochoric form and a volumetric law. Parameters: the isochoric form's, then the bulk modulus.
class VolumetricMaterial final : public WrappedMaterial<VolumetricMaterial> {
 public:
  VolumetricMaterial(std::unique_ptr<Material> isochoric, VolumetricLaw law);

 private:
  friend WrappedMaterial;
  template <class B>
  void respond(const Matrix<B, 3, 3>& H, std::span<const B> p, MaterialRequest request, MaterialResponse<B>& out) const;

  VolumetricLaw law_;
};

extern template class WrappedMaterial<VolumetricMaterial>;

}  // namespace invar
