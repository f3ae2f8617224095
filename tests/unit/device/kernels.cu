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

template <class... Q>
bool equations_of(FormList<Q...>) {
  (offer_cuda_equation<Q>(), ...);
  return true;
}

const bool equations_offered = equations_of(
    FormList<Displacement<SpatialKinematics, NeoHookean>, Displacement<SpatialKinematics, LinearElastic>, Displacement<SpatialKinematics, MooneyRivlin>,
             Displacement<AxisymmetricKinematics, NeoHookean>, Mixed<SpatialKinematics, NeoHookean>, LoadOrFoundation<3, 3, false>,
             FollowerPressure<3, false>, Inertia<3, 3, false>, KelvinVoigt<PlanarKinematics>, NavierStokes<SpatialFlow, false>>{});
const bool density_offered = (offer_cuda_density<Displacement<SpatialKinematics, NeoHookean>>(), true);

}  // namespace invar
