// Kernels for devices of solids, their loads and flow, compiled for their report of registers (tests/tools/kernel_budget.sh): one law of each measure
// and cost, each kind of form.
#include "libfem/device/run_by_cuda.cuh"
#include "libfem/solid/displacement_form.hpp"
#include "libfem/solid/inertia_forms.hpp"
#include "libfem/solid/kelvin_voigt.hpp"
#include "libfem/solid/law/linear_elastic.hpp"
#include "libfem/solid/law/mooney_rivlin.hpp"
#include "libfem/solid/law/neo_hookean.hpp"
#include "libfem/solid/law_material.hpp"
#include "libfem/solid/load_forms.hpp"
#include "libfem/solid/mixed_form.hpp"
#include "libfluid/flow/navier_stokes.hpp"

namespace invar {

template <class K, class Law>
using Displacement = DisplacementForm<K, LawMaterial<Law, CompressibleForm>>;
template <class K, class Law>
using Mixed = MixedForm<K, LawMaterial<Law, IsochoricForm>>;

INVAR_CUDA_KERNELS_OF(Displacement<SpatialKinematics, NeoHookean>)
INVAR_CUDA_KERNELS_OF_DENSITY(Displacement<SpatialKinematics, NeoHookean>)
INVAR_CUDA_KERNELS_OF(Displacement<SpatialKinematics, LinearElastic>)
INVAR_CUDA_KERNELS_OF(Displacement<SpatialKinematics, MooneyRivlin>)
INVAR_CUDA_KERNELS_OF(Displacement<AxisymmetricKinematics, NeoHookean>)
INVAR_CUDA_KERNELS_OF(Mixed<SpatialKinematics, NeoHookean>)
INVAR_CUDA_KERNELS_OF(LoadOrFoundation<3, 3, false>)
INVAR_CUDA_KERNELS_OF(FollowerPressure<3, false>)
INVAR_CUDA_KERNELS_OF_NONSYMMETRIC(FollowerPressure<3, false>)
INVAR_CUDA_KERNELS_OF(Inertia<3, 3, false>)
INVAR_CUDA_KERNELS_OF(KelvinVoigt<PlanarKinematics>)
INVAR_CUDA_KERNELS_OF_NONSYMMETRIC(KelvinVoigt<PlanarKinematics>)
INVAR_CUDA_KERNELS_OF(NavierStokes<SpatialFlow, false>)
INVAR_CUDA_KERNELS_OF_NONSYMMETRIC(NavierStokes<SpatialFlow, false>)

}  // namespace invar
