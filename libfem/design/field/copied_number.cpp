#include "libfem/design/field/copied_number.hpp"

#include <limits>
#include <numeric>
#include <utility>

namespace invar {
namespace {

/// The value of its copy for every entry of a control.
std::vector<double> spread_over(const CopiedNumber::Target& t, const std::vector<double>& of_copies) {
  std::vector<double> entries;
  for (const int copy : t.copy) entries.push_back(of_copies[copy]);
  return entries;
}

}  // namespace

CopiedNumber::Target CopiedNumber::on_nodes(int case_index, int control, const MeshCopies& copies, const Mesh& part) {
  Target t{case_index, control, copies.of_nodes(part), std::vector<int>(part.n_owned_nodes)};
  std::iota(t.owned.begin(), t.owned.end(), 0);
  return t;
}

CopiedNumber::Target CopiedNumber::on_cells(int case_index, int control, const MeshCopies& copies, const Mesh& part) {
  Target t{case_index, control, copies.of_cells(part), {}};
  int first = 0;
  for (const CellBlock& block : part.cells) {
    for (int e = 0; e < block.n_owned; ++e) t.owned.push_back(first + e);
    first += block.count();
  }
  return t;
}

CopiedNumber::CopiedNumber(const std::string& name, const std::vector<double>& values, std::vector<Target> targets, VariableTransform transform)
    : targets_(std::move(targets)) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < values.size(); ++k)
    variables_.push_back({name + "." + std::to_string(k), transform, values[k], -infinity, infinity});
}

Evaluation CopiedNumber::apply(const DesignVector& theta, std::vector<Controls>& d) {
  std::vector<double> values;
  for (std::size_t k = 0; k < variables_.size(); ++k) values.push_back(variables_[k].transform.physical(theta.shared[k]));
  for (const Target& t : targets_) d[t.case_index][t.control] = spread_over(t, values);
  return Evaluation::success(0);
}

void CopiedNumber::want(std::vector<Controls>& d_bar) const {
  for (const Target& t : targets_) d_bar[t.case_index][t.control].assign(t.copy.size(), 0.0);
}

// ---- forward, then reverse ----------------------------------------------------------------------

Evaluation CopiedNumber::jvp(const DesignVector& theta, const DesignVector& theta_dot, std::vector<Controls>& d_dot) {
  std::vector<double> rates;
  for (std::size_t k = 0; k < variables_.size(); ++k) rates.push_back(variables_[k].transform.derivative(theta.shared[k]) * theta_dot.shared[k]);
  for (const Target& t : targets_) d_dot[t.case_index][t.control] = spread_over(t, rates);
  return Evaluation::success(0);
}

Evaluation CopiedNumber::vjp(const DesignVector& theta, std::vector<Controls>& d_bar, DesignVector& theta_bar) {
  for (const Target& t : targets_)
    for (const int i : t.owned) {
      const int k = t.copy[i];
      theta_bar.shared[k] += variables_[k].transform.derivative(theta.shared[k]) * d_bar[t.case_index][t.control][i];
    }
  return Evaluation::success(0);
}

Evaluation CopiedNumber::vjp_tangent(const DesignVector& theta, const DesignVector& theta_dot, const std::vector<Controls>& d_bar,
                                     std::vector<Controls>& d_bar_dot, DesignVector& theta_bar_dot) {
  for (const Target& t : targets_)
    for (const int i : t.owned) {
      const int k = t.copy[i];
      const VariableTransform& p = variables_[k].transform;
      theta_bar_dot.shared[k] += p.derivative(theta.shared[k]) * d_bar_dot[t.case_index][t.control][i] +
                                 p.second_derivative(theta.shared[k]) * theta_dot.shared[k] * d_bar[t.case_index][t.control][i];
    }
  return Evaluation::success(0);
}

}  // namespace invar
