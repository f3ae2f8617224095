// Forms and vectors on a device: seconds of each operation on a box, with all arrays in device memory.
//
//   bench_device emulation|cuda CELLS REPETITIONS [NAME]
//
// CELLS: per side, of second order; linear cells are half as wide, so that all boxes have about the same nodes, and tangents are assembled
// on at most 20. NAME: only lines whose "case operation" contains it. Each operation is held against the host's form on a box of at most 6
// cells per side, and the product on the box itself: to 1e-12 of the largest number, or the program ends with 1. Times are medians, of
// calls in a row with one synchronisation at the end. "at least": what must be read and written once, by those times.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>
#include <string>

#include "libfem/device/device_array.hpp"
#include "libfem/device/device_vector.hpp"
#include "libfem/form/assembled_matrix.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/solid_device.hpp"
#include "libfem/solid/solid_forms.hpp"
#include "libfluid/flow/flow_device.hpp"
#include "libfluid/flow/flow_forms.hpp"
#include "tests/bench/measure.hpp"

using namespace invar;

namespace {

using Array = std::vector<double>;

struct Case {
  std::string name;
  Shape shape;
  int order, degree;
  std::vector<Component> components;
  Array constants;
  std::function<std::unique_ptr<WeakForm>(CellBatches)> make;
};

std::vector<Case> cases() {
  const auto solid = [](const char* name, Shape shape, int order, int degree) {
    return Case{name, shape, order, degree, {{"u_x", order}, {"u_y", order}, {"u_z", order}}, {1.0, 0.3}, [](CellBatches cells) {
                  return make_displacement_form(SolidKind::spatial, make_material({"neo_hookean"}), std::move(cells));
                }};
  };
  return {solid("tet10/4", Shape::tetrahedron, 2, 2), solid("tet10/14", Shape::tetrahedron, 2, 5), solid("hex27/27", Shape::hexahedron, 2, 5),
          solid("hex8/8", Shape::hexahedron, 1, 3),
          {"flow/14", Shape::tetrahedron, 2, 5, {{"u_x", 2}, {"u_y", 2}, {"u_z", 2}, {"p", 1}}, {1.2, 0.1, 0.3, -0.4, 0.2, 0.5}, [](CellBatches cells) {
             return make_navier_stokes(FlowKind::spatial, FlowDiscretisation::taylor_hood, FlowModel{}, std::move(cells));
           }}};
}

/// The state, a direction (or multiplier) and coordinates: arrays of the host or the device.
struct Arguments {
  const double *X, *u, *direction;

  FormState state() const {
    FormState at;
    at.coordinates = X, at.unknown[Level::value] = u;
    return at;
  }
};

enum class Result { unknowns, coordinates, cells };
struct Operation {
  const char* name;
  Result result;
  int unknowns_read;  // arrays
  std::function<void(const WeakForm& form, const Arguments& at, double* out)> call;
};

std::vector<Operation> operations() {
  return {{"residual", Result::unknowns, 1, [](const WeakForm& f, const Arguments& at, double* out) { f.residual(at.state(), out); }},
          {"product", Result::unknowns, 2,
           [](const WeakForm& f, const Arguments& at, double* out) {
             FormTangent d;
             d.unknown[Level::value] = at.direction;
             f.jvp(at.state(), d, out);
           }},
          {"transposed product", Result::unknowns, 2,
           [](const WeakForm& f, const Arguments& at, double* out) {
             FormCotangent to;
             to.unknown[Level::value] = out;
             f.vjp(at.state(), at.direction, to);
           }},
          {"vjp to coordinates", Result::coordinates, 2,
           [](const WeakForm& f, const Arguments& at, double* out) {
             FormCotangent to;
             to.coordinates = out;
             f.vjp(at.state(), at.direction, to);
           }},
          {"vjp to a coefficient", Result::cells, 2, [](const WeakForm& f, const Arguments& at, double* out) {
             FormCotangent to;
             to.coefficients = {out};
             f.vjp(at.state(), at.direction, to);
           }}};
}

/// One case on a box: a form on the host, and the same on the device.
class Box {
 public:
  Box(const Case& c, int cells, const std::shared_ptr<Device>& device) : device_(device) {
    const auto mesh = std::make_shared<const Mesh>(make_box({0, 0, 0}, {1, 1, 1}, {cells, cells, cells}, c.shape, c.order));
    dofs_ = std::make_shared<const DofMap>(mesh, c.components, PETSC_COMM_SELF);
    const CellBatches domain = CellBatches::on_cells(dofs_, "", c.degree);
    host_ = c.make(domain);
    std::mt19937 random(1);
    const auto noise = [&](std::size_t n, double size) {
      std::uniform_real_distribution<double> uniform(-size, size);
      Array a(n);
      for (double& v : a) v = uniform(random);
      return a;
    };
    X_ = noise(mesh->coordinates.size(), 0.02 / cells);
    for (std::size_t i = 0; i < X_.size(); ++i) X_[i] += mesh->coordinates[i];
    u_ = noise(dofs_->n_local(), 0.02 / cells), direction_ = noise(u_.size(), 1);
    auto taken = c.make(domain);
    for (std::size_t k = 0; k < c.constants.size(); ++k)
      host_->coefficients()[k] = taken->coefficients()[k] = Coefficient::constant(c.constants[k]);
    for (const auto kinds : {solid_device_forms(), flow_device_forms()})
      for (const DeviceKind& kind : kinds)
        if (taken && kind.has(*taken)) on_device_ = kind.take(std::move(taken), device);
    X_there_ = DeviceArray<double>(device, std::span<const double>(X_));
    u_there_ = DeviceArray<double>(device, std::span<const double>(u_));
    direction_there_ = DeviceArray<double>(device, std::span<const double>(direction_));
  }

