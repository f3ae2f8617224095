#pragma once
#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>

#include "libfem/device/phases.hpp"
#include "libfem/device/host_run.hpp"

namespace invar {

/// A device that is not there or reports an error.
class DeviceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Runs a kernel on the CUDA device; set where an object that nvcc has compiled of it is linked, else null. Throws DeviceError.
template <class Kernel>
inline void (*run_by_cuda)(const Kernel& kernel) = nullptr;

/// What went between the host and a device, and what ran there.
struct DeviceTraffic {
  long long kernels = 0, uploads = 0, downloads = 0;  // how many
  long long bytes_up = 0, bytes_down = 0;
};

/// Where kernels run and what they read lies. In emulation the device's memory is the host's, and counts as apart: what was not
/// allocated here is copied.
class Device {
 public:
  /// emulation: the same kernels as loops on the host; watched: the same, with threads in random order and every access to
  /// a team's memory recorded.
  enum class Kind { emulation, watched, cuda };

  explicit Device(Kind kind) : kind_(kind) {}
  virtual ~Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  Kind kind() const { return kind_; }
  /// In words, with its versions.
  virtual std::string description() const { return "emulation on the host"; }

  virtual void* allocate(std::size_t bytes);
  virtual void release(void* memory) noexcept;
  void upload(void* to, const void* from, std::size_t bytes);
  void download(void* to, const void* from, std::size_t bytes);
  virtual void clear(void* memory, std::size_t bytes);
  /// Whether the device's kernels can read at this address.
  virtual bool holds(const void* memory) const;

  /// Throws DeviceError where the device cannot.
  template <class Kernel>
  void run(const Kernel& kernel) {
    ++traffic_.kernels;
    if (kind_ == Kind::emulation) return run_on_host(kernel);
    if (kind_ == Kind::watched) return note(run_watched(kernel, ++seed_));
    if (!run_by_cuda<Kernel>) throw DeviceError("this program has no CUDA code of a kernel that it needs");
    run_by_cuda<Kernel>(kernel);
  }
  const DeviceTraffic& traffic() const { return traffic_; }
  /// How often somebody on the host has asked for numbers of a vector that lies on the device (`device_vector.hpp`).
  long host_accesses() const { return host_accesses_; }
  void note_host_access() { ++host_accesses_; }

  /// What a watched device has seen so far that no order of threads may show.
  const std::set<std::string>& conflicts() const { return conflicts_; }

 protected:
  virtual void copy(void* to, const void* from, std::size_t bytes, bool to_device);

 private:
  void note(const std::set<std::string>& conflicts) { conflicts_.insert(conflicts.begin(), conflicts.end()); }

  Kind kind_;
  unsigned seed_ = 0;
  long host_accesses_ = 0;
  std::set<std::string> conflicts_;
  DeviceTraffic traffic_;
  std::map<const char*, std::size_t> allocated_;  // in emulation: bytes by address
};

/// The device of this kind. Throws DeviceError, with the reason, where there is none.
std::shared_ptr<Device> make_device(Device::Kind kind);

}  // namespace invar
