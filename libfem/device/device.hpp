#pragma once
#include <cstddef>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "libfem/device/host_run.hpp"

namespace invar {

/// A device is missing or reports an error.
class DeviceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Runs a kernel on the CUDA device; set if an object compiled by nvcc for it is linked, else null. Throws DeviceError.
template <class Kernel>
inline void (*run_by_cuda)(const Kernel& kernel) = nullptr;

/// Counts of data transfers between host and device, and of kernels.
struct DeviceTraffic {
  long long kernels = 0, uploads = 0, downloads = 0;  // numbers of each
  long long bytes_up = 0, bytes_down = 0;
  long long held = 0, most_held = 0;        // bytes of device memory, now and at most
  long long on_host = 0, most_on_host = 0;  // of those beyond it
};

/// Where kernels run and where their data are stored. In emulation the device's memory is host memory, but treated as separate:
/// arrays that were not allocated here are copied. What the device's memory does not hold is stored in memory of the host that kernels reach,
/// slowly: a solve whose memory ends goes on, with the same results.
class Device {
 public:
  /// emulation: the kernels as loops on the host; watched: the same twice, in a random order of teams and threads and in the opposite one, with
  /// all accesses to a team's memory recorded, and what either leaves in the device's memory compared.
  enum class Kind { emulation, watched, cuda };

  /// memory: bytes of the device, in emulation.
  explicit Device(Kind kind, std::size_t memory = std::numeric_limits<std::size_t>::max()) : kind_(kind), memory_(memory) {}
  virtual ~Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  Kind kind() const { return kind_; }
  /// Description with versions.
  virtual std::string description() const { return "emulation on the host"; }

  /// Bytes of the device's memory that can still be allocated.
  virtual std::size_t free_bytes() const { return memory_ - static_cast<std::size_t>(traffic_.held); }
  /// Throws std::bad_alloc if the host's memory ends, too.
  void* allocate(std::size_t bytes);
  void release(void* memory) noexcept;
  void upload(void* to, const void* from, std::size_t bytes);
  void download(void* to, const void* from, std::size_t bytes);
  virtual void clear(void* memory, std::size_t bytes);
  /// Whether this is an address in memory that was allocated here.
  bool holds(const void* memory) const;

  /// Throws DeviceError if the device fails.
  template <class Kernel>
  void run(const Kernel& kernel) {
    if (kind_ != Kind::cuda) return emulate(host_kernel(kernel));
    ++traffic_.kernels;
    if (!run_by_cuda<Kernel>) throw DeviceError("this program has no CUDA code of a kernel that it needs");
    run_by_cuda<Kernel>(kernel);
  }
  const DeviceTraffic& traffic() const { return traffic_; }
  /// Number of host accesses to vectors stored on the device (`device_vector.hpp`).
  long host_accesses() const { return host_accesses_; }
  void note_host_access() { ++host_accesses_; }

  /// Data races found by a watched device so far.
  const std::set<std::string>& conflicts() const { return conflicts_; }

 protected:
  /// Memory of the device; null: so much is not left.
  virtual void* take(std::size_t bytes);
  virtual void give_back(void* memory) noexcept;
  /// Memory of the host that kernels reach. Throws std::bad_alloc.
  virtual void* take_on_host(std::size_t bytes);
  virtual void give_back_on_host(void* memory) noexcept;
  virtual void copy(void* to, const void* from, std::size_t bytes);
  /// Brackets what emulation does with the device's memory; tests forbid all other access.
  virtual void enter() {}
  virtual void leave() {}

 private:
  void emulate(const HostKernel& kernel);
  void run_in_both_orders(const HostKernel& kernel);
  std::vector<std::vector<char>> contents() const;

  struct Block {
    std::size_t bytes;
    bool on_host;
  };

  Kind kind_;
  std::size_t memory_;
  unsigned seed_ = 0;
  long host_accesses_ = 0;
  std::set<std::string> conflicts_;
  DeviceTraffic traffic_;
  std::map<const char*, Block> allocated_;  // by address
};

/// Creates a device of this kind. Throws DeviceError, with the reason, if there is none.
std::shared_ptr<Device> make_device(Device::Kind kind);

}  // namespace invar
