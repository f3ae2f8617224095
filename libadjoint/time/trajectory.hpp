#pragma once
#include <cstddef>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "libadjoint/time/byte_budget.hpp"
#include "libadjoint/time/march_state.hpp"
#include "libadjoint/time/spill_file.hpp"
#include "libadjoint/time/spill_folder.hpp"

namespace invar {

/// Keeps states of a march by step number, within budgets: states with vectors on a device as vectors, then states in memory, then on
/// disk, one file per rank and state. All states have fields of equal layouts; of ghosted vectors the owned entries are kept. The
/// destructor removes the files.
class Trajectory {
 public:
  struct Options {
    std::size_t device_bytes = std::numeric_limits<std::size_t>::max();
    std::shared_ptr<ByteBudget> device_budget = {};  // from which these are taken; null: there is no other limit
    std::size_t ram_bytes = std::numeric_limits<std::size_t>::max();  // per rank
    std::string folder = {};     // for files; must exist; empty: no files
    std::size_t disk_bytes = 0;  // per rank
    /// Store fields in memory and on disk with 24 binary digits in half the memory; numbers keep all 53.
    bool single_precision = false;
  };
  struct Usage {
    std::size_t device = 0, ram = 0, disk = 0;  // bytes on this rank
  };

  /// Collective, like slots(like), put() and get(). If one rank fails, all throw StorageError.
  Trajectory(MPI_Comm comm, Options options);

  /// Number of states like this one that fit on every rank.
  int slots(const MarchState& like) const;
  /// Number of states of this size that fit into memory and on disk on this rank.
  int slots(std::size_t bytes) const;
  /// Bytes of the kept state on this rank, in memory or on disk.
  std::size_t bytes(const MarchState& state) const;

  /// Keeps a state; replaces one with the same number. Throws StorageError if there is no space or the disk fails; then
  /// no state with this number is kept. Writing to disk needs a temporary second copy in memory, outside the budget.
  void put(int step, const MarchState& state);
  /// Reads a kept state, bitwise equal except for rounding to single precision. `state` must have fields of the same
  /// layouts; it is undefined after a StorageError.
  void get(int step, MarchState& state) const;
  /// Removes a kept state, if there is one.
  void drop(int step);

  Usage usage() const { return usage_; }
  Usage peak() const { return peak_; }
  /// Largest relative rounding error ‖kept − put‖/‖put‖ (Euclidean) of any field so far; infinite if a field was not
  /// finite. 0 in double precision.
  double rounding() const { return rounding_; }

 private:
  using Bytes = std::vector<std::byte>;
  struct Entry {
    std::variant<Bytes, SpillFile, MarchState> store;
    std::size_t size;
    ByteBudget::Share share = {};  // of the device's memory
  };
  std::size_t device_bytes() const;
  bool keep_on_device(int step, const MarchState& state);
  void keep(int step, Bytes packed);
  std::size_t& used_by(const Entry& entry);

  MPI_Comm comm_;
  Options options_;
  std::optional<SpillFolder> folder_;
  std::map<int, Entry> entries_;
  Usage usage_, peak_;
  double rounding_ = 0;
};

}  // namespace invar
