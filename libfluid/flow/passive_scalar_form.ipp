#pragma once
#include "libfem/form/q_form.hpp"
#include "libfluid/flow/passive_scalar.hpp"
#include "libfluid/flow/passive_scalar_form.hpp"

namespace invar {

template <class K>
std::unique_ptr<WeakForm> make_passive_scalar_form(ScalarTransport transport, ReferenceMetric metric, CellBatches cells) {
  const auto form = [&](auto q) { return make_form(q, std::move(cells)); };
  switch (transport) {
    case ScalarTransport::implicit: return form(PassiveScalar<K, Level::value, true>{metric});
    case ScalarTransport::linearised: return form(PassiveScalar<K, Level::predicted, true>{metric});
    default: return form(PassiveScalar<K, Level::value, false>{metric});
  }
}

}  // namespace invar
