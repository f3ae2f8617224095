#include "libfem/solid/solid_device.hpp"

#include "libfem/device/device_kind.hpp"
#include "libfem/solid/material_model.hpp"
#include "libfem/solid/shared_material.hpp"
#include "libfem/solid/solid_device_list.hpp"

namespace invar {
namespace {

/// The law of a host form by its type; nothing if it has another type or is wrapped.
template <class HostQ, class Law, template <class> class Form>
std::optional<LawMaterial<Law, Form>> law_of(const WeakForm& form) {
  if (typeid(form) != typeid(QForm<HostQ>)) return std::nullopt;
  const Material& material = *static_cast<const QForm<HostQ>&>(form).quantity().material.law;
  if (typeid(material) != typeid(MaterialModel<Form<Law>, Law::template Measure>)) return std::nullopt;
  return LawMaterial<Law, Form>{.terms = (static_cast<int>(material.parameters().size()) - Form<Law>::shared) / Form<Law>::per_term};
}

}  // namespace

template <class K, class Law>
struct DeviceQuantity<DisplacementForm<K, LawMaterial<Law, CompressibleForm>>> {
  static std::optional<DeviceDisplacement<K, Law>> of(const WeakForm& form) {
    const auto law = law_of<DisplacementForm<K, SharedMaterial>, Law, CompressibleForm>(form);
    return law ? std::optional(DeviceDisplacement<K, Law>{*law}) : std::nullopt;
  }
};
template <class K, class Law>
struct DeviceQuantity<MixedForm<K, LawMaterial<Law, IsochoricForm>>> {
  static std::optional<DeviceMixed<K, Law>> of(const WeakForm& form) {
    const auto law = law_of<MixedForm<K, SharedMaterial>, Law, IsochoricForm>(form);
    return law ? std::optional(DeviceMixed<K, Law>{*law}) : std::nullopt;
  }
};

std::span<const DeviceKind> solid_device_forms() {
  static constexpr auto all = device_kinds(SolidDeviceForms{});
  return all;
}

}  // namespace invar
