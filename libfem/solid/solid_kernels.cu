// The forms of solids for CUDA devices.
#include "libfem/device/run_by_cuda.cuh"
#include "libfem/solid/solid_device_list.hpp"

namespace invar {

const bool solid_kernels_offered = offer_cuda_forms(SolidDeviceForms{});

}  // namespace invar
