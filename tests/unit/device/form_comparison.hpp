#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "libfem/device/device_array.hpp"
#include "libfem/device/device_form.hpp"
#include "libfem/device/device_library.hpp"
#include "libfem/solid/solid_device.hpp"
#include "libfluid/flow/flow_device.hpp"
#include "tests/unit/device/guarded_device.hpp"
#include "tests/unit/form/test_meshes.hpp"

namespace invar::device_test {

using Array = std::vector<double>;

/// Largest |a|; ∞ where a number is not finite.
inline double largest(const Array& a) {
  double size = 0;
  for (const double v : a) {
    if (!std::isfinite(v)) return HUGE_VAL;
    size = std::max(size, std::abs(v));
  }
  return size;
}

/// Largest |a − b| over the largest |b|; 0 where both vanish, ∞ for arrays of different lengths and numbers that are not finite.
inline double difference(const Array& a, const Array& b) {
  double worst = 0, size = 0;
  if (a.size() != b.size()) return HUGE_VAL;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!std::isfinite(a[i])) return HUGE_VAL;
    worst = std::max(worst, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(b[i]));
  }
  return worst == 0 ? 0 : worst / size;
}

enum class Domain { cells, facets, points };

/// A q-function as a form on the host and on a device.
struct FormCase {
  std::string name;
  int dim;
  Domain domain;
  std::vector<Component> components;  // of a mesh of second order; at order 1 all have order 1
  Array constants;                    // typical values of the coefficients
  std::function<std::unique_ptr<WeakForm>(CellBatches)> on_host;
  std::function<std::unique_ptr<WeakForm>(CellBatches, std::shared_ptr<Device>)> on_device;
  bool listed = false;                // in the libraries' lists, which nvcc compiles
};

inline void PrintTo(const FormCase& c, std::ostream* out) { *out << c.name; }

template <class Q, class Host>
FormCase form_case(std::string name, Q q, Domain domain, std::vector<Component> components, Array constants, Host host) {
  return {std::move(name), Q::dim, domain, std::move(components), std::move(constants), host,
          [q, host](CellBatches batches, std::shared_ptr<Device> device) -> std::unique_ptr<WeakForm> {
            auto on_host = host(batches);
            return std::make_unique<DeviceForm<Q>>(q, batches, std::move(device), std::move(on_host));
          }};
}

/// A form of the libraries' lists on a device, as the program converts it.
inline std::unique_ptr<WeakForm> take_listed(std::unique_ptr<WeakForm> host, const std::shared_ptr<Device>& device) {
  for (const auto kinds : {solid_device_forms(), flow_device_forms()})
    for (const DeviceKind& kind : kinds)
      if (kind.has(*host)) return kind.take(std::move(host), device);
  throw std::logic_error("a form that is in no list");
}
/// The same for a q-function Q of these lists, whose kernels the libraries have compiled.
template <class Q, class Host>
FormCase listed_case(std::string name, Domain domain, std::vector<Component> components, Array constants, Host host) {
  return {std::move(name), Q::dim, domain, std::move(components), std::move(constants), host,
          [host](CellBatches batches, std::shared_ptr<Device> device) { return take_listed(host(std::move(batches)), device); }, true};
}

/// What a form answers: of every verb, each array that it adds to, by name.
using Answers = std::vector<std::pair<std::string, Array>>;

/// Arrays that a form reads and adds to, on the host or, with a device, there.
class Arrays {
 public:
  /// expected: what the form should answer.
  Arrays(std::shared_ptr<Device> device, const Answers* expected) : device_(std::move(device)), expected_(expected) {}
  const double* read(const Array& values) {
    return device_ ? read_.emplace_back(device_, std::span<const double>(values)).data() : values.data();
  }
  /// An array that begins with 0, or with minus what is expected: 0 is left where the form adds just that.
  double* added(std::string name, std::size_t size, bool always_on_host = false) {
    Array begin(size, 0.0);
    if (expected_) {
      const Array& e = expected_->at(answers_.size()).second;
      if (e.size() != size) throw std::logic_error(name + ": arrays of different lengths");
      for (std::size_t i = 0; i < size; ++i) begin[i] = -e[i];
    }
    Array& values = answers_.emplace_back(std::move(name), std::move(begin)).second;
    auto& copy = copies_.emplace_back();
    if (!device_ || always_on_host) return values.data();
    copy.emplace(device_, std::span<const double>(values));
    return copy->data();
  }
  Answers answers() {
    for (std::size_t k = 0; k < answers_.size(); ++k)
      if (copies_[k]) answers_[k].second = copies_[k]->download();
    return {answers_.begin(), answers_.end()};
  }

 private:
  std::shared_ptr<Device> device_;
  const Answers* expected_;
  std::deque<DeviceArray<double>> read_;
  std::deque<std::pair<std::string, Array>> answers_;
  std::deque<std::optional<DeviceArray<double>>> copies_;
};

