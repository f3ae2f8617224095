// A shared library with the interface of NVIDIA's cuDSS 1.0 and of the functions of CUDA and of the driver that go with it, for tests where no GPU is: dense factors
// of small matrices on the host. As the original it takes pivots in the given order and perturbs small ones. It refuses what the original
// refuses or would not survive: combinations of settings, calls in another order, arrays that do not lie on the device.
//   STAND_IN_DEVICES=0      there is no device
//   STAND_IN_VERSION=0      an older library
//   STAND_IN_PIVOT=x        pivots below x times the largest entry are perturbed to that (1e-8)
//   STAND_IN_SEARCH=1       LU searches the largest pivot of each column, as the original finds it by matching
//   STAND_IN_MEMORY=bytes   free on the device (1e12)
//   STAND_IN_LEAST_MEMORY=bytes  that factors need which stay on the host (0)
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <numeric>
#include <vector>

namespace {

enum Parameter { matching = 3, solve_mode = 4, pivot_type = 7, hybrid_memory = 11, superpanels = 20, deterministic_mode = 24 };
enum { bunch_kaufman = 6 };
enum Status { success, not_initialised, no_memory, invalid, not_supported, execution_failed };

std::map<char*, std::size_t>& arrays() {
  static std::map<char*, std::size_t> all;
  return all;
}
/// Whether so many bytes lie in one array of the device.
bool on_device(const void* at, std::size_t bytes) {
  const char* p = static_cast<const char*>(at);
  return std::ranges::any_of(arrays(), [&](const auto& a) { return a.first <= p && p + bytes <= a.first + a.second; });
}
double setting(const char* name, double otherwise) {
  const char* text = std::getenv(name);
  return text ? std::atof(text) : otherwise;
}

struct Config {
  std::map<int, int> values{{superpanels, 1}};

  int operator[](int parameter) const { return values.contains(parameter) ? values.at(parameter) : 0; }
  bool supported() const {
    const bool deterministic = (*this)[deterministic_mode];
    return !(deterministic && (*this)[hybrid_memory]) && !(deterministic && (*this)[superpanels] && (*this)[pivot_type] == bunch_kaufman);
  }
};
struct Matrix {
  std::int64_t n = 0, entries = 0;
  const int *start = nullptr, *column = nullptr;
  double* values = nullptr;
  int type = 0, view = 0;
};
/// L with unit diagonal below, U above (general), or L D Lᵀ, in one square.
struct Data {
  int stage = 0;  // 1: analysed, 2: factored
  std::int64_t n = 0, entries = 0;
  std::vector<double> square;
  std::vector<std::int64_t> row;  // of the matrix, by place
  int info = 0, perturbed = 0, positive = 0, negative = 0;

  double& at(std::int64_t i, std::int64_t j) { return square[i * n + j]; }
  std::int64_t factor_bytes() const { return n * n * std::int64_t(sizeof(double)); }

