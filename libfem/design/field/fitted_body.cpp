#include "libfem/design/field/fitted_body.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <stdexcept>
#include <utility>

#include "libfem/mesh/contour_split.hpp"
#include "libfem/mesh/node_cells.hpp"
#include "libfem/mesh/simplex_body.hpp"

namespace invar {
namespace {

constexpr int corrections = 3;  // of nodal values: more would amplify what varies from cell to cell

/// Calls visit(cell, its vertices) for the cells of all blocks.
template <class Visit>
void for_cells(const Mesh& mesh, const Visit& visit) {
  std::size_t cell = 0;
  for (const CellBlock& block : mesh.cells) {
    const int n = node_count(block.type), vertices = vertex_count(block.type.shape);
    for (int c = 0; c < block.count(); ++c) visit(cell++, std::span<const int>(&block.nodes[std::size_t(c) * n], std::size_t(vertices)));
  }
}

/// At every node the value of the plane that fits the cells around it best, each taken at its middle: exact for linear fields.
class PlaneFits {
 public:
  PlaneFits(const Mesh& mesh, const std::vector<double>& cells) : mesh_(mesh), cells_(cells), incidence_(mesh), middle_(cells.size() * mesh.dim, 0.0) {
    for_cells(mesh, [&](std::size_t c, std::span<const int> v) {
      for (const int node : v)
        for (int i = 0; i < mesh.dim; ++i) middle_[c * mesh.dim + i] += mesh.coordinates[std::size_t(node) * mesh.dim + i] / static_cast<double>(v.size());
    });
  }
  std::vector<double> at_nodes() const {
    std::vector<double> values(static_cast<std::size_t>(mesh_.node_total()), 0.0);
    std::vector<char> is_vertex(values.size(), 0);
    for_cells(mesh_, [&](std::size_t, std::span<const int> v) {
      for (const int node : v) is_vertex[node] = 1;
    });
    for (int node = 0; node < mesh_.node_total(); ++node) {
      if (!is_vertex[node]) continue;
      const std::span<const int> around = incidence_.cells_of(node);
      std::vector<int> star(around.begin(), around.end());
      if (fit(node, star, values[node])) continue;
      for (const int cell : around)  // next to the boundary
        for (const int other : incidence_.nodes_of(cell))
          for (const int further : incidence_.cells_of(other))
            if (std::ranges::find(star, further) == star.end()) star.push_back(further);
      fit(node, star, values[node]);
    }
    return values;
  }

 private:
  /// The mean of the star if it does not determine a plane; then false.
  bool fit(int node, const std::vector<int>& star, double& value) const {
    const int dim = mesh_.dim;
    const double* x = &mesh_.coordinates[std::size_t(node) * dim];
    double size = 0;
    for (const int c : star)
      for (int i = 0; i < dim; ++i) size = std::max(size, std::abs(middle_[std::size_t(c) * dim + i] - x[i]));
    Eigen::MatrixXd normal = Eigen::MatrixXd::Zero(dim + 1, dim + 1);
    Eigen::VectorXd right = Eigen::VectorXd::Zero(dim + 1);
    value = 0;
    for (const int c : star) {
      Eigen::VectorXd row(dim + 1);
      row[0] = 1;
      for (int i = 0; i < dim; ++i) row[i + 1] = (middle_[std::size_t(c) * dim + i] - x[i]) / size;
      const double near = 1 / (0.1 + row.tail(dim).squaredNorm());
      normal += near * row * row.transpose();
      right += near * cells_[c] * row;
      value += cells_[c] / static_cast<double>(star.size());
    }
    constexpr double determined = 1e-2;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> of(normal);
    if (of.eigenvalues()[0] < determined * of.eigenvalues()[dim]) return false;
    value = (of.eigenvectors() * of.eigenvalues().cwiseInverse().asDiagonal() * of.eigenvectors().transpose() * right)[0];
    return true;
  }

