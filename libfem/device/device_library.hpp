#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "libfem/device/device.hpp"
#include "libfem/form/form_residual.hpp"

namespace invar {

/// Number of unknowns from which a device is chosen automatically. On an H100 a static solve of 107 811 unknowns takes a third of the time of 16
/// ranks of its machine; specs of some thousand unknowns are slower than on one core, by the two seconds in which CUDA starts.
inline constexpr long long worthwhile_on_device = 100000;

/// Forms of one q-function that devices have kernels for (`device_kind.hpp`).
struct DeviceKind {
  int components;  // of the q-function
  bool (*has)(const WeakForm& host);
  /// Converts a form of this kind to an equivalent one on a device, which takes it over.
  std::unique_ptr<WeakForm> (*take)(std::unique_ptr<WeakForm> host, const std::shared_ptr<Device>& device);
};

/// Names of the forms of an equation that are of none of the kinds.
std::vector<std::string> forms_without_kernels(FormResidual& residual, std::span<const DeviceKind> kinds);

/// Largest device memory that the equation's kernels need, bytes: mainly element matrices and where their entries go. An upper estimate.
std::size_t device_bytes(FormResidual& residual, std::span<const DeviceKind> kinds);

/// Moves all forms of an equation of these kinds to a device; if these are all of its forms, its vectors are stored there from then on.
/// Forms that only objectives read stay on the host and read copies. On one process.
void move_to_device(FormResidual& residual, std::span<const DeviceKind> kinds, const std::shared_ptr<Device>& device);

}  // namespace invar
