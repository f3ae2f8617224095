#include "libfem/device/device_cells.hpp"

#include <algorithm>
#include <numeric>

#include "libfem/device/shell_context.hpp"
#include "libfem/device/vector_access.hpp"
#include "libfem/form/cell_matrix.hpp"

namespace invar {
namespace {

constexpr double same_matrix = 1e-12;  // relative to the trace: rounding differences of equal matrices

}  // namespace

DeviceCells::DeviceCells(std::shared_ptr<DeviceTangent> tangent, const std::vector<char>& held, const CellLattice& lattice)
    : tangent_(std::move(tangent)), is_held_(held), place_(lattice.node), held_(device(), std::span<const char>(held)),
      row_(device(), std::size_t(tangent_->n())) {
  create_shell();
}

void DeviceCells::create_shell() {
  const PetscInt n = tangent_->n();
  check(MatCreateShell(PETSC_COMM_SELF, n, n, n, n, this, mat_.out()));
  check(MatSetBlockSize(mat_, dim()));
  const auto set = [&](MatOperation operation, auto function) { set_operation(mat_, operation, function); };
  const auto product = [](Mat A, Vec x, Vec y) {
    return on_shell<DeviceCells>(A, [&](DeviceCells& c) {
      const ReadVector from(c.device(), x);
      WrittenVector to(c.device(), y);
      c.run(Of::product, from.data(), to.data());
      to.finish();
    });
  };
  const auto diagonal = [](Mat A, Vec d) {
    return on_shell<DeviceCells>(A, [&](DeviceCells& c) {
      WrittenVector to(c.device(), d);
      c.run(Of::diagonal, nullptr, to.data());
      to.finish();
    });
  };
  set(MATOP_MULT, product);
  set(MATOP_MULT_TRANSPOSE, product);
  set(MATOP_GET_DIAGONAL, diagonal);
  set(MATOP_GET_ROW_MAX_ABS, [](Mat A, Vec d, PetscInt*) { return MatGetDiagonal(A, d); });
  set(MATOP_NORM, [](Mat A, NormType, PetscReal* norm) { return on_shell<DeviceCells>(A, [&](DeviceCells& c) { *norm = c.largest_sum_; }); });
  set(MATOP_CREATE_VECS, [](Mat A, Vec* right, Vec* left) {
    return on_shell<DeviceCells>(A, [&](DeviceCells& c) {
      for (Vec* v : {right, left})
        if (v) check(VecDuplicate(c.tangent_->create_vector(), v));
    });
  });
}

void DeviceCells::run(Of of, const double* x, double* y) const {
  with_dim(dim(), [&](auto D) {
    using Kernel = CellProduct<D>;
    device()->run(OneByOne{int(place_.size()), Kernel{typename Kernel::Of(of), shares<D>(), start_.data(), from_.data(), on_held_, x, y}});
  });
}

bool DeviceCells::linearise(std::span<const FormAt> forms, const PerLevel<double>& weights) {
  if (!tangent_->linearise(forms, weights) || !find_shares()) return false;
  const std::size_t numbers = std::size_t(1 << dim()) * dim();
  kinds_.assign(numbers * numbers, 0.0);
  matrices_ = DeviceArray<double>(device(), std::span<const double>(kinds_));
  kind_.clear();
  int first = 0;
  for (const int k : active_) {
    const Chunk& chunk = tangent_->chunks()[k];
    match(tangent_->blocks(chunk, NodePairs::vertices), first, chunk.count);
    first += chunk.count;
    if (kinds_.size() > (CellMatrix::most_kinds + 1) * numbers * numbers) return false;
  }
  measure();
  check(MatAssemblyBegin(mat_, MAT_FINAL_ASSEMBLY));  // new values
  check(MatAssemblyEnd(mat_, MAT_FINAL_ASSEMBLY));
  return true;
}

/// Lists the cells of all forms whose tangent does not vanish. False if there are facets or points among them.
bool DeviceCells::find_shares() {
  std::vector<int> active;
  for (int k = 0; k < int(tangent_->chunks().size()); ++k) {
    const Chunk& chunk = tangent_->chunks()[k];
    if (tangent_->vanishes(chunk)) continue;
    if (tangent_->tables(chunk).view().ref_dim != dim()) return false;
    active.push_back(k);
  }
  if (active == active_ && chunks_number_ == tangent_->chunks_number()) return true;
  active_ = std::move(active);
  chunks_number_ = tangent_->chunks_number();
  ++shares_number_;
  cells_.clear(), nodes_.clear(), corners_.clear();
  for (const int k : active_) {
    const Chunk& chunk = tangent_->chunks()[k];
    const CellView& view = tangent_->tables(chunk).view();
    std::vector<int> cell(view.n_cells);
    device()->download(cell.data(), view.cell, cell.size() * sizeof(int));
    for (int c = chunk.first; c < chunk.first + chunk.count; ++c) {
      cells_.push_back(cell[c]);
      add_share(chunk, c);
    }
  }
  const std::size_t n_nodes = place_.size();
  std::vector<int> start(n_nodes + 1, 0), from(nodes_.size());
  const auto node = [](int code) { return CellShares<2>::node_of(code); };
  for (const int code : nodes_) ++start[node(code) + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<int> next = start;
  for (std::size_t k = 0; k < nodes_.size(); ++k) from[next[node(nodes_[k])]++] = int(k);
  node_ = DeviceArray<int>(device(), std::span<const int>(nodes_));
  corner_ = DeviceArray<signed char>(device(), std::span<const signed char>(corners_));
  start_ = DeviceArray<int>(device(), std::span<const int>(start));
  from_ = DeviceArray<int>(device(), std::span<const int>(from));
  kind_ = DeviceArray<int>(device(), cells_.size());
  factor_ = DeviceArray<double>(device(), cells_.size());
  nodes_ = {}, corners_ = {};
  return true;
}

void DeviceCells::add_share(const Chunk& chunk, int cell) {
  const int corners = 1 << dim();
  const CellTables& tables = tangent_->tables(chunk);
  std::array<int, 3> low = place_[tables.node(cell, 0)];
  for (int a = 1; a < corners; ++a)
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], place_[tables.node(cell, a)][k]);
  const std::size_t first = nodes_.size();
  nodes_.resize(first + corners);
  for (int a = 0; a < corners; ++a) {
    const int node = tables.node(cell, a);
    int corner = 0;
    bool held = false;
    for (int k = 0; k < dim(); ++k) {
      corner |= (place_[node][k] - low[k]) << k;
      held |= is_held_[std::size_t(node) * dim() + k] != 0;
    }
    corners_.push_back(static_cast<signed char>(corner));
    nodes_[first + corner] = held ? ~node : node;
  }
}

