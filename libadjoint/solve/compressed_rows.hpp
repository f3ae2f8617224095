#pragma once

namespace invar {

/// Rows of a sparse matrix of one process, by compressed rows of numbers: first row, columns in ascending order,
/// values.
struct CompressedRows {
  int n = 0;                        // rows; for factors of blocks a multiple of the block size
  const int* start = nullptr;       // [n + 1]
  const int* column = nullptr;
  const double* value = nullptr;
};

}  // namespace invar
