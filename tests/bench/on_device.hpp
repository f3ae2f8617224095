#pragma once
#include <memory>
#include <span>
#include <string>

#include "libfem/device/device_library.hpp"
#include "libfem/device/device_matrix.hpp"
#include "libfem/form/form_residual.hpp"

namespace invar {

/// The word after `--device` among a benchmark's arguments, which it removes with all that follow; `none` if there is none. Put it behind the
/// benchmark's own arguments and before options of PETSc.
inline std::string device_argument(int& argc, char** argv) {
  for (int k = 1; k + 1 < argc; ++k)
    if (std::string(argv[k]) == "--device") {
      argc = k;
      return argv[k + 1];
    }
  return "none";
}

/// The device of a word, none (null), emulation or cuda.
inline std::shared_ptr<Device> device_of(const std::string& word) {
  if (word == "none") return nullptr;
  return make_device(word == "cuda" ? Device::Kind::cuda : Device::Kind::emulation);
}

/// Moves an equation to a device, and its matrix if cuDSS factorises it.
inline void use_device(FormResidual& r, std::span<const DeviceKind> forms, const std::string& word, const std::string& method) {
  const std::shared_ptr<Device> device = device_of(word);
  if (!device) return;
  move_to_device(r, forms, device);
  if (method.starts_with("cudss")) keep_matrix_on_device(r, device);
}

}  // namespace invar
