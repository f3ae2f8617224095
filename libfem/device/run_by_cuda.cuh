#pragma once
#include <string>

#include "libfem/device/device.hpp"
#include "libfem/device/element_operations.hpp"
#include "libfem/device/sum_kernels.hpp"
#include "libfem/device/vector_kernels.hpp"

namespace invar {

inline void check_cuda(cudaError_t error) {
  if (error != cudaSuccess) throw DeviceError(std::string("CUDA: ") + cudaGetErrorString(error));
}

template <class Kernel>
void run_by_cuda(const Kernel& kernel) {
  check_cuda(run_on_device(kernel));
}

/// The operations of a q-function.
#define INVAR_CUDA_KERNELS_OF(...)                                                                          \
  template void run_by_cuda(const ElementKernel<__VA_ARGS__, device::Residual>&);                           \
  template void run_by_cuda(const ElementKernel<__VA_ARGS__, device::Product>&);                            \
  template void run_by_cuda(const ElementKernel<__VA_ARGS__, device::CoordinateVjp<PointScalar::work>>&);   \
  template void run_by_cuda(const ElementKernel<__VA_ARGS__, device::CoefficientVjp<PointScalar::work>>&);  \
  template void run_by_cuda(const ElementKernel<__VA_ARGS__, device::Tangent>&);
/// And those of one without a symmetric tangent, whose transposed product is not its product.
#define INVAR_CUDA_KERNELS_OF_NONSYMMETRIC(...) \
  template void run_by_cuda(const ElementKernel<__VA_ARGS__, device::UnknownVjp<PointScalar::work>>&);
/// And those of a density.
#define INVAR_CUDA_KERNELS_OF_DENSITY(...)                                                                     \
  template void run_by_cuda(const ElementKernel<__VA_ARGS__, device::Value>&);                                 \
  template void run_by_cuda(const ElementKernel<__VA_ARGS__, device::UnknownVjp<PointScalar::density>>&);      \
  template void run_by_cuda(const ElementKernel<__VA_ARGS__, device::CoordinateVjp<PointScalar::density>>&);   \
  template void run_by_cuda(const ElementKernel<__VA_ARGS__, device::CoefficientVjp<PointScalar::density>>&);

}  // namespace invar
