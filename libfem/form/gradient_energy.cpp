#include "libfem/form/gradient_energy.hpp"

#include "libfem/form/scalar_density.ipp"

namespace invar {
namespace {

/// ½ c |∇φ|², or c (√(|∇φ|² + s²) − s) with a slope s > 0. Both are one q-function, because each instance takes seconds to compile.
struct OfGradient {
  double slope = 0;

  template <int Dim>
  static constexpr auto slots() { return gradient_slots<1, Dim>(); }
  template <class R, class Z, class C>
  INVAR_HD R value(const Z& z, const C& c) const {
    R square(0.0);
    for (const auto& part : z) square += part * part;
    if (slope == 0) return 0.5 * (c * square);
    return c * (square / (sqrt(R(square + slope * slope)) + slope));
  }
};

}  // namespace

std::unique_ptr<WeakForm> make_gradient_energy(int dim, bool axisymmetric, CellBatches cells) {
  return make_scalar_density<OfGradient>(dim, axisymmetric, std::move(cells));
}

std::unique_ptr<WeakForm> make_gradient_length(int dim, bool axisymmetric, CellBatches cells, double slope) {
  return make_scalar_density(dim, axisymmetric, std::move(cells), OfGradient{slope});
}

}  // namespace invar