  const Mesh& mesh_;
  const std::vector<double>& cells_;
  NodeCells incidence_;
  std::vector<double> middle_;
};

/// Volume of a simplex; axisymmetric: of the ring, exactly.
double ring_or_simplex(const Mesh& mesh, const double* x, const Simplex& s, bool axisymmetric) {
  const double area = simplex_volume(mesh.dim, x, s);
  if (!axisymmetric) return area;
  return area * 2 * std::numbers::pi * (x[2 * s[0]] + x[2 * s[1]] + x[2 * s[2]]) / 3;
}

/// Finds the level at which the designed cells have a volume, on the simplices of the mesh as it is.
double level_of_volume(const Mesh& mesh, const DensityOnCells& density, const std::vector<double>& nodal, double wanted) {
  const SimplexSplit split = split_into_simplices(mesh, nodal);
  const auto volume_above = [&](double level) {
    double sum = 0;
    for (std::size_t k = 0; k < split.cells.size(); ++k) {
      if (density.fixed[split.cell_parent[k]] >= 0) continue;
      double above[4];
      for (int i = 0; i <= mesh.dim; ++i) above[i] = nodal[split.cells[k][i]] - level;
      if (const double share = share_above(mesh.dim, above); share > 0)
        sum += share * ring_or_simplex(mesh, mesh.coordinates.data(), split.cells[k], density.axisymmetric);
    }
    return sum;
  };
  double low = *std::ranges::min_element(nodal), high = *std::ranges::max_element(nodal);
  constexpr double accurate = 1e-7;  // of the range of the density
  for (const double range = high - low; high - low > accurate * range;) {
    const double middle = 0.5 * (low + high);
    (volume_above(middle) > wanted ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

/// A contour and the simplices inside it.
struct BodyContour {
  double level = 0;
  ContourSplit split;
  std::vector<char> choose;  // [simplex]
  double designed = 0;       // volume in designed cells, m³
};

BodyContour contour_at(const Mesh& serial, const DensityOnCells& density, const std::vector<double>& nodal, double level) {
  BodyContour contour;
  contour.level = level;
  std::vector<double> above;
  for (const double value : nodal) above.push_back(value - level);
  contour.split = split_at_contour(serial, above, std::vector<int>(density.fixed.begin(), density.fixed.end()));
  const ContourSplit& split = contour.split;
  for (std::size_t k = 0; k < split.cells.size(); ++k) {
    const int fixed = density.fixed[split.cell_parent[k]];
    contour.choose.push_back(fixed >= 0 ? fixed > 0 : split.side[k] > 0);
    if (fixed < 0 && split.side[k] > 0) contour.designed += ring_or_simplex(serial, split.coordinates.data(), split.cells[k], density.axisymmetric);
  }
  return contour;
}

/// The contour of the level that is given, or of that with the volume. Nodes that move to the contour change the volume within it by a share of
/// second order, which is corrected as far as their jumps allow.
BodyContour find_contour(const Mesh& serial, const DensityOnCells& density, const std::vector<double>& nodal) {
  if (density.level) return contour_at(serial, density, nodal, *density.level);
  if (!(density.volume > 0)) throw std::domain_error("there is no material in the designed cells");
  constexpr int rounds = 4;
  constexpr double close = 1e-4;  // of the volume
  BodyContour best;
  double wanted = density.volume, least = INFINITY;
  for (int round = 0; round < rounds && least > close * density.volume; ++round) {
    BodyContour contour = contour_at(serial, density, nodal, level_of_volume(serial, density, nodal, wanted));
    const double missing = density.volume - contour.designed;
    wanted += missing;
    if (std::abs(missing) >= least) continue;
    least = std::abs(missing);
    best = std::move(contour);
  }
  return best;
}

/// Whether supports prevent every rigid motion of each part, in one experiment.
class PartSupports {
 public:
  PartSupports(const Mesh& mesh, const ContourSplit& split, const SimplexBody& body, bool axisymmetric, const BodySupport& support)
      : mesh_(mesh), split_(split), motions_(axisymmetric ? 1 : mesh.dim == 2 ? 3 : 6) {
    const double size = extent();
    gram_.assign(body.parts, Eigen::MatrixXd::Zero(motions_, motions_));
    touched_.assign(body.parts, 0);
    std::vector<char> done(body.node.size(), 0);
    for (std::size_t c = 0; c < body.cells.size(); ++c)
      for (int k = 0; k <= mesh.dim; ++k) {
        const int own = body.cells[c][k];
        if (std::exchange(done[own], 1)) continue;
        add(body.node[own], body.part[c], size, support);
      }
  }
  bool held(int part) const {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> of(gram_[part], Eigen::EigenvaluesOnly);
    return of.eigenvalues()[0] > 1e-10 * std::max(of.eigenvalues()[motions_ - 1], 1e-300);
  }
  bool touched(int part) const { return touched_[part] != 0; }

 private:
  double extent() const {
    double size = 0;
    for (int i = 0; i < mesh_.dim; ++i) {
      double low = INFINITY, high = -INFINITY;
      for (std::size_t n = i; n < mesh_.coordinates.size(); n += mesh_.dim) low = std::min(low, mesh_.coordinates[n]), high = std::max(high, mesh_.coordinates[n]);
      size = std::max(size, high - low);
    }
    return size;
  }
  /// Crossings are where both ends of their edge are.
  bool marked(const std::vector<char>& marks, int node, int components, int i) const {
    if (node < mesh_.node_total()) return marks[std::size_t(node) * components + i] != 0;
    const auto& [a, b] = split_.crossed_edges[node - mesh_.node_total()];
    return marks[std::size_t(a) * components + i] != 0 && marks[std::size_t(b) * components + i] != 0;
  }
  void add(int node, int part, double size, const BodySupport& support) {
    touched_[part] |= marked(support.touched, node, 1, 0);
    const double* x = &split_.coordinates[std::size_t(node) * mesh_.dim];
    for (int i = 0; i < mesh_.dim; ++i) {
      if (!marked(support.held, node, mesh_.dim, i)) continue;
      Eigen::VectorXd row = Eigen::VectorXd::Zero(motions_);
      if (motions_ == 1) row[0] = i == 1;  // along the axis
      else {
        row[i] = 1;
        const auto from_origin = [&](int k) { return (x[k] - mesh_.coordinates[k]) / size; };
        if (mesh_.dim == 2) row[2] = i == 0 ? -from_origin(1) : from_origin(0);
        else {
          const int j = (i + 1) % 3, k = (i + 2) % 3;
          row[3 + j] = from_origin(k);
          row[3 + k] = -from_origin(j);
        }
      }
      gram_[part] += row * row.transpose();
    }
  }

  const Mesh& mesh_;
  const ContourSplit& split_;
  int motions_;
  std::vector<Eigen::MatrixXd> gram_;
  std::vector<char> touched_;
};

}  // namespace

std::vector<double> nodal_from_cell_means(const Mesh& serial, const std::vector<double>& cells, const std::vector<double>& volumes) {
  const std::size_t nodes = static_cast<std::size_t>(serial.node_total());
  std::vector<double> nodal = PlaneFits(serial, cells).at_nodes(), weight(nodes, 0.0), rest(cells.size());
  for_cells(serial, [&](std::size_t c, std::span<const int> v) {
    for (const int node : v) weight[node] += volumes[c];
  });
  for (int round = 0; round < corrections; ++round) {
    for_cells(serial, [&](std::size_t c, std::span<const int> v) {
      double mean = 0;
      for (const int node : v) mean += nodal[node] / static_cast<double>(v.size());
      rest[c] = cells[c] - mean;
    });
    for_cells(serial, [&](std::size_t c, std::span<const int> v) {
      for (const int node : v) nodal[node] += rest[c] * volumes[c] / weight[node];
    });
  }
  return nodal;
}

FittedBody fit_body(const Mesh& serial, const DensityOnCells& density, const std::vector<BodySupport>& supports) {
  const int dim = serial.dim;
  std::vector<double> volumes(density.fixed.size(), 0.0);
  {
    const std::vector<double> flat(static_cast<std::size_t>(serial.node_total()), 0.0);
    const SimplexSplit whole = split_into_simplices(serial, flat);
    for (std::size_t k = 0; k < whole.cells.size(); ++k) volumes[whole.cell_parent[k]] += simplex_volume(dim, serial.coordinates.data(), whole.cells[k]);
  }
  const std::vector<double> nodal = nodal_from_cell_means(serial, density.filtered, volumes);
  FittedBody fitted;
  const BodyContour contour = find_contour(serial, density, nodal);
  const ContourSplit& split = contour.split;
  fitted.level = contour.level;
  const SimplexBody body = connect(dim, split, contour.choose);
  std::vector<char> held(body.parts, 1), keep(body.parts, 1);
  for (const BodySupport& support : supports) {
    const PartSupports in(serial, split, body, density.axisymmetric, support);
    for (int part = 0; part < body.parts; ++part) {
      const bool holds = in.held(part);
      held[part] &= holds;
      keep[part] &= holds || in.touched(part);
    }
  }
  std::vector<double> volume(body.parts, 0.0);
  for (std::size_t k = 0; k < body.chosen.size(); ++k)
    volume[body.part[k]] += ring_or_simplex(serial, split.coordinates.data(), split.cells[body.chosen[k]], density.axisymmetric);
  double all = 0;
  for (int part = 0; part < body.parts; ++part) {
    all += volume[part];
    if (keep[part]) fitted.volume += volume[part], fitted.loose_share += held[part] ? 0 : volume[part];
    else ++fitted.islands;
  }
  if (!(fitted.volume > 0)) throw std::domain_error(all > 0 ? "no part of the body is held by the supports" : "no density is above the threshold");
  fitted.island_share = 1 - fitted.volume / all;
  fitted.loose_share /= fitted.volume;
  PartialMesh left = mesh_of(serial, split, body, keep);
  fitted.mesh = std::move(left.mesh);
  fitted.parent = std::move(left.parent);
  fitted.kept_share = std::move(left.kept_share);
  return fitted;
}

}  // namespace invar