/// Finds traces and kinds of consecutive shares with these element matrices.
void DeviceCells::match(const double* blocks, int first, int count) {
  with_dim(dim(), [&](auto D) {
    constexpr int corners = corner_count<D>, numbers = cell_numbers<D>;
    const auto compare = [&](int kind) {
      device()->run(MatchKind<D>{.n = count, .same = same_matrix, .number = kind, .blocks = blocks, .corner = corner_.data() + std::size_t(first) * corners,
                                 .matrix = matrices_.data() + std::size_t(kind) * numbers, .factor = factor_.data() + first, .kind = kind_.data() + first});
    };
    std::vector<int> kinds(count);
    for (int kind = 1;; ++kind) {
      if (std::size_t(kind) * numbers == kinds_.size()) {
        device()->download(kinds.data(), kind_.data() + first, kinds.size() * sizeof(int));
        const auto other = std::ranges::find(kinds, 0);
        if (other == kinds.end() || kind > CellMatrix::most_kinds + 1) return;
        const std::size_t cell = other - kinds.begin();
        std::vector<double> block(numbers);
        std::vector<signed char> corner(corners);
        device()->download(block.data(), blocks + cell * numbers, numbers * sizeof(double));
        device()->download(corner.data(), corner_.data() + (first + cell) * corners, corners);
        add_kind(block.data(), corner.data());
      }
      compare(kind);
    }
  });
}

/// block: [a][b][component][component], a and b nodes of a cell with these corners.
void DeviceCells::add_kind(const double* block, const signed char* corner) {
  const int C = 1 << dim(), D = dim(), n = C * D;
  const auto entry = [&](int a, int b, int i, int j) { return block[((a * C + b) * D + i) * D + j]; };
  double trace = 0;
  for (int a = 0; a < C; ++a)
    for (int i = 0; i < D; ++i) trace += entry(a, a, i, i);
  const std::size_t first = kinds_.size();
  kinds_.resize(first + std::size_t(n) * n);
  for (int a = 0; a < C; ++a)
    for (int b = 0; b < C; ++b)
      for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j) kinds_[first + std::size_t(corner[b] * D + j) * n + corner[a] * D + i] = entry(a, b, i, j) / trace;
  matrices_ = DeviceArray<double>(device(), std::span<const double>(kinds_));
}

/// The mean diagonal, for held rows, and the largest sum of magnitudes in a row.
void DeviceCells::measure() {
  using Reduced = VectorReduction::Of;
  const auto reduced = [&](Reduced what) { return reduce(device(), {.of = what, .n = tangent_->n(), .x = row_.data()}, partial_); };
  const auto n_free = std::ranges::count(is_held_, 0);
  on_held_ = 0;
  run(Of::magnitudes, nullptr, row_.data());
  largest_sum_ = reduced(Reduced::largest_magnitude);
  run(Of::diagonal, nullptr, row_.data());
  const double sum = reduced(Reduced::magnitudes);
  on_held_ = sum > 0 ? sum / double(n_free) : 1.0;
}

}  // namespace invar
