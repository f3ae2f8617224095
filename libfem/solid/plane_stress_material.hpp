#pragma once
#include <memory>

#include "libfem/solid/material.hpp"

namespace invar {

/// Plane stress of a compressible material: H33 is eliminated by P33 = 0, the other out-of-plane
/// components of H are zero. Takes H as 3 × 3 and reads its upper left 2 × 2 block; the third rows
/// and columns of what it gives are zero. The thickness strain is solved for in every lane by
/// Newton's method; where that fails, energy and stress are NaN.
class PlaneStressMaterial final : public Material {
 public:
  explicit PlaneStressMaterial(std::unique_ptr<Material> solid) : solid_(std::move(solid)) {}

  std::string_view name() const override { return solid_->name(); }
  std::span<const ParamSpec> parameters() const override { return solid_->parameters(); }
  bool finite_strain() const override { return solid_->finite_strain(); }
  void evaluate(const Matrix<Pack, 3, 3>& H, std::span<const Pack> p, MaterialRequest request,
                MaterialResponse<Pack>& out) const override;
  void evaluate(const Matrix<Dual<Pack, 1>, 3, 3>& H, std::span<const Dual<Pack, 1>> p,
                MaterialRequest request, MaterialResponse<Dual<Pack, 1>>& out) const override;

 private:
  struct Thickness {
    Pack H33;
    Pack slope;  // ∂P33/∂H33
  };
  Thickness solve(const Matrix<Pack, 3, 3>& H, std::span<const Pack> p) const;
  template <class B>
  void condense(const Matrix<B, 3, 3>& H, std::span<const B> p, MaterialRequest request,
                MaterialResponse<B>& out) const;

  std::unique_ptr<Material> solid_;
};

}  // namespace invar
