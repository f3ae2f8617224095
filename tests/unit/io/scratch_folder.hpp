#pragma once
#include <gtest/gtest.h>
#include <petscsys.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace invar::test {

/// An empty folder that is removed with the object: one per rank, or one that the ranks of
/// PETSC_COMM_WORLD share.
class ScratchFolder {
 public:
  explicit ScratchFolder(bool shared = false) : shared_(shared) {
    int number = static_cast<int>(::getpid());
    if (shared_) MPI_Bcast(&number, 1, MPI_INT, 0, PETSC_COMM_WORLD);
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::temp_directory_path() /
            (std::string("invar_io_") + test->name() + "_" + std::to_string(number));
    std::filesystem::create_directories(path_);
    if (shared_) MPI_Barrier(PETSC_COMM_WORLD);
  }
  ~ScratchFolder() {
    if (shared_) MPI_Barrier(PETSC_COMM_WORLD);
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  int file_count() const {
    return static_cast<int>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  bool shared_;
  std::filesystem::path path_;
};

}  // namespace invar::test
