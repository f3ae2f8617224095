#pragma once
#include <filesystem>
#include <vector>

namespace invar {

/// A ParaView collection (.pvd): VTK files with their times. To be used on one rank.
class PvdSeries {
 public:
  /// The collection's own file, e.g. "run/fields.pvd"; nothing is written yet.
  explicit PvdSeries(std::filesystem::path path) : path_(std::move(path)) {}

  /// Adds a file and rewrites the collection, sorted by time, with relative names. A file that is already in it gets
  /// the new time. Throws VtkError.
  void add(double time, const std::filesystem::path& file);

 private:
  struct Entry {
    double time;
    std::filesystem::path file;  // relative to the collection's folder
  };

  std::filesystem::path path_;
  std::vector<Entry> entries_;
};

}  // namespace invar
