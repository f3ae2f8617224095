#pragma once
#include <span>
#include <string_view>

#include "libadjoint/param_spec.hpp"
#include "libfem/math/dual.hpp"
#include "libfem/math/simd.hpp"
#include "libfem/math/tensor.hpp"

namespace invar {

inline constexpr int max_material_parameters = 26;

/// Energy of a material and its derivatives at one point. B is the lane type: Pack, or Dual<Pack, 1> to differentiate once
/// more along a direction. H = ∂u/∂X is the displacement gradient (3 × 3, row = component, column = coordinate); index 3·i +
/// j stands for H(i, j).
template <class B>
struct MaterialResponse {
  B energy{};                                        // W, J/m³ of reference volume
  B stress[9];                                       // P = ∂W/∂H, first Piola–Kirchhoff, Pa
  B tangent[9][9];                                   // ∂²W/∂H∂H, Pa
  B energy_by_parameter[max_material_parameters];    // ∂W/∂p
  B stress_by_parameter[max_material_parameters][9]; // ∂P/∂p
};

/// Which results an evaluation must compute.
struct MaterialRequest {
  bool energy = true;
  bool stress = true;
  bool tangent = false;
  bool by_parameter = false;  // energy_by_parameter and stress_by_parameter
};

/// A stored-energy function W(H; p) behind a virtual call for whole packs of points, so that each material is compiled once
/// and not once per kinematics and element.
class Material {
 public:
  virtual ~Material() = default;
  virtual std::string_view name() const = 0;
  virtual std::span<const ParamSpec> parameters() const = 0;
  /// false: small-strain law, W depends on sym(H) only.
  virtual bool finite_strain() const = 0;
  /// Whether det(I + H) must be positive everywhere; false: the law admits every H, or returns NaN where it does not.
  virtual bool keeps_orientation() const { return finite_strain(); }
  virtual void evaluate(const Matrix<Pack, 3, 3>& H, std::span<const Pack> p, MaterialRequest request,
                        MaterialResponse<Pack>& out) const = 0;
  virtual void evaluate(const Matrix<Dual<Pack, 1>, 3, 3>& H, std::span<const Dual<Pack, 1>> p,
                        MaterialRequest request, MaterialResponse<Dual<Pack, 1>>& out) const = 0;
};

}  // namespace invar
