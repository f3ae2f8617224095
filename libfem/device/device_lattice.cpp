#include "libfem/device/device_lattice.hpp"

#include <cmath>
#include <numeric>
#include <utility>

#include "libfem/device/shell_context.hpp"
#include "libfem/device/vector_access.hpp"
#include "libfem/form/congruent_cells.hpp"

namespace invar {
namespace {

template <class T>
DeviceArray<T> sent(const std::shared_ptr<Device>& device, const std::vector<T>& values) {
  return DeviceArray<T>(device, std::span<const T>(values));
}

/// [target] the sources that have it as a target, in ascending order, from sources' lists of targets that end at `end`.
struct Transposed {
  std::vector<int> start, from;
  Transposed(const std::vector<int>& end, const std::vector<int>& targets, int n) : start(n + 1, 0), from(targets.size()) {
    for (const int t : targets) ++start[t + 1];
    std::partial_sum(start.begin(), start.end(), start.begin());
    std::vector<int> next = start;
    for (int source = 0, k = 0; source < int(end.size()); ++source)
      for (; k < end[source]; ++k) from[next[targets[k]]++] = source;
  }
};

std::vector<int> starts(const std::vector<int>& end) {
  std::vector<int> start{0};
  start.insert(start.end(), end.begin(), end.end());
  return start;
}

}  // namespace

DeviceLattice::DeviceLattice(std::shared_ptr<DeviceCells> fine, LatticeHierarchy tree) : fine_(std::move(fine)), tree_(std::move(tree)) {
  for (int t = 0; t < tree_.count(); ++t) create_level(t);
  coarsest_ = levels_.back()->pattern.host_matrix(tree_.dim());
  check(MatSetOption(coarsest_, MAT_SYMMETRIC, PETSC_TRUE));
}

void DeviceLattice::create_level(int t) {
  const LatticeHierarchy::Level& from = tree_.level(t);
  const LatticeInterpolation::Nodes lies = tree_.take_interpolation(t);
  auto made = std::make_unique<Level>();
  Level& level = *made;
  const auto& device = level.device = fine_->device();
  const int corners = 1 << tree_.dim();
  level.dim = tree_.dim(), level.n = int(from.id.size()), level.n_finer = int(lies.end.size());
  level.pattern = BlockPattern(level.n, [&](const BlockPattern::Visit& visit) {
    for (const LatticeHierarchy::Corners& cell : from.corners) visit({cell.data(), std::size_t(corners)});
  });
  std::vector<int> diagonal, nodes, block_of;
  std::vector<unsigned char> child;
  for (int v = 0; v < level.n; ++v) diagonal.push_back(level.pattern.place(v, v));
  for (const LatticeHierarchy::Corners& cell : from.corners)
    for (int a = 0; a < corners; ++a) {
      nodes.push_back(cell[a]);
      for (int b = 0; b < corners; ++b) block_of.push_back(level.pattern.place(cell[a], cell[b]));
    }
  for (int c = 0; c < from.end.back(); ++c) child.push_back(static_cast<unsigned char>(tree_.child(t, c)));
  const Transposed children(lies.end, lies.parents, level.n);
  level.start = sent(device, level.pattern.start), level.column = sent(device, level.pattern.column), level.diagonal = sent(device, diagonal);
  level.blocks = DeviceArray<double>(device, level.pattern.column.size() * level.dim * level.dim);
  level.to_blocks = BlockList(device, block_of);
  level.inside = sent(device, starts(from.end)), level.node = sent(device, nodes), level.child = sent(device, child);
  level.fixed = sent(device, lies.coarse_fixed), level.finer_fixed = sent(device, lies.fixed);
  level.parents = {sent(device, starts(lies.end)), sent(device, lies.parents)};
  level.children = {sent(device, children.start), sent(device, children.from)};
  create_shells(level);
  levels_.push_back(std::move(made));
}

void DeviceLattice::create_shells(Level& level) {
  const PetscInt n = level.n * level.dim, n_finer = level.n_finer * level.dim;
  check(MatCreateShell(PETSC_COMM_SELF, n, n, n, n, &level, level.mat.out()));
  check(MatCreateShell(PETSC_COMM_SELF, n_finer, n, n_finer, n, &level, level.transfer.out()));
  const auto product = [](Mat A, Vec x, Vec y) { return on_shell<Level>(A, [&](Level& l) { l.multiply(x, y); }); };
  set_operation(level.mat, MATOP_MULT, product);
  set_operation(level.mat, MATOP_MULT_TRANSPOSE, product);
  set_operation(level.mat, MATOP_GET_DIAGONAL, [](Mat A, Vec d) { return on_shell<Level>(A, [&](Level& l) { l.diagonal_to(d); }); });
  set_operation(level.mat, MATOP_CREATE_VECS, [](Mat A, Vec* right, Vec* left) {
    return on_shell<Level>(A, [&](Level& l) {
      for (Vec* v : {right, left})
        if (v) check(VecDuplicate(create_device_vector(l.device, l.n * l.dim), v));
    });
  });
  set_operation(level.transfer, MATOP_MULT, [](Mat P, Vec x, Vec y) { return on_shell<Level>(P, [&](Level& l) { l.prolong(x, y); }); });
  set_operation(level.transfer, MATOP_MULT_TRANSPOSE, [](Mat P, Vec x, Vec y) { return on_shell<Level>(P, [&](Level& l) { l.restrict_to(x, y); }); });
}

// ---- what the shells do ------------------------------------------------------------------------------------

void DeviceLattice::Level::multiply(Vec x, Vec y) {
  const ReadVector from(device, x);
  WrittenVector to(device, y);
  with_dim(dim, [&](auto D) {
    BlockRows<D> kernel = rows<D>();
    kernel.x = from.data(), kernel.y = to.data();
    device->run(OneByOne{n * D, kernel});
  });
  to.finish();
}
void DeviceLattice::Level::diagonal_to(Vec y) {
  WrittenVector to(device, y);
  with_dim(dim, [&](auto D) {
    BlockRows<D> kernel = rows<D>();
    kernel.of = BlockRows<D>::Of::diagonal, kernel.y = to.data();
    device->run(OneByOne{n * D, kernel});
  });
  to.finish();
}
void DeviceLattice::Level::prolong(Vec coarse, Vec fine) {
  const ReadVector from(device, coarse);
  WrittenVector to(device, fine);
  with_dim(dim, [&](auto D) {
    device->run(OneByOne{n_finer * D, LatticeTransfer<D>{false, parents.start.data(), parents.from.data(), parents.start.data(), finer_fixed.data(),
                                                         fixed.data(), from.data(), to.data()}});
  });
  to.finish();
}
void DeviceLattice::Level::restrict_to(Vec fine, Vec coarse) {
  const ReadVector from(device, fine);
  WrittenVector to(device, coarse);
  with_dim(dim, [&](auto D) {
    device->run(OneByOne{n * D, LatticeTransfer<D>{true, children.start.data(), children.from.data(), parents.start.data(), fixed.data(),
                                                   finer_fixed.data(), from.data(), to.data()}});
  });
  to.finish();
}

// ---- matrices ----------------------------------------------------------------------------------------------

/// Lists the shares of the operator by the cells of the first level that they are in.
void DeviceLattice::list_shares() {
  if (std::exchange(shares_number_, fine_->shares_number()) == fine_->shares_number()) return;
  const LatticeHierarchy::Level& first = tree_.level(0);
  std::vector<int> position(tree_.cells().size()), coarse_of(tree_.cells().size()), cells;
  std::vector<unsigned char> child;
  for (std::size_t c = 0; c < tree_.cells().size(); ++c) position[tree_.cells()[c].cell] = int(c);
  for (int coarse = 0, c = 0; coarse < int(first.end.size()); ++coarse)
    for (; c < first.end[coarse]; ++c) coarse_of[c] = coarse;
  std::vector<int> ends;
  for (const int cell : fine_->cells()) {
    cells.push_back(coarse_of[position[cell]]);
    child.push_back(static_cast<unsigned char>(tree_.child(0, position[cell])));
    ends.push_back(int(cells.size()));
  }
  const Transposed shares(ends, cells, int(first.end.size()));
  shares_of_cell_ = sent(fine_->device(), shares.start);
  shares_ = sent(fine_->device(), shares.from);
  child_of_share_ = sent(fine_->device(), child);
}

std::string DeviceLattice::set_up() {
  list_shares();
  const auto& device = fine_->device();
  std::string failure;
  DeviceArray<double> finer, here;
  for (int t = 0; t < tree_.count(); ++t) {
    Level& level = *levels_[t];
    const int n_cells = int(tree_.level(t).corners.size());
    with_dim(tree_.dim(), [&](auto D) {
      constexpr int pairs = corner_count<D> * corner_count<D>;
      here = DeviceArray<double>(device, std::size_t(n_cells) * cell_numbers<D>);
      CoarseCells<D> kernel{.start = level.inside.data(), .child = level.child.data(), .finer = finer.data(), .node = level.node.data(),
                            .held = level.fixed.data(), .blocks = here.data()};
      if (t == 0) kernel.start = shares_of_cell_.data(), kernel.from = shares_.data(), kernel.child = child_of_share_.data(), kernel.shares = fine_->shares<D>();
      for (int k = 0; k < D; ++k) kernel.halved[k] = tree_.level(t).halved[k];
      device->run(OneByOne{n_cells * pairs, kernel});
      level.blocks.clear();
      device->run(level.to_blocks.sum(here.data(), block_size<D>, level.blocks.data()));
    });
    if (const std::string message = fill_empty_rows(level); failure.empty()) failure = message;
    check(MatAssemblyBegin(level.mat, MAT_FINAL_ASSEMBLY));  // new values
    check(MatAssemblyEnd(level.mat, MAT_FINAL_ASSEMBLY));
    finer = std::move(here);
  }
  copy_coarsest();
  return failure;
}

/// As LatticeLevels: unknowns without stiffness, including held ones, get the mean diagonal.
std::string DeviceLattice::fill_empty_rows(Level& level) {
  const int n = level.n * level.dim;
  double mean = 1;
  if (numbers_.size() < std::size_t(n)) numbers_ = DeviceArray<double>(level.device, std::size_t(n));
  with_dim(level.dim, [&](auto D) {
    BlockRows<D> kernel = level.rows<D>();
    kernel.y = numbers_.data();
    const auto total = [&](auto of) {
      kernel.of = of;
      level.device->run(OneByOne{n, kernel});
      return reduce(level.device, {.of = VectorReduction::Of::sum, .n = n, .x = numbers_.data()}, partial_);
    };
    const double sum = total(BlockRows<D>::Of::diagonal), n_stiff = n - total(BlockRows<D>::Of::empty);
    if (n_stiff > 0) mean = sum / n_stiff;
    if (!std::isfinite(mean)) return;
    kernel.of = BlockRows<D>::Of::fill, kernel.fill = mean;
    level.device->run(OneByOne{n, kernel});
  });
  return std::isfinite(mean) ? "" : "the matrix has entries that are not finite";
}

void DeviceLattice::copy_coarsest() {
  const Level& level = *levels_.back();
  const std::vector<double> blocks = level.blocks.download();
  const int D = level.dim;
  double* to = nullptr;
  check(MatSeqAIJGetArray(coarsest_, &to));
  double* const first = to;
  for (int v = 0; v < level.n; ++v)
    for (int i = 0; i < D; ++i)
      for (int k = level.pattern.start[v]; k < level.pattern.start[v + 1]; ++k)
        for (int j = 0; j < D; ++j) *to++ = blocks[(std::size_t(k) * D + i) * D + j];
  to = first;
  check(MatSeqAIJRestoreArray(coarsest_, &to));
  check(MatAssemblyBegin(coarsest_, MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(coarsest_, MAT_FINAL_ASSEMBLY));
}

// ---- the operator --------------------------------------------------------------------------------------------

namespace {

class DeviceLatticeOperator final : public FormOperator {
 public:
  DeviceLatticeOperator(FormResidual& r, const CellLattice& lattice, const std::shared_ptr<Device>& device)
      : cells_(std::make_shared<DeviceCells>(
            std::make_shared<DeviceTangent>(r.dof_map(), r.held_unknowns(), device, [&r] { return r.create_vector(); }), r.held_unknowns(), lattice)),
        levels_(std::make_shared<DeviceLattice>(cells_, LatticeHierarchy(r.dofs(), r.held_unknowns(), lattice))) {}
  bool linearise(std::span<const FormAt> forms, const PerLevel<double>& weights) override { return cells_->linearise(forms, weights); }
  Mat mat() const override { return cells_->mat(); }
  std::shared_ptr<MultigridLevels> levels() const override { return levels_; }

 private:
  std::shared_ptr<DeviceCells> cells_;
  std::shared_ptr<DeviceLattice> levels_;
};

}  // namespace

bool use_device_lattice(FormResidual& residual, const std::shared_ptr<Device>& device) {
  const std::optional<CellLattice> lattice = find_congruent_cells(residual);
  if (!lattice || !DeviceTangent::suits(residual.dofs())) return false;
  residual.use_operator(std::make_shared<DeviceLatticeOperator>(residual, *lattice, device));
  return true;
}

}  // namespace invar