/// Both forms on one mesh of bent cells at a random state near rest; coefficients are constant, per cell and per node in turn.
class Comparison {
 public:
  Comparison(const FormCase& c, Shape shape, int order, std::shared_ptr<Device> device) : device_(device) {
    auto components = c.components;
    for (Component& k : components) k.order = std::min(k.order, order);
    dofs_ = std::make_shared<const DofMap>(std::make_shared<const Mesh>(test::distorted_block(shape, order, true)), components, PETSC_COMM_SELF);
    const CellBatches batches = c.domain == Domain::cells    ? CellBatches::on_cells(dofs_, "", 2 * order)
                                : c.domain == Domain::facets ? CellBatches::on_facets(dofs_, "right", 2 * order)
                                                             : CellBatches::on_points(dofs_, "right");
    host_ = c.on_host(batches);
    on_device_ = c.on_device(batches, std::move(device));
    const Mesh& mesh = dofs_->mesh();
    int n_cells = 0;
    for (const CellBlock& block : mesh.cells) n_cells += block.count();
    if (c.domain != Domain::cells) n_cells = 0;  // values per cell are those of cells
    X_ = mesh.coordinates;
    for (double& x : X_) x += 0.3;  // axisymmetric bodies away from their axis
    for (Level l : all_levels) {
      u_[l] = random(dofs_->n_local(), 0.03);
      du_[l] = random(dofs_->n_local(), 1.0);
    }
    lambda_ = random(dofs_->n_local(), 1.0);
    for (std::size_t k = 0; k < c.constants.size(); ++k) {
      Coefficient value = Coefficient::constant(c.constants[k]);
      const std::size_t n = k % 3 == 1 ? std::size_t(n_cells) : k % 3 == 2 ? std::size_t(mesh.node_total()) : 0;
      if (n > 0) {
        value.layout = k % 3 == 1 ? Coefficient::Layout::per_cell : Coefficient::Layout::per_node;
        value.values = random(n, 0.1 * std::abs(c.constants[k]));
        for (double& v : value.values) v += c.constants[k];
      }
      host_->coefficients()[k] = value;
      on_device_->coefficients()[k] = value;
    }
    dX_ = random(X_.size(), 1.0), dlambda_ = random(lambda_.size(), 1.0);
    for (const Coefficient& value : host_->coefficients()) dc_.push_back(random(value.values.size(), std::abs(value.values[0])));
  }

  /// The largest difference of all that both say, each relative to its largest number: from arrays on the host, and on the device.
  void expect_equal(double tolerance) {
    const Answers expected = answers(*host_, nullptr, nullptr);
    for (const auto& [name, values] : expected)
      if (name == "residual") {
        EXPECT_GT(largest(values), 1e-6) << "the residual vanishes";
      }
    for (const auto& there : {std::shared_ptr<Device>(), device_}) {
      SCOPED_TRACE(there ? "arrays on the device" : "arrays on the host");
      const Answers left = answers(*on_device_, there, &expected);
      ASSERT_EQ(left.size(), expected.size());
      for (std::size_t k = 0; k < left.size(); ++k)
        EXPECT_LE(largest(left[k].second), tolerance * largest(expected[k].second)) << left[k].first;
    }
  }
  /// A state with turned-over cells is inadmissible on both.
  void expect_inadmissible() {
    for (double& v : u_[Level::value]) v *= 100;
    Arrays arrays(nullptr, nullptr);
    Array r(dofs_->n_local(), 0), expected = r;
    EXPECT_FALSE(host_->residual(state(arrays), expected.data()));
    EXPECT_FALSE(on_device_->residual(state(arrays), r.data()));
  }

 private:
  bool is_functional() const {
    Arrays arrays(nullptr, nullptr);
    Array r(dofs_->n_local(), 0);
    try {
      host_->residual(state(arrays), r.data());
    } catch (const std::logic_error&) {
      return true;
    }
    return false;
  }
  FormState state(Arrays& arrays) const {
    FormState at;
    at.coordinates = arrays.read(X_);
    for (Level l : all_levels) at.unknown[l] = arrays.read(u_[l]);
    return at;
  }

