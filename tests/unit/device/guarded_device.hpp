#pragma once
#include <sys/mman.h>

#include <map>
#include <stdexcept>
#include <vector>

#include "libfem/device/device.hpp"

namespace invar::device_test {

/// Emulation whose memory faults at every access outside of kernels and copies, like that of a device.
class GuardedDevice final : public Device {
 public:
  GuardedDevice() : Device(Kind::emulation) {
    void* memory = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error("no address space for the memory of an emulated device");
    begin_ = static_cast<char*>(memory);
  }
  ~GuardedDevice() override { munmap(begin_, size); }

 private:
  static constexpr std::size_t size = std::size_t(1) << 30;

  void* take(std::size_t bytes) override {
    const std::size_t rounded = (bytes + 63) / 64 * 64 + 64;
    std::vector<char*>& spare = spare_[rounded];
    char* memory = begin_ + used_;
    if (!spare.empty()) {
      memory = spare.back();
      spare.pop_back();
    } else if (used_ + rounded > size) {
      return nullptr;
    } else {
      used_ += rounded;
    }
    sizes_[memory] = rounded;
    return memory;
  }
  void give_back(void* memory) noexcept override {
    const auto at = sizes_.find(static_cast<char*>(memory));
    spare_[at->second].push_back(at->first);
    sizes_.erase(at);
  }
  void enter() override { mprotect(begin_, size, PROT_READ | PROT_WRITE); }
  void leave() override { mprotect(begin_, size, PROT_NONE); }

  char* begin_;
  std::size_t used_ = 0;
  std::map<char*, std::size_t> sizes_;
  std::map<std::size_t, std::vector<char*>> spare_;
};

}  // namespace invar::device_test
