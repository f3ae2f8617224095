#pragma once
#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "libfem/device/device_array.hpp"

namespace invar {

/// Arrays that kernels read during a call: used in place if they are in device memory, else copied.
class ReadOnDevice {
 public:
  explicit ReadOnDevice(std::shared_ptr<Device> device) : device_(std::move(device)) {}
  const double* operator()(const double* values, std::size_t size) {
    if (!values || device_->holds(values)) return values;
    return copies_.emplace_back(device_, std::span<const double>(values, size)).data();
  }

 private:
  std::shared_ptr<Device> device_;
  std::deque<DeviceArray<double>> copies_;
};

/// A device copy of a host array that seldom changes: sent again only if its values have changed. They are compared unless `setting`, which
/// is not 0, and the address are those of the last call: see FormState.
class MirrorOnDevice {
 public:
  const double* of(const std::shared_ptr<Device>& device, std::span<const double> values, std::uint64_t setting = 0) {
    const bool known = setting != 0 && setting == setting_ && values.data() == address_;
    setting_ = setting, address_ = values.data();
    if (!known && !std::ranges::equal(values, sent_)) {
      if (copy_.size() == values.size()) copy_.upload(values);
      else copy_ = DeviceArray<double>(device, values);
      sent_.assign(values.begin(), values.end());
    }
    return copy_.data();
  }

 private:
  DeviceArray<double> copy_;
  std::vector<double> sent_;
  std::uint64_t setting_ = 0;
  const double* address_ = nullptr;
};

/// An array that kernels add to: used in place, else a copy whose sums are added at the end.
class AddedOnDevice {
 public:
  AddedOnDevice(std::shared_ptr<Device> device, double* values, std::size_t size) : values_(values), on_device_(values) {
    if (!values || device->holds(values)) return;
    copy_ = DeviceArray<double>(std::move(device), size);
    copy_.clear();
    on_device_ = copy_.data();
  }
  double* data() { return on_device_; }
  void finish() {
    if (on_device_ == values_) return;
    const std::vector<double> sums = copy_.download();
    for (std::size_t i = 0; i < sums.size(); ++i) values_[i] += sums[i];
  }

 private:
  double *values_, *on_device_;
  DeviceArray<double> copy_;
};

/// Arrays of a device for work on the host, which copies them; counted. Arrays of the host are used in place.
class OnHost {
 public:
  explicit OnHost(std::shared_ptr<Device> device) : device_(std::move(device)) {}
  const double* read(const double* values, std::size_t size) {
    return values && device_->holds(values) ? copies_.emplace_back(downloaded(values, size)).data() : values;
  }
  /// An array that the host adds to; `finish` adds the sums to `values`.
  double* added(double* values, std::size_t size) {
    if (!values || !device_->holds(values)) return values;
    for (Target& t : targets_)
      if (t.values == values) return t.copy.data();
    targets_.push_back({values, downloaded(values, size)});
    return targets_.back().copy.data();
  }
  void finish() {
    for (const Target& t : targets_) device_->upload(t.values, t.copy.data(), t.copy.size() * sizeof(double));
  }

 private:
  struct Target {
    double* values;
    std::vector<double> copy;
  };
  std::vector<double> downloaded(const double* values, std::size_t size) {
    std::vector<double> copy(size);
    device_->note_host_access();
    device_->download(copy.data(), values, size * sizeof(double));
    return copy;
  }

  std::shared_ptr<Device> device_;
  std::deque<std::vector<double>> copies_;
  std::deque<Target> targets_;
};

}  // namespace invar
