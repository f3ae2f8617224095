#include "libfluid/fsi/with_wall_distance.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <utility>

#include "libfem/form/assembled_matrix.hpp"

namespace invar {

/// The form on cells that have no node in common.
struct WithWallDistance::Apart {
  struct Cell {
    int number;         // among all cells of this rank
    std::size_t first;  // of its nodes in WallProximity::slopes
    const int* nodes;   // of the mesh
    int n_nodes;
  };
  std::vector<Cell> cells;
  int most_nodes = 0;
  std::unique_ptr<WeakForm> form;
};

WithWallDistance::WithWallDistance(Make make, CellBatches cells, Places places, std::shared_ptr<MovedWalls> walls)
    : ForwardedForm(make(cells)), make_(std::move(make)), cells_(std::move(cells)), places_(places), walls_(std::move(walls)),
      coefficients_(forwarded().coefficients().size() - 2) {}

WithWallDistance::~WithWallDistance() = default;

int WithWallDistance::given(int k) const {
  if (k == places_.distance || k == places_.proximity) return -1;
  return k - (k > places_.distance) - (k > places_.proximity);
}

void WithWallDistance::set_coefficients(WeakForm& form) const {
  std::vector<Coefficient>& all = form.coefficients();
  for (int k = 0; k < static_cast<int>(all.size()); ++k)
    if (const int from = given(k); from >= 0) all[k] = coefficients_[from];
  all[places_.distance] = {Coefficient::Layout::per_node, walls_->distance().values()};
  all[places_.proximity] = {Coefficient::Layout::per_cell, walls_->proximity().values()};
}

void WithWallDistance::prepare(const FormState& at) const {
  walls_->move(at);
  set_coefficients(forwarded());
}

/// A direction of the form with those of its two coefficients.
struct WithWallDistance::Direction {
  std::vector<double> x, distance, proximity;
  FormTangent tangent;

  Direction(const WithWallDistance& f, const FormTangent& d) : x(f.walls_->direction(d)), tangent(d) {
    distance.resize(f.walls_->distance().values().size());
    proximity.resize(f.walls_->proximity().values().size());
    f.walls_->distance().jvp(x.data(), distance.data());
    f.walls_->proximity().jvp(x.data(), proximity.data());
    tangent.coefficients.assign(f.coefficients_.size() + 2, nullptr);
    for (int k = 0; k < static_cast<int>(tangent.coefficients.size()); ++k)
      if (const int from = f.given(k); from >= 0 && !d.coefficients.empty()) tangent.coefficients[k] = d.coefficients[from];
    tangent.coefficients[f.places_.distance] = distance.data();
    tangent.coefficients[f.places_.proximity] = proximity.data();
  }
};

/// Derivatives by the two coefficients.
struct WithWallDistance::Bars {
  std::vector<double> distance, proximity;

