#include "libfem/form/gradient_energy.hpp"

#include "libfem/form/scalar_density.ipp"

namespace invar {
namespace {

struct HalfSquaredGradient {
  template <int Dim>
  static constexpr auto slots() { return gradient_slots<1, Dim>(); }
  template <class R, class Z, class C>
  INVAR_HD static R value(const Z& z, const C& c) {
    R w(0.0);
    for (const auto& slope : z) w += 0.5 * (c * (slope * slope));
    return w;
  }
};

}  // namespace

std::unique_ptr<WeakForm> make_gradient_energy(int dim, bool axisymmetric, CellBatches cells) {
  return make_scalar_density<HalfSquaredGradient>(dim, axisymmetric, std::move(cells));
}

}  // namespace invar