  std::size_t n_cells() const { return static_cast<std::size_t>(dofs_->mesh().cells[0].count()); }
  std::size_t n_unknowns() const { return u_.size(); }
  const std::shared_ptr<const DofMap>& dofs() const { return dofs_; }
  const WeakForm& on_device() const { return *on_device_; }
  Arguments there() const { return {X_there_.data(), u_there_.data(), direction_there_.data()}; }
  std::size_t size(Result r) const { return r == Result::unknowns ? u_.size() : r == Result::coordinates ? X_.size() : n_cells(); }
  /// Gives the first coefficient a value per cell where the operation's result has one.
  void prepare(const Operation& o) {
    if (o.result != Result::cells) return;
    for (WeakForm* form : {host_.get(), on_device_.get()})
      if (Coefficient& c = form->coefficients()[0]; c.layout == Coefficient::Layout::constant) c = {Coefficient::Layout::per_cell, Array(n_cells(), c.values[0])};
  }
  /// That must be read and written once.
  double bytes(const Operation& o) const {
    const CellBlock& block = dofs_->mesh().cells[0];
    return 8.0 * (X_.size() + o.unknowns_read * u_.size() + 2 * size(o.result)) + 4.0 * block.nodes.size();
  }
  /// Largest difference from the host's numbers, by their largest.
  double difference(const Operation& o) {
    prepare(o);
    Array expected(size(o.result), 0.0);
    o.call(*host_, {X_.data(), u_.data(), direction_.data()}, expected.data());
    DeviceArray<double> out(device_, expected.size());
    out.clear();
    o.call(*on_device_, there(), out.data());
    return difference(out.download(), expected);
  }
  double difference_of_tangents() const {
    const auto values = [&](const WeakForm& form, const Arguments& at) {
      AssembledMatrix K(dofs_);
      K.begin();
      form.jacobian(at.state(), K);
      K.end();
      MatInfo info;
      check(MatGetInfo(K.mat(), MAT_LOCAL, &info));
      double* numbers = nullptr;
      check(MatSeqAIJGetArray(K.mat(), &numbers));
      const Array all(numbers, numbers + static_cast<std::size_t>(info.nz_used));
      check(MatSeqAIJRestoreArray(K.mat(), &numbers));
      return all;
    };
    return difference(values(*on_device_, there()), values(*host_, {X_.data(), u_.data(), direction_.data()}));
  }

 private:
  static double difference(const Array& a, const Array& b) {
    double worst = 0, largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (!std::isfinite(a[i])) return HUGE_VAL;
      worst = std::max(worst, std::abs(a[i] - b[i])), largest = std::max(largest, std::abs(b[i]));
    }
    return worst / largest;
  }

  std::shared_ptr<Device> device_;
  std::shared_ptr<const DofMap> dofs_;
  std::unique_ptr<WeakForm> host_, on_device_;
  Array X_, u_, direction_;
  DeviceArray<double> X_there_, u_there_, direction_there_;
};

