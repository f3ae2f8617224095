#include "libfem/form/value_energy.hpp"

#include "libfem/form/scalar_density.ipp"

namespace invar {
namespace {

struct HalfSquare {
  template <int Dim>
  static constexpr auto slots() { return value_slots<1>(); }
  template <class R, class Z, class C>
  INVAR_HD static R value(const Z& z, const C& c) { return 0.5 * (c * (z[0] * z[0])); }
};

}  // namespace

std::unique_ptr<WeakForm> make_value_energy(int dim, bool axisymmetric, CellBatches cells) {
  return make_scalar_density<HalfSquare>(dim, axisymmetric, std::move(cells));
}

}  // namespace invar
