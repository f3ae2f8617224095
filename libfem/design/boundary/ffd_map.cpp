#include "libfem/design/boundary/ffd_map.hpp"

#include <algorithm>
#include <stdexcept>

#include "libfem/design/boundary/ffd_lattice.hpp"
#include "libfem/design/boundary/spline_basis.hpp"

namespace invar {
namespace {

SplineBasis basis_of(int count, int highest_degree) {
  return SplineBasis::clamped(highest_degree == 0 ? count - 1 : std::min(highest_degree, count - 1), count);
}

/// w(x) = Σ_ijk X_i Y_j Z_k · control ijk. Linear, but stored as a product of three short rows per point: the full matrix of
/// weights would be large if every control acts on every point.
class FfdMap final : public BoundaryMap {
 public:
  FfdMap(int n_points, int dim, FfdLattice lattice) : n_points_(n_points), dim_(dim), lattice_(std::move(lattice)) {}

  std::vector<std::string> names() const override { return lattice_.names(); }
  int point_count() const override { return n_points_; }
  void add(int point, std::array<SplineBasis::Support, 3> weights) { inside_.push_back({point, std::move(weights)}); }

  void displace(const double* theta, double* w) const override {
    std::fill_n(w, std::size_t(n_points_) * dim_, 0.0);
    const std::vector<double> controls = lattice_.expand(theta);
    for_every_weight([&](int point, int place, double weight) {
      for (int d = 0; d < dim_; ++d) w[std::size_t(point) * dim_ + d] += weight * controls[place + d];
    });
  }
  void jvp(const double*, const double* theta_dot, double* w_dot) const override { displace(theta_dot, w_dot); }
  void vjp(const double* theta, const double* w_bar, double* theta_bar) const override {
    std::vector<double> controls_bar(lattice_.expand(theta).size(), 0.0);
    for_every_weight([&](int point, int place, double weight) {
      for (int d = 0; d < dim_; ++d) controls_bar[place + d] += weight * w_bar[std::size_t(point) * dim_ + d];
    });
    lattice_.collect(controls_bar, theta_bar);
  }
  void vjp_tangent(const double*, const double*, const double*, double*) const override {}

 private:
  /// A point in the box and the weights of the lattice's layers in each direction.
  struct Inside {
    int point;
    std::array<SplineBasis::Support, 3> weights;
  };
  template <class F>
  void for_every_weight(F f) const {
    for (const auto& [point, weights] : inside_) {
      const auto& [X, Y, Z] = weights;
      for (std::size_t i = 0; i < X.index.size(); ++i)
        for (std::size_t j = 0; j < Y.index.size(); ++j)
          for (std::size_t k = 0; k < Z.index.size(); ++k)
            f(point, lattice_.place({X.index[i], Y.index[j], Z.index[k]}), X.value[i] * Y.value[j] * Z.value[k]);
    }
  }

  int n_points_, dim_;
  FfdLattice lattice_;
  std::vector<Inside> inside_;
};

}  // namespace

std::unique_ptr<BoundaryMap> make_ffd_map(const std::vector<double>& points, int dim,
                                          const std::array<double, 3>& lower, const std::array<double, 3>& upper,
                                          const std::array<int, 3>& counts, const FfdOptions& options) {
  for (int d = 0; d < dim; ++d)
    if (!(lower[d] < upper[d]))
      throw std::invalid_argument("the free-form box is empty: each lower corner coordinate must be below the upper");
  const int n_points = static_cast<int>(points.size()) / dim;
  auto map = std::make_unique<FfdMap>(n_points, dim, FfdLattice(dim, lower, upper, counts, options));
  const std::array basis{basis_of(counts[0], options.degree), basis_of(counts[1], options.degree),
                         basis_of(dim == 3 ? counts[2] : 1, options.degree)};
  for (int p = 0; p < n_points; ++p) {
    std::array<double, 3> s{};  // place in the box, 0 to 1
    for (int d = 0; d < dim; ++d) s[d] = (points[std::size_t(p) * dim + d] - lower[d]) / (upper[d] - lower[d]);
    constexpr double round_off = 1e-10;
    if (std::ranges::all_of(s, [](double x) { return x >= -round_off && x <= 1 + round_off; }))
      map->add(p, {basis[0].at(s[0]), basis[1].at(s[1]), basis[2].at(s[2])});
  }
  return map;
}

}  // namespace invar
