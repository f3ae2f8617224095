#pragma once
#include <memory>

#include "libfem/device/device.hpp"

namespace invar {

/// Creates the first CUDA device; null in programs without CUDA code. Throws DeviceError if there is none.
inline std::shared_ptr<Device> (*make_cuda_device)() = nullptr;

}  // namespace invar
