#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace invar {

/// NVIDIA's direct solver cuDSS, version 1, and CUDA functions for device memory, loaded at run time: neither is linked, so the program
/// runs without them. The declarations follow the library's binary interface.
class CudssLibrary {
 public:
  using Handle = struct CudssHandle*;
  using Config = struct CudssConfig*;
  using Data = struct CudssData*;
  using Matrix = struct CudssMatrix*;
  using Status = int;  // 0: success

  enum MatrixType : int { general = 0, symmetric = 1, positive_definite = 3 };
  enum View : int { full = 0, upper = 2 };
  enum Phase : int { analysis = 3, factorisation = 4, refactorisation = 8, solve = 0x3f0 };
  enum ConfigParameter : int { matching = 3, solve_mode = 4, pivot_type = 7, hybrid_memory = 11, superpanels = 20, deterministic_mode = 24 };
  enum Pivots : int { diagonal_pivots = 4, bunch_kaufman = 6 };
  enum DataParameter : int { info = 0, perturbed_pivots = 2, inertia = 3, memory_estimates = 13 };
  /// Places in the sixteen memory estimates, bytes on the device: largest need, and the least need of hybrid memory mode.
  enum MemoryEstimate : int { peak = 1, hybrid_least = 4 };
  static constexpr int real_64 = 1, integer_32 = 10;  // cudaDataType

  /// Loads the file in the environment variable INVAR_CUDSS, else libcudss.so.1 from the loader's path. Throws SolverNotAvailable with a
  /// one-line message if it cannot be loaded, has another version, or there is no CUDA device.
  static std::shared_ptr<const CudssLibrary> load();
  /// Why `load` would throw, as a clause; empty: it would not.
  static std::string obstacle();
  /// Version of the library that this process has used last; empty: none.
  static const std::string& version_used();

  ~CudssLibrary();
  CudssLibrary(const CudssLibrary&) = delete;
  CudssLibrary& operator=(const CudssLibrary&) = delete;

  const std::string& version() const { return version_; }
  /// Description of a status.
  static std::string describe(Status status);

  Status (*create)(Handle*) = nullptr;
  Status (*destroy)(Handle) = nullptr;
  Status (*config_create)(Config*) = nullptr;
  Status (*config_destroy)(Config) = nullptr;
  Status (*config_set)(Config, int parameter, const void* value, std::size_t bytes) = nullptr;
  Status (*set_threading_layer)(Handle, const char* file) = nullptr;
  Status (*data_create)(Handle, Data*) = nullptr;
  Status (*data_destroy)(Handle, Data) = nullptr;
  Status (*data_get)(Handle, Data, int parameter, void* value, std::size_t bytes, std::size_t* written) = nullptr;
  Status (*matrix_create_csr)(Matrix*, std::int64_t rows, std::int64_t columns, std::int64_t entries, const void* row_start,
                              const void* row_end, const void* column, const void* values, int offset_type, int index_type,
                              int value_type, int matrix_type, int view, int index_base) = nullptr;
  Status (*matrix_create_dense)(Matrix*, std::int64_t rows, std::int64_t columns, std::int64_t leading, const void* values,
                                int value_type, int layout) = nullptr;
  Status (*matrix_destroy)(Matrix) = nullptr;
  Status (*execute)(Handle, int phase, Config, Data, Matrix A, Matrix x, Matrix b) = nullptr;

  // CUDA functions; 0: success.
  int (*allocate)(void**, std::size_t bytes) = nullptr;
  int (*release)(void*) = nullptr;
  int (*copy)(void* to, const void* from, std::size_t bytes, int kind) = nullptr;
  int (*memory)(std::size_t* free, std::size_t* total) = nullptr;
  static constexpr int to_device = 1, any = 4;  // kinds of copy; any: CUDA tells host and device by the addresses

 private:
  CudssLibrary() = default;
  static std::shared_ptr<const CudssLibrary> open();
  void find_functions();
  void require_version();
  void require_device() const;
  template <class Function>
  void find(Function& function, const char* name) const;

  void *library_ = nullptr, *runtime_ = nullptr;
  std::string file_, version_;
};

}  // namespace invar