  void factor(const Matrix& A) {
    square.assign(n * n, 0.0);
    for (std::int64_t i = 0; i < n; ++i)
      for (int e = A.start[i]; e < A.start[i + 1]; ++e) {
        at(i, A.column[e]) = A.values[e];
        if (A.type != 0) at(A.column[e], i) = A.values[e];
      }
    double largest = 0;
    for (const double v : square) largest = std::max(largest, std::abs(v));
    const double least = setting("STAND_IN_PIVOT", 1e-8) * largest;
    info = perturbed = positive = negative = 0;
    row.resize(n);
    std::iota(row.begin(), row.end(), 0);
    const bool search = A.type == 0 && setting("STAND_IN_SEARCH", 0) > 0;
    for (std::int64_t k = 0; k < n; ++k) {
      std::int64_t best = k;
      for (std::int64_t i = k; search && i < n; ++i)
        if (std::abs(at(i, k)) > std::abs(at(best, k))) best = i;
      if (best != k) {
        std::swap(row[k], row[best]);
        std::swap_ranges(&at(k, 0), &at(k, 0) + n, &at(best, 0));
      }
      double& pivot = at(k, k);
      if (A.type == 3 && !(pivot > 0)) {
        info = static_cast<int>(k + 1);
        return;
      }
      if (std::abs(pivot) < least) pivot = pivot < 0 ? -least : least, ++perturbed;
      ++(pivot > 0 ? positive : negative);
      for (std::int64_t i = k + 1; i < n; ++i) {
        const double l = at(i, k) /= pivot;
        if (l != 0)
          for (std::int64_t j = k + 1; j < n; ++j) at(i, j) -= l * at(k, j);
      }
    }
  }
  void solve(const double* b, double* x, bool transpose) {
    if (transpose) std::copy_n(b, n, x);
    else
      for (std::int64_t i = 0; i < n; ++i) x[i] = b[row[i]];
    const auto l = [&](std::int64_t i, std::int64_t j) { return at(i, j); };
    if (!transpose) {
      for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j < i; ++j) x[i] -= l(i, j) * x[j];
      for (std::int64_t i = n - 1; i >= 0; --i) {
        for (std::int64_t j = i + 1; j < n; ++j) x[i] -= l(i, j) * x[j];
        x[i] /= l(i, i);
      }
    } else {
      for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t j = 0; j < i; ++j) x[i] -= l(j, i) * x[j];
        x[i] /= l(i, i);
      }
      for (std::int64_t i = n - 1; i >= 0; --i)
        for (std::int64_t j = i + 1; j < n; ++j) x[i] -= l(j, i) * x[j];
      const std::vector<double> placed(x, x + n);
      for (std::int64_t i = 0; i < n; ++i) x[row[i]] = placed[i];
    }
  }
};

long analyses = 0;  // so far

bool device_is_there() { return setting("STAND_IN_DEVICES", 1) > 0; }

}  // namespace

extern "C" {

int cudaGetDeviceCount(int* count) {
  *count = device_is_there() ? 1 : 0;
  return *count > 0 ? 0 : 100;
}
const char* cudaGetErrorString(int error) { return error == 100 ? "no CUDA-capable device is detected" : "some error"; }
int cudaMalloc(void** memory, std::size_t bytes) {
  char* made = static_cast<char*>(std::malloc(bytes + 1));
  if (!made) return 2;
  arrays()[made] = bytes;
  *memory = made;
  return 0;
}
int cudaFree(void* memory) {
  if (!memory) return 0;
  if (arrays().erase(static_cast<char*>(memory)) == 0) return 1;
  std::free(memory);
  return 0;
}
int cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *free = *total = static_cast<std::size_t>(setting("STAND_IN_MEMORY", 1e12));
  return 0;
}
/// kind 4: either memory may be the host's.
int cudaMemcpy(void* to, const void* from, std::size_t bytes, int kind) {
  if (kind != 4 && !on_device(kind == 1 ? to : from, bytes)) return 1;
  std::memcpy(to, from, bytes);
  return 0;
}

/// The original has no such function.
long standInAnalyses() { return analyses; }

// Of NVIDIA's management library.
int nvmlInit_v2() { return device_is_there() ? 0 : 9; }  // 9: no driver
int nvmlSystemGetDriverVersion(char* text, unsigned size) {
  return std::snprintf(text, size, "580.95.05") < static_cast<int>(size) ? 0 : 7;
}
int nvmlShutdown() { return 0; }

