#pragma once
#include <string>

#include "libfem/device/device.hpp"
#include "libfem/device/element_operations.hpp"
#include "libfem/device/form_list.hpp"
#include "libfem/device/multigrid_kernels.hpp"
#include "libfem/device/sum_kernels.hpp"
#include "libfem/device/vector_kernels.hpp"

namespace invar {

inline void check_cuda(cudaError_t error) {
  if (error != cudaSuccess) throw DeviceError(std::string("CUDA: ") + cudaGetErrorString(error));
}

/// Kernels that programs with this object run on a CUDA device.
template <class... Kernels>
void offer_cuda() {
  ((run_by_cuda<Kernels> = [](const Kernels& kernel) { check_cuda(run_on_device(kernel)); }), ...);
}

/// Kernels of OneByOne.
template <class... Entries>
void offer_cuda_entries() {
  offer_cuda<OneByOne<Entries>...>();
}

/// The operations of DeviceForm on the equation of a q-function, and on its density.
template <class Q>
void offer_cuda_equation() {
  if constexpr (!Functional<Q>) {
    offer_cuda<ElementKernel<Q, device::Residual>, ElementKernel<Q, device::Product>, ElementKernel<Q, device::Tangent>,
               ElementKernel<Q, device::CoordinateVjp<PointScalar::work>>, ElementKernel<Q, device::CoefficientVjp<PointScalar::work>>>();
    if constexpr (!Q::symmetric) offer_cuda<ElementKernel<Q, device::UnknownVjp<PointScalar::work>>>();
  }
}
template <class Q>
void offer_cuda_density() {
  if constexpr (HasDensity<Q>)
    offer_cuda<ElementKernel<Q, device::Value>, ElementKernel<Q, device::UnknownVjp<PointScalar::density>>,
               ElementKernel<Q, device::CoordinateVjp<PointScalar::density>>, ElementKernel<Q, device::CoefficientVjp<PointScalar::density>>>();
}
/// Both, of all forms in a list.
template <class... Q>
bool offer_cuda_forms(FormList<Q...>) {
  ((offer_cuda_equation<Q>(), offer_cuda_density<Q>()), ...);
  return true;
}

}  // namespace invar
