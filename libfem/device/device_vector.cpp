// The only file that knows how PETSc describes a vector: its header is private to PETSc.
#include "libfem/device/device_vector.hpp"

#include <petsc/private/vecimpl.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>
#include <span>
#include <string_view>
#include <vector>

#include "libadjoint/row_set.hpp"
#include "libadjoint/vector_methods.hpp"
#include "libfem/device/petsc_callback.hpp"
#include "libfem/device/reduce.hpp"
#include "libfem/device/vector_access.hpp"

static_assert(PETSC_VERSION_MAJOR == 3, "compare the operations of vectors with the header");

namespace {

using invar::Device, invar::DeviceArray, invar::OneByOne, invar::ReadVector, invar::RowUpdate, invar::RowSet, invar::VectorDots, invar::VectorMap,
    invar::VectorMethods, invar::VectorReduction, invar::VectorSum;

constexpr const char* type_name = "invar_device";

/// What a vector holds.
struct DeviceNumbers {
  std::shared_ptr<Device> device;
  DeviceArray<double> numbers, partial;  // partial: of reductions
  std::vector<double> host;              // a copy, while the host has access
  int writers = 0;                       // accesses that may change it
};

DeviceNumbers& of(Vec v) { return *static_cast<DeviceNumbers*>(v->data); }
double* numbers_of(Vec v) { return of(v).numbers.data(); }

template <class Work>
PetscErrorCode safely(const Work& work) {
  return invar_petsc::callback("a vector on a device", work);
}

PetscErrorCode make(const std::shared_ptr<Device>& device, PetscInt n, Vec* made);

PetscErrorCode duplicate(Vec v, Vec* made) {
  PetscCall(make(of(v).device, v->map->n, made));
  return 0;
}
PetscErrorCode destroy(Vec v) {
  delete &of(v);
  v->data = nullptr;
  return 0;
}

// ---- maps ---------------------------------------------------------------------------------------------

PetscErrorCode map(Vec z, VectorMap kernel, Vec x, Vec y) {
  return safely([&] {
    const ReadVector of_x(of(z).device, x), of_y(of(z).device, y);
    kernel.x = of_x.data(), kernel.y = of_y.data(), kernel.z = numbers_of(z);
    of(z).device->run(OneByOne{static_cast<int>(z->map->n), kernel});
  });
}
PetscErrorCode combine(Vec z, double a, Vec x, double b = 0, Vec y = nullptr, double c = 0, double shift = 0) {
  return map(z, {.a = a, .b = b, .c = c, .shift = shift}, x, y);
}
PetscErrorCode apply(VectorMap::Of what, Vec z, Vec x, Vec y = nullptr) { return map(z, {.of = what}, x, y); }
PetscErrorCode copy(Vec x, Vec y) {
  if (invar::is_on_device(y)) return combine(y, 1, x);
  return safely([&] { invar::copy_entries(x, y); });
}
PetscErrorCode set(Vec x, double value) { return combine(x, 0, nullptr, 0, nullptr, 0, value); }
PetscErrorCode scale(Vec x, double a) { return combine(x, 0, nullptr, 0, nullptr, a); }
PetscErrorCode add_number(Vec x, double shift) { return combine(x, 0, nullptr, 0, nullptr, 1, shift); }
PetscErrorCode axpy(Vec y, double a, Vec x) { return combine(y, a, x, 0, nullptr, 1); }
PetscErrorCode axpby(Vec y, double a, double b, Vec x) { return combine(y, a, x, 0, nullptr, b); }
PetscErrorCode aypx(Vec y, double b, Vec x) { return combine(y, 1, x, 0, nullptr, b); }
PetscErrorCode waxpy(Vec w, double a, Vec x, Vec y) { return combine(w, a, x, 1, y); }
PetscErrorCode axpbypcz(Vec z, double a, double b, double c, Vec x, Vec y) { return combine(z, a, x, b, y, c); }
PetscErrorCode maxpy(Vec y, PetscInt n, const double* a, Vec* x) {
  return safely([&] {
    for (PetscInt first = 0; first < n; first += invar::most_vectors) {
      VectorSum kernel{.count = static_cast<int>(std::min<PetscInt>(invar::most_vectors, n - first)), .y = numbers_of(y)};
      std::deque<ReadVector> operands;
      for (int k = 0; k < kernel.count; ++k) kernel.a[k] = a[first + k], kernel.x[k] = operands.emplace_back(of(y).device, x[first + k]).data();
      of(y).device->run(OneByOne{static_cast<int>(y->map->n), kernel});
    }
  });
}
PetscErrorCode multiply(Vec w, Vec x, Vec y) { return apply(VectorMap::Of::product, w, x, y); }
PetscErrorCode divide(Vec w, Vec x, Vec y) { return apply(VectorMap::Of::quotient, w, x, y); }
PetscErrorCode reciprocal(Vec x) { return apply(VectorMap::Of::reciprocal, x, x); }
PetscErrorCode magnitude(Vec x) { return apply(VectorMap::Of::magnitude, x, x); }
PetscErrorCode root(Vec x) { return apply(VectorMap::Of::root, x, x); }
PetscErrorCode exchange(Vec x, Vec y) {
  PetscCheck(invar::is_on_device(x) && invar::is_on_device(y), PETSC_COMM_SELF, PETSC_ERR_SUP, "exchange of vectors in different memories");
  std::swap(of(x).numbers, of(y).numbers);
  return 0;
}

// ---- reductions -----------------------------------------------------------------------------------------

PetscErrorCode reduce(VectorReduction::Of what, Vec x, Vec y, double* result) {
  return safely([&] {
    const ReadVector of_y(of(x).device, y);
    *result = invar::reduce(of(x).device, {.of = what, .n = static_cast<int>(x->map->n), .x = numbers_of(x), .y = of_y.data()}, of(x).partial);
  });
}
PetscErrorCode dot(Vec x, Vec y, double* result) { return reduce(VectorReduction::Of::product, x, y, result); }
PetscErrorCode dots(Vec x, PetscInt n, const Vec* y, double* results) {
  return safely([&] {
    VectorDots kernel{.n = static_cast<int>(x->map->n), .y = numbers_of(x)};
    const std::size_t teams = static_cast<std::size_t>(kernel.teams());
    DeviceArray<double> parts(of(x).device, invar::most_vectors * teams);
    kernel.out = parts.data();
    for (PetscInt first = 0; first < n; first += invar::most_vectors) {
      kernel.count = static_cast<int>(std::min<PetscInt>(invar::most_vectors, n - first));
      std::deque<ReadVector> operands;
      for (int k = 0; k < kernel.count; ++k) kernel.x[k] = operands.emplace_back(of(x).device, y[first + k]).data();
      of(x).device->run(kernel);
      const std::vector<double> sums = parts.download();
      for (int k = 0; k < kernel.count; ++k) results[first + k] = std::accumulate(sums.begin() + k * teams, sums.begin() + (k + 1) * teams, 0.0);
    }
  });
}
PetscErrorCode norm(Vec x, NormType type, double* result) {
  if (type == NORM_1 || type == NORM_1_AND_2) PetscCall(reduce(VectorReduction::Of::magnitudes, x, nullptr, result));
  if (type == NORM_INFINITY) PetscCall(reduce(VectorReduction::Of::largest_magnitude, x, nullptr, result));
  if (type == NORM_2 || type == NORM_FROBENIUS || type == NORM_1_AND_2) {
    double* two = type == NORM_1_AND_2 ? result + 1 : result;
    PetscCall(dot(x, x, two));
    *two = std::sqrt(*two);
  }
  return 0;
}
/// The place, for messages, is searched on the host.
template <bool Largest>
PetscErrorCode extreme(Vec x, PetscInt* where, double* result) {
  if (!where) return reduce(Largest ? VectorReduction::Of::largest : VectorReduction::Of::smallest, x, nullptr, result);
  const double* entries = nullptr;
  PetscCall(VecGetArrayRead(x, &entries));
  const double* const end = entries + x->map->n;
  const double* const found = Largest ? std::max_element(entries, end) : std::min_element(entries, end);
  *where = static_cast<PetscInt>(found - entries);
  *result = found == end ? (Largest ? PETSC_MIN_REAL : PETSC_MAX_REAL) : *found;
  PetscCall(VecRestoreArrayRead(x, &entries));
  return 0;
}

// ---- copies on the host, counted -------------------------------------------------------------------------

void download(Vec v) {
  DeviceNumbers& self = of(v);
  self.device->note_host_access();
  self.host.resize(self.numbers.size());  // where it was, for accesses that have not ended
  if (self.writers == 0) self.device->download(self.host.data(), self.numbers.data(), self.host.size() * sizeof(double));
}
PetscErrorCode fetch_to_read(Vec v, const double** array) {
  return safely([&] {
    download(v);
    *array = of(v).host.data();
  });
}
PetscErrorCode forget_read(Vec, const double**) { return 0; }
PetscErrorCode fetch(Vec v, double** array) {
  return safely([&] {
    download(v);
    ++of(v).writers;
    *array = of(v).host.data();
  });
}
PetscErrorCode fetch_to_write(Vec v, double** array) {
  of(v).device->note_host_access();
  return safely([&] {
    of(v).host.resize(of(v).numbers.size());
    ++of(v).writers;
    *array = of(v).host.data();
  });
}
PetscErrorCode bring_back(Vec v, double**) {
  return safely([&] {
    --of(v).writers;
    of(v).numbers.upload(of(v).host);
  });
}

// ---- the place on the device, not counted ------------------------------------------------------------------

PetscErrorCode lend(Vec v, double** array, PetscMemType* type) {
  *array = numbers_of(v);
  if (type) *type = PETSC_MEMTYPE_DEVICE;
  return 0;
}
PetscErrorCode lend_to_read(Vec v, const double** array, PetscMemType* type) { return lend(v, const_cast<double**>(array), type); }
PetscErrorCode take_back(Vec, double**) { return 0; }
PetscErrorCode take_back_written(Vec, double**, PetscMemType*) { return 0; }

// ---- rows -------------------------------------------------------------------------------------------------

struct RowsOnDevice {
  std::shared_ptr<Device> device;
  DeviceArray<int> rows;
  DeviceArray<double> values;  // on their way to or from the host
};

RowsOnDevice& rows_on(const std::shared_ptr<Device>& device, const RowSet& rows) {
  auto kept = std::static_pointer_cast<RowsOnDevice>(rows.elsewhere());
  if (!kept || kept->device != device) {
    kept = std::make_shared<RowsOnDevice>(device, DeviceArray<int>(device, std::span<const int>(rows)), DeviceArray<double>(device, rows.size()));
    rows.elsewhere() = kept;
  }
  return *kept;
}
void run_on(const RowSet& rows, const std::shared_ptr<Device>& device, const RowUpdate& map) {
  device->run(OneByOne{static_cast<int>(rows.size()), map});
}
void combine_rows(const RowSet& rows, double a, Vec x, double b, Vec y) {
  const std::shared_ptr<Device>& device = of(y).device;
  const ReadVector of_x(device, a != 0 ? x : nullptr);
  run_on(rows, device, {RowUpdate::Of::combination, rows_on(device, rows).rows.data(), a, b, of_x.data(), invar::changed_device_numbers(y)});
}
void read_rows(const RowSet& rows, Vec v, double* values) {
  const std::shared_ptr<Device>& device = of(v).device;
  RowsOnDevice& on = rows_on(device, rows);
  run_on(rows, device, {RowUpdate::Of::read, on.rows.data(), 0, 0, numbers_of(v), on.values.data()});
  device->download(values, on.values.data(), rows.size() * sizeof(double));
}
void write_rows(const RowSet& rows, const double* values, Vec v) {
  const std::shared_ptr<Device>& device = of(v).device;
  RowsOnDevice& on = rows_on(device, rows);
  device->upload(on.values.data(), values, rows.size() * sizeof(double));
  run_on(rows, device, {RowUpdate::Of::write, on.rows.data(), 0, 0, on.values.data(), invar::changed_device_numbers(v)});
}
bool all_equal(Vec a, Vec b) {
  double largest = 0;
  invar::check(reduce(VectorReduction::Of::largest_difference, a, b, &largest));
  return largest == 0;
}
const VectorMethods* methods() {
  static constexpr VectorMethods these{combine_rows, read_rows, write_rows, all_equal};
  return &these;
}

PetscErrorCode size(Vec v, PetscInt* n) {
  *n = v->map->N;
  return 0;
}
PetscErrorCode local_size(Vec v, PetscInt* n) {
  *n = v->map->n;
  return 0;
}

PetscErrorCode make(const std::shared_ptr<Device>& device, PetscInt n, Vec* made) {
  PetscCall(VecCreate(PETSC_COMM_SELF, made));
  Vec v = *made;
  PetscCall(VecSetSizes(v, n, n));
  PetscCall(PetscLayoutSetUp(v->map));
  PetscCall(PetscObjectChangeTypeName(PetscObject(v), type_name));
  PetscCall(safely([&] {
    auto numbers = std::make_unique<DeviceNumbers>();
    numbers->device = device;
    numbers->numbers = DeviceArray<double>(device, static_cast<std::size_t>(n));
    numbers->numbers.clear();
    v->data = numbers.release();
  }));
  v->petscnative = PETSC_FALSE;
  _VecOps& ops = *v->ops;
  ops.duplicate = duplicate;
  ops.duplicatevecs = VecDuplicateVecs_Default;
  ops.destroyvecs = VecDestroyVecs_Default;
  ops.destroy = destroy;
  ops.dot = ops.tdot = ops.dot_local = ops.tdot_local = dot;
  ops.mdot = ops.mtdot = ops.mdot_local = ops.mtdot_local = dots;
  ops.norm = ops.norm_local = norm;
  ops.max = extreme<true>;
  ops.min = extreme<false>;
  ops.set = set;
  ops.copy = copy;
  ops.scale = scale;
  ops.shift = add_number;
  ops.swap = exchange;
  ops.axpy = axpy;
  ops.axpby = axpby;
  ops.aypx = aypx;
  ops.waxpy = waxpy;
  ops.axpbypcz = axpbypcz;
  ops.maxpy = maxpy;
  ops.pointwisemult = multiply;
  ops.pointwisedivide = divide;
  ops.reciprocal = reciprocal;
  ops.abs = magnitude;
  ops.sqrt = root;
  ops.getsize = size;
  ops.getlocalsize = local_size;
  ops.getarray = fetch;
  ops.getarraywrite = fetch_to_write;
  ops.restorearray = ops.restorearraywrite = bring_back;
  ops.getarrayread = fetch_to_read;
  ops.restorearrayread = forget_read;
  ops.getarrayandmemtype = ops.getarraywriteandmemtype = lend;
  ops.restorearrayandmemtype = take_back;
  ops.restorearraywriteandmemtype = take_back_written;
  ops.getarrayreadandmemtype = lend_to_read;
  PetscCall(PetscObjectComposeFunction(PetscObject(v), VectorMethods::name, methods));
  return 0;
}

}  // namespace

invar::VecHandle invar::create_device_vector(std::shared_ptr<Device> device, PetscInt n) {
  VecHandle made;
  check(make(device, n, made.out()));
  return made;
}

bool invar::is_on_device(Vec v) {
  const char* name = nullptr;
  check(PetscObjectGetType(PetscObject(v), &name));
  return name && std::string_view(name) == type_name;
}

const double* invar::device_numbers(Vec v) { return numbers_of(v); }

double* invar::changed_device_numbers(Vec v) {
  check(PetscObjectStateIncrease(PetscObject(v)));
  return numbers_of(v);
}
