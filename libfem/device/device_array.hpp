#pragma once
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "libfem/device/device.hpp"

namespace invar {

/// An array in device memory.
template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  DeviceArray(std::shared_ptr<Device> device, std::size_t size)
      : device_(std::move(device)), size_(size), data_(static_cast<T*>(device_->allocate(size * sizeof(T)))) {}
  DeviceArray(std::shared_ptr<Device> device, std::span<const T> values) : DeviceArray(std::move(device), values.size()) {
    device_->upload(data_, values.data(), size_ * sizeof(T));
  }
  ~DeviceArray() {
    if (data_) device_->release(data_);
  }
  DeviceArray(DeviceArray&& other) noexcept { swap(other); }
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    swap(other);
    return *this;
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  void upload(std::span<const T> values) { device_->upload(data_, values.data(), values.size() * sizeof(T)); }
  void clear() { device_->clear(data_, size_ * sizeof(T)); }
  std::vector<T> download() const {
    std::vector<T> values(size_);
    if (size_ > 0) device_->download(values.data(), data_, size_ * sizeof(T));
    return values;
  }

 private:
  void swap(DeviceArray& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(size_, other.size_);
    std::swap(data_, other.data_);
  }

  std::shared_ptr<Device> device_;
  std::size_t size_ = 0;
  T* data_ = nullptr;
};

}  // namespace invar
