#pragma once
#include <stdexcept>

#include "libadjoint/reduced_functional.hpp"

namespace invar {

/// Throws std::invalid_argument if the functional has constraints.
inline void require_unconstrained(const ReducedFunctional& functional, const std::string& method) {
  if (!functional.constraints().empty())
    throw std::invalid_argument(method + " cannot keep constraints; use 'mma', 'interior_point' or, for few smooth "
                                "variables, 'sqp'");
}

/// The box lower ≤ θ ≤ upper of a functional.
struct Bounds {
  DesignVector lower, upper;

  explicit Bounds(const ReducedFunctional& functional)
      : lower(functional.lower()), upper(functional.upper()) {}

  /// The projected gradient: zero in entries that point out of the box at a bound. Vanishes at a stationary point of
  /// the bounded problem.
  DesignVector projected(const DesignVector& theta, DesignVector g) const {
    project(theta.shared, lower.shared, upper.shared, g.shared);
    project(theta.local, lower.local, upper.local, g.local);
    return g;
  }

  /// Throws std::invalid_argument, on all ranks, if θ is outside the box or has another layout.
  void require_inside(const DesignVector& theta, const ReducedFunctional& functional) const {
    const auto& names = functional.names();
    if (theta.shared.size() != lower.shared.size() || theta.local.size() != lower.local.size())
      throw std::invalid_argument("the start has not the layout of the functional's variables");
    for (std::size_t i = 0; i < theta.shared.size(); ++i)
      if (!(theta.shared[i] >= lower.shared[i] && theta.shared[i] <= upper.shared[i]))
        throw std::invalid_argument("the start of '" + names.at(i) + "' is outside its bounds");
    int inside = 1;
    for (std::size_t i = 0; i < theta.local.size(); ++i)
      if (!(theta.local[i] >= lower.local[i] && theta.local[i] <= upper.local[i])) inside = 0;
    MPI_Allreduce(MPI_IN_PLACE, &inside, 1, MPI_INT, MPI_MIN, functional.comm());
    if (!inside) throw std::invalid_argument("the start of a field is outside its bounds");
  }

 private:
  static void project(const std::vector<double>& theta, const std::vector<double>& lower,
                      const std::vector<double>& upper, std::vector<double>& g) {
    for (std::size_t i = 0; i < g.size(); ++i)
      if ((theta[i] <= lower[i] && g[i] > 0) || (theta[i] >= upper[i] && g[i] < 0)) g[i] = 0;
  }
};

}  // namespace invar
