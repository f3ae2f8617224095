#include "libfem/contact/contact_forms.hpp"

#include "libfem/contact/contact_measures.hpp"
#include "libfem/contact/pair_form.hpp"

namespace invar {
namespace {

template <class Law>
std::unique_ptr<WeakForm> make_pair_form(Law law, std::shared_ptr<PairFinder> finder, std::shared_ptr<const DofMap> dofs) {
  if (finder->surface().dim == 2) return std::make_unique<PairForm<Law, 2>>(law, std::move(finder), std::move(dofs));
  return std::make_unique<PairForm<Law, 3>>(law, std::move(finder), std::move(dofs));
}

}  // namespace

std::unique_ptr<WeakForm> make_contact(std::shared_ptr<PairFinder> finder, std::shared_ptr<const DofMap> dofs) {
  return make_pair_form(BarrierLaw{}, std::move(finder), std::move(dofs));
}

std::unique_ptr<WeakForm> make_frictional_contact(std::shared_ptr<PairFinder> finder, std::shared_ptr<const DofMap> dofs) {
  return make_pair_form(FrictionLaw{}, std::move(finder), std::move(dofs));
}

std::unique_ptr<WeakForm> make_contact_force(std::shared_ptr<PairFinder> finder, std::shared_ptr<const DofMap> dofs, bool friction,
                                             const RigidVelocity& motion) {
  if (friction) return make_pair_form(FirstSideForce<FrictionLaw>{{}, motion}, std::move(finder), std::move(dofs));
  return make_pair_form(FirstSideForce<BarrierLaw>{{}, motion}, std::move(finder), std::move(dofs));
}

std::unique_ptr<WeakForm> make_contact_area(std::shared_ptr<PairFinder> finder, std::shared_ptr<const DofMap> dofs) {
  return make_pair_form(ContactAreaMeasure{}, std::move(finder), std::move(dofs));
}

std::unique_ptr<WeakForm> make_friction_power(std::shared_ptr<PairFinder> finder, std::shared_ptr<const DofMap> dofs) {
  return make_pair_form(FrictionPowerMeasure{}, std::move(finder), std::move(dofs));
}

std::unique_ptr<WeakForm> make_contact_thrust(std::shared_ptr<PairFinder> finder, std::shared_ptr<const DofMap> dofs) {
  return make_pair_form(PressureMeasure{}, std::move(finder), std::move(dofs));
}

std::unique_ptr<WeakForm> make_contact_slip(std::shared_ptr<PairFinder> finder, std::shared_ptr<const DofMap> dofs) {
  return make_pair_form(SlipMeasure{}, std::move(finder), std::move(dofs));
}

}  // namespace invar
