#pragma once
#include <memory>

#include "apps/invar/problem/case_model.hpp"
#include "libfem/device/device_library.hpp"

namespace invar {

class Device;

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
