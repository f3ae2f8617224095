#include "libfem/device/device.hpp"

#include <cstring>

#include "libfem/device/cuda_device.hpp"

namespace invar {

void Device::upload(void* to, const void* from, std::size_t bytes) {
  if (bytes > 0) std::memcpy(to, from, bytes);
}
void Device::download(void* to, const void* from, std::size_t bytes) {
  if (bytes > 0) std::memcpy(to, from, bytes);
}
void Device::clear(void* memory, std::size_t bytes) {
  if (bytes > 0) std::memset(memory, 0, bytes);
}

std::shared_ptr<Device> make_device(Device::Kind kind) {
  if (kind != Device::Kind::cuda) return std::make_shared<Device>(kind);
#if defined(INVAR_CUDA_KERNELS)
  return make_cuda_device();
#else
  throw DeviceError("this build has no CUDA kernels: nvcc was not found when it was configured");
#endif
}

}  // namespace invar
