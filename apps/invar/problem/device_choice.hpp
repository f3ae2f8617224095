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

  /// Moves the equation of a case to the device, or records why this is impossible. Throws SolverNotAvailable, with the position,
  /// if the requested device does not exist. The same on all ranks.
  void place(CaseModel& model, Diagnostics& diagnostics);

 private:
  const spec::Value& word_;
  std::shared_ptr<Device> device_;
};

}  // namespace invar
