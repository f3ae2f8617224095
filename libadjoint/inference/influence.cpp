#include "libadjoint/inference/influence.hpp"

#include <algorithm>
#include <cmath>

namespace invar {
namespace {

constexpr double influence_round_off = 1e-9;  // bound on a vanishing derivative, relative to the observed values

/// Magnitude of the objective's parts at the start: the scale of derivatives by (scaled) variables.
double magnitude_of_parts(const CaseFunctional& functional, double value) {
  double squares = std::abs(value);
  for (const auto& c : functional.cases())
    for (const DataSet& set : c->data())
      for (std::size_t i = 0; i < set.target.size(); ++i)
        squares += std::pow(set.weight * set.target[i] / set.noise[i], 2);
  return squares;
}

/// Whether the gradient, also by fields, changes along the variable. Collective.
bool bends(CaseFunctional& functional, const DesignVector& start, std::size_t k, double limit) {
  DesignVector direction = DesignVector::zeros_like(start), out;
  direction.shared[k] = 1;
  if (!functional.hessian_action(start, direction, out).ok) return true;
  const auto matters = [&](double h) { return std::abs(h) > limit; };
  int any = std::ranges::any_of(out.shared, matters) || std::ranges::any_of(out.local, matters);
  MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_LOR, functional.comm());
  return any != 0;
}

}  // namespace

std::vector<std::size_t> without_influence(CaseFunctional& functional, std::size_t count) {
  const DesignVector start = functional.start();
  DesignVector gradient;
  Eigen::VectorXd rho;
  Eigen::MatrixXd drho;
  const Evaluation e = functional.gradient(start, gradient);
  if (!e.ok || !functional.jacobian(start, rho, drho).ok) return {};
  const double size = magnitude_of_parts(functional, e.value), limit = influence_round_off * size;
  std::vector<std::size_t> idle;
  for (std::size_t k = 0; k < count; ++k) {
    if (std::abs(gradient.shared[k]) > limit || drho.col(k).norm() > influence_round_off * std::sqrt(size)) continue;
    if (!bends(functional, start, k, limit)) idle.push_back(k);
  }
  return idle;
}

}  // namespace invar
