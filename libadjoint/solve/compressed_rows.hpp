#pragma once

namespace invar {

/// A sparse matrix of one process in compressed-row format: row starts, columns in ascending order, values.
struct CompressedRows {
  int n = 0;                        // rows; for block factors a multiple of the block size
  const int* start = nullptr;       // [n + 1]
  const int* column = nullptr;
  const double* value = nullptr;
};

}  // namespace invar
