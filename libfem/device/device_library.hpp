#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "libfem/device/device.hpp"
#include "libfem/form/form_residual.hpp"

namespace invar {

/// Unknowns from which a device is taken where there is a choice: an estimate, no device has been measured yet.
inline constexpr long long worthwhile_on_device = 100000;

/// Forms of one q-function that devices have kernels for (`device_kind.hpp`).
struct DeviceKind {
  bool (*has)(const WeakForm& host);
  /// Makes of a form of this kind one that does the same on a device, having taken it.
  std::unique_ptr<WeakForm> (*take)(std::unique_ptr<WeakForm> host, const std::shared_ptr<Device>& device);
};

/// Forms of an equation that are of none of the kinds, by their names.
std::vector<std::string> forms_without_kernels(FormResidual& residual, std::span<const DeviceKind> kinds);

/// Has a device evaluate the forms of an equation that are of one of the kinds. What only objectives read stays on the host. On one
/// process.
void move_to_device(FormResidual& residual, std::span<const DeviceKind> kinds, const std::shared_ptr<Device>& device);

}  // namespace invar