class Bench {
 public:
  Bench(std::shared_ptr<Device> device, int cells, int repetitions, std::string name)
      : device_(std::move(device)), cells_(cells), repetitions_(repetitions), name_(std::move(name)), one_(device_, Array{0.0}) {
    std::printf("%s\n%-31s %10s %10s %10s %10s %9s %s\n", device_->description().c_str(), "", "cells", "unknowns", "ms a call", "Mcells/s",
                "Mdofs/s", "at least GB/s; kernels, uploads, downloads a call");
  }
  void forms(const Case& c) {
    const int per_side = c.order == 1 ? 2 * cells_ : cells_;
    std::unique_ptr<Box> box;
    for (const Operation& o : operations()) {
      if (!wanted(c.name, o.name)) continue;
      hold(c.name, o.name, Box(c, std::min(per_side, 6), device_).difference(o));
      if (!box) box = std::make_unique<Box>(c, per_side, device_);
      box->prepare(o);
      if (std::strcmp(o.name, "product") == 0) hold(c.name, o.name, box->difference(o));
      DeviceArray<double> out(device_, box->size(o.result));
      out.clear();
      measure(c.name, o.name, double(box->n_cells()), double(box->n_unknowns()), box->bytes(o), [&] { o.call(box->on_device(), box->there(), out.data()); });
    }
    box.reset();
    if (wanted(c.name, "tangent")) tangent(c, std::min(per_side, 20));
  }
  void vectors() {
    const PetscInt n = 3 * (2 * cells_ + 1) * (2 * cells_ + 1) * (2 * cells_ + 1);
    constexpr PetscInt many = 8;
    std::vector<VecHandle> x;
    std::vector<Vec> all;
    for (PetscInt k = 0; k <= many; ++k) {
      x.push_back(create_device_vector(device_, n));
      check(VecSet(x.back(), 1.0 / (1 + k)));
      all.push_back(x.back());
    }
    const Vec y = all.back();
    double result = 0, results[many];
    const Array factors(many, 1e-3);
    struct Line {
      const char* name;
      double arrays;
      std::function<void()> work;
    };
    for (const Line& line : {Line{"axpy", 3, [&] { check(VecAXPY(y, 1e-3, all[0])); }}, Line{"scale", 2, [&] { check(VecScale(y, 1.000001)); }},
                             Line{"dot", 2, [&] { check(VecDot(all[0], y, &result)); }}, Line{"norm", 1, [&] { check(VecNorm(y, NORM_1, &result)); }},
                             Line{"8 dots", many + 1, [&] { check(VecMDot(y, many, all.data(), results)); }},
                             Line{"8 axpys", many + 2, [&] { check(VecMAXPY(y, many, factors.data(), all.data())); }}})
      if (wanted("vectors", line.name)) measure("vectors", line.name, 0, double(n), line.arrays * n * 8.0, line.work);
  }
  bool passed() const { return passed_; }

 private:
  bool wanted(const std::string& name, const char* operation) const { return (name + " " + operation).find(name_) != std::string::npos; }
  void hold(const std::string& name, const char* operation, double difference) {
    if (difference <= 1e-12) return;
    std::printf("%s %s: differs from the host's by %.1e\n", name.c_str(), operation, difference);
    passed_ = false;
  }
  void tangent(const Case& c, int per_side) {
    hold(c.name, "tangent", Box(c, std::min(per_side, 4), device_).difference_of_tangents());
    const Box box(c, per_side, device_);
    AssembledMatrix K(box.dofs());
    K.begin();
    MatInfo info;
    check(MatGetInfo(K.mat(), MAT_LOCAL, &info));
    measure(c.name, "tangent, brought to the host", double(box.n_cells()), double(box.n_unknowns()), 8.0 * info.nz_used,
            [&] { box.on_device().jacobian(box.there().state(), K); });
    K.end();
  }
  /// Waits for the device.
  void synchronise() const { one_.download(); }

  void measure(const std::string& name, const char* operation, double cells, double unknowns, double bytes, const std::function<void()>& work) const {
    constexpr int calls = 5;
    work();
    synchronise();
    const DeviceTraffic before = device_->traffic();
    work();
    const DeviceTraffic after = device_->traffic();
    Array seconds;
    for (int r = 0; r < repetitions_; ++r) {
      synchronise();
      const double start = now();
      for (int k = 0; k < calls; ++k) work();
      synchronise();
      seconds.push_back((now() - start) / calls);
    }
    std::ranges::nth_element(seconds, seconds.begin() + repetitions_ / 2);
    const double s = seconds[repetitions_ / 2];
    std::printf("%-31s %10.0f %10.0f %10.4f %10.1f %9.1f %7.1f; %lld, %lld, %lld\n", (name + " " + operation).c_str(), cells, unknowns, 1e3 * s,
                1e-6 * cells / s, 1e-6 * unknowns / s, 1e-9 * bytes / s, after.kernels - before.kernels, after.uploads - before.uploads,
                after.downloads - before.downloads);
    std::fflush(stdout);
  }

  std::shared_ptr<Device> device_;
  int cells_, repetitions_;
  std::string name_;
  DeviceArray<double> one_;
  bool passed_ = true;
};

}  // namespace

int main(int argc, char** argv) {
  const std::string kind = argc > 3 ? argv[1] : "";
  const int cells = argc > 3 ? std::atoi(argv[2]) : 0, repetitions = argc > 3 ? std::atoi(argv[3]) : 0;
  if ((kind != "emulation" && kind != "cuda") || cells < 1 || repetitions < 1 || argc > 5) {
    std::fprintf(stderr, "usage: bench_device emulation|cuda CELLS REPETITIONS [NAME]\n");
    return 2;
  }
  check(PetscInitialize(nullptr, nullptr, nullptr, nullptr));
  bool passed = true;
  try {
    Bench bench(make_device(kind == "cuda" ? Device::Kind::cuda : Device::Kind::emulation), cells, repetitions, argc > 4 ? argv[4] : "");
    for (const Case& c : cases()) bench.forms(c);
    bench.vectors();
    passed = bench.passed();
  } catch (const DeviceError& e) {
    std::fprintf(stderr, "bench_device: %s\n", e.what());
    return 4;
  }
  check(PetscFinalize());
  return passed ? 0 : 1;
}
