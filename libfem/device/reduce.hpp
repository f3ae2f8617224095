#pragma once
#include "libfem/device/device_array.hpp"
#include "libfem/device/vector_kernels.hpp"

namespace invar {

/// Runs a reduction and puts the parts of its teams together, in order. `partial`: memory that is kept between calls.
inline double reduce(const std::shared_ptr<Device>& device, VectorReduction kernel, DeviceArray<double>& partial) {
  const std::size_t teams = static_cast<std::size_t>(kernel.teams());
  if (partial.size() != teams) partial = DeviceArray<double>(device, teams);
  kernel.out = partial.data();
  device->run(kernel);
  double result = kernel.neutral();
  for (const double v : partial.download()) result = kernel.together(result, v);
  return result;
}

}  // namespace invar