  explicit Bars(const WithWallDistance& f) : distance(f.walls_->distance().values().size(), 0.0), proximity(f.walls_->proximity().values().size(), 0.0) {}
  /// `out` of the form: this one's, with the two.
  FormCotangent of_form(const WithWallDistance& f, const FormCotangent& out) {
    FormCotangent all = out;
    all.coefficients.assign(f.coefficients_.size() + 2, nullptr);
    for (int k = 0; k < static_cast<int>(all.coefficients.size()); ++k)
      if (const int from = f.given(k); from >= 0 && !out.coefficients.empty()) all.coefficients[k] = out.coefficients[from];
    all.coefficients[f.places_.distance] = distance.data();
    all.coefficients[f.places_.proximity] = proximity.data();
    return all;
  }
};

// ---- derivatives: forward, then reverse; communication is the same whatever is wanted --------------------

void WithWallDistance::update_memory(const FormState& at, double* next) const {
  prepare(at);
  forwarded().update_memory(at, next);
}

bool WithWallDistance::residual(const FormState& at, double* r) const {
  prepare(at);
  return forwarded().residual(at, r);
}

void WithWallDistance::jvp(const FormState& at, const FormTangent& direction, double* r_dot) const {
  prepare(at);
  forwarded().jvp(at, Direction(*this, direction).tangent, r_dot);
}

void WithWallDistance::vjp(const FormState& at, const double* lambda, FormCotangent& out) const {
  prepare(at);
  Bars bars(*this);
  FormCotangent all = bars.of_form(*this, out);
  forwarded().vjp(at, lambda, all);
  std::vector<double> x_bar(walls_->distance().values().size() * walls_->displacement().size(), 0.0);
  walls_->distance().vjp(bars.distance.data(), x_bar.data());
  walls_->proximity().vjp(bars.proximity.data(), x_bar.data());
  walls_->add(x_bar, out);
}

void WithWallDistance::vjp_tangent(const FormState& at, const double* lambda, const FormTangent& direction, FormCotangent& out) const {
  prepare(at);
  const Direction d(*this, direction);
  Bars bars(*this), bars_dot(*this);
  FormCotangent of_coefficients = bars.of_form(*this, {}), all = bars_dot.of_form(*this, out);
  forwarded().vjp(at, lambda, of_coefficients);
  forwarded().vjp_tangent(at, lambda, d.tangent, all);
  std::vector<double> x_bar_dot(d.x.size(), 0.0);
  walls_->distance().vjp_tangent(d.x.data(), bars.distance.data(), bars_dot.distance.data(), x_bar_dot.data());
  walls_->proximity().vjp_tangent(d.x.data(), bars.proximity.data(), bars_dot.proximity.data(), x_bar_dot.data());
  walls_->add(x_bar_dot, out);
}

// ---- matrix -----------------------------------------------------------------------------------------------

/// Every cell goes to the first part in which none has one of its nodes.
const std::vector<WithWallDistance::Apart>& WithWallDistance::parts() const {
  if (!parts_.empty()) return parts_;
  const Mesh& mesh = cells_.dofs->mesh();
  std::vector<Apart::Cell> all;
  std::size_t first = 0;
  for (const CellBlock& block : mesh.cells) {
    const int n = node_count(block.type);
    for (int e = 0; e < block.count(); ++e, first += n) all.push_back({static_cast<int>(all.size()), first, &block.nodes[std::size_t(e) * n], n});
  }
  std::vector<std::vector<char>> has;  // [part][node]
  for (const BatchGroup& g : cells_.groups)
    for (int b = 0; b < g.n_batches; ++b)
      for (int lane = 0; lane < g.active[b]; ++lane) {
        const Apart::Cell& cell = all[g.cell[std::size_t(b) * simd_width + lane]];
        const std::span nodes(cell.nodes, cell.n_nodes);
        std::size_t part = 0;
        while (part < has.size() && std::ranges::any_of(nodes, [&](int node) { return has[part][node]; })) ++part;
        if (part == has.size()) has.emplace_back(mesh.node_total(), 0), parts_.emplace_back();
        for (const int node : nodes) has[part][node] = 1;
        parts_[part].cells.push_back(cell);
        parts_[part].most_nodes = std::max(parts_[part].most_nodes, cell.n_nodes);
      }
  for (Apart& part : parts_) {
    std::vector<int> numbers;
    for (const Apart::Cell& cell : part.cells) numbers.push_back(cell.number);
    std::ranges::sort(numbers);
    part.form = make_(cells_.only(numbers));
  }
  return parts_;
}

DistantComponents WithWallDistance::distant_components() const {
  DistantComponents between{0, 0};
  const std::optional<FormCoupling> coupling = forwarded().coupling();
  for (std::size_t c = 0; c < cells_.components.size(); ++c)
    if (!coupling || coupling->columns[c]) between.rows |= 1u << cells_.components[c];
  for (const int c : walls_->displacement()) between.columns |= 1u << c;
  return between;
}

/// [owned node]: the nodes of its cells in the form, itself among them.
const std::vector<std::vector<int>>& WithWallDistance::neighbours() const {
  if (!neighbours_.empty()) return neighbours_;
  neighbours_.resize(cells_.dofs->mesh().n_owned_nodes);
  for (const Apart& part : parts())
    for (const Apart::Cell& cell : part.cells)
      for (const int row : std::span(cell.nodes, cell.n_nodes))
        if (row < static_cast<int>(neighbours_.size())) neighbours_[row].insert(neighbours_[row].end(), cell.nodes, cell.nodes + cell.n_nodes);
  for (std::vector<int>& of_row : neighbours_) {
    std::ranges::sort(of_row);
    of_row.erase(std::unique(of_row.begin(), of_row.end()), of_row.end());
    of_row.shrink_to_fit();
  }
  return neighbours_;
}

void WithWallDistance::add_couplings(const FormState& at, std::vector<NodePair>& pairs) const {
  walls_->move(at);
  std::vector<int> seen(cells_.dofs->mesh().node_total(), -1);  // for which row
  std::vector<WallDistance::Sensitivity> by;
  for (int row = 0; row < static_cast<int>(neighbours().size()); ++row) {
    for (const int near : neighbours()[row]) seen[near] = row;
    for (const int near : neighbours()[row]) {
      by.clear();
      walls_->distance().add_sensitivities(near, by);
      for (const WallDistance::Sensitivity& s : by)
        if (walls_->moves(s.node) && std::exchange(seen[s.node], row) != row) pairs.emplace_back(row, s.node);
    }
  }
}

void WithWallDistance::jacobian(const FormState& at, const PerLevel<double>& weights, AssembledMatrix& K) const {
  prepare(at);
  forwarded().jacobian(at, weights, K);
  const double weight = weights[Level::value];
  if (weight == 0) return;
  if (K.sink()) throw std::logic_error("the distance to walls has no element matrices");
  const DofMap& dofs = *cells_.dofs;
  const int n_owned = dofs.mesh().n_owned_nodes;
  const std::vector<double> slopes = walls_->proximity().slopes();

  std::vector<double> distance_dot(walls_->distance().values().size(), 0.0), proximity_dot(walls_->proximity().values().size(), 0.0), r_dot(dofs.n_local(), 0.0);
  FormTangent direction;
  direction.coefficients.assign(coefficients_.size() + 2, nullptr);
  direction.coefficients[places_.distance] = distance_dot.data();
  direction.coefficients[places_.proximity] = proximity_dot.data();
  std::vector<WallDistance::Sensitivity> by;
  for (const Apart& part : parts()) {
    set_coefficients(*part.form);
    for (int a = 0; a < part.most_nodes; ++a) {
      const auto set = [&](double seed) {
        for (const Apart::Cell& cell : part.cells)
          if (a < cell.n_nodes) distance_dot[cell.nodes[a]] = seed, proximity_dot[cell.number] = seed * slopes[cell.first + a];
      };
      set(1);
      part.form->jvp(at, direction, r_dot.data());
      for (const Apart::Cell& cell : part.cells) {
        if (a >= cell.n_nodes) continue;
        by.clear();
        walls_->distance().add_sensitivities(cell.nodes[a], by);
        for (int b = 0; b < cell.n_nodes; ++b) {
          const int row = cell.nodes[b], first = dofs.first_dof(row);
          for (int k = 0; k < dofs.dof_count(row); ++k) {
            const double slope = weight * std::exchange(r_dot[first + k], 0.0);
            if (slope == 0 || row >= n_owned || K.constrained()[first + k]) continue;
            for (const WallDistance::Sensitivity& s : by) {
              if (s.node != cell.nodes[a] && !walls_->moves(s.node)) continue;
              const int pair = K.pattern()->pair(row, s.node);
              for (std::size_t i = 0; i < walls_->displacement().size(); ++i)
                if (const int dof = dofs.dof(s.node, walls_->displacement()[i]); dof >= 0 && !K.constrained()[dof])
                  K.add(pair, first, k, dof - dofs.first_dof(s.node), slope * s.by[i]);
            }
          }
        }
      }
      set(0);
    }
    for (Coefficient& c : part.form->coefficients()) c = {};  // copies of whole fields
  }
}

}  // namespace invar
