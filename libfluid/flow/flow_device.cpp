#include "libfluid/flow/flow_device.hpp"

#include "libfem/device/device_kind.hpp"
#include "libfluid/flow/flow_device_list.hpp"

namespace invar {

std::span<const DeviceKind> flow_device_forms() {
  static constexpr auto all = device_kinds(FlowDeviceForms{});
  return all;
}

}  // namespace invar
