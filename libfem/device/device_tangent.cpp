#include "libfem/device/device_tangent.hpp"

#include <algorithm>
#include <cmath>

#include "libfem/device/shell_context.hpp"
#include "libfem/device/vector_access.hpp"
#include "libfem/form/assembled_matrix.hpp"

namespace invar {
namespace {

constexpr int most_block_numbers = 1 << 21;  // of a chunk: 16 MB

}  // namespace

// Sorted by counting: there are tens of millions of rows in large problems.
BlockList::BlockList(const std::shared_ptr<Device>& device, std::span<const int> target_of) {
  const int last = target_of.empty() ? -1 : *std::ranges::max_element(target_of);
  std::vector<int> next(last + 2, 0), targets, starts;
  for (const int t : target_of)
    if (t >= 0) ++next[t + 1];
  for (int t = 0; t <= last; ++t) {
    if (next[t + 1] > 0) targets.push_back(t), starts.push_back(next[t]);
    next[t + 1] += next[t];
  }
  starts.push_back(next.back());
  std::vector<int> rows(next.back());
  for (std::size_t r = 0; r < target_of.size(); ++r)
    if (target_of[r] >= 0) rows[next[target_of[r]]++] = static_cast<int>(r);
  n_targets = static_cast<int>(targets.size());
  const auto on_device = [&](const std::vector<int>& v) { return DeviceArray<int>(device, std::span<const int>(v)); };
  target = on_device(targets), start = on_device(starts), from = on_device(rows);
}

bool DeviceTangent::suits(const DofMap& dofs) {
  const Mesh& mesh = dofs.mesh();
  const int nc = dofs.n_components();
  if (nc != mesh.dim || nc < 2) return false;
  for (int node = 0; node < mesh.node_total(); ++node)
    if (dofs.dof_count(node) != nc) return false;
  return true;
}

DeviceTangent::DeviceTangent(std::shared_ptr<const DofMap> dofs, const std::vector<char>& held, std::shared_ptr<Device> device,
                             std::function<VecHandle()> create_vector)
    : dofs_(std::move(dofs)), device_(std::move(device)), create_vector_(std::move(create_vector)), nc_(dofs_->n_components()),
      n_(dofs_->n_local()), n_free_(n_ - static_cast<int>(std::ranges::count_if(held, [](char h) { return h != 0; }))),
      held_(device_, std::span<const char>(held)), free_(device_, std::size_t(n_)), blocks_(device_, std::size_t(n_) * nc_),
      row_max_(device_, std::size_t(n_)) {
  for (const Rule rule : {Rule::full, Rule::cheap}) create_shell(shells_[rule == Rule::cheap], rule);
}

void DeviceTangent::create_shell(Shell& shell, Rule rule) {
  shell.tangent = this, shell.rule = rule;
  check(MatCreateShell(dofs_->comm(), n_, n_, n_, n_, &shell, shell.mat.out()));
  check(MatSetBlockSize(shell.mat, nc_));
  const auto set = [&](MatOperation operation, auto function) { set_operation(shell.mat, operation, function); };
  const auto product = [](Mat A, Vec x, Vec y) {
    return on_shell<Shell>(A, [&](Shell& s) {
      const ReadVector from(s.tangent->device_, x);
      WrittenVector to(s.tangent->device_, y);
      s.tangent->multiply(s.rule, from.data(), to.data());
      to.finish();
    });
  };
  set(MATOP_MULT, product);
  set(MATOP_MULT_TRANSPOSE, product);
  set(MATOP_GET_ROW_MAX_ABS, [](Mat A, Vec v, PetscInt*) {
    return on_shell<Shell>(A, [&](Shell& s) {
      WrittenVector to(s.tangent->device_, v);
      s.tangent->device_->run(OneByOne{s.tangent->n_, HeldEntries{s.tangent->held_.data(), 0, false, s.tangent->row_max_.data(), to.data()}});
      to.finish();
    });
  });
  set(MATOP_NORM, [](Mat A, NormType, PetscReal* norm) {
    return on_shell<Shell>(A, [&](Shell& s) { *norm = s.tangent->bound_ * s.tangent->largest_; });
  });
  set(MATOP_CREATE_VECS, [](Mat A, Vec* right, Vec* left) {
    return on_shell<Shell>(A, [&](Shell& s) {
      for (Vec* v : {right, left})
        if (v) check(VecDuplicate(s.tangent->create_vector(), v));
    });
  });
}

DeviceTangent& DeviceTangent::of(Mat mat) {
  Shell* shell = nullptr;
  check(MatShellGetContext(mat, &shell));
  return *shell->tangent;
}

bool DeviceTangent::linearise(std::span<const FormAt> forms, const PerLevel<double>& weights) {
  std::vector<Term> terms;
  for (const FormAt& f : forms) {
    const auto* form = dynamic_cast<const DeviceFormBase*>(f.form);
    if (!form || !form->traits().symmetric) return false;
    form->keep_coefficients();
    terms.push_back({form});
  }
  const auto form_of = [](const Term& t) { return t.form; };
  const bool others = !std::ranges::equal(terms, terms_, {}, form_of, form_of);
  terms_ = std::move(terms);
  if (others) make_chunks();
  weights_ = weights;
  copy_state(forms);
  make_diagonal_blocks();
  for (const Shell& shell : shells_) {  // new values
    check(MatAssemblyBegin(shell.mat, MAT_FINAL_ASSEMBLY));
    check(MatAssemblyEnd(shell.mat, MAT_FINAL_ASSEMBLY));
  }
  return true;
}

void DeviceTangent::make_chunks() {
  chunks_.clear();
  ++chunks_number_;
  for (int t = 0; t < static_cast<int>(terms_.size()); ++t)
    for (int g = 0; g < terms_[t].form->group_count(); ++g) {
      const CellTables& tables = terms_[t].form->tables(g);
      const CellView& cells = tables.view(Rule::cheap);
      const int pairs = std::max(cells.n_nodes, cells.linear.n_nodes * cells.linear.n_nodes);
      const int at_once = std::max(1, most_block_numbers / (pairs * nc_ * nc_));
      for (int first = 0; first < cells.n_cells; first += at_once)
        chunks_.push_back({t, g, first, std::min(at_once, cells.n_cells - first), std::nullopt});
    }
}

BlockList DeviceTangent::list_to_nodes(const Chunk& c) const {
  std::vector<int> nodes;
  for (int cell = c.first; cell < c.first + c.count; ++cell)
    for (int a = 0; a < tables(c).view().n_nodes; ++a) nodes.push_back(tables(c).node(cell, a));
  return BlockList(device_, nodes);
}

void DeviceTangent::copy_state(std::span<const FormAt> forms) {
  at_ = {};
  moves_ = {};
  for (const FormAt& f : forms) {
    const PerLevel<bool> reads = f.form->traits().reads;
    at_.coordinates = device_->holds(f.at.coordinates)
                          ? f.at.coordinates
                          : coordinates_.of(device_, {f.at.coordinates, dofs_->mesh().coordinates.size()});
    for (Level l : all_levels) {
      moves_[l] = moves_[l] || (reads[l] && weights_[l] != 0);
      if (!reads[l] || !f.at.unknown[l] || at_.unknown[l]) continue;
      if (state_[l].size() == 0) state_[l] = DeviceArray<double>(device_, std::size_t(n_));
      if (!device_->holds(f.at.unknown[l])) state_[l].upload({f.at.unknown[l], std::size_t(n_)});
      else device_->run(OneByOne{n_, VectorMap{.a = 1, .x = f.at.unknown[l], .z = state_[l].data()}});
      at_.unknown[l] = state_[l].data();
    }
  }
}

void DeviceTangent::make_diagonal_blocks() {
  using Of = VectorReduction::Of;
  blocks_.clear();
  std::vector<char> empty(terms_.size(), 1);
  for (Chunk& chunk : chunks_) {
    const double* values = blocks(chunk, NodePairs::same);
    if (reduced(Of::largest_magnitude, values, chunk.count * tables(chunk).view().n_nodes * nc_ * nc_) == 0) continue;
    empty[chunk.term] = 0;
    if (!chunk.to_nodes) chunk.to_nodes = list_to_nodes(chunk);
    device_->run(chunk.to_nodes->sum(values, nc_ * nc_, blocks_.data()));
  }
  find_vanishing(empty);
  const int n_nodes = n_ / nc_;
  const auto with_size = [&](auto size) {
    constexpr int N = decltype(size)::value;
    device_->run(OneByOne{n_nodes, BlockRowMax<N>{held_.data(), blocks_.data(), row_max_.data()}});
    const double sum = reduced(Of::magnitudes, row_max_.data(), n_);
    largest_ = reduced(Of::largest_magnitude, row_max_.data(), n_);
    on_held_ = sum > 0 ? sum / n_free_ : 1.0;
    device_->run(OneByOne{n_nodes, InvertBlocks<N>{held_.data(), on_held_, blocks_.data()}});
  };
  if (nc_ == 2) with_size(std::integral_constant<int, 2>());
  else with_size(std::integral_constant<int, 3>());
}

double DeviceTangent::reduced(VectorReduction::Of of, const double* x, int n) {
  return reduce(device_, {.of = of, .n = n, .x = x}, partial_);
}

const double* DeviceTangent::blocks(const Chunk& c, NodePairs pairs) {
  if (terms_[c.term].vanishes) return nullptr;
  const CellView& cells = tables(c).view(Rule::cheap);
  const int most = std::max(cells.n_nodes, cells.linear.n_nodes * cells.linear.n_nodes) * nc_ * nc_;
  if (rows_.size() < std::size_t(c.count) * most) rows_ = DeviceArray<double>(device_, std::size_t(c.count) * most);
  terms_[c.term].form->tangent_blocks(at_, weights_, pairs, c.group, c.first, c.count, rows_.data());
  return rows_.data();
}

/// A form without diagonal blocks has no tangent if a product with noise vanishes too.
void DeviceTangent::find_vanishing(const std::vector<char>& without_diagonal) {
  if (std::ranges::count(without_diagonal, 1) == 0) return;
  DeviceArray<double> y(device_, std::size_t(n_));
  set_noise(y.data());
  set_direction(y.data());
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    if (!without_diagonal[t]) continue;
    y.clear();
    terms_[t].form->add_product(at_, direction_, Rule::full, y.data());
    terms_[t].vanishes = reduced(VectorReduction::Of::largest_magnitude, y.data(), n_) == 0;
  }
}

