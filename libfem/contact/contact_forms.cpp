#include "libfem/contact/contact_forms.hpp"

#include <optional>

#include "libfem/contact/contact_measures.hpp"
#include "libfem/contact/pair_form.hpp"
#include "libfem/form/forwarded_form.hpp"

namespace invar {
namespace {

template <class Law>
std::unique_ptr<WeakForm> make_pair_form(Law law, std::shared_ptr<PairFinder> finder, std::shared_ptr<const DofMap> dofs,
                                         const std::optional<RigidVelocity>& motion = {}) {
  if (finder->surface().dim == 2) return std::make_unique<PairForm<Law, 2>>(law, std::move(finder), std::move(dofs), motion);
  return std::make_unique<PairForm<Law, 3>>(law, std::move(finder), std::move(dofs), motion);
}

/// A functional in the undeformed state: it depends on the coordinates only.
class UndeformedForm final : public ForwardedForm {
 public:
  using ForwardedForm::ForwardedForm;
  FormTraits traits() const override {
    FormTraits t = ForwardedForm::traits();
    t.reads = {};
    return t;
  }
  double value(const FormState& at) const override { return forwarded().value(undeformed(at)); }
  double value_jvp(const FormState& at, const FormTangent& d) const override { return forwarded().value_jvp(undeformed(at), undeformed(d)); }
  void value_vjp(const FormState& at, double seed, FormCotangent& out) const override {
    FormCotangent of_shape = undeformed(out);
    forwarded().value_vjp(undeformed(at), seed, of_shape);
  }
  void value_vjp_tangent(const FormState& at, double seed, const FormTangent& d, FormCotangent& out) const override {
    FormCotangent of_shape = undeformed(out);
    forwarded().value_vjp_tangent(undeformed(at), seed, undeformed(d), of_shape);
  }

 private:
  /// State, direction or destination without the unknown.
  template <class At>
  static At undeformed(At at) {
    at.unknown = {};
    return at;
  }
};

}  // namespace

std::unique_ptr<WeakForm> make_contact(std::shared_ptr<PairFinder> finder, std::shared_ptr<const DofMap> dofs) {
  return make_pair_form(BarrierLaw{}, std::move(finder), std::move(dofs));
}

std::unique_ptr<WeakForm> make_frictional_contact(std::shared_ptr<PairFinder> finder, std::shared_ptr<const DofMap> dofs) {
  return make_pair_form(FrictionLaw{}, std::move(finder), std::move(dofs));
}

std::unique_ptr<WeakForm> make_contact_force(std::shared_ptr<PairFinder> finder, std::shared_ptr<const DofMap> dofs, bool friction,
                                             const RigidVelocity& motion) {
  if (friction) return make_pair_form(FrictionLaw{}, std::move(finder), std::move(dofs), motion);
  return make_pair_form(BarrierLaw{}, std::move(finder), std::move(dofs), motion);
}

std::unique_ptr<WeakForm> make_contact_area(std::shared_ptr<PairFinder> finder, std::shared_ptr<const DofMap> dofs) {
  return make_pair_form(ContactMeasure{ContactMeasure::Kind::area}, std::move(finder), std::move(dofs));
}

std::unique_ptr<WeakForm> make_friction_power(std::shared_ptr<PairFinder> finder, std::shared_ptr<const DofMap> dofs) {
  return make_pair_form(ContactMeasure{ContactMeasure::Kind::friction_power}, std::move(finder), std::move(dofs));
}

std::unique_ptr<WeakForm> make_contact_thrust(std::shared_ptr<PairFinder> finder, std::shared_ptr<const DofMap> dofs) {
  return make_pair_form(ContactMeasure{ContactMeasure::Kind::pressure}, std::move(finder), std::move(dofs));
}

std::unique_ptr<WeakForm> make_contact_slip(std::shared_ptr<PairFinder> finder, std::shared_ptr<const DofMap> dofs) {
  return make_pair_form(ContactMeasure{ContactMeasure::Kind::slip}, std::move(finder), std::move(dofs));
}

std::unique_ptr<WeakForm> make_undeformed_closeness(std::shared_ptr<PairFinder> finder, std::shared_ptr<const DofMap> dofs) {
  return std::make_unique<UndeformedForm>(make_pair_form(ContactMeasure{ContactMeasure::Kind::closeness}, std::move(finder), std::move(dofs)));
}

}  // namespace invar
