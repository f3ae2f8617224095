#pragma once
#include "libfem/device/form_list.hpp"
#include "libfluid/flow/flow_boundary_forms.hpp"
#include "libfluid/flow/flow_inertia.hpp"
#include "libfluid/flow/navier_stokes.hpp"

namespace invar {

/// The forms of flow on Taylor-Hood elements that run on devices.
using FlowDeviceForms =
    FormList<NavierStokes<PlanarFlow, false>, NavierStokes<AxisymmetricFlow, false>, NavierStokes<SpatialFlow, false>,
             FlowTraction<PlanarFlow>, FlowTraction<SpatialFlow>, PressureOutlet<PlanarFlow>, PressureOutlet<SpatialFlow>,
             FlowInertia<PlanarFlow>, FlowInertia<SpatialFlow>, LinearisedConvection<PlanarFlow>, LinearisedConvection<SpatialFlow>>;

}  // namespace invar
