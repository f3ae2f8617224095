#pragma once
#include <memory>

#include "libfem/solid/material.hpp"

namespace invar {

/// Plane stress of an incompressible material, made from the isochoric part of a law: no pressure
/// is needed, since det F = 1 gives F33 = 1/(F11 F22 − F12 F21) (small strains: H33 = −H11 − H22)
/// and P33 = 0 gives the pressure. The other out-of-plane components of H are zero. Takes H as
/// 3 × 3 and reads its upper left 2 × 2 block; the third rows and columns of what it gives are
/// zero.
class IncompressiblePlaneStressMaterial final : public Material {
 public:
  explicit IncompressiblePlaneStressMaterial(std::unique_ptr<Material> isochoric)
      : isochoric_(std::move(isochoric)) {}

  std::string_view name() const override { return isochoric_->name(); }
  std::span<const ParamSpec> parameters() const override { return isochoric_->parameters(); }
  bool finite_strain() const override { return isochoric_->finite_strain(); }
  void evaluate(const Matrix<Pack, 3, 3>& H, std::span<const Pack> p, MaterialRequest request,
                MaterialResponse<Pack>& out) const override;
  void evaluate(const Matrix<Dual<Pack, 1>, 3, 3>& H, std::span<const Dual<Pack, 1>> p,
                MaterialRequest request, MaterialResponse<Dual<Pack, 1>>& out) const override;

 private:
  template <class B>
  void substitute(const Matrix<B, 3, 3>& H, std::span<const B> p, MaterialRequest request,
                  MaterialResponse<B>& out) const;

  std::unique_ptr<Material> isochoric_;
};

}  // namespace invar
