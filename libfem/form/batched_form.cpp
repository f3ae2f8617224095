#include "libfem/form/batched_form.hpp"

#include "libfem/form/element_places.hpp"

namespace invar {

BatchedForm::BatchedForm(CellBatches domain, int n_coefficients)
    : domain_(std::move(domain)), coefficients_(n_coefficients) {}

BatchedForm::~BatchedForm() = default;

const std::vector<int>& BatchedForm::places(std::size_t group, const AssembledMatrix& K) const {
  const SparsityPattern& pattern = *K.pattern();
  if (places_of_ != pattern.number()) {
    const int n_owned = K.dofs().mesh().n_owned_nodes;
    places_.assign(domain_.groups.size(), {});
    for (std::size_t i = 0; i < domain_.groups.size(); ++i) {
      const BatchGroup& g = domain_.groups[i];
      const int n = g.n_nodes;
      places_[i].assign(std::size_t(g.n_batches) * n * n * simd_width, 0);
      for (int b = 0; b < g.n_batches; ++b)
        for (int a = 0; a < n; ++a)
          for (int c = 0; c < n; ++c)
            for (int l = 0; l < g.active[b]; ++l) {
              const int row = g.node[(std::size_t(b) * n + a) * simd_width + l];
              const int col = g.node[(std::size_t(b) * n + c) * simd_width + l];
              if (row < n_owned)
                places_[i][((std::size_t(b) * n + a) * n + c) * simd_width + l] =
                    pattern.full() ? pattern.offset(row, col) : pattern.pair(row, col);
            }
    }
    places_of_ = pattern.number();
  }
  return places_[group];
}

namespace {

/// Calls add(a, c, block, transposed) for the blocks of an element matrix: rows of node a, columns of node c;
/// transposed: of the block (c, a).
template <class Add>
void visit_blocks(int n_nodes, const Pack* blocks, int size, bool symmetric, const Add& add) {
  for (int c = 0; c < n_nodes; ++c)
    for (int a = 0; a < (symmetric ? c + 1 : n_nodes); ++a) {
      const Pack* block = blocks + std::size_t(symmetric ? c * (c + 1) / 2 + a : c * n_nodes + a) * size;
      add.template operator()<false>(a, c, block);
      if (symmetric && a < c) add.template operator()<true>(c, a, block);
    }
}

/// Forms whose NC components are the first of every node: whole blocks without constraints, the usual case, need no branches.
template <int NC>
void scatter(const BatchGroup& g, int b, const int* places, const Pack* blocks, std::span<const int> basis,
             bool symmetric, AssembledMatrix& K) {
  const int n = g.n_nodes, n_owned_dofs = K.dofs().n_owned(), lanes = g.active[b];
  const int* dofs = g.dofs(0, b).first;
  const std::vector<char>& fixed = K.constrained();
  int components[max_cell_nodes];  // number of components at the cells' nodes
  bool any_fixed = false;
  for (int a = 0; a < n; ++a) {
    components[a] = 0;
    for (int k : basis) components[a] += a < g.basis[k].n_nodes;
    for (int l = 0; l < lanes; ++l)
      for (int i = 0; i < components[a]; ++i) any_fixed |= fixed[dofs[a * simd_width + l] + i] != 0;
  }
  visit_blocks(n, blocks, NC * NC, symmetric, [&]<bool Transposed>(int a, int c, const Pack* block) {
    constexpr int step_i = Transposed ? 1 : NC, step_j = Transposed ? NC : 1;
    const int n_i = components[a], n_j = components[c];
    const bool whole = !any_fixed && n_i == NC && n_j == NC;
    for (int l = 0; l < lanes; ++l) {
      const int row = dofs[a * simd_width + l], col = dofs[c * simd_width + l];
      if (row >= n_owned_dofs) continue;
      const int place = places[(a * n + c) * simd_width + l];
      if (whole) {
        for (int i = 0; i < NC; ++i) {
          double* target = K.row(row + i, place);
          for (int j = 0; j < NC; ++j) target[j] += block[i * step_i + j * step_j][l];
        }
        continue;
      }
      for (int i = 0; i < n_i; ++i) {
        double* target = K.row(row + i, place);
        for (int j = 0; j < n_j; ++j)
          if (!any_fixed || !(fixed[row + i] || fixed[col + j])) target[j] += block[i * step_i + j * step_j][l];
      }
    }
  });
}

/// For any components.
void scatter_any(const BatchGroup& g, int b, const int* places, const Pack* blocks, std::span<const int> basis,
                 bool symmetric, AssembledMatrix& K) {
  const int n = g.n_nodes, nc = static_cast<int>(basis.size());
  const ElementPlaces of(g, b, basis, K, [](int dof) { return dof; });
  visit_blocks(n, blocks, nc * nc, symmetric, [&]<bool Transposed>(int a, int c, const Pack* block) {
    for (int l = 0; l < g.active[b]; ++l) {
      const int place = places[(a * n + c) * simd_width + l];
      const int *row = of.rows(l, a), *column = of.columns(l, c);
      for (int i = 0; i < nc; ++i) {
        if (row[i] < 0) continue;
        double* target = K.row(row[i], place);
        for (int j = 0; j < nc; ++j)
          if (column[j] >= 0) target[column[j]] += block[Transposed ? j * nc + i : i * nc + j][l];
      }
    }
  });
}

/// For any components, into a pattern that is not full. pairs: numbers of pairs of nodes.
void scatter_stored(const BatchGroup& g, int b, const int* pairs, const Pack* blocks, std::span<const int> basis,
                    bool symmetric, AssembledMatrix& K) {
  const int n = g.n_nodes, nc = static_cast<int>(basis.size());
  const ElementPlaces of(g, b, basis, K, [](int dof) { return dof; });
  visit_blocks(n, blocks, nc * nc, symmetric, [&]<bool Transposed>(int a, int c, const Pack* block) {
    for (int l = 0; l < g.active[b]; ++l) {
      const int pair = pairs[(a * n + c) * simd_width + l], first = K.dofs().first_dof(g.node[(std::size_t(b) * n + a) * simd_width + l]);
      const int *row = of.rows(l, a), *column = of.columns(l, c);
      for (int i = 0; i < nc; ++i) {
        if (row[i] < 0) continue;
        for (int j = 0; j < nc; ++j)
          if (column[j] >= 0) K.add(pair, first, row[i] - first, column[j], block[Transposed ? j * nc + i : i * nc + j][l]);
      }
    }
  });
}

}  // namespace

void BatchedForm::scatter_matrix(const BatchGroup& g, int b, const int* places, const Pack* blocks,
                                 std::span<const int> basis, bool symmetric, AssembledMatrix& K) const {
  if (K.sink()) return K.sink()->take(g, b, blocks, basis, symmetric);
  if (!K.pattern()->full()) return scatter_stored(g, b, places, blocks, basis, symmetric, K);
  switch (g.whole_nodes ? basis.size() : 0) {
    case 1: return scatter<1>(g, b, places, blocks, basis, symmetric, K);
    case 2: return scatter<2>(g, b, places, blocks, basis, symmetric, K);
    case 3: return scatter<3>(g, b, places, blocks, basis, symmetric, K);
    case 4: return scatter<4>(g, b, places, blocks, basis, symmetric, K);
    case 5: return scatter<5>(g, b, places, blocks, basis, symmetric, K);
    default: return scatter_any(g, b, places, blocks, basis, symmetric, K);
  }
}

}  // namespace invar
