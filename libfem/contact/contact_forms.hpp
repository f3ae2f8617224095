#pragma once
#include <memory>

#include "libfem/contact/pair_finder.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfem/math/rigid_velocity.hpp"
#include "libfem/space/dof_map.hpp"

namespace invar {

// Forms of one contact pair. The displacement must be the first components of the space.

/// Frictionless contact, see BarrierLaw. Coefficients: κ [Pa], d̂ [m].
std::unique_ptr<WeakForm> make_contact(std::shared_ptr<PairFinder> finder, std::shared_ptr<const DofMap> dofs);
/// Contact with friction, see FrictionLaw. Coefficients: κ [Pa], d̂ [m], μ, v_ε [m/s].
std::unique_ptr<WeakForm> make_frictional_contact(std::shared_ptr<PairFinder> finder, std::shared_ptr<const DofMap> dofs);

// Functionals. Their first coefficients are those of the pair's form.

/// Power of the contact forces on the first side in a rigid motion: their sum along a direction, or their moment.
std::unique_ptr<WeakForm> make_contact_force(std::shared_ptr<PairFinder> finder, std::shared_ptr<const DofMap> dofs, bool friction,
                                             const RigidVelocity& motion);
/// ContactMeasure `area` [m²]; without the coefficients of friction. Last coefficient: threshold of the pressure [Pa].
std::unique_ptr<WeakForm> make_contact_area(std::shared_ptr<PairFinder> finder, std::shared_ptr<const DofMap> dofs);
/// ContactMeasure `friction_power` [W]; with the coefficients of friction.
std::unique_ptr<WeakForm> make_friction_power(std::shared_ptr<PairFinder> finder, std::shared_ptr<const DofMap> dofs);
/// ContactMeasure `pressure`, integral in N; without the coefficients of friction.
std::unique_ptr<WeakForm> make_contact_thrust(std::shared_ptr<PairFinder> finder, std::shared_ptr<const DofMap> dofs);
/// ContactMeasure `slip`, integral in W; without the coefficients of friction. Last coefficient: ε [m/s].
std::unique_ptr<WeakForm> make_contact_slip(std::shared_ptr<PairFinder> finder, std::shared_ptr<const DofMap> dofs);
/// ContactMeasure `closeness` of the undeformed surfaces; depends on the coordinates only. Coefficients: factor, d̂ [m].
std::unique_ptr<WeakForm> make_undeformed_closeness(std::shared_ptr<PairFinder> finder, std::shared_ptr<const DofMap> dofs);

}  // namespace invar
