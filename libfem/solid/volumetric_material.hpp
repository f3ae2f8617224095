#pragma once
#include <memory>
#include <vector>

#include "libfem/solid/material.hpp"
#include "libfem/solid/volumetric_law.hpp"

namespace invar {

/// W(C̄) + U(J) of a law's isochoric form and a volumetric law. Parameters: the isochoric form's, then the bulk modulus.
class VolumetricMaterial final : public Material {
 public:
  VolumetricMaterial(std::unique_ptr<Material> isochoric, VolumetricLaw law);

  std::string_view name() const override { return isochoric_->name(); }
  std::span<const ParamSpec> parameters() const override { return parameters_; }
  bool finite_strain() const override { return isochoric_->finite_strain(); }
  void evaluate(const Matrix<Pack, 3, 3>& H, std::span<const Pack> p, MaterialRequest request,
                MaterialResponse<Pack>& out) const override;
  void evaluate(const Matrix<Dual<Pack, 1>, 3, 3>& H, std::span<const Dual<Pack, 1>> p, MaterialRequest request,
                MaterialResponse<Dual<Pack, 1>>& out) const override;

 private:
  template <class B>
  void add(const Matrix<B, 3, 3>& H, std::span<const B> p, MaterialRequest request, MaterialResponse<B>& out) const;

  std::unique_ptr<Material> isochoric_;
  VolumetricLaw law_;
  std::vector<ParamSpec> parameters_;
};

}  // namespace invar
