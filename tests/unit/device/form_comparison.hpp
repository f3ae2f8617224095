#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "libfem/device/device_form.hpp"
#include "libfem/device/device_library.hpp"
#include "libfem/solid/solid_device.hpp"
#include "libfluid/flow/flow_device.hpp"
#include "tests/unit/form/test_meshes.hpp"

namespace invar::device_test {

using Array = std::vector<double>;

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

/// Both forms on one mesh of bent cells at a random state near rest; coefficients are constant, per cell and per node in turn.
class Comparison {
 public:
  Comparison(const FormCase& c, Shape shape, int order, std::shared_ptr<Device> device) {
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
  }

  /// The largest difference of all that both say, each relative to its largest number.
  void expect_equal(double tolerance) const {
    if (has_value()) {
      const double expected = host_->value(state());
      EXPECT_NEAR(on_device_->value(state()), expected, tolerance * std::abs(expected)) << "value";
      expect_gradients("value_vjp", tolerance, [&](const WeakForm& f, FormCotangent& out) { f.value_vjp(state(), 0.7, out); });
    }
    if (is_functional()) return;
    Array r(dofs_->n_local(), 0.5), expected = r;  // both add to what is there
    EXPECT_EQ(on_device_->residual(state(), r.data()), host_->residual(state(), expected.data())) << "admissible";
    EXPECT_LE(difference(r, expected), tolerance) << "residual";
    EXPECT_GT(difference(Array(r.size(), 0.5), expected), 1e-6) << "the residual vanishes";
    Array r_dot(r.size(), 0), expected_dot = r_dot;
    FormTangent direction;
    for (Level l : all_levels) direction.unknown[l] = du_[l].data();
    on_device_->jvp(state(), direction, r_dot.data());
    host_->jvp(state(), direction, expected_dot.data());
    EXPECT_LE(difference(r_dot, expected_dot), tolerance) << "jvp";
    expect_gradients("vjp", tolerance, [&](const WeakForm& f, FormCotangent& out) { f.vjp(state(), lambda_.data(), out); });
    const PerLevel<double> weights = [] {
      PerLevel<double> w(1.0);
      w[Level::rate] = 0.3, w[Level::acceleration] = 2.0, w[Level::predicted] = 0.6;
      return w;
    }();
    EXPECT_LE(difference(matrix(*on_device_, weights), matrix(*host_, weights)), tolerance) << "jacobian";
  }
  /// A state with turned-over cells is inadmissible on both.
  void expect_inadmissible() {
    for (double& v : u_[Level::value]) v *= 100;
    Array r(dofs_->n_local(), 0), expected = r;
    EXPECT_FALSE(host_->residual(state(), expected.data()));
    EXPECT_FALSE(on_device_->residual(state(), r.data()));
  }

 private:
  bool has_value() const { return host_->traits().potential || is_functional(); }
  bool is_functional() const {
    Array r(dofs_->n_local(), 0);
    try {
      host_->residual(state(), r.data());
    } catch (const std::logic_error&) {
      return true;
    }
    return false;
  }
  FormState state() const {
    FormState at;
    at.coordinates = X_.data();
    for (Level l : all_levels) at.unknown[l] = u_[l].data();
    return at;
  }

  template <class Call>
  void expect_gradients(const char* name, double tolerance, const Call& call) const {
    const auto all = [&](WeakForm& form) {
      std::vector<Array> out;
      for (int l = 0; l < level_count; ++l) out.emplace_back(dofs_->n_local(), 0.0);
      out.emplace_back(X_.size(), 0.0);
      for (const Coefficient& c : form.coefficients()) out.emplace_back(c.values.size(), 0.0);
      FormCotangent target;
      for (Level l : all_levels) target.unknown[l] = out[int(l)].data();
      target.coordinates = out[level_count].data();
      for (std::size_t k = level_count + 1; k < out.size(); ++k) target.coefficients.push_back(out[k].data());
      call(form, target);
      return out;
    };
    const auto expected = all(*host_), found = all(*on_device_);
    for (std::size_t k = 0; k < found.size(); ++k)
      EXPECT_LE(difference(found[k], expected[k]), tolerance)
          << name << (k < level_count ? " to the unknown, level " : k == level_count ? " to coordinates " : " to coefficient ")
          << (k > level_count ? k - level_count - 1 : k);
  }

  Array matrix(const WeakForm& form, const PerLevel<double>& weights) const {
    AssembledMatrix K(dofs_);
    std::vector<char> fixed(dofs_->n_local(), 0);
    for (std::size_t i = 0; i < fixed.size(); i += 7) fixed[i] = 1;
    K.constrain(fixed);
    K.begin();
    form.jacobian(state(), weights, K);
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
  std::shared_ptr<const DofMap> dofs_;
  std::unique_ptr<WeakForm> host_, on_device_;
  Array X_, lambda_;
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
/// in random order.
inline void expect_same_as_host(const FormCase& c) {
  constexpr double tolerance = 1e-12;
  SCOPED_TRACE(c.name);
  const auto emulation = make_device(Device::Kind::emulation), watched = make_device(Device::Kind::watched);
  const std::vector<Shape> shapes = c.dim == 2 ? std::vector{Shape::triangle, Shape::quadrilateral} : std::vector{Shape::tetrahedron, Shape::hexahedron};
  for (const Shape shape : shapes)
    for (const int order : {1, 2}) {
      SCOPED_TRACE(std::string(name_of(shape)) + " of order " + std::to_string(order));
      Comparison(c, shape, order, emulation).expect_equal(tolerance);
      if (!c.listed || !cuda_device()) continue;
      SCOPED_TRACE("CUDA");
      Comparison(c, shape, order, cuda_device()).expect_equal(tolerance);
    }
  Comparison(c, shapes.front(), 2, watched).expect_equal(tolerance);
  EXPECT_TRUE(watched->conflicts().empty()) << *watched->conflicts().begin();
}

}  // namespace invar::device_test
