#pragma once
#include "libfem/device/device_library.hpp"

namespace invar {

/// Forms of solids with device kernels (`solid_device_list.hpp`).
std::span<const DeviceKind> solid_device_forms();

}  // namespace invar
