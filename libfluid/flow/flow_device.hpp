#pragma once
#include "libfem/device/device_library.hpp"

namespace invar {

/// Forms of flow with device kernels (`flow_device_list.hpp`).
std::span<const DeviceKind> flow_device_forms();

}  // namespace invar
