#pragma once
#include <memory>

#include "libfem/device/device.hpp"

namespace invar {

/// Makes the first CUDA device; null in programs without CUDA code. Throws DeviceError where there is none.
inline std::shared_ptr<Device> (*make_cuda_device)() = nullptr;

}  // namespace invar
