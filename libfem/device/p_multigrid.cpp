#include "libfem/device/p_multigrid.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "libadjoint/solve/assembled_on_demand.hpp"
#include "libadjoint/solve/cudss_library.hpp"
#include "libfem/device/chebyshev_smoother.hpp"
#include "libfem/device/device_matrix.hpp"
#include "libfem/device/row_kernels.hpp"
#include "libfem/device/shell_context.hpp"
#include "libfem/device/vector_access.hpp"
#include "libfem/space/prolongation.hpp"

namespace invar {
namespace {

std::vector<Component> linear_components(const DofMap& dofs) {
  std::vector<Component> linear = dofs.components();
  for (Component& c : linear) c.order = 1;
  return linear;
}

}  // namespace

PMultigrid::PMultigrid(std::shared_ptr<DeviceTangent> fine, const std::shared_ptr<const DofMap>& dofs, std::span<const int> constrained)
    : fine_(std::move(fine)), linear_(dofs->mesh_pointer(), linear_components(*dofs), dofs->comm()),
      options_("pc_mg_galerkin none mg_levels_ksp_type richardson mg_levels_ksp_max_it 1 mg_levels_pc_type invar_device_chebyshev") {
  register_device_chebyshev();
  if (fine_->device()->kind() == Device::Kind::cuda && CudssLibrary::obstacle().empty())
    options_ += " mg_coarse_pc_type invar_cudss mg_coarse_pc_cudss_kind ldlt mg_coarse_pc_cudss_matching 0 mg_coarse_pc_cudss_search_pivots 0";
  create_transfer(constrained, *dofs);
  held_.assign(linear_.n_local(), 0);
  std::vector<char> held(dofs->n_local(), 0);
  for (const int row : constrained) held[row] = 1;
  for (int node = 0; node < dofs->mesh().node_total(); ++node)
    for (int k = 0; k < linear_.dof_count(node); ++k) held_[linear_.first_dof(node) + k] = held[dofs->first_dof(node) + k];
  find_pattern();
}

PMultigrid::Rows PMultigrid::send(Mat A) const {
  PetscInt n = 0;
  const PetscInt *start = nullptr, *column = nullptr;
  const double* value = nullptr;
  PetscBool done = PETSC_FALSE;
  check(MatGetRowIJ(A, 0, PETSC_FALSE, PETSC_FALSE, &n, &start, &column, &done));
  check(MatSeqAIJGetArrayRead(A, &value));
  const std::size_t entries = start[n];
  const auto& device = fine_->device();
  Rows rows{int(n), DeviceArray<int>(device, std::span<const int>(start, n + 1)), DeviceArray<int>(device, std::span<const int>(column, entries)),
            DeviceArray<double>(device, std::span<const double>(value, entries))};
  check(MatSeqAIJRestoreArrayRead(A, &value));
  check(MatRestoreRowIJ(A, 0, PETSC_FALSE, PETSC_FALSE, &n, &start, &column, &done));
  return rows;
}

void PMultigrid::create_transfer(std::span<const int> constrained, const DofMap& dofs) {
  const MatHandle P = prolongation_from_linear(linear_, dofs, constrained);
  MatHandle PT;
  check(MatTranspose(P, MAT_INITIAL_MATRIX, PT.out()));
  prolong_ = send(P);
  restrict_ = send(PT);
  coarse_numbers_ = DeviceArray<double>(fine_->device(), std::size_t(restrict_.n));
  check(MatCreateShell(dofs.comm(), prolong_.n, restrict_.n, prolong_.n, restrict_.n, this, transfer_.out()));
  set_operation(transfer_, MATOP_MULT, [](Mat A, Vec x, Vec y) { return on_shell<PMultigrid>(A, [&](PMultigrid& p) { p.prolong(x, y); }); });
  set_operation(transfer_, MATOP_MULT_TRANSPOSE, [](Mat A, Vec x, Vec y) { return on_shell<PMultigrid>(A, [&](PMultigrid& p) { p.restrict_to_coarse(x, y); }); });
}

void PMultigrid::multiply(const Rows& rows, const double* x, double* y) const {
  fine_->device()->run(RowReduction{
      .n = rows.n, .share = 1, .start = rows.start.data(), .column = rows.column.data(), .values = rows.value.data(), .x = x, .y = y});
}
void PMultigrid::prolong(Vec coarse, Vec fine) {
  const double* a = nullptr;
  check(VecGetArrayRead(coarse, &a));
  coarse_numbers_.upload({a, coarse_numbers_.size()});
  check(VecRestoreArrayRead(coarse, &a));
  WrittenVector to(fine_->device(), fine);
  multiply(prolong_, coarse_numbers_.data(), to.data());
  to.finish();
}
void PMultigrid::restrict_to_coarse(Vec fine, Vec coarse) {
  const ReadVector from(fine_->device(), fine);
  multiply(restrict_, from.data(), coarse_numbers_.data());
  double* a = nullptr;
  check(VecGetArrayWrite(coarse, &a));
  fine_->device()->download(a, coarse_numbers_.data(), coarse_numbers_.size() * sizeof(double));
  check(VecRestoreArrayWrite(coarse, &a));
}

/// Vertices that share a cell are coupled.
void PMultigrid::find_pattern() {
  const int nc = fine_->components();
  pattern_ = BlockPattern(linear_.n_local() / nc, [&](const auto& visit) {
    std::vector<int> vertices;
    for (const CellBlock& block : linear_.mesh().cells)
      for (int cell = 0; cell < block.count(); ++cell) {
        vertices.clear();
        for (int v = 0; v < vertex_count(block.type.shape); ++v)
          vertices.push_back(linear_.first_dof(block.nodes[std::size_t(cell) * node_count(block.type) + v]) / nc);
        visit(vertices);
      }
  });
  coarse_ = pattern_.host_matrix(nc);
  blocks_ = DeviceArray<double>(fine_->device(), pattern_.column.size() * nc * nc);
}

BlockList PMultigrid::list_to_blocks(const DeviceTangent::Chunk& chunk) const {
  const int nc = fine_->components();
  const CellTables& tables = fine_->tables(chunk);
  const int n = tables.view(Rule::cheap).linear.n_nodes;
  std::vector<int> block_of;
  for (int cell = chunk.first; cell < chunk.first + chunk.count; ++cell)
    for (int v = 0; v < n; ++v)
      for (int w = 0; w < n; ++w)
        block_of.push_back(pattern_.place(linear_.first_dof(tables.node(cell, v)) / nc, linear_.first_dof(tables.node(cell, w)) / nc));
  return BlockList(fine_->device(), block_of);
}

std::string PMultigrid::set_up() {
  if (std::exchange(chunks_number_, fine_->chunks_number()) != fine_->chunks_number()) lists_.clear();
  lists_.resize(fine_->chunks().size());
  const int nc = fine_->components(), n_nodes = pattern_.n();
  blocks_.clear();
  for (std::size_t k = 0; k < lists_.size(); ++k) {
    const DeviceTangent::Chunk& chunk = fine_->chunks()[k];
    const double* values = fine_->blocks(chunk, NodePairs::vertices);
    if (!values) continue;
    if (!lists_[k]) lists_[k] = list_to_blocks(chunk);
    fine_->device()->run(lists_[k]->sum(values, nc * nc, blocks_.data()));
  }
  const std::vector<double> blocks = blocks_.download();
  double* to = nullptr;
  check(MatSeqAIJGetArray(coarse_, &to));
  std::vector<double*> diagonal_of_held;
  double sum = 0;
  for (int v = 0; v < n_nodes; ++v)
    for (int i = 0; i < nc; ++i)
      for (int k = pattern_.start[v]; k < pattern_.start[v + 1]; ++k)
        for (int j = 0; j < nc; ++j, ++to) {
          const bool diagonal = pattern_.column[k] == v && i == j, free = !held_[v * nc + i] && !held_[pattern_.column[k] * nc + j];
          *to = free ? blocks[(std::size_t(k) * nc + i) * nc + j] : 0.0;
          if (diagonal && free) sum += *to;
          if (diagonal && !free) diagonal_of_held.push_back(to);
        }
  const double mean = sum / std::max<double>(1, nc * n_nodes - double(diagonal_of_held.size()));
  for (double* d : diagonal_of_held) *d = mean > 0 ? mean : 1;
  to = nullptr;
  check(MatSeqAIJRestoreArray(coarse_, &to));
  check(MatAssemblyBegin(coarse_, MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(coarse_, MAT_FINAL_ASSEMBLY));
  check(MatSetOption(coarse_, MAT_SYMMETRIC, PETSC_TRUE));
  return std::isfinite(sum) ? "" : "numbers that are not finite in the coarse matrix";
}

namespace {

class PMultigridOperator final : public FormOperator, public AssembledOnDemand {
 public:
  PMultigridOperator(FormResidual& r, const std::shared_ptr<Device>& device)
      : residual_(r), device_(device), tangent_(std::make_shared<DeviceTangent>(r.dof_map(), r.held_unknowns(), device, [&r] { return r.create_vector(); })),
        levels_(std::make_shared<PMultigrid>(tangent_, r.dof_map(), r.constrained_rows())) {
    attach_to(levels_->finest());
  }
  ~PMultigridOperator() override { detach_from(levels_->finest()); }

  bool linearise(std::span<const FormAt> forms, const PerLevel<double>& weights) override {
    if (!by_entries_) return tangent_->linearise(forms, weights);
    entries_->begin();
    for (const FormAt& f : forms) f.form->jacobian(f.at, weights, *entries_);
    entries_->end();
    return true;
  }
  Mat mat() const override { return by_entries_ ? entries_->mat() : levels_->finest(); }
  std::shared_ptr<MultigridLevels> levels() const override { return levels_; }

  Mat pattern() override { return entries().host(); }
  Mat assemble() override {
    AssembledMatrix& matrix = entries();
    if (CudssLibrary::obstacle().empty() && !matrix.store()) matrix.use_store(std::make_unique<DeviceMatrix>(device_, matrix, residual_.create_vector()));
    tangent_->assemble(matrix);
    by_entries_ = represents(matrix.mat());
    return by_entries_ ? matrix.mat() : nullptr;
  }

 private:
  AssembledMatrix& entries() {
    if (!entries_) {
      entries_ = std::make_unique<AssembledMatrix>(residual_.dof_map());
      entries_->constrain(residual_.held_unknowns());
    }
    return *entries_;
  }

  /// Whether the free rows of a matrix are those of the products: the equation may have been evaluated with other coefficients since.
  bool represents(Mat matrix) const {
    constexpr double round_off = 1e-10;
    const VecHandle x = residual_.create_vector(), of_products = zeros_like(x), of_entries = zeros_like(x);
    {
      WrittenVector noise(device_, x);
      tangent_->set_noise(noise.data());
      noise.finish();
    }
    residual_.constrained_rows().clear(x);
    check(MatMult(levels_->finest(), x, of_products));
    check(MatMult(matrix, x, of_entries));
    double size = 0, difference = 0;
    check(VecNorm(of_products, NORM_2, &size));
    check(VecAXPY(of_entries, -1.0, of_products));
    check(VecNorm(of_entries, NORM_2, &difference));
    return difference <= round_off * size;
  }

  FormResidual& residual_;
  std::shared_ptr<Device> device_;
  std::shared_ptr<DeviceTangent> tangent_;
  std::shared_ptr<PMultigrid> levels_;
  std::unique_ptr<AssembledMatrix> entries_;  // in place of the products if `by_entries_`
  bool by_entries_ = false;
};

}  // namespace

bool use_p_multigrid(FormResidual& residual, const std::shared_ptr<Device>& device) {
  if (!DeviceTangent::suits(residual.dofs()) || !residual.symmetric()) return false;
  residual.use_operator(std::make_shared<PMultigridOperator>(residual, device));
  return true;
}

}  // namespace invar
