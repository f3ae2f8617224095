#pragma once
#include <memory>

#include "libfem/device/device.hpp"

namespace invar {

/// The first CUDA device. Throws DeviceError where there is none. Of builds with INVAR_CUDA_KERNELS.
std::shared_ptr<Device> make_cuda_device();

}  // namespace invar
