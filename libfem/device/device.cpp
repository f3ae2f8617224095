#include "libfem/device/device.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "libfem/device/cuda_device.hpp"

namespace invar {

void* Device::allocate(std::size_t bytes) {
  void* memory = take(bytes);
  const bool on_host = !memory;
  if (on_host) memory = take_on_host(bytes);
  allocated_[static_cast<const char*>(memory)] = {bytes, on_host};
  (on_host ? traffic_.on_host : traffic_.held) += static_cast<long long>(bytes);
  traffic_.most_held = std::max(traffic_.most_held, traffic_.held);
  traffic_.most_on_host = std::max(traffic_.most_on_host, traffic_.on_host);
  return memory;
}
void Device::release(void* memory) noexcept {
  const auto at = allocated_.find(static_cast<const char*>(memory));
  const auto [bytes, on_host] = at->second;
  (on_host ? traffic_.on_host : traffic_.held) -= static_cast<long long>(bytes);
  allocated_.erase(at);
  on_host ? give_back_on_host(memory) : give_back(memory);
}
void* Device::take(std::size_t bytes) { return bytes > free_bytes() ? nullptr : ::operator new(bytes); }
void Device::give_back(void* memory) noexcept { ::operator delete(memory); }
void* Device::take_on_host(std::size_t bytes) { return ::operator new(bytes); }
void Device::give_back_on_host(void* memory) noexcept { ::operator delete(memory); }
bool Device::holds(const void* memory) const {
  const char* const at = static_cast<const char*>(memory);
  auto next = allocated_.upper_bound(at);
  if (next == allocated_.begin()) return false;
  --next;
  return at == next->first || at < next->first + next->second.bytes;
}
void Device::upload(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  ++traffic_.uploads;
  traffic_.bytes_up += static_cast<long long>(bytes);
  copy(to, from, bytes);
}
void Device::download(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  ++traffic_.downloads;
  traffic_.bytes_down += static_cast<long long>(bytes);
  copy(to, from, bytes);
}
void Device::emulate(const HostKernel& kernel) {
  ++traffic_.kernels;
  enter();
  if (kind_ == Kind::emulation) run_on_host(kernel);
  else run_in_both_orders(kernel);
  leave();
}
/// Of two threads that access the same number without a barrier in between, at least one of them writing, the device's memory shows which one
/// came first, unless both leave the same.
void Device::run_in_both_orders(const HostKernel& kernel) {
  const auto before = contents();
  conflicts_.merge(run_watched(kernel, ++seed_));
  const auto expected = contents();
  auto block = before.begin();
  for (const auto& [at, described] : allocated_) std::ranges::copy(*block++, const_cast<char*>(at));
  conflicts_.merge(run_watched(kernel, seed_, true));
  const auto found = contents();
  for (std::size_t k = 0; k < found.size(); ++k)
    if (const auto differ = std::ranges::mismatch(found[k], expected[k]); differ.in1 != found[k].end())
      conflicts_.insert("what a kernel leaves depends on the order of its threads (byte " + std::to_string(differ.in1 - found[k].begin()) + " of an array of " +
                        std::to_string(found[k].size()) + ")");
}
/// The device's memory, array by array.
std::vector<std::vector<char>> Device::contents() const {
  std::vector<std::vector<char>> all;
  for (const auto& [at, described] : allocated_) all.emplace_back(at, at + described.bytes);
  return all;
}
void Device::copy(void* to, const void* from, std::size_t bytes) {
  enter();
  std::memcpy(to, from, bytes);
  leave();
}
void Device::clear(void* memory, std::size_t bytes) {
  enter();
  if (bytes > 0) std::memset(memory, 0, bytes);
  leave();
}

std::shared_ptr<Device> make_device(Device::Kind kind) {
  if (kind != Device::Kind::cuda) return std::make_shared<Device>(kind);
  if (!make_cuda_device) throw DeviceError("this program has no CUDA code: only the program itself has it, if it is configured with INVAR_CUDA_PROGRAM");
  return make_cuda_device();
}

}  // namespace invar