  /// All verbs, with arrays on a device or, null, on the host.
  Answers answers(WeakForm& form, const std::shared_ptr<Device>& there, const Answers* expected) const {
    Arrays arrays(there, expected);
    const FormState at = state(arrays);
    FormTangent along, all;  // a direction of the unknown alone, and of everything
    for (Level l : all_levels) along.unknown[l] = all.unknown[l] = arrays.read(du_[l]);
    all.coordinates = arrays.read(dX_), all.multiplier = arrays.read(dlambda_);
    for (const Array& c : dc_) all.coefficients.push_back(c.data());
    const auto gradients = [&](const std::string& verb, const auto& call) {
      FormCotangent out;
      for (Level l : all_levels) out.unknown[l] = arrays.added(verb + " to the unknown, level " + std::to_string(int(l)), dofs_->n_local());
      out.coordinates = arrays.added(verb + " to coordinates", X_.size());
      for (std::size_t k = 0; k < dc_.size(); ++k)
        out.coefficients.push_back(arrays.added(verb + " to coefficient " + std::to_string(k), dc_[k].size(), true));
      call(out);
    };
    const auto rows = [&](const std::string& verb) { return arrays.added(verb, dofs_->n_local()); };
    const bool functional = is_functional();
    if (host_->traits().potential || functional) {
      *arrays.added("value", 1, true) += form.value(at);
      *arrays.added("value_jvp", 1, true) += form.value_jvp(at, all);
      gradients("value_vjp", [&](FormCotangent& out) { form.value_vjp(at, 0.7, out); });
      gradients("value_vjp_tangent", [&](FormCotangent& out) { form.value_vjp_tangent(at, 0.7, all, out); });
    }
    if (functional) return arrays.answers();
    EXPECT_TRUE(form.residual(at, rows("residual")));
    form.jvp(at, along, rows("jvp"));
    form.jvp(at, all, rows("jvp along coordinates and coefficients, too"));
    const double* lambda = arrays.read(lambda_);
    gradients("vjp", [&](FormCotangent& out) { form.vjp(at, lambda, out); });
    gradients("vjp_tangent", [&](FormCotangent& out) { form.vjp_tangent(at, lambda, all, out); });
    PerLevel<double> weights(1.0);
    weights[Level::rate] = 0.3, weights[Level::acceleration] = 2.0, weights[Level::predicted] = 0.6;
    const Array entries = matrix(form, at, weights);
    double* const sums = arrays.added("jacobian", entries.size(), true);
    for (std::size_t i = 0; i < entries.size(); ++i) sums[i] += entries[i];
    return arrays.answers();
  }

  Array matrix(const WeakForm& form, const FormState& at, const PerLevel<double>& weights) const {
    AssembledMatrix K(dofs_);
    std::vector<char> fixed(dofs_->n_local(), 0);
    for (std::size_t i = 0; i < fixed.size(); i += 7) fixed[i] = 1;
    K.constrain(fixed);
    K.begin();
    form.jacobian(at, weights, K);
    K.end();
    MatInfo info;
    check(MatGetInfo(K.mat(), MAT_LOCAL, &info));
    double* values = nullptr;
    check(MatSeqAIJGetArray(K.mat(), &values));
    const Array all(values, values + static_cast<std::size_t>(info.nz_used));
    check(MatSeqAIJRestoreArray(K.mat(), &values));
    return all;
  }

  Array random(std::size_t n, double size) {
    std::uniform_real_distribution<double> uniform(-size, size);
    Array a(n);
    for (double& v : a) v = uniform(random_);
    return a;
  }

  std::mt19937 random_{7};
  std::shared_ptr<Device> device_;
  std::shared_ptr<const DofMap> dofs_;
  std::unique_ptr<WeakForm> host_, on_device_;
  Array X_, lambda_, dX_, dlambda_;
  std::vector<Array> dc_;  // directions of the coefficients
  PerLevel<Array> u_, du_;
};

/// The CUDA device of this machine; null: there is none, or this program was built without INVAR_CUDA_PROGRAM.
inline const std::shared_ptr<Device>& cuda_device() {
  static const std::shared_ptr<Device> found = []() -> std::shared_ptr<Device> {
    try {
      return make_device(Device::Kind::cuda);
    } catch (const DeviceError&) {
      return nullptr;
    }
  }();
  return found;
}

/// Kernels in emulation, and on a CUDA device where there is one, against the host's on all types of cells; and under watch, where threads run
/// in random order: on one type of cells, or on all.
inline void expect_same_as_host(const FormCase& c, bool watch_all_cells = false) {
  constexpr double tolerance = 1e-12;
  SCOPED_TRACE(c.name);
  const std::shared_ptr<Device> emulation = std::make_shared<GuardedDevice>(), watched = make_device(Device::Kind::watched);
  const std::vector<Shape> shapes = c.dim == 2 ? std::vector{Shape::triangle, Shape::quadrilateral} : std::vector{Shape::tetrahedron, Shape::hexahedron};
  for (const Shape shape : shapes)
    for (const int order : {1, 2}) {
      SCOPED_TRACE(std::string(name_of(shape)) + " of order " + std::to_string(order));
      Comparison(c, shape, order, emulation).expect_equal(tolerance);
      if (watch_all_cells || (shape == shapes.front() && order == 2)) {
        SCOPED_TRACE("watched");
        Comparison(c, shape, order, watched).expect_equal(tolerance);
      }
      if (!c.listed || !cuda_device()) continue;
      SCOPED_TRACE("CUDA");
      Comparison(c, shape, order, cuda_device()).expect_equal(tolerance);
    }
  EXPECT_TRUE(watched->conflicts().empty()) << *watched->conflicts().begin();
}

}  // namespace invar::device_test