int cudssGetProperty(int part, int* value) {
  *value = part == 0 ? static_cast<int>(setting("STAND_IN_VERSION", 1)) : 0;
  return success;
}
int cudssCreate(void** handle) {
  if (!device_is_there()) return execution_failed;
  *handle = new int(0);
  return success;
}
int cudssDestroy(void* handle) {
  delete static_cast<int*>(handle);
  return success;
}
int cudssConfigCreate(void** config) {
  *config = new Config;
  return success;
}
int cudssConfigDestroy(void* config) {
  delete static_cast<Config*>(config);
  return success;
}
int cudssConfigSet(void* config, int parameter, const void* value, std::size_t bytes) {
  if (bytes != sizeof(int)) return invalid;
  for (const int known : {matching, solve_mode, pivot_type, hybrid_memory, superpanels, deterministic_mode})
    if (parameter == known) {
      static_cast<Config*>(config)->values[parameter] = *static_cast<const int*>(value);
      return success;
    }
  return not_supported;
}
int cudssSetThreadingLayer(void* handle, const char*) { return handle ? success : not_initialised; }
int cudssDataCreate(void* handle, void** data) {
  if (!handle) return not_initialised;
  *data = new Data;
  return success;
}
int cudssDataDestroy(void*, void* data) {
  delete static_cast<Data*>(data);
  return success;
}
int cudssDataGet(void*, void* data, int parameter, void* value, std::size_t bytes, std::size_t* written) {
  const Data& d = *static_cast<Data*>(data);
  if (parameter == 13) {
    if (bytes != 16 * sizeof(std::int64_t) || d.stage == 0) return invalid;
    static_cast<std::int64_t*>(value)[1] = d.factor_bytes();
    *written = bytes;
    return success;
  }
  int* out = static_cast<int*>(value);
  const std::size_t size = parameter == 3 ? 2 * sizeof(int) : sizeof(int);
  if (bytes < size) return invalid;
  if (parameter == 0) out[0] = d.info;
  else if (parameter == 2) out[0] = d.perturbed;
  else if (parameter == 3) out[0] = d.positive, out[1] = d.negative;
  else return not_supported;
  *written = size;
  return success;
}
int cudssMatrixCreateCsr(void** matrix, std::int64_t rows, std::int64_t columns, std::int64_t entries, const void* start, const void* end,
                         const void* column, const void* values, int offset_type, int index_type, int value_type, int type, int view, int base) {
  if (rows != columns || end || offset_type != 10 || index_type != 10 || value_type != 1 || base != 0 || (type != 0) != (view == 2)) return invalid;
  if (!on_device(start, (rows + 1) * sizeof(int)) || !on_device(column, entries * sizeof(int)) || !on_device(values, entries * sizeof(double)))
    return invalid;
  *matrix = new Matrix{rows, entries, static_cast<const int*>(start), static_cast<const int*>(column),
                       static_cast<double*>(const_cast<void*>(values)), type, view};
  return success;
}
int cudssMatrixCreateDn(void** matrix, std::int64_t rows, std::int64_t columns, std::int64_t leading, const void* values, int value_type, int layout) {
  if (columns != 1 || leading < rows || value_type != 1 || layout != 0 || !on_device(values, rows * sizeof(double))) return invalid;
  *matrix = new Matrix{rows, rows, nullptr, nullptr, static_cast<double*>(const_cast<void*>(values)), 0, 0};
  return success;
}
int cudssMatrixDestroy(void* matrix) {
  delete static_cast<Matrix*>(matrix);
  return success;
}
int cudssExecute(void* handle, int phase, void* config, void* data, void* A, void* x, void* b) {
  if (!handle || !config || !data || !A || !x || !b) return not_initialised;
  Data& d = *static_cast<Data*>(data);
  const Matrix& m = *static_cast<Matrix*>(A);
  const Config& c = *static_cast<Config*>(config);
  if (!c.supported() || (c[pivot_type] == bunch_kaufman) != (m.type == 1)) return not_supported;
  if (phase == 3) {
    ++analyses;
    d = {};
    d.stage = 1, d.n = m.n, d.entries = m.entries;
    return success;
  }
  if (d.stage == 0 || m.n != d.n || m.entries != d.entries) return invalid;
  if (phase == 4 || phase == 8) {
    if (phase == 8 && d.stage < 2) return invalid;
    const double needed = c[hybrid_memory] ? setting("STAND_IN_LEAST_MEMORY", 0) : double(d.factor_bytes());
    if (needed > setting("STAND_IN_MEMORY", 1e12)) return no_memory;
    d.factor(m);
    d.stage = 2;
    return success;
  }
  if (phase != 0x3f0) return not_supported;
  if (d.stage < 2) return invalid;
  d.solve(static_cast<Matrix*>(b)->values, static_cast<Matrix*>(x)->values, c[solve_mode] == 1);
  return success;
}

}  // extern "C"
