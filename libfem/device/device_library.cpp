#include "libfem/device/device_library.hpp"

#include <algorithm>
#include <numeric>

#include "libfem/device/device_vector.hpp"
#include "libfem/device/stored_entries.hpp"
#include "libfem/device/sum_kernels.hpp"
#include "libfem/form/batched_form.hpp"

namespace invar {
namespace {

const DeviceKind* kind_of(const WeakForm& form, std::span<const DeviceKind> kinds) {
  const auto at = std::ranges::find_if(kinds, [&](const DeviceKind& k) { return k.has(form); });
  return at == kinds.end() ? nullptr : &*at;
}

}  // namespace

std::vector<std::string> forms_without_kernels(FormResidual& residual, std::span<const DeviceKind> kinds) {
  std::vector<std::string> names;
  residual.exchange_forms([&](int number, const std::unique_ptr<WeakForm>& form) -> std::unique_ptr<WeakForm> {
    if (residual.is_of_equation(number) && !kind_of(*form, kinds))
      names.push_back(residual.form_name(number).empty() ? "a term of the equation" : residual.form_name(number));
    return nullptr;
  });
  return names;
}

std::size_t device_bytes(FormResidual& residual, std::span<const DeviceKind> kinds) {
  std::size_t bytes = 0;
  residual.exchange_forms([&](int number, const std::unique_ptr<WeakForm>& form) -> std::unique_ptr<WeakForm> {
    const DeviceKind* kind = residual.is_of_equation(number) ? kind_of(*form, kinds) : nullptr;
    if (!kind) return nullptr;
    for (const BatchGroup& g : static_cast<const BatchedForm&>(*form).domain().groups) {
      const std::size_t cells = std::accumulate(g.active.begin(), g.active.end(), std::size_t(0));
      const std::size_t pairs = cells * g.n_nodes * g.n_nodes, nc = std::size_t(kind->components);
      bytes += sizeof(double) * std::min(pairs * nc * nc, most_stored_entries) + pairs * (sizeof(int) + nc * sizeof(PlaceSum::Target));
    }
    return nullptr;
  });
  return bytes;
}

void move_to_device(FormResidual& residual, std::span<const DeviceKind> kinds, const std::shared_ptr<Device>& device) {
  bool all = true;
  residual.exchange_forms([&](int number, std::unique_ptr<WeakForm>& form) -> std::unique_ptr<WeakForm> {
    if (!residual.is_of_equation(number)) return nullptr;
    const DeviceKind* kind = kind_of(*form, kinds);
    all &= kind != nullptr;
    return kind ? kind->take(std::move(form), device) : nullptr;
  });
  if (all) residual.store_like(create_device_vector(device, residual.dofs().n_owned()));
}

}  // namespace invar
