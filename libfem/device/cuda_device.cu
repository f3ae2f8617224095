#include "libfem/device/cuda_device.hpp"

#include "libfem/device/run_by_cuda.cuh"

namespace invar {
namespace {

class CudaDevice final : public Device {
 public:
  CudaDevice() : Device(Kind::cuda) {
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess || count == 0)
      throw DeviceError(std::string("no CUDA device: ") + (error == cudaSuccess ? "none is installed" : cudaGetErrorString(error)));
  }

  std::string description() const override {
    cudaDeviceProp properties;
    int driver = 0, runtime = 0;
    check_cuda(cudaGetDeviceProperties(&properties, 0));
    check_cuda(cudaDriverGetVersion(&driver));
    check_cuda(cudaRuntimeGetVersion(&runtime));
    const auto version = [](int v) { return std::to_string(v / 1000) + "." + std::to_string(v % 1000 / 10); };
    return std::string(properties.name) + ", driver for CUDA " + version(driver) + ", CUDA " + version(runtime);
  }
  std::size_t free_bytes() const override {
    std::size_t free = 0, all = 0;
    check_cuda(cudaMemGetInfo(&free, &all));
    return free;
  }
  void* allocate(std::size_t bytes) override {
    void* memory = nullptr;
    check_cuda(cudaMalloc(&memory, bytes > 0 ? bytes : 1));
    return memory;
  }
  void release(void* memory) noexcept override { cudaFree(memory); }
  void clear(void* memory, std::size_t bytes) override {
    if (bytes > 0) check_cuda(cudaMemset(memory, 0, bytes));
  }
  bool holds(const void* memory) const override {
    cudaPointerAttributes attributes;
    check_cuda(cudaPointerGetAttributes(&attributes, memory));
    return attributes.type == cudaMemoryTypeDevice;
  }

 protected:
  void copy(void* to, const void* from, std::size_t bytes, bool to_device) override {
    check_cuda(cudaMemcpy(to, from, bytes, to_device ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost));
  }
};

const bool offered = [] {
  make_cuda_device = [] { return std::shared_ptr<Device>(std::make_shared<CudaDevice>()); };
  offer_cuda<PlaceSum, ListReduction, VectorMap, RowMap, VectorReduction>();
  return true;
}();

}  // namespace

}  // namespace invar
