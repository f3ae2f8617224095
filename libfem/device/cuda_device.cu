#include "libfem/device/cuda_device.hpp"

#include <cstdint>
#include <new>

#include "libfem/device/lattice_kernels.hpp"
#include "libfem/device/row_kernels.hpp"
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
    int has_pool = 0;
    check_cuda(cudaDeviceGetAttribute(&has_pool, cudaDevAttrMemoryPoolsSupported, 0));
    pooled_ = has_pool != 0;
    if (!pooled_) return;
    cudaMemPool_t pool;
    check_cuda(cudaDeviceGetDefaultMemPool(&pool, 0));
    std::uint64_t kept = std::uint64_t(1) << 30;  // unused bytes; more is given back, for cuDSS allocates beside the pool
    check_cuda(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept));
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
    if (!pooled_) return free;
    cudaMemPool_t pool;
    std::uint64_t reserved = 0, used = 0;
    check_cuda(cudaDeviceGetDefaultMemPool(&pool, 0));
    check_cuda(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved));
    check_cuda(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    return free + static_cast<std::size_t>(reserved - used);
  }
  void clear(void* memory, std::size_t bytes) override {
    if (bytes > 0) check_cuda(cudaMemsetAsync(memory, 0, bytes, nullptr));
  }

 protected:
  // In the order of kernels, from memory that was released before: cudaMalloc and cudaFree would wait for the device.
  void* take(std::size_t bytes) override {
    void* memory = nullptr;
    const cudaError_t error = pooled_ ? cudaMallocAsync(&memory, bytes > 0 ? bytes : 1, nullptr) : cudaMalloc(&memory, bytes > 0 ? bytes : 1);
    if (error == cudaErrorMemoryAllocation) {
      cudaGetLastError();  // so that the next launch does not report it
      return nullptr;
    }
    check_cuda(error);
    return memory;
  }
  void give_back(void* memory) noexcept override { pooled_ ? cudaFreeAsync(memory, nullptr) : cudaFree(memory); }
  // Page-locked: it has the same address for kernels.
  void* take_on_host(std::size_t bytes) override {
    void* memory = nullptr;
    if (cudaHostAlloc(&memory, bytes > 0 ? bytes : 1, cudaHostAllocDefault) != cudaSuccess) {
      cudaGetLastError();
      throw std::bad_alloc();
    }
    uses_host_ = true;
    return memory;
  }
  void give_back_on_host(void* memory) noexcept override {
    cudaStreamSynchronize(nullptr);  // kernels may still use it
    cudaFreeHost(memory);
  }
  void copy(void* to, const void* from, std::size_t bytes) override {
    if (uses_host_) check_cuda(cudaStreamSynchronize(nullptr));  // copies within the host need not wait for kernels
    check_cuda(cudaMemcpy(to, from, bytes, cudaMemcpyDefault));
  }

 private:
  bool pooled_ = false, uses_host_ = false;
};

const bool offered = [] {
  make_cuda_device = [] { return std::shared_ptr<Device>(std::make_shared<CudaDevice>()); };
  offer_cuda<VectorReduction, VectorDots, RowReduction>();
  offer_cuda_entries<PlaceSum, VectorMap, RowUpdate, VectorSum>();
  offer_cuda_entries<HeldEntries, BlockSum, Noise, BlockRowMax<2>, BlockRowMax<3>, InvertBlocks<2>, InvertBlocks<3>, ChebyshevStep<2>, ChebyshevStep<3>>();
  offer_cuda<MatchKind<2>, MatchKind<3>>();
  offer_cuda_entries<CellProduct<2>, CellProduct<3>, CoarseCells<2>, CoarseCells<3>, BlockRows<2>, BlockRows<3>, LatticeTransfer<2>, LatticeTransfer<3>>();
  return true;
}();

}  // namespace

}  // namespace invar
