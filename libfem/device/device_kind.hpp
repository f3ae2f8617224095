#pragma once
#include <array>
#include <optional>
#include <typeinfo>

#include "libfem/device/device_form.hpp"
#include "libfem/device/device_library.hpp"
#include "libfem/device/form_list.hpp"
#include "libfem/form/q_form.hpp"

namespace invar {

/// The q-function that a device evaluates in place of a host's form; nothing if the form has another type. Specialised
/// if the host's q-function differs, for example with a law behind a virtual call.
template <class Q>
struct DeviceQuantity {
  static std::optional<Q> of(const WeakForm& form) {
    if (typeid(form) != typeid(QForm<Q>)) return std::nullopt;
    return static_cast<const QForm<Q>&>(form).quantity();
  }
};

template <class Q>
constexpr DeviceKind device_kind() {
  return {Q::n_components, [](const WeakForm& host) { return DeviceQuantity<Q>::of(host).has_value(); },
          [](std::unique_ptr<WeakForm> host, const std::shared_ptr<Device>& device) -> std::unique_ptr<WeakForm> {
            std::optional<Q> q = DeviceQuantity<Q>::of(*host);
            const CellBatches& domain = static_cast<const BatchedForm&>(*host).domain();  // stays where it is
            return std::make_unique<DeviceForm<Q>>(std::move(*q), domain, device, std::move(host));
          }};
}

template <class... Q>
constexpr std::array<DeviceKind, sizeof...(Q)> device_kinds(FormList<Q...>) {
  return {device_kind<Q>()...};
}

}  // namespace invar
