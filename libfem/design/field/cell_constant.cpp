#include "libfem/design/field/cell_constant.hpp"

namespace invar {

CellConstant::CellConstant(const Mesh& mesh, GivenCells cells, const VariableTransform& transform, const FieldRange& range, std::vector<FieldTarget> targets)
    : transform_(transform), range_(range), targets_(std::move(targets)), given_(std::move(cells)), comm_(mesh.comm) {
  for (const CellBlock& block : mesh.cells)
    for (int c = 0; c < block.count(); ++c) owned_.push_back(c < block.n_owned);
}

Evaluation CellConstant::apply(std::vector<double> q, std::vector<Controls>& d) {
  q_ = std::move(q);
  std::vector<double> values = given_.value;
  int sound = 1;
  for (std::size_t c = 0; c < q_.size(); ++c) {
    if (!given_.designed[c]) continue;
    values[c] = transform_.physical(q_[c]);
    sound &= values[c] >= range_.least && values[c] <= range_.greatest;  // false for NaN
  }
  MPI_Allreduce(MPI_IN_PLACE, &sound, 1, MPI_INT, MPI_MIN, comm_);
  if (!sound) return Evaluation::failure("material field: a value is not admissible");
  for (const FieldTarget& t : targets_) d[t.case_index][t.control] = values;
  return Evaluation::success(0);
}

void CellConstant::want(std::vector<Controls>& d_bar) const {
  for (const FieldTarget& t : targets_) d_bar[t.case_index][t.control].assign(given_.designed.size(), 0.0);
}

// ---- forward, then reverse ----------------------------------------------------------------------

void CellConstant::jvp(const std::vector<double>& q_dot, std::vector<Controls>& d_dot) const {
  std::vector<double> p_dot(q_.size(), 0.0);
  for (std::size_t c = 0; c < q_.size(); ++c)
    if (given_.designed[c]) p_dot[c] = transform_.derivative(q_[c]) * q_dot[c];
  for (const FieldTarget& t : targets_) d_dot[t.case_index][t.control] = p_dot;
}

std::vector<double> CellConstant::vjp(const std::vector<Controls>& d_bar) const {
  std::vector<double> q_bar(q_.size(), 0.0);
  for (const FieldTarget& t : targets_)
    for (std::size_t c = 0; c < q_.size(); ++c)
      if (given_.designed[c] && owned_[c]) q_bar[c] += transform_.derivative(q_[c]) * d_bar[t.case_index][t.control][c];
  return q_bar;
}

std::vector<double> CellConstant::vjp_tangent(const std::vector<double>& q_dot, const std::vector<Controls>& d_bar,
                                              const std::vector<Controls>& d_bar_dot) const {
  std::vector<double> q_bar_dot(q_.size(), 0.0);
  for (const FieldTarget& t : targets_)
    for (std::size_t c = 0; c < q_.size(); ++c)
      if (given_.designed[c] && owned_[c])
        q_bar_dot[c] += transform_.derivative(q_[c]) * d_bar_dot[t.case_index][t.control][c] +
                        transform_.second_derivative(q_[c]) * q_dot[c] * d_bar[t.case_index][t.control][c];
  return q_bar_dot;
}

}  // namespace invar
