#include "apps/invar/problem/device_choice.hpp"

#include <algorithm>
#include <cstdio>

#include "apps/invar/physics/physics.hpp"
#include "libadjoint/solve/solver_not_available.hpp"
#include "libadjoint/time/byte_budget.hpp"

namespace invar {
namespace {

/// "the load 'a', material 'b'", each once.
std::string each_once(std::vector<std::string> names) {
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string gigabytes(std::size_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f GB", 1e-9 * double(bytes));
  return text;
}

/// Why no device can evaluate the equation of a case; empty: one can.
std::string obstacle_of(const CaseModel& model) {
  int processes = 1;
  MPI_Comm_size(model.dofs->comm(), &processes);
  if (processes > 1) return "a device supports one process, and there are " + std::to_string(processes);
  const std::vector<std::string> without = forms_without_kernels(*model.residual, physics_of(model.physics_word).device_kinds);
  return without.empty() ? "" : "there are no device kernels for " + each_once(without);
}

}  // namespace

void DeviceChoice::place(CaseModel& model, const CaseSections& sections, Diagnostics& diagnostics) {
  choose(model, diagnostics);
  const spec::Value* time = sections.find("time");
  const spec::Value* memory = time ? time->find("device_memory") : nullptr;
  if (!memory || memory->defaulted || model.device) return;
  if (word_.text() == "none") {
    diagnostics.error(memory->key_position, memory->yaml_path, "'device_memory' is of a device, and there is none", "give 'solver.device', or leave it out");
  } else if (!model.why_no_device.empty()) {  // of `auto`: the spec may also be run where there is one
    diagnostics.warning(memory->key_position, "'device_memory' has no effect: no device is used: " + model.why_no_device);
  }
}

void DeviceChoice::choose(CaseModel& model, Diagnostics& diagnostics) {
  const std::string& word = word_.text();
  if (word == "none") return;
  const bool automatic = word == "auto";
  std::string obstacle = obstacle_of(model);
  if (!obstacle.empty() && !automatic) {
    diagnostics.error(word_.position, word_.yaml_path, "case '" + model.name + "': " + obstacle, "leave 'device' out");
    return;
  }
  if (obstacle.empty() && automatic && model.dofs->n_global() < worthwhile_on_device)
    obstacle = "devices are used from " + std::to_string(worthwhile_on_device) + " unknowns on";
  if (obstacle.empty() && !device_) try {
      device_ = make_device(word == "emulation" ? Device::Kind::emulation : Device::Kind::cuda);
      states_ = std::make_shared<ByteBudget>(device_->free_bytes() / 2);
    } catch (const DeviceError& e) {
      if (!automatic) throw SolverNotAvailable(word_.position.text() + ": 'device: " + word + "': " + e.what());
      obstacle = e.what();
    }
  if (obstacle.empty() && automatic) {
    const std::size_t needed = device_bytes(*model.residual, physics_of(model.physics_word).device_kinds), free = device_->free_bytes();
    if (needed > free) obstacle = "kernels need up to " + gigabytes(needed) + " on the device, which has " + gigabytes(free);
  }
  if (!obstacle.empty()) {
    model.why_no_device = std::move(obstacle);
    return;
  }
  move_to_device(*model.residual, physics_of(model.physics_word).device_kinds, device_);
  model.device = device_;
  model.device_states = states_;
}

}  // namespace invar
