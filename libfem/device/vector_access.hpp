#pragma once
#include <algorithm>
#include <span>
#include <utility>

#include "libfem/device/device_array.hpp"
#include "libfem/device/device_vector.hpp"

namespace invar {

/// The own entries of a vector on a device: in place, or for a vector of the host a copy, which is counted. Null stays null.
class ReadVector {
 public:
  ReadVector(const std::shared_ptr<Device>& device, Vec v) {
    if (!v || is_on_device(v)) {
      data_ = v ? device_numbers(v) : nullptr;
      return;
    }
    PetscInt n = 0;
    const double* a = nullptr;
    device->note_host_access();
    check(VecGetLocalSize(v, &n));
    check(VecGetArrayRead(v, &a));
    copy_ = DeviceArray<double>(device, std::span<const double>(a, std::size_t(n)));
    check(VecRestoreArrayRead(v, &a));
    data_ = copy_.data();
  }
  const double* data() const { return data_; }

 private:
  DeviceArray<double> copy_;
  const double* data_;
};

/// The same for a vector all of whose entries are written: `finish` takes them to the host.
class WrittenVector {
 public:
  WrittenVector(const std::shared_ptr<Device>& device, Vec v) : v_(v) {
    if (is_on_device(v)) {
      data_ = changed_device_numbers(v);
      return;
    }
    PetscInt n = 0;
    device->note_host_access();
    check(VecGetLocalSize(v, &n));
    copy_ = DeviceArray<double>(device, std::size_t(n));
    data_ = copy_.data();
  }
  double* data() { return data_; }
  void finish() {
    if (is_on_device(v_)) return;
    double* a = nullptr;
    check(VecGetArrayWrite(v_, &a));
    std::ranges::copy(copy_.download(), a);
    check(VecRestoreArrayWrite(v_, &a));
  }

 private:
  Vec v_;
  DeviceArray<double> copy_;
  double* data_;
};

}  // namespace invar
