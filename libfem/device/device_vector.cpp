// The only file that knows how PETSc describes a vector: its header is private to PETSc.
#include "libfem/device/device_vector.hpp"

#include <petsc/private/vecimpl.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>
#include <vector>

#include "libfem/device/reduce.hpp"

static_assert(PETSC_VERSION_MAJOR == 3, "compare the operations of vectors with the header");

namespace {

using invar::Device, invar::DeviceArray, invar::VectorDots, invar::VectorMap, invar::VectorReduction, invar::VectorSum;

constexpr const char* type_name = "invar_device";

/// What a vector holds.
struct DeviceNumbers {
  std::shared_ptr<Device> device;
  DeviceArray<double> numbers, partial;  // partial: of reductions
  std::vector<double> host;              // copies that were asked for
};

DeviceNumbers& of(Vec v) { return *static_cast<DeviceNumbers*>(v->data); }
double* numbers_of(Vec v) { return of(v).numbers.data(); }

// Called by PETSc: no exception may pass.
template <class Work>
PetscErrorCode safely(const Work& work) {
  try {
    work();
  } catch (const std::bad_alloc&) {
    SETERRQ(PETSC_COMM_SELF, PETSC_ERR_MEM, "a vector on a device");
  } catch (const std::exception& e) {
    SETERRQ(PETSC_COMM_SELF, PETSC_ERR_LIB, "%s", e.what());
  }
  return 0;
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

PetscErrorCode map(Vec z, VectorMap kernel) {
  return safely([&] {
    kernel.n = static_cast<int>(z->map->n);
    kernel.z = numbers_of(z);
    of(z).device->run(kernel);
  });
}
PetscErrorCode combine(Vec z, double a, Vec x, double b = 0, Vec y = nullptr, double c = 0, double shift = 0) {
  return map(z, {.a = a, .b = b, .c = c, .shift = shift, .x = x ? numbers_of(x) : nullptr, .y = y ? numbers_of(y) : nullptr});
}
PetscErrorCode apply(VectorMap::Of what, Vec z, Vec x, Vec y = nullptr) {
  return map(z, {.of = what, .x = numbers_of(x), .y = y ? numbers_of(y) : nullptr});
}
PetscErrorCode copy(Vec x, Vec y) {
  if (!invar::is_on_device(y)) {  // to the host
    const double* from;
    PetscCall(VecGetArrayRead(x, &from));
    double* to;
    PetscCall(VecGetArrayWrite(y, &to));
    PetscCall(PetscArraycpy(to, from, x->map->n));
    PetscCall(VecRestoreArrayWrite(y, &to));
    PetscCall(VecRestoreArrayRead(x, &from));
    return 0;
  }
  return combine(y, 1, x);
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
      VectorSum kernel{.n = static_cast<int>(y->map->n), .count = static_cast<int>(std::min<PetscInt>(invar::most_vectors, n - first)), .y = numbers_of(y)};
      for (int k = 0; k < kernel.count; ++k) kernel.a[k] = a[first + k], kernel.x[k] = numbers_of(x[first + k]);
      of(y).device->run(kernel);
    }
  });
}
PetscErrorCode multiply(Vec w, Vec x, Vec y) { return apply(VectorMap::Of::product, w, x, y); }
PetscErrorCode divide(Vec w, Vec x, Vec y) { return apply(VectorMap::Of::quotient, w, x, y); }
PetscErrorCode reciprocal(Vec x) { return apply(VectorMap::Of::reciprocal, x, x); }
PetscErrorCode magnitude(Vec x) { return apply(VectorMap::Of::magnitude, x, x); }
PetscErrorCode root(Vec x) { return apply(VectorMap::Of::root, x, x); }
PetscErrorCode exchange(Vec x, Vec y) {
  std::swap(of(x).numbers, of(y).numbers);
  return 0;
}

// ---- reductions -----------------------------------------------------------------------------------------

PetscErrorCode reduce(VectorReduction::Of what, Vec x, Vec y, double* result) {
  return safely([&] {
    *result = invar::reduce(of(x).device, {.of = what, .n = static_cast<int>(x->map->n), .x = numbers_of(x), .y = y ? numbers_of(y) : nullptr},
                            of(x).partial);
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
      for (int k = 0; k < kernel.count; ++k) kernel.x[k] = numbers_of(y[first + k]);
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
template <bool Largest>
PetscErrorCode extreme(Vec x, PetscInt* where, double* result) {
  PetscCheck(!where, PETSC_COMM_SELF, PETSC_ERR_SUP, "the place of an extreme entry of a vector on a device");
  return reduce(Largest ? VectorReduction::Of::largest : VectorReduction::Of::smallest, x, nullptr, result);
}

// ---- copies on the host, counted -------------------------------------------------------------------------

PetscErrorCode fetch(Vec v, double** array) {
  return safely([&] {
    of(v).device->note_host_access();
    of(v).host = of(v).numbers.download();
    *array = of(v).host.data();
  });
}
PetscErrorCode bring_back(Vec v, double**) {
  return safely([&] { of(v).numbers.upload(of(v).host); });
}
PetscErrorCode fetch_to_read(Vec v, const double** array) { return fetch(v, const_cast<double**>(array)); }
PetscErrorCode forget_read(Vec, const double**) { return 0; }

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
  ops.getarray = ops.getarraywrite = fetch;
  ops.restorearray = ops.restorearraywrite = bring_back;
  ops.getarrayread = fetch_to_read;
  ops.restorearrayread = forget_read;
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
