#pragma once
#include <concepts>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "libfem/device/form_list.hpp"
#include "tests/unit/device/form_comparison.hpp"

namespace invar::device_test {

/// How a form of the libraries' lists is compared with the host: static cases(), one or more. To be specialised for each form.
template <class Q>
struct ListedForm;

template <class Q>
concept HasComparison = requires {
  { ListedForm<Q>::cases() } -> std::same_as<std::vector<FormCase>>;
};

/// The cases of Q, whose device kernels are those of `kind`, its place in the list.
template <class Q>
std::vector<FormCase> cases_of(const DeviceKind& kind) {
  static_assert(HasComparison<Q>, "a form that the program sends to devices is not compared with the host: specialise ListedForm");
  std::vector<FormCase> all = ListedForm<Q>::cases();
  if (all.empty()) throw std::logic_error("no case of a form in the lists");
  for (FormCase& c : all)
    c.on_device = [host = c.on_host, kind, name = c.name](CellBatches batches, std::shared_ptr<Device> device) {
      std::unique_ptr<WeakForm> form = host(std::move(batches));
      if (!kind.has(*form)) throw std::logic_error(name + ": the case of another form");
      return kind.take(std::move(form), device);
    };
  return all;
}

/// The cases of all forms of a list.
template <class... Q>
std::vector<FormCase> cases_of(FormList<Q...>, std::span<const DeviceKind> kinds) {
  if (kinds.size() != sizeof...(Q)) throw std::logic_error("another list of kernels");
  std::vector<FormCase> all;
  const auto add = [&](std::vector<FormCase> cases) { all.insert(all.end(), cases.begin(), cases.end()); };
  std::size_t k = 0;
  (add(cases_of<Q>(kinds[k++])), ...);
  return all;
}

}  // namespace invar::device_test
