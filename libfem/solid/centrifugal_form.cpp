#include "libfem/solid/centrifugal_form.hpp"

#include "libfem/form/forwarded_form.hpp"
#include "libfem/form/q_form.hpp"
#include "libfem/solid/centrifugal.hpp"

namespace invar {
namespace {

/// A form on cells in the plane that reads the position, but does not turn around the axis x = 0.
class PlanarForm final : public ForwardedForm {
 public:
  using ForwardedForm::ForwardedForm;
  bool around_axis() const override { return false; }
};

}  // namespace

std::unique_ptr<WeakForm> make_centrifugal(SolidKind kind, bool deformed, CellBatches cells) {
  if (kind == SolidKind::spatial) return make_form(Centrifugal<3, false>{deformed}, std::move(cells));
  if (kind == SolidKind::axisymmetric) return make_form(Centrifugal<2, true>{deformed}, std::move(cells));
  return std::make_unique<PlanarForm>(make_form(Centrifugal<2, false>{deformed}, std::move(cells)));
}

}  // namespace invar
