#pragma once
#include "libfem/device/form_list.hpp"
#include "libfem/solid/displacement_form.hpp"
#include "libfem/solid/inertia_forms.hpp"
#include "libfem/solid/kelvin_voigt.hpp"
#include "libfem/solid/law/linear_elastic.hpp"
#include "libfem/solid/law/neo_hookean.hpp"
#include "libfem/solid/law/neo_hookean_isochoric.hpp"
#include "libfem/solid/law_material.hpp"
#include "libfem/solid/load_forms.hpp"
#include "libfem/solid/mixed_form.hpp"

namespace invar {

template <class K, class Law>
using DeviceDisplacement = DisplacementForm<K, LawMaterial<Law, CompressibleForm>>;
template <class K, class Law>
using DeviceMixed = MixedForm<K, LawMaterial<Law, IsochoricForm>>;

/// The forms of solids with device kernels, one per law. Each additional law costs as much compile time as all loads.
using SolidDeviceForms =
    FormList<DeviceDisplacement<SpatialKinematics, LinearElastic>, DeviceDisplacement<PlanarKinematics, LinearElastic>,
             DeviceDisplacement<SpatialKinematics, NeoHookean>, DeviceDisplacement<PlanarKinematics, NeoHookean>,
             DeviceDisplacement<AxisymmetricKinematics, NeoHookean>,
             DeviceMixed<SpatialKinematics, NeoHookeanIsochoric>, DeviceMixed<PlanarKinematics, NeoHookeanIsochoric>,
             DeviceMixed<AxisymmetricKinematics, NeoHookeanIsochoric>,
             LoadOrFoundation<3, 3, false>, LoadOrFoundation<3, 2, false>, LoadOrFoundation<3, 0, false>,
             LoadOrFoundation<2, 2, false>, LoadOrFoundation<2, 1, false>, LoadOrFoundation<2, 0, false>,
             FollowerPressure<3, false>, FollowerPressure<2, false>, FollowerPressure<2, true>,
             Inertia<3, 3, false>, Inertia<3, 2, false>, Inertia<2, 2, false>, KelvinVoigt<SpatialKinematics>, KelvinVoigt<PlanarKinematics>>;

}  // namespace invar
