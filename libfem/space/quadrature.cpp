#include "libfem/space/quadrature.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <stdexcept>

#include "libfem/mesh/reference_element.hpp"
#include "libfem/mesh/simplex.hpp"

namespace invar {
namespace {

/// All distinct permutations of the barycentric coordinates (a, b, …, the last one filling up to 1)
/// with one weight. Weights of a rule, counted with their permutations, sum to 1.
struct Orbit {
  double weight;
  std::array<double, 3> barycentric;
};
constexpr double third = 1.0 / 3.0;

constexpr Orbit triangle_1[] = {{1.0, {third, third}}};
constexpr Orbit triangle_2[] = {{third, {0.5 * third, 0.5 * third}}};
constexpr Orbit triangle_4[] = {
    {0.22338158967801146571, {0.44594849091596488634, 0.44594849091596488634}},
    {0.10995174365532186762, {0.09157621350977074344, 0.09157621350977074344}}};
constexpr Orbit triangle_5[] = {
    {0.225, {third, third}},
    {0.13239415278850617976, {0.47014206410511509020, 0.47014206410511509020}},
    {0.12593918054482715278, {0.10128650732345633892, 0.10128650732345633892}}};
constexpr Orbit triangle_6[] = {
    {0.11678627572637937294, {0.24928674517091041719, 0.24928674517091041719}},
    {0.05084490637020681810, {0.06308901449150222915, 0.06308901449150222915}},
    {0.08285107561837357114, {0.05314504984481694445, 0.31035245103378440856}}};
constexpr Orbit triangle_8[] = {
    {0.14431560767778718328, {third, third}},
    {0.09509163426728461454, {0.45929258829272316504, 0.45929258829272316504}},
    {0.10321737053471825654, {0.17056930775176021466, 0.17056930775176021466}},
    {0.03245849762319808023, {0.05054722831703097588, 0.05054722831703097588}},
    {0.02723031417443499380, {0.00839477740995760921, 0.26311282963463809517}}};

constexpr Orbit tetrahedron_1[] = {{1.0, {0.25, 0.25, 0.25}}};
constexpr Orbit tetrahedron_2[] = {
    {0.25, {0.13819660112501051517, 0.13819660112501051517, 0.13819660112501051517}}};
constexpr Orbit tetrahedron_3[] = {
    {0.13621783300603152517,
     {0.32816330298842073888, 0.32816330298842073888, 0.32816330298842073888}},
    {0.11378216699396847483,
     {0.10804725435239415394, 0.10804725435239415394, 0.10804725435239415394}}};
constexpr Orbit tetrahedron_4[] = {  // the first orbit: midpoints of the edges
    {2.0 / 105, {0, 0, 0.5}},
    {0.08858982474298071043,
     {0.10052676522520447969, 0.10052676522520447969, 0.10052676522520447969}},
    {0.13283874668559071814,
     {0.31437287349319219275, 0.31437287349319219275, 0.31437287349319219275}}};
constexpr Orbit tetrahedron_5[] = {
    {0.11268792571801584983,
     {0.31088591926330060966, 0.31088591926330060966, 0.31088591926330060966}},
    {0.07349304311636194936,
     {0.09273525031089122632, 0.09273525031089122632, 0.09273525031089122632}},
    {0.04254602077708146719,
     {0.04550370412564965031, 0.04550370412564965031, 0.45449629587435034969}}};
constexpr Orbit tetrahedron_6[] = {
    {0.03992275025816751007,
     {0.21460287125915200762, 0.21460287125915200762, 0.21460287125915200762}},
    {0.01007721105532064410,
     {0.04067395853461135652, 0.04067395853461135652, 0.04067395853461135652}},
    {0.05535718154365471072,
     {0.32233789014227551574, 0.32233789014227551574, 0.32233789014227551574}},
    {0.04821428571428571169,
     {0.06366100187501752365, 0.06366100187501752365, 0.26967233145831581039}}};

std::span<const Orbit> symmetric_rule(Shape shape, int degree) {
  if (shape == Shape::triangle) {
    if (degree <= 1) return triangle_1;
    if (degree <= 2) return triangle_2;
    if (degree <= 4) return triangle_4;
    if (degree <= 5) return triangle_5;
    if (degree <= 6) return triangle_6;
    if (degree <= 8) return triangle_8;
  } else if (shape == Shape::tetrahedron) {
    if (degree <= 1) return tetrahedron_1;
    if (degree <= 2) return tetrahedron_2;
    if (degree <= 3) return tetrahedron_3;
    if (degree <= 4) return tetrahedron_4;
    if (degree <= 5) return tetrahedron_5;
    if (degree <= 6) return tetrahedron_6;
  }
  return {};
}

Quadrature expand(std::span<const Orbit> orbits, int dimension) {
  Quadrature rule;
  const double measure = dimension == 2 ? 1.0 / 2.0 : 1.0 / 6.0;
  for (const Orbit& orbit : orbits) {
    std::array<double, 4> L{2, 2, 2, 2};  // unused places sort to the end
    double rest = 1;
    for (int d = 0; d < dimension; ++d) rest -= L[d] = orbit.barycentric[d];
    // equal coordinates must be bitwise equal, otherwise permutations would be counted twice
    L[dimension] = rest;
    for (int d = 0; d < dimension; ++d)
      if (std::abs(rest - L[d]) < 1e-12) L[dimension] = L[d];
    std::ranges::sort(L);
    do {
      rule.points.insert(rule.points.end(), L.begin(), L.begin() + dimension);
      rule.weights.push_back(measure * orbit.weight);
    } while (std::next_permutation(L.begin(), L.begin() + dimension + 1));
  }
  return rule;
}

/// Gauss points and weights on [0, 1] for the weight function (1 − x)^alpha, exact to degree 2n −
/// 1: eigenvalues of the Jacobi matrix (Golub and Welsch 1969).
Quadrature gauss_jacobi(int n, int alpha) {
  const double a = alpha;
  Eigen::VectorXd diagonal(n), off(std::max(n - 1, 0));
  for (int k = 0; k < n; ++k)
    diagonal[k] = k == 0 ? -a / (a + 2) : -a * a / ((2 * k + a) * (2 * k + a + 2));
  for (int k = 1; k < n; ++k) {
    const double s = 2 * k + a;
    off[k - 1] = 2 * k * (k + a) / (s * std::sqrt((s - 1) * (s + 1)));
  }
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen;
  eigen.computeFromTridiagonal(diagonal, off);
  Quadrature rule;
  for (int k = 0; k < n; ++k) {
    const double first = eigen.eigenvectors()(0, k);
    rule.points.push_back(0.5 * (1 + eigen.eigenvalues()[k]));
    rule.weights.push_back(first * first / (a + 1));
  }
  return rule;
}

/// Product of one-dimensional rules, one per direction, the first varies fastest.
Quadrature product(std::span<const Quadrature> lines) {
  Quadrature rule{{}, {1.0}};
  int dimension = 0;
  for (const Quadrature& line : lines) {
    Quadrature next;
    for (int j = 0; j < line.count(); ++j)
      for (int i = 0; i < rule.count(); ++i) {
        const auto point = rule.points.begin() + i * dimension;
        next.points.insert(next.points.end(), point, point + dimension);
        next.points.push_back(line.points[j]);
        next.weights.push_back(rule.weights[i] * line.weights[j]);
      }
    rule = std::move(next);
    ++dimension;
  }
  return rule;
}

/// Gauss–Jacobi on the unit simplex, the image of the unit cube under the collapse
/// (x, y, z) → (x (1−y)(1−z), y (1−z), z).
Quadrature collapsed(int dimension, int n) {
  std::vector<Quadrature> lines;
  for (int d = 0; d < dimension; ++d) lines.push_back(gauss_jacobi(n, d));
  Quadrature rule = product(lines);
  for (auto x = rule.points.begin(); x != rule.points.end(); x += dimension)
    for (int d = 1; d < dimension; ++d)
      for (int e = 0; e < d; ++e) x[e] *= 1 - x[d];
  return rule;
}

}  // namespace

Quadrature quadrature(Shape shape, int degree) {
  if (degree < 0)
    throw std::invalid_argument("quadrature degree " + std::to_string(degree) +
                                ": it must be zero or more");
  const int dimension = dimension_of(shape), n = degree / 2 + 1;
  if (is_simplex(shape)) {
    const auto orbits = symmetric_rule(shape, degree);
    return orbits.empty() ? collapsed(dimension, n) : expand(orbits, dimension);
  }
  const std::vector<Quadrature> lines(dimension, gauss_jacobi(n, 0));
  return product(lines);
}

Quadrature nodal_quadrature(CellType type) {
  const Quadrature exact = quadrature(type.shape, 2 * type.order);
  const int dimension = dimension_of(type.shape), n = node_count(type);
  Quadrature rule{reference_nodes(type), std::vector<double>(n, 0.0)};
  std::vector<double> N(n);
  double cell = 0, squares = 0;
  for (int q = 0; q < exact.count(); ++q) {
    shape_values(type, &exact.points[q * dimension], N.data());
    cell += exact.weights[q];
    for (int a = 0; a < n; ++a) rule.weights[a] += exact.weights[q] * N[a] * N[a];
  }
  for (const double w : rule.weights) squares += w;
  for (double& w : rule.weights) w *= cell / squares;
  return rule;
}

}  // namespace invar
