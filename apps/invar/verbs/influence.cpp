#include "apps/invar/verbs/influence.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace invar {
namespace {

constexpr double round_off = 1e-9;  // of a derivative that is zero, against what is observed

/// Magnitude of the objective's parts at the start, against which derivatives by the (scaled)
/// variables count.
double magnitude(const CaseFunctional& functional, double value) {
  double squares = std::abs(value);
  for (const auto& c : functional.cases())
    for (const DataSet& set : c->data())
      for (std::size_t i = 0; i < set.target.size(); ++i)
        squares += std::pow(set.weight * set.target[i] / set.noise[i], 2);
  return squares;
}

/// Whether the gradient changes along the variable.
bool bends(CaseFunctional& functional, const DesignVector& start, std::size_t k, double limit) {
  DesignVector direction = DesignVector::zeros_like(start), out;
  direction.shared[k] = 1;
  if (!functional.hessian_action(start, direction, out).ok) return true;
  return std::any_of(out.shared.begin(), out.shared.end(), [&](double h) { return std::abs(h) > limit; });
}

/// The k-th entry of `design` that is a number.
const spec::Value& number_entry(const spec::Value& design, std::size_t k) {
  for (const spec::Value& entry : design)
    if (entry["kind"].text() == "number" && k-- == 0) return entry;
  throw std::logic_error("design entry of a number");
}

}  // namespace

void require_influence(Problem& problem) {
  CaseFunctional& functional = *problem.functional;
  if (!problem.numbers) return;
  const DesignVector start = functional.start();
  DesignVector gradient;
  Eigen::VectorXd rho;
  Eigen::MatrixXd drho;
  const Evaluation e = functional.gradient(start, gradient);
  if (!e.ok || !functional.jacobian(start, rho, drho).ok) return;
  const double size = magnitude(functional, e.value), limit = round_off * size;
  Diagnostics diagnostics;
  for (std::size_t k = 0; k < problem.numbers->entries().size(); ++k) {
    if (std::abs(gradient.shared[k]) > limit || drho.col(k).norm() > round_off * std::sqrt(size)) continue;
    if (bends(functional, start, k, limit)) continue;
    const spec::Value& variable = number_entry(problem.spec["design"], k)["variable"];
    diagnostics.error(variable.position, variable.yaml_path,
                      "nothing depends on '" + variable.text() +
                          "': neither data nor objective change with it at the start",
                      "leave it out, start elsewhere, or add data that depend on it");
  }
  diagnostics.throw_if_any();
}

}  // namespace invar
