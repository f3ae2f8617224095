#include "libfem/design/field/density_forms.hpp"

#include "libfem/form/scalar_density.ipp"

namespace invar {
namespace {

/// The coefficient c. As a form needs a slot, it has the unknown's first component, which is not used.
struct CoefficientAlone {
  template <int Dim>
  static constexpr auto slots() { return value_slots<1>(); }
  template <class R, class Z, class C>
  INVAR_HD static R value(const Z&, const C& c) { return R(c); }
};

}  // namespace

std::unique_ptr<WeakForm> make_coefficient_integral(int dim, bool axisymmetric, CellBatches cells) {
  return make_scalar_density<CoefficientAlone>(dim, axisymmetric, std::move(cells));
}

}  // namespace invar
