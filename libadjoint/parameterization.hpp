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

/// One scalar unknown of the optimisation, as reports name it; start and bounds are physical values.
struct DesignVariable {
  std::string name;                       // path in the spec, or a name given by a map
  VariableTransform transform;            // optimiser coordinate θ ↔ physical value
  double start = 0, lower = 0, upper = 0;
};

/// What the local entries of a block belong to.
struct LocalEntries {
  ControlLayout of = ControlLayout::cells;  // or nodes
  int components = 1;                       // entries for each of them, one after the other
  std::vector<int> positions{};             // of the cells or nodes among the rank's
  VariableTransform transform{};            // entry θ ↔ physical value
  std::vector<double> scale{};              // of each position: entry θ over the value of the field there; empty: 1
};

/// A block of design variables and the controls that it sets in every case: θ ↦ d(θ) with exact
/// derivatives. Blocks stand side by side in the design vector and set different controls; one may read
/// what blocks before it have set. A map may solve equations of its own (mesh motion, filters); a failure
/// there is a report. Controls of all
/// cases are indexed [case][control][entry]. Calls are collective.
class Parameterization {
 public:
  virtual ~Parameterization() = default;
  /// The shared entries of the block.
  virtual std::vector<DesignVariable> variables() const = 0;
  /// Start and bounds of the block in optimiser coordinates; by default made of `variables`.
  virtual DesignVector start() const;
  virtual DesignVector lower() const;
  virtual DesignVector upper() const;
  virtual LocalEntries local_entries() const { return {}; }

  /// Writes the controls that θ sets.
  virtual Evaluation apply(const DesignVector& theta, std::vector<Controls>& d) = 0;
  /// Sizes the entries of those controls in `d_bar`, with zeros: they are wanted.
  virtual void want(std::vector<Controls>& d_bar) const = 0;
  // What solves of the map's own begin with besides θ, this rank's part; see Case.

  virtual void save(StateWriter&) const {}
  virtual void restore(StateReader&) {}

  /// Hears of the solves of the map's own from now on.
  virtual void set_monitor(const std::shared_ptr<SolveMonitor>&) {}

  // All of the following refer to the θ of the last `apply`.

  /// d_dot's entries = ∂d/∂θ · θ_dot
  virtual Evaluation jvp(const DesignVector& theta, const DesignVector& theta_dot, std::vector<Controls>& d_dot) = 0;
  /// θ_bar += (∂d/∂θ)ᵀ d_bar; of shared entries the rank's share of a sum. A map that reads controls which blocks
  /// before it have set adds to their entries of d_bar: the last block comes first.
  virtual Evaluation vjp(const DesignVector& theta, std::vector<Controls>& d_bar, DesignVector& theta_bar) = 0;
  /// The derivative of `vjp`'s result along θ_dot while d_bar moves by d_bar_dot:
  /// θ_bar_dot += (∂d/∂θ)ᵀ d_bar_dot + (d/dε ∂d/∂θ)ᵀ d_bar
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
