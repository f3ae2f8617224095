#include "libfem/design/field/polynomial_filter.hpp"

#include <algorithm>
#include <numeric>

#include "libfem/mesh/cell_centres.hpp"

namespace invar {
namespace {

/// Adds the next row, from entries in any order.
void add_sorted(RepeatedRows& rows, std::vector<std::pair<int, double>>& row) {
  std::ranges::sort(row);
  std::vector<int> columns;
  std::vector<double> entries;
  for (const auto& [column, entry] : row) columns.push_back(column), entries.push_back(entry);
  rows.add(columns, entries);
}

}  // namespace

PolynomialFilter::PolynomialFilter(const DofMap& dofs, const std::vector<int>& own, const CellWeights& weights, Mat A, Vec M, double error)
    : inverse_(dofs, A, M, error), cells_(dofs.mesh(), cells_by_rows(dofs.mesh(), own)), load_(inverse_.create_vector()), phi_(inverse_.create_vector()), sum_(own.size()) {
  const std::vector<int> place = cells_.places();
  std::vector<int> cell_at(place.size()), end(dofs.n_owned() + 1, 0);
  for (std::size_t c = 0; c < place.size(); ++c) cell_at[place[c]] = static_cast<int>(c);
  const auto each_entry = [&](int cell, const auto& visit) {  // visit(place of the node, entry)
    for (std::size_t a = 0; a < weights.dofs_of(cell).size(); ++a) visit(inverse_.place()[weights.dofs_of(cell)[a]], weights.of(cell)[a]);
  };
  std::vector<std::pair<int, double>> row;
  for (const int cell : cells_.own()) {
    row.clear();
    each_entry(cell, [&](int node, double w) { row.emplace_back(node, w); });
    add_sorted(spread_, row);
  }
  const auto each_of_own_nodes = [&](const auto& visit) {  // visit(node, place of the cell, entry), cells in the order of their places
    for (std::size_t i = 0; i < cell_at.size(); ++i)
      each_entry(cell_at[i], [&](int node, double w) {
        if (node < dofs.n_owned()) visit(node, static_cast<int>(i), w);
      });
  };
  each_of_own_nodes([&](int node, int, double) { ++end[node + 1]; });
  std::partial_sum(end.begin(), end.end(), end.begin());
  std::vector<int> next(end.begin(), end.end() - 1), columns(end.back());
  std::vector<double> entries(end.back());
  each_of_own_nodes([&](int node, int cell, double w) { columns[next[node]] = cell, entries[next[node]++] = w; });
  for (int node = 0; node < dofs.n_owned(); ++node) {
    const std::size_t first = end[node], count = end[node + 1] - end[node];
    gather_.add(std::span(columns).subspan(first, count), std::span(entries).subspan(first, count));
  }
}

void PolynomialFilter::apply(const std::vector<double>& in, std::vector<double>& out) {
  cells_.fill([&](std::size_t i) { return in[cells_.own()[i]]; });
  double* load = nullptr;
  check(VecGetArray(load_, &load));
  {
    const LocalArray local(cells_.vector());
    gather_.multiply(local.data(), load);
  }
  check(VecRestoreArray(load_, &load));
  inverse_.apply(load_, phi_);
  {
    const LocalArray local(phi_);
    spread_.multiply(local.data(), sum_.data());
  }
  cells_.fill([&](std::size_t i) { return sum_[i]; });
  cells_.spread(out);
}

}  // namespace invar
