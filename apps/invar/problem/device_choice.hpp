#pragma once
#include <memory>

#include "apps/invar/problem/case_model.hpp"
#include "libfem/device/device_library.hpp"

namespace invar {

class Device;

/// Where the equations of a spec are evaluated, by `solver.device`. All cases share one device, and half of the memory that is free there at first
/// for the states that their marches store.
class DeviceChoice {
 public:
  /// word: the key's value.
  explicit DeviceChoice(const spec::Value& word) : word_(word) {}

  /// Moves the equation of a case to the device, or records why this is impossible, and keys without effect. Throws
  /// SolverNotAvailable, with the position, if the requested device does not exist. The same on all ranks.
  void place(CaseModel& model, const CaseSections& sections, Diagnostics& diagnostics);

 private:
  void choose(CaseModel& model, Diagnostics& diagnostics);

  const spec::Value& word_;
  std::shared_ptr<Device> device_;
  std::shared_ptr<ByteBudget> states_;
};

}  // namespace invar
