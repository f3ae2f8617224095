#pragma once
#include <memory>
#include <vector>

#include "libfem/contact/contact_surface.hpp"
#include "libfem/contact/surface_measure.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfem/space/dof_map.hpp"

namespace invar {

/// Inputs of forms at the samples of a contact surface, or a direction or adjoint of these: [n_samples × dim] each, and the weights
/// of samples and edges. Empty: zero.
struct SurfaceFields {
  SurfacePosition at;                        // m
  std::vector<double> rate, multiplier;      // m/s; multiplier λ
  std::vector<double> weight;                // m²
};

/// Transfer between arrays of a form and fields at the samples. The displacement is the unknown's first `dim` components.
class SurfaceTransfer {
 public:
  SurfaceTransfer(const ContactSurface& surface, std::vector<int> nodes, std::shared_ptr<const DofMap> dofs);

  /// Values of an array of the unknown, [n_local], at the samples; empty for nullptr.
  std::vector<double> of_unknown(const double* unknown) const;
  std::vector<double> of_coordinates(const double* coordinates) const;
  /// Transposes, which add.
  void to_unknown(const std::vector<double>& at_samples, double* unknown) const;
  void to_coordinates(const std::vector<double>& at_samples, double* coordinates) const;

 private:
  const ContactSurface* surface_;
  std::vector<int> nodes_;  // of the surface
  std::shared_ptr<const DofMap> dofs_;
};

}  // namespace invar
