#pragma once
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/controls.hpp"
#include "libadjoint/design_vector.hpp"
#include "libadjoint/reduced_functional.hpp"
#include "libadjoint/solve/solve_monitor.hpp"
#include "libadjoint/state_archive.hpp"
#include "libadjoint/variable_transform.hpp"

namespace invar {

/// One scalar design variable with its name for reports; start and bounds are physical values.
struct DesignVariable {
  std::string name;                       // path in the spec, or a name given by the map
  VariableTransform transform;            // optimiser coordinate θ ↔ physical value
  double start = 0, lower = 0, upper = 0;
};

/// What the local entries of a block are attached to.
struct LocalEntries {
  ControlLayout of = ControlLayout::cells;  // or nodes
  int components = 1;                       // entries per cell or node, stored contiguously
  std::vector<int> positions{};             // local numbers of the cells or nodes
  VariableTransform transform{};            // entry θ ↔ physical value
  std::vector<double> scale{};              // per position: entry θ divided by the field's value there; empty: 1
};

/// A block of design variables and the controls that it sets in every case: θ ↦ d(θ) with exact derivatives. The blocks
/// of a design vector set different controls; a block may read controls that earlier blocks have set. A map may solve
/// equations (mesh motion, filters); a failure is a report. Controls of all cases are indexed [case][control][entry].
/// Calls are collective.
class Parameterization {
 public:
  virtual ~Parameterization() = default;
  /// The shared entries of the block.
  virtual std::vector<DesignVariable> variables() const = 0;
  /// Start and bounds of the block in optimiser coordinates; by default from `variables`.
  virtual DesignVector start() const;
  virtual DesignVector lower() const;
  virtual DesignVector upper() const;
  virtual LocalEntries local_entries() const { return {}; }

  /// Writes the controls that θ sets.
  virtual Evaluation apply(const DesignVector& theta, std::vector<Controls>& d) = 0;
  /// Marks the block's controls as wanted in `d_bar`: sizes their entries, with zeros.
  virtual void want(std::vector<Controls>& d_bar) const = 0;
  // This rank's part of the data, other than θ, on which solves of the map depend; see `Case::save`.

  virtual void save(StateWriter&) const {}
  virtual void restore(StateReader&) {}

  /// The monitor observes the map's own solves from now on.
  virtual void set_monitor(const std::shared_ptr<SolveMonitor>&) {}

  // The functions below refer to the θ of the last `apply`.

  /// Writes ∂d/∂θ · θ_dot into the block's entries of d_dot.
  virtual Evaluation jvp(const DesignVector& theta, const DesignVector& theta_dot, std::vector<Controls>& d_dot) = 0;
  /// θ_bar += (∂d/∂θ)ᵀ d_bar; for shared entries this rank's share of a sum. A map that reads controls of earlier
  /// blocks adds to their entries of d_bar, so blocks are called in reverse order.
  virtual Evaluation vjp(const DesignVector& theta, std::vector<Controls>& d_bar, DesignVector& theta_bar) = 0;
  /// Derivative of the result of `vjp` along θ_dot while d_bar changes by d_bar_dot: θ_bar_dot += (∂d/∂θ)ᵀ d_bar_dot +
  /// (d/dε ∂d/∂θ)ᵀ d_bar
  virtual Evaluation vjp_tangent(const DesignVector& theta, const DesignVector& theta_dot,
                                 const std::vector<Controls>& d_bar, std::vector<Controls>& d_bar_dot,
                                 DesignVector& theta_bar_dot) = 0;
};

inline DesignVector Parameterization::start() const {
  DesignVector x;
  for (const DesignVariable& v : variables()) x.shared.push_back(v.transform.coordinate(v.start));
  return x;
}

inline DesignVector Parameterization::lower() const {
  DesignVector x;
  for (const DesignVariable& v : variables()) x.shared.push_back(v.transform.bounds(v.lower, v.upper)[0]);
  return x;
}

inline DesignVector Parameterization::upper() const {
  DesignVector x;
  for (const DesignVariable& v : variables()) x.shared.push_back(v.transform.bounds(v.lower, v.upper)[1]);
  return x;
}

}  // namespace invar
