#pragma once
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <variant>

#include "libadjoint/time/march_state.hpp"
#include "libadjoint/time/spill_file.hpp"
#include "libadjoint/time/spill_folder.hpp"

namespace invar {

/// Keeps states of a march under the number of their step: in memory as long as its budget lasts,
/// then on disk, one file per rank and state. All states have fields of equal layouts; of ghosted
/// vectors the owned entries are kept. Files are removed with the object.
class Trajectory {
 public:
  struct Options {
    std::size_t ram_bytes = std::numeric_limits<std::size_t>::max();  // per rank
    std::string folder = {};     // for files; must exist. None where it is empty
    std::size_t disk_bytes = 0;  // per rank
    /// Fields keep 24 binary digits (numbers all 53) in half the room.
    bool single_precision = false;
  };
  struct Usage {
    std::size_t ram = 0, disk = 0;  // bytes on this rank
  };

  /// Collective, as are slots(like), put() and get(). Where one rank fails, all throw StorageError.
  Trajectory(MPI_Comm comm, Options options);

  /// How many states like this one fit, on every rank.
  int slots(const MarchState& like) const;
  /// How many states of so many bytes fit on this rank.
  int slots(std::size_t bytes) const;
  /// What the state takes on this rank when kept.
  std::size_t bytes(const MarchState& state) const;

  /// A state kept under this number before is replaced. Without room, or when the disk fails,
  /// StorageError is thrown and nothing is kept under the number. Going to disk takes a second copy
  /// in memory meanwhile, beside the budget.
  void put(int step, const MarchState& state);
  /// The bits that were put, but for the rounding to single precision. `state` has fields of the
  /// same layouts and is undefined after a StorageError.
  void get(int step, MarchState& state) const;
  /// Does nothing where no such state is kept.
  void drop(int step);

  Usage usage() const { return usage_; }
  Usage peak() const { return peak_; }
  /// Largest ‖kept − put‖/‖put‖ (Euclidean) of any field put so far; infinite where a field was not
  /// finite. 0 in double precision.
  double rounding() const { return rounding_; }

 private:
  using Bytes = std::vector<std::byte>;
  struct Entry {
    std::variant<Bytes, SpillFile> store;
    std::size_t size;
  };
  void keep(int step, Bytes packed);

  MPI_Comm comm_;
  Options options_;
  std::optional<SpillFolder> folder_;
  std::map<int, Entry> entries_;
  Usage usage_, peak_;
  double rounding_ = 0;
};

}  // namespace invar
