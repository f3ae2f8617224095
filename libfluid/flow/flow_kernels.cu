// The forms of flow for CUDA devices.
#include "libfem/device/run_by_cuda.cuh"
#include "libfluid/flow/flow_device_list.hpp"

namespace invar {

const bool flow_kernels_offered = offer_cuda_forms(FlowDeviceForms{});

}  // namespace invar
