#include "apps/invar/problem/another_start.hpp"

#include <algorithm>
#include <cmath>

#include "apps/invar/problem/design_parts.hpp"
#include "libadjoint/optimize/drawn_between.hpp"

namespace invar {

std::optional<DesignVector> another_start(const Problem& problem, std::uint64_t seed, std::string& unbounded) {
  const CaseFunctional& functional = *problem.functional;
  DesignVector lower = functional.lower(), upper = functional.upper(), start = functional.start();
  for (std::size_t k = 0; problem.numbers && k < problem.ranges.size(); ++k) {
    const auto range = problem.numbers->entries()[k].transform.bounds(problem.ranges[k][0], problem.ranges[k][1]);
    lower.shared[k] = range[0], upper.shared[k] = range[1];
  }
  const std::vector<DesignPart> parts = parts_of(functional);
  long long missing = -1;  // the block that has no bounds
  for (std::size_t b = 0; b < parts.size(); ++b) {
    const DesignPart& part = parts[b];
    const auto draw = [&](double& entry, double low, double high, std::uint64_t number) {
      if (const auto value = drawn_between(low, high, seed, number)) entry = *value;
      else missing = static_cast<long long>(b);
    };
    for (std::size_t k = part.shared; k < part.shared + part.variables.size(); ++k) draw(start.shared[k], lower.shared[k], upper.shared[k], k);
    if (part.of.positions.empty()) continue;
    const std::vector<long long> numbers = numbers_of(mesh_of(problem, b), part.of.of);
    const std::size_t m = static_cast<std::size_t>(part.of.components);
    for (std::size_t i = 0; i < m * part.of.positions.size(); ++i)
      draw(start.local[part.local + i], lower.local[part.local + i], upper.local[part.local + i],
           (std::uint64_t(b + 1) << 48) + std::uint64_t(numbers[part.of.positions[i / m]]) * m + i % m);
  }
  MPI_Allreduce(MPI_IN_PLACE, &missing, 1, MPI_LONG_LONG, MPI_MAX, functional.comm());
  if (missing < 0) return start;
  const DesignPart& part = parts[static_cast<std::size_t>(missing)];
  unbounded = problem.blocks[static_cast<std::size_t>(missing)].name;
  for (std::size_t k = 0; k < part.variables.size(); ++k)
    if (!std::isfinite(lower.shared[part.shared + k]) || !std::isfinite(upper.shared[part.shared + k])) unbounded = part.variables[k].name;
  return std::nullopt;
}

double design_distance(const Problem& problem, const DesignVector& a, const DesignVector& b) {
  const DesignVector lower = problem.functional->lower(), upper = problem.functional->upper();
  double most = 0;
  const auto compare = [&](const std::vector<double>& x, const std::vector<double>& y, const std::vector<double>& low, const std::vector<double>& high) {
    for (std::size_t k = 0; k < x.size(); ++k)
      if (const double width = high[k] - low[k]; std::isfinite(width) && width > 0) most = std::max(most, std::abs(x[k] - y[k]) / width);
  };
  compare(a.shared, b.shared, lower.shared, upper.shared);
  compare(a.local, b.local, lower.local, upper.local);
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, problem.functional->comm());
  return most;
}

}  // namespace invar