/// The change of each level when the unknown changes by x.
void DeviceTangent::set_direction(const double* x) {
  device_->run(OneByOne{n_, HeldEntries{held_.data(), 0, false, x, free_.data()}});
  direction_ = {};
  for (Level l : all_levels) {
    if (!moves_[l]) continue;
    direction_[l] = free_.data();
    if (weights_[l] == 1) continue;
    if (scaled_[l].size() == 0) scaled_[l] = DeviceArray<double>(device_, std::size_t(n_));
    device_->run(OneByOne{n_, VectorMap{.a = weights_[l], .x = free_.data(), .z = scaled_[l].data()}});
    direction_[l] = scaled_[l].data();
  }
}

void DeviceTangent::assemble(AssembledMatrix& matrix) const {
  matrix.begin();
  for (const Term& t : terms_) t.form->jacobian(at_, weights_, matrix);
  matrix.end();
}

void DeviceTangent::multiply(Rule rule, const double* x, double* y) {
  set_direction(x);
  device_->clear(y, std::size_t(n_) * sizeof(double));
  for (const Term& t : terms_)
    if (!t.vanishes) t.form->add_product(at_, direction_, rule, y);
  device_->run(OneByOne{n_, HeldEntries{held_.data(), on_held_, true, x, y}});
}

}  // namespace invar
