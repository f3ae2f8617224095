#pragma once
#include <memory>

#include "apps/invar/problem/case_model.hpp"

namespace invar {

class Device;

/// Unknowns from which `solver.device: auto` takes a device: an estimate, no device has been measured yet.
inline constexpr long long worthwhile_on_device = 100000;

/// Where the equations of a spec are evaluated, by `solver.device`. All cases share one device.
class DeviceChoice {
 public:
  /// word: the key's value.
  explicit DeviceChoice(const spec::Value& word) : word_(word) {}

  /// Has the device evaluate the equation of a case, or records why it cannot. Throws SolverNotAvailable, with the place, where the
  /// device that was asked for is not there. The same on all ranks.
  void place(CaseModel& model, Diagnostics& diagnostics);

 private:
  const spec::Value& word_;
  std::shared_ptr<Device> device_;
};

}  // namespace invar
