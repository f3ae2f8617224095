#include "libfem/device/cell_tables.hpp"

#include <algorithm>
#include <numeric>

#include "libfem/form/tabulate.hpp"

namespace invar {
namespace {

/// Entries [i][j] of rows of `width` as [j][i].
std::vector<double> transposed(const std::vector<double>& v, int width) {
  std::vector<double> t(v.size());
  const std::size_t n = width > 0 ? v.size() / width : 0;
  for (std::size_t i = 0; i < n; ++i)
    for (int j = 0; j < width; ++j) t[j * n + i] = v[i * width + j];
  return t;
}

}  // namespace

RowLists::RowLists(const std::shared_ptr<Device>& device, std::span<const int> list_of, int n_lists) {
  std::vector<int> starts(n_lists + 1, 0);
  for (const int l : list_of)
    if (l >= 0) ++starts[l + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  std::vector<int> next(starts.begin(), starts.end() - 1), rows(starts.back());
  for (std::size_t row = 0; row < list_of.size(); ++row)
    if (list_of[row] >= 0) rows[next[list_of[row]]++] = static_cast<int>(row);
  start = DeviceArray<int>(device, std::span<const int>(starts));
  from = DeviceArray<int>(device, std::span<const int>(rows));
}

PlaceList::PlaceList(const std::shared_ptr<Device>& device, std::span<const PlaceSum::Target> all)
    : n_targets(static_cast<int>(all.size())), targets(device, all) {
  for (const PlaceSum::Target& t : all) most = std::max(most, t.count);
}

CellTables::CellTables(std::shared_ptr<Device> device, const BatchGroup& g, std::span<const int> basis_of, int dim, int ref_dim,
                       bool only_gradients)
    : device_(std::move(device)), n_components_(static_cast<int>(basis_of.size())) {
  const auto on_device = [&]<class T>(const std::vector<T>& v) { return DeviceArray<T>(device_, std::span<const T>(v)); };
  const int n = g.n_nodes, n_components = n_components_, n_runs = g.runs.empty() ? 0 : g.runs.back().run + 1;
  std::vector<int> cell;
  for (int b = 0; b < g.n_batches; ++b)
    for (int l = 0; l < g.active[b]; ++l) {
      cell.push_back(g.cell[std::size_t(b) * simd_width + l]);
      for (int a = 0; a < n; ++a) node_of_.push_back(g.node[(std::size_t(b) * n + a) * simd_width + l]);
    }
  const int n_cells = static_cast<int>(cell.size());
  for (int run = 0; run < n_runs; ++run)
    for (int b = 0; b < g.n_batches; ++b)
      for (int l = 0; l < g.active[b]; ++l)
        for (int a = 0; a < n; ++a) dof_of_.push_back(g.dof[((std::size_t(run) * g.n_batches + b) * n + a) * simd_width + l]);
  for (int c = 0; c < n_components; ++c) component_of_.push_back({g.runs[c].run, g.runs[c].shift, g.basis[basis_of[c]].n_nodes});

  full_.weights = on_device(g.weights);
  node_ = on_device(node_of_);
  dof_ = on_device(dof_of_);
  cell_ = on_device(cell);
  component_ = on_device(component_of_);
  view_ = {n_cells, n, g.n_points(), ref_dim, full_.weights.data(), {}, {}, {}, {},
           g.basis[0].dN == g.geometry.dN, node_.data(), dof_.data(), component_.data(), cell_.data()};
  send(full_, 0, g.geometry, view_.geometry, view_.columns.geometry);
  for (int b = 0; b < 2; ++b) send(full_, 1 + b, g.basis[b], view_.unknown[b], view_.columns.unknown[b]);
  make_cheap_view(g, only_gradients);

  // Lists of the nodes' rows, numbered by node, and their targets.
  std::vector<int> list_of(n_cells == 0 ? 0 : std::size_t(*std::ranges::max_element(node_of_)) + 1, -1);
  std::vector<std::size_t> place_in_cells(list_of.size());  // of a node, one of them
  for (std::size_t i = 0; i < node_of_.size(); ++i) list_of[node_of_[i]] = 0, place_in_cells[node_of_[i]] = i;
  std::vector<PlaceSum::Target> to_dofs, to_nodes, to_coordinates, to_cells;
  int n_lists = 0;
  for (int node = 0; node < static_cast<int>(list_of.size()); ++node) {
    if (list_of[node] < 0) continue;
    const int list = list_of[node] = n_lists++;
    to_nodes.push_back({node, 0, 1, list});
    to_coordinates.push_back({node * dim, 0, dim, list});
    const std::size_t k = place_in_cells[node] / n, a = place_in_cells[node] % n;
    for (int c = 0, expected = -1; c < n_components; ++c) {
      if (static_cast<int>(a) >= component_of_[c].n_nodes) continue;
      const int dof = dof_of_[(std::size_t(component_of_[c].run) * n_cells + k) * n + a] + component_of_[c].shift;
      if (dof == expected && to_dofs.back().component + to_dofs.back().count == c) ++to_dofs.back().count;
      else to_dofs.push_back({dof, c, 1, list});
      expected = dof + 1;
    }
  }
  std::vector<int> rows(node_of_.size() + n_cells, -1);
  for (std::size_t i = 0; i < node_of_.size(); ++i) rows[i] = list_of[node_of_[i]];
  node_rows_ = RowLists(device_, rows, n_lists);
  std::ranges::fill(rows, -1);
  std::iota(rows.end() - n_cells, rows.end(), 0);
  cell_rows_ = RowLists(device_, rows, n_cells);
  for (int k = 0; k < n_cells; ++k) to_cells.push_back({cell[k], 0, 1, k});
  dofs_ = PlaceList(device_, to_dofs);
  nodes_ = PlaceList(device_, to_nodes);
  coordinates_ = PlaceList(device_, to_coordinates);
  cells_ = PlaceList(device_, to_cells);
}

void CellTables::send(Tables& to, int place, const Tabulation& t, PointBasis& basis, PointColumn& column) const {
  const auto on_device = [&](std::vector<double> v) {
    if (v.empty()) v.assign(view_.ref_dim, 0.0);  // `collect_nodes` reads, and leaves, node 0 of a component without functions
    return DeviceArray<double>(device_, std::span<const double>(v));
  };
  const int n_points = t.n_nodes > 0 ? static_cast<int>(t.N.size()) / t.n_nodes : 0;
  to.N[place] = on_device(t.N), to.dN[place] = on_device(t.dN);
  to.N_columns[place] = on_device(transposed(t.N, t.n_nodes));
  to.dN_columns[place] = on_device(transposed(t.dN, t.n_nodes * view_.ref_dim));
  basis = {t.n_nodes, to.N[place].data(), to.dN[place].data()};
  column = {t.n_nodes, n_points, to.N_columns[place].data(), to.dN_columns[place].data()};
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
  PointColumn not_used;
  cheap_.weights = DeviceArray<double>(device_, std::span<const double>(rule.weights));
  cheap_view_.n_points = rule.count();
  cheap_view_.weights = cheap_.weights.data();
  send(cheap_, 0, tabulated(g.geometry), cheap_view_.geometry, cheap_view_.columns.geometry);
  for (int b = 0; b < 2; ++b) send(cheap_, 1 + b, tabulated(g.basis[b]), cheap_view_.unknown[b], cheap_view_.columns.unknown[b]);
  send(cheap_, 3, tabulate(straight, rule), cheap_view_.linear, not_used);
}

std::vector<MatrixPart> CellTables::matrix_parts(const AssembledMatrix& K, int cells_of_part) const {
  std::vector<MatrixPart> parts;
  std::vector<int> list_of_node(K.dofs().mesh().node_total(), -1);
  for (int first = 0; first < view_.n_cells; first += cells_of_part)
    parts.push_back(matrix_part(K, first, std::min(first + cells_of_part, view_.n_cells), list_of_node));
  return parts;
}

/// list_of_node: −1 at all nodes, before and afterwards.
MatrixPart CellTables::matrix_part(const AssembledMatrix& K, int first, int end, std::vector<int>& list_of_node) const {
  const int n = view_.n_nodes, n_owned = K.dofs().n_owned(), n_owned_nodes = K.dofs().mesh().n_owned_nodes;
  const std::vector<char>& fixed = K.constrained();
  const auto dof = [&](int c, int cell, int a) {
    const ComponentPlace& place = component_of_[c];
    return a < place.n_nodes ? dof_of_[(std::size_t(place.run) * view_.n_cells + cell) * n + a] + place.shift : -1;
  };
  const auto free = [&](int i) { return i >= 0 && !fixed[i]; };

  // The cells at a node follow each other here: each of its neighbours gets a list when it is first met.
  std::vector<std::pair<int, int>> places;  // node, place in the cells
  for (int i = first * n; i < end * n; ++i)
    if (node_of_[i] < n_owned_nodes) places.push_back({node_of_[i], i});
  std::ranges::sort(places);
  std::vector<int> list_of(std::size_t(end - first) * n * n, -1), met;
  std::vector<PlaceSum::Target> targets;
  int n_lists = 0;
  for (std::size_t p = 0; p < places.size(); ++p) {
    const auto [node_a, place] = places[p];
    const int cell = place / n, a = place % n;
    for (int b = 0; b < n; ++b) {
      const int node_b = node_of_[std::size_t(cell) * n + b];
      int& list = list_of_node[node_b];
      if (list < 0) {
        list = n_lists++;
        met.push_back(node_b);
        const int offset = K.pattern()->offset(node_a, node_b), column = K.dofs().first_dof(node_b);
        for (int i = 0; i < n_components_; ++i) {
          const int row = dof(i, cell, a);
          if (!free(row) || row >= n_owned) continue;
          for (int j = 0, expected = -1; j < n_components_; ++j) {
            const int at = dof(j, cell, b);
            if (!free(at)) continue;
            const int entry = K.place(row, offset) + (at - column);
            const bool continues = entry == expected && targets.back().component + targets.back().count == i * n_components_ + j;
            if (continues) ++targets.back().count;
            else targets.push_back({entry, i * n_components_ + j, 1, list});
            expected = entry + 1;
          }
        }
      }
      list_of[(std::size_t(cell - first) * n + a) * n + b] = list;
    }
    if (p + 1 == places.size() || places[p + 1].first != node_a) {
      for (const int b : met) list_of_node[b] = -1;
      met.clear();
    }
  }
  return {first, end, RowLists(device_, list_of, n_lists), PlaceList(device_, targets)};
}

}  // namespace invar
