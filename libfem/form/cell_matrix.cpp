#include "libfem/form/cell_matrix.hpp"

#include <algorithm>
#include <cmath>

#include "libadjoint/solve/library_failure.hpp"
#include "libfem/form/lanes.hpp"

namespace invar {

namespace {

constexpr double same = 1e-12;  // relative to the trace: rounding differences of equal matrices

/// Entry (a, i; c, j) of the blocks of a symmetric form.
const Pack& entry(const Pack* blocks, int nc, int a, int i, int c, int j) {
  if (a > c) std::swap(a, c), std::swap(i, j);
  return blocks[(std::size_t(c) * (c + 1) / 2 + a) * nc * nc + i * nc + j];
}

CellMatrix& of(Mat A) {
  void* self = nullptr;
  check(MatShellGetContext(A, &self));
  return *static_cast<CellMatrix*>(self);
}

template <class Work>
PetscErrorCode on(Mat A, const Work& work) {
  return library_error(PetscObjectComm(PetscObject(A)), [&] { work(of(A)); });
}

PetscErrorCode shell_multiply(Mat A, Vec x, Vec y) {
  return on(A, [&](CellMatrix& m) { m.multiply(x, y); });
}

PetscErrorCode shell_diagonal(Mat A, Vec d) {
  return on(A, [&](CellMatrix& m) {
    double* a = nullptr;
    check(VecGetArray(d, &a));
    std::ranges::copy(m.diagonal(), a);
    check(VecRestoreArray(d, &a));
  });
}

PetscErrorCode shell_row_max(Mat A, Vec d, PetscInt*) { return shell_diagonal(A, d); }

PetscErrorCode shell_norm(Mat A, NormType, PetscReal* norm) {
  return on(A, [&](CellMatrix& m) { *norm = m.largest_sum(); });
}

}  // namespace

CellMatrix::CellMatrix(std::shared_ptr<const DofMap> dofs, std::vector<char> constrained)
    : dofs_(std::move(dofs)), target_(dofs_, *this), components_(dofs_->n_components()), local_(dofs_->create_vector()) {
  target_.constrain(std::move(constrained));
  create_shell();
}

void CellMatrix::create_shell() {
  const auto n = static_cast<PetscInt>(dofs_->n_owned());
  check(MatCreateShell(dofs_->comm(), n, n, PETSC_DETERMINE, PETSC_DETERMINE, this, mat_.out()));
  check(MatSetBlockSize(mat_, dofs_->block_size()));
  const auto set = [&](MatOperation operation, auto* function) {
    check(MatShellSetOperation(mat_, operation, reinterpret_cast<void (*)()>(function)));
  };
  set(MATOP_MULT, &shell_multiply);
  set(MATOP_MULT_TRANSPOSE, &shell_multiply);
  set(MATOP_GET_DIAGONAL, &shell_diagonal);
  set(MATOP_GET_ROW_MAX_ABS, &shell_row_max);
  set(MATOP_NORM, &shell_norm);
}

void CellMatrix::begin() {
  kinds_.clear();
  shares_.clear();
  suits_ = true;
  last_kind_ = 0;
}

bool CellMatrix::all_lanes_are(int kind, const Pack* blocks, int n_nodes, const Pack& trace) const {
  const int nc = components_, stride = padded(kinds_[kind].n);
  if (kinds_[kind].n != n_nodes * nc) return false;
  const Pack allowed = same * trace;
  for (int c = 0; c < n_nodes; ++c)
    for (int a = 0; a <= c; ++a) {
      const Pack* block = blocks + (std::size_t(c) * (c + 1) / 2 + a) * nc * nc;
      for (int i = 0; i < nc; ++i)
        for (int j = 0; j < nc; ++j) {
          const Pack d = block[i * nc + j] - trace * kinds_[kind].values[std::size_t(c * nc + j) * stride + a * nc + i];
          if (!all(d <= allowed) || !all(-d <= allowed)) return false;
        }
    }
  return true;
}

/// Kind of the matrix in one lane; a new kind if it equals none.
int CellMatrix::kind_of(const Pack* blocks, int n_nodes, int lane, double trace) {
  const int nc = components_, n = n_nodes * nc, stride = padded(n);
  std::vector<double> values(std::size_t(n) * stride, 0.0);
  for (int c = 0; c < n_nodes; ++c)
    for (int a = 0; a < n_nodes; ++a)
      for (int i = 0; i < nc; ++i)
        for (int j = 0; j < nc; ++j)
          values[std::size_t(c * nc + j) * stride + a * nc + i] = entry(blocks, nc, a, i, c, j)[lane] / trace;
  const auto like = [&](const Kind& kind) {
    if (kind.n != n) return false;
    for (std::size_t k = 0; k < values.size(); ++k)
      if (!(std::abs(values[k] - kind.values[k]) <= same)) return false;
    return true;
  };
  if (kinds() <= most_kinds)
    for (int k = 0; k < kinds(); ++k)
      if (like(kinds_[k])) return k;
  kinds_.push_back({n, std::move(values)});
  return kinds() - 1;
}

void CellMatrix::take(const BatchGroup& g, int b, const Pack* blocks, std::span<const int> basis, bool symmetric) {
  const int nc = components_, n_nodes = g.n_nodes;
  suits_ &= symmetric && g.whole_nodes && static_cast<int>(basis.size()) == nc && n_nodes * nc <= most_unknowns && dimension_of(g.type.shape) == dofs_->mesh().dim &&
            std::ranges::all_of(basis, [&](int k) { return g.basis[k].n_nodes == n_nodes; });
  if (!suits_) return;
  Pack trace(0.0);
  for (int a = 0; a < n_nodes; ++a)
    for (int i = 0; i < nc; ++i) trace += entry(blocks, nc, a, i, a, i);
  const int lanes = g.active[b];
  const auto add = [&](int kind, auto&& of_kind) {
    Share s{&g, b, kind, Pack(0.0)};
    for (int l = 0; l < lanes; ++l)
      if (of_kind(l)) s.factor.set(l, trace[l]);
    shares_.push_back(s);
  };
  if (last_kind_ < kinds() && all_lanes_are(last_kind_, blocks, n_nodes, trace)) {
    add(last_kind_, [](int) { return true; });
    return;
  }
  int kind[simd_width];
  for (int l = 0; l < lanes; ++l) {
    if (trace[l] == 0) kind[l] = -1;  // no stiffness at all
    else kind[l] = kind_of(blocks, n_nodes, l, trace[l]);
  }
  for (int l = 0; l < lanes; ++l) {
    if (kind[l] < 0 || std::find(kind, kind + l, kind[l]) != kind + l) continue;
    add(kind[l], [&](int m) { return kind[m] == kind[l]; });
    last_kind_ = kind[l];
  }
}

/// [own unknowns] Σ over cells of factor · row(kind, unknown of the cell).
template <class Row>
std::vector<double> CellMatrix::add_rows(Row&& row) const {
  std::vector<double> sum(dofs_->n_owned(), 0.0);
  for (const Share& s : shares_) {
    const int* dofs = s.group->dofs(0, s.batch).first;
    for (int a = 0; a < s.group->n_nodes; ++a)
      for (int l = 0; l < s.group->active[s.batch]; ++l)
        if (const int dof = dofs[a * simd_width + l]; dof < dofs_->n_owned())
          for (int i = 0; i < components_; ++i) sum[dof + i] += s.factor[l] * row(s.kind, a * components_ + i);
  }
  return sum;
}

void CellMatrix::end() {
  const std::vector<char>& fixed = constrained();
  diagonal_ = add_rows([&](int kind, int k) { return kinds_[kind].values[std::size_t(k) * padded(kinds_[kind].n) + k]; });
  std::vector<std::vector<double>> sums(kinds_.size());
  for (std::size_t k = 0; k < kinds_.size(); ++k) {
    const int n = kinds_[k].n;
    sums[k].assign(n, 0.0);
    for (int c = 0; c < n; ++c)
      for (int r = 0; r < n; ++r) sums[k][r] += std::abs(kinds_[k].values[std::size_t(c) * padded(n) + r]);
  }
  const std::vector<double> absolute = add_rows([&](int kind, int k) { return sums[kind][k]; });
  double local[2] = {0, 0}, sum[2], largest = 0;
  for (int d = 0; d < dofs_->n_owned(); ++d)
    if (!fixed[d]) {
      local[0] += std::abs(diagonal_[d]);
      local[1] += 1;
      largest = std::max(largest, std::abs(absolute[d]));
    }
  MPI_Allreduce(local, sum, 2, MPI_DOUBLE, MPI_SUM, dofs_->comm());
  MPI_Allreduce(&largest, &largest_sum_, 1, MPI_DOUBLE, MPI_MAX, dofs_->comm());
  scale_ = sum[0] > 0 ? sum[0] / sum[1] : 1.0;
  for (int d = 0; d < dofs_->n_owned(); ++d)
    if (fixed[d]) diagonal_[d] = scale_;
  check(MatAssemblyBegin(mat_, MAT_FINAL_ASSEMBLY));  // new values
  check(MatAssemblyEnd(mat_, MAT_FINAL_ASSEMBLY));
}

void CellMatrix::multiply(Vec x, Vec y) {
  const int n_owned = dofs_->n_owned(), nc = components_;
  const std::vector<char>& fixed = constrained();
  const double* in = nullptr;
  double* out = nullptr;
  double* masked = nullptr;
  check(VecGetArrayRead(x, &in));
  check(VecGetArray(local_, &masked));
  for (int d = 0; d < n_owned; ++d) masked[d] = fixed[d] ? 0.0 : in[d];
  check(VecRestoreArray(local_, &masked));
  check(VecSet(y, 0.0));
  check(VecGetArray(y, &out));
  {
    const LocalArray with_ghosts(local_);
    const double* v = with_ghosts.data();
    Pack u[padded(most_unknowns)], f[padded(most_unknowns)];
    for (const Share& s : shares_) {
      const Kind& kind = kinds_[s.kind];
      const int n = kind.n, stride = padded(n), lanes = s.group->active[s.batch];
      const int* dofs = s.group->dofs(0, s.batch).first;
      for (int a = 0; a < s.group->n_nodes; ++a)
        for (int i = 0; i < nc; ++i) u[a * nc + i] = gather(v, dofs + a * simd_width, 1, i);
      for (int first = 0; first < stride; first += rows_at_once) {
        Pack sum[rows_at_once];
        for (Pack& p : sum) p = Pack(0.0);
        const double* K = kind.values.data() + first;
        for (int c = 0; c < n; ++c, K += stride)
          for (int r = 0; r < rows_at_once; ++r) sum[r] += K[r] * u[c];
        for (int r = 0; r < rows_at_once; ++r) f[first + r] = s.factor * sum[r];
      }
      for (int a = 0; a < s.group->n_nodes; ++a)
        for (int l = 0; l < lanes; ++l)
          if (const int dof = dofs[a * simd_width + l]; dof < n_owned)
            for (int i = 0; i < nc; ++i) out[dof + i] += f[a * nc + i][l];
    }
  }
  for (int d = 0; d < n_owned; ++d)
    if (fixed[d]) out[d] = scale_ * in[d];
  check(VecRestoreArray(y, &out));
  check(VecRestoreArrayRead(x, &in));
}

}  // namespace invar
