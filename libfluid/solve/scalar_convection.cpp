#include "libfluid/solve/scalar_convection.hpp"

#include "libfem/form/q_form.hpp"
#include "libfluid/flow/with_flow_kind.hpp"

namespace invar {
namespace {

template <class K>
struct ScalarConvection {
  static constexpr int dim = K::dim, ref_dim = K::dim, n_components = 1;
  static constexpr std::array<int, 1> basis{};
  static constexpr auto slots = join(value_slots<1>(), gradient_slots<1, K::dim>());
  static constexpr bool symmetric = false, uses_position = K::axisymmetric, never_differentiated = true;
  static constexpr std::size_t ns = slots.size();
  int n_coefficients() const { return 1 + K::dim; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto flux(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* c) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    R carried(0.0);
    for (int j = 0; j < dim; ++j) carried += c[1 + j] * z[1 + j];
    std::array<R, ns> f;
    for (R& entry : f) entry = R(0.0);
    f[0] = (c[0] * K::measure(g)) * carried;
    return f;
  }

  INVAR_HD void tangent(const std::array<Pack, ns>&, const PointGeometry<Pack, dim, dim>& g, const Pack* c,
                        std::array<std::array<Pack, ns>, ns>& D) const {
    for (auto& row : D) row.fill(Pack(0.0));
    const Pack mass = c[0] * K::measure(g);
    for (int j = 0; j < dim; ++j) D[0][1 + j] = mass * c[1 + j];
  }
};

}  // namespace

std::unique_ptr<WeakForm> make_scalar_convection(FlowKind kind, CellBatches cells) {
  return with_flow_kind(kind, [&]<class K>(K) -> std::unique_ptr<WeakForm> { return make_form(ScalarConvection<K>{}, std::move(cells)); });
}

}  // namespace invar
