#include "libadjoint/time/trajectory.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <new>
#include <utility>

#include "libadjoint/time/packed_state.hpp"
#include "libadjoint/time/storage_error.hpp"
#include "libadjoint/vector_methods.hpp"

namespace invar {
namespace {

/// Calls `work` on every rank; after a failure all throw the message of the first rank that failed.
template <class Work>
void together(MPI_Comm comm, const Work& work) {
  std::string error;
  try {
    work();
  } catch (const StorageError& e) {
    error = e.what();
  } catch (const std::bad_alloc&) {
    error = "not enough memory to store a state of the trajectory";
  }
  int rank, ranks, first;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  const int failed = error.empty() ? ranks : rank;
  MPI_Allreduce(&failed, &first, 1, MPI_INT, MPI_MIN, comm);
  if (first == ranks) return;
  int length = static_cast<int>(error.size());
  MPI_Bcast(&length, 1, MPI_INT, first, comm);
  error.resize(static_cast<std::size_t>(length));
  MPI_Bcast(error.data(), length, MPI_CHAR, first, comm);
  throw StorageError(error);
}

bool on_device(const MarchState& state) {
  return !state.fields.empty() && std::ranges::none_of(state.fields, [](const VecHandle& x) { return is_on_host(x); });
}

constexpr std::size_t most_slots = std::numeric_limits<int>::max();

}  // namespace

Trajectory::Trajectory(MPI_Comm comm, Options options) : comm_(comm), options_(std::move(options)) {
  together(comm_, [&] {
    if (options_.folder.empty())
      options_.disk_bytes = 0;
    else if (options_.disk_bytes > 0)
      folder_.emplace(options_.folder);
  });
}

/// Bytes on a device that this trajectory has, or can still take.
std::size_t Trajectory::device_bytes() const {
  return options_.device_budget ? std::min(options_.device_bytes, usage_.device + options_.device_budget->left()) : options_.device_bytes;
}

int Trajectory::slots(std::size_t bytes) const {
  bytes = std::max<std::size_t>(bytes, 1);
  const std::size_t ram = std::min(options_.ram_bytes / bytes, most_slots);
  return static_cast<int>(ram + std::min(options_.disk_bytes / bytes, most_slots - ram));
}

int Trajectory::slots(const MarchState& like) const {
  const std::size_t on_devices = on_device(like) ? device_bytes() / std::max<std::size_t>(packed_bytes(like, false), 1) : 0;
  int fit = slots(bytes(like));
  fit += static_cast<int>(std::min(on_devices, most_slots - fit));
  MPI_Allreduce(MPI_IN_PLACE, &fit, 1, MPI_INT, MPI_MIN, comm_);
  return fit;
}

std::size_t Trajectory::bytes(const MarchState& state) const {
  return packed_bytes(state, options_.single_precision);
}

void Trajectory::put(int step, const MarchState& state) {
  drop(step);
  std::vector<double> errors(2 * state.fields.size(), 0);
  try {
    together(comm_, [&] {
      if (!keep_on_device(step, state)) keep(step, pack(state, options_.single_precision, errors));
    });
  } catch (const StorageError&) {
    drop(step);
    throw;
  }
  if (!options_.single_precision) return;
  MPI_Allreduce(MPI_IN_PLACE, errors.data(), static_cast<int>(errors.size()), MPI_DOUBLE, MPI_SUM, comm_);
  for (std::size_t i = 0; i < errors.size(); i += 2) {
    const double lost = errors[i] == 0 ? 0 : std::sqrt(errors[i] / errors[i + 1]);
    rounding_ = std::isfinite(lost) ? std::max(rounding_, lost) : HUGE_VAL;
  }
}

bool Trajectory::keep_on_device(int step, const MarchState& state) {
  const std::size_t size = packed_bytes(state, false);
  if (!on_device(state) || size > device_bytes() - usage_.device) return false;
  ByteBudget::Share share = options_.device_budget ? ByteBudget::take(options_.device_budget, size) : nullptr;
  entries_.emplace(step, Entry{copy(state), size, std::move(share)});
  usage_.device += size;
  peak_.device = std::max(peak_.device, usage_.device);
  return true;
}

void Trajectory::keep(int step, Bytes packed) {
  const std::size_t size = packed.size();
  if (size <= options_.ram_bytes - usage_.ram) {
    entries_.emplace(step, Entry{std::move(packed), size});
    usage_.ram += size;
  } else if (size <= options_.disk_bytes - usage_.disk) {
    int rank;
    MPI_Comm_rank(comm_, &rank);
    const std::string name = "rank" + std::to_string(rank) + "-step" + std::to_string(step);
    entries_.emplace(step, Entry{SpillFile(folder_->path() / name, packed), size});
    usage_.disk += size;
  } else {
    throw StorageError("no space to store step " + std::to_string(step) + " of the trajectory: it needs " +
                       std::to_string(size) + " bytes, " +
                       std::to_string(options_.ram_bytes - usage_.ram) + " are left in memory and " +
                       std::to_string(options_.disk_bytes - usage_.disk) + " on disk");
  }
  peak_.ram = std::max(peak_.ram, usage_.ram);
  peak_.disk = std::max(peak_.disk, usage_.disk);
}

void Trajectory::get(int step, MarchState& state) const {
  const auto at = entries_.find(step);
  assert(at != entries_.end());
  const Entry& entry = at->second;
  together(comm_, [&] {
    if (const MarchState* kept = std::get_if<MarchState>(&entry.store)) {
      copy(*kept, state);
    } else if (const Bytes* packed = std::get_if<Bytes>(&entry.store)) {
      unpack(*packed, options_.single_precision, state);
    } else {
      Bytes read(entry.size);
      std::get<SpillFile>(entry.store).read(read);
      unpack(read, options_.single_precision, state);
    }
  });
}

std::size_t& Trajectory::used_by(const Entry& entry) {
  return std::holds_alternative<MarchState>(entry.store) ? usage_.device : std::holds_alternative<Bytes>(entry.store) ? usage_.ram : usage_.disk;
}

void Trajectory::drop(int step) {
  const auto at = entries_.find(step);
  if (at == entries_.end()) return;
  used_by(at->second) -= at->second.size;
  entries_.erase(at);
}

}  // namespace invar
