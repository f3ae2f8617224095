#include "libfem/device/cell_tables.hpp"

#include <algorithm>

#include "libfem/form/tabulate.hpp"

namespace invar {

PlaceList::PlaceList(const std::shared_ptr<Device>& device, const std::vector<Contribution>& contributions, int count_of_each)
    : most(count_of_each) {
  std::vector<int> order(contributions.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  std::ranges::stable_sort(order, {}, [&](int i) { return contributions[i].target; });
  std::vector<int> targets, components, starts, rows;
  for (const int i : order) {
    const Contribution& c = contributions[i];
    if (targets.empty() || targets.back() != c.target) {
      targets.push_back(c.target);
      components.push_back(c.component);
      starts.push_back(static_cast<int>(rows.size()));
    }
    rows.push_back(c.row);
  }
  starts.push_back(static_cast<int>(rows.size()));
  n_targets = static_cast<int>(targets.size());
  const auto on_device = [&](const std::vector<int>& v) { return DeviceArray<int>(device, std::span<const int>(v)); };
  index = on_device(targets);
  component = on_device(components);
  count = on_device(std::vector<int>(n_targets, count_of_each));
  start = on_device(starts);
  from = on_device(rows);
}

CellTables::CellTables(std::shared_ptr<Device> device, const BatchGroup& g, std::span<const int> basis_of, int dim, int ref_dim,
                       bool only_gradients)
    : device_(std::move(device)), n_components_(static_cast<int>(basis_of.size())) {
  const int n_components = n_components_;
  const auto integers = [&](const std::vector<int>& v) { return DeviceArray<int>(device_, std::span<const int>(v)); };
  const int n = g.n_nodes;
  std::vector<int> cell, owned_rows, cell_rows;
  for (int b = 0; b < g.n_batches; ++b)
    for (int l = 0; l < g.active[b]; ++l) {
      const int k = static_cast<int>(cell.size());
      cell.push_back(g.cell[std::size_t(b) * simd_width + l]);
      cell_rows.push_back(k * (n + 1) + n);
      if (l < g.owned[b]) owned_rows.push_back(cell_rows.back());
      for (int a = 0; a < n; ++a) node_of_.push_back(g.node[(std::size_t(b) * n + a) * simd_width + l]);
    }
  const int n_cells = static_cast<int>(cell.size());
  dof_of_.assign(std::size_t(n_components) * n_cells * n, -1);
  std::vector<PlaceList::Contribution> to_dofs, to_nodes, to_coordinates, to_cells;
  int k = 0;
  for (int b = 0; b < g.n_batches; ++b)
    for (int l = 0; l < g.active[b]; ++l, ++k) {
      if (l < g.owned[b]) to_cells.push_back({cell[k], 0, cell_rows[k]});
      for (int a = 0; a < n; ++a) {
        const int node = node_of_[std::size_t(k) * n + a], row = k * (n + 1) + a;
        to_nodes.push_back({node, 0, row});
        to_coordinates.push_back({node * dim, 0, row});
        for (int c = 0; c < n_components; ++c) {
          if (a >= g.basis[basis_of[c]].n_nodes) continue;
          const int dof = g.dofs(c, b).at(a, l);
          dof_of_[(std::size_t(c) * n_cells + k) * n + a] = dof;
          to_dofs.push_back({dof, c, row});
        }
      }
    }
  dofs_ = PlaceList(device_, to_dofs, 1);
  nodes_ = PlaceList(device_, to_nodes, 1);
  coordinates_ = PlaceList(device_, to_coordinates, dim);
  cells_ = PlaceList(device_, to_cells, 1);
  owned_rows_ = integers(owned_rows);
  cell_rows_ = integers(cell_rows);
  node_ = integers(node_of_);
  dof_ = integers(dof_of_);
  cell_ = integers(cell);
  full_.weights = DeviceArray<double>(device_, std::span<const double>(g.weights));
  view_ = {.n_cells = n_cells, .n_nodes = n, .n_points = g.n_points(), .ref_dim = ref_dim, .weights = full_.weights.data(),
           .geometry = send(full_, 0, g.geometry), .unknown = {send(full_, 1, g.basis[0]), send(full_, 2, g.basis[1])}, .linear = {},
           .node = node_.data(), .dof = dof_.data(), .cell = cell_.data()};
  make_cheap_view(g, only_gradients);
}

PointBasis CellTables::send(Tables& to, int place, const Tabulation& t) const {
  to.N[place] = DeviceArray<double>(device_, std::span<const double>(t.N));
  to.dN[place] = DeviceArray<double>(device_, std::span<const double>(t.dN));
  return {t.n_nodes, to.N[place].data(), to.dN[place].data()};
}

void CellTables::make_cheap_view(const BatchGroup& g, bool only_gradients) {
  cheap_view_ = view_;
  if (g.type.shape == Shape::point || g.test[0].n_nodes > 0) return;
  const bool simplex = g.type.shape == Shape::triangle || g.type.shape == Shape::tetrahedron;
  const int enough = 2 * (g.type.order - only_gradients);  // degree of the integrand
  const Quadrature rule = quadrature(g.type.shape, simplex ? std::min(g.degree, enough) : g.degree);
  const CellType straight{g.type.shape, 1};
  const auto tabulated = [&](const Tabulation& t) {
    return t.n_nodes == 0 ? Tabulation{} : tabulate(t.n_nodes == node_count(straight) ? straight : g.type, rule);
  };
  cheap_.weights = DeviceArray<double>(device_, std::span<const double>(rule.weights));
  cheap_view_.n_points = rule.count();
  cheap_view_.weights = cheap_.weights.data();
  cheap_view_.geometry = send(cheap_, 0, tabulated(g.geometry));
  for (int b = 0; b < 2; ++b) cheap_view_.unknown[b] = send(cheap_, 1 + b, tabulated(g.basis[b]));
  cheap_view_.linear = send(cheap_, 3, tabulate(straight, rule));
}

PlaceList CellTables::matrix_entries(AssembledMatrix& K) const {
  const int n = view_.n_nodes, n_cells = view_.n_cells, n_owned = K.dofs().n_owned();
  const std::vector<char>& fixed = K.constrained();
  const double* first = K.row(0, 0);
  std::vector<PlaceList::Contribution> entries;
  const auto dof = [&](int c, int cell, int a) { return dof_of_[(std::size_t(c) * n_cells + cell) * n + a]; };
  for (int cell = 0; cell < n_cells; ++cell)
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b) {
        const int node_a = node_of_[std::size_t(cell) * n + a], node_b = node_of_[std::size_t(cell) * n + b];
        if (node_a >= K.dofs().mesh().n_owned_nodes) continue;
        const int place = K.pattern()->offset(node_a, node_b), column = K.dofs().first_dof(node_b);
        for (int i = 0; i < n_components_; ++i) {
          const int row = dof(i, cell, a);
          if (row < 0 || row >= n_owned || fixed[row]) continue;
          for (int j = 0; j < n_components_; ++j) {
            const int at = dof(j, cell, b);
            if (at < 0 || fixed[at]) continue;
            entries.push_back({static_cast<int>(K.row(row, place) + (at - column) - first), i * n_components_ + j, (cell * n + a) * n + b});
          }
        }
      }
  return PlaceList(device_, entries, 1);
}

}  // namespace invar
