#pragma once
#include <Eigen/Dense>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "apps/invar/problem/problem.hpp"

namespace invar {

/// An equation that could not be solved at a design: there is neither a value nor a gradient.
class SolveError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The optimisation problem of a spec as functions of arrays.
///
/// A design is one array θ [size()]: the shared entries, then this rank's entries of fields, block after block, in the
/// optimiser's coordinates. Every rank calls with its own θ, of which the shared entries are the same. Functions that need a
/// solution throw SolveError without one. All calls are collective.
class FlatProblem {
 public:
  /// Entries of θ that belong together.
  struct Block {
    std::string name;            // path in the spec, "density", or the moving region
    std::string of;              // "numbers", "cells" or "nodes"
    int components = 1;          // entries of each cell or node, one after the other
    int first = 0, count = 0;    // within θ
    std::vector<int> positions;  // of the cells or nodes among the rank's, in the order of the mesh
  };
  /// Values at the nodes or in the cells of one rank.
  struct FieldValues {
    bool on_nodes = true;
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> values;  // [entities × components]
  };
  /// One rank's part of a mesh.
  struct MeshArrays {
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> points;  // [nodes × dim]
    std::vector<std::pair<std::string, Eigen::Matrix<int, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>> cells;
  };

  /// Reads and builds. `sets`: assignments "path=value" as of `--set`. Throws SpecError with all mistakes.
  FlatProblem(const std::filesystem::path& spec, const std::vector<std::string>& sets);

  const std::string& title() const { return problem_.title; }
  int size() const { return static_cast<int>(start_.size()); }
  /// Names of the shared entries.
  std::vector<std::string> names() const { return problem_.functional->names(); }
  const std::vector<Block>& blocks() const { return blocks_; }
  Eigen::VectorXd start() const { return start_; }
  Eigen::VectorXd lower() const { return flat(problem_.functional->lower()); }
  Eigen::VectorXd upper() const { return flat(problem_.functional->upper()); }

  /// Physical values p(θ) of all entries, their derivatives dp/dθ and d²p/dθ², and θ(p).
  Eigen::VectorXd physical(const Eigen::VectorXd& theta) const;
  Eigen::VectorXd slope(const Eigen::VectorXd& theta) const;
  Eigen::VectorXd curvature(const Eigen::VectorXd& theta) const;
  Eigen::VectorXd coordinate(const Eigen::VectorXd& p) const;

  /// Stages of a density design (its penalisation and projection); the first one is set. Throws std::out_of_range.
  int stages() const { return problem_.staged ? problem_.staged->stage_count() : 0; }
  void set_stage(int stage);

  double value(const Eigen::VectorXd& theta);
  std::pair<double, Eigen::VectorXd> value_and_gradient(const Eigen::VectorXd& theta);
  /// By the tangent, independent of the adjoint.
  double directional_derivative(const Eigen::VectorXd& theta, const Eigen::VectorXd& direction);
  Eigen::VectorXd hessian_product(const Eigen::VectorXd& theta, const Eigen::VectorXd& direction);

  std::vector<ConstraintInfo> constraints() const { return problem_.functional->constraints(); }
  Eigen::VectorXd constraint_values(const Eigen::VectorXd& theta);
  /// [constraints × size]
  Eigen::MatrixXd constraint_jacobian(const Eigen::VectorXd& theta);

  int residual_count() const { return problem_.functional->residual_count(); }
  /// Weighted residuals (model − data)/σ of all data.
  Eigen::VectorXd residuals(const Eigen::VectorXd& theta);
  /// [residuals × size]. Throws std::invalid_argument where fields are designed.
  Eigen::MatrixXd residual_jacobian(const Eigen::VectorXd& theta);

  /// Quantities and probes of `output`.
  std::map<std::string, double> quantities(const Eigen::VectorXd& theta);
  std::vector<std::string> cases() const;
  /// Load parameters or times of a case.
  std::vector<double> times(const std::string& name) const { return case_named(name).times; }
  /// The mesh of a case at the positions of the design.
  MeshArrays mesh(const Eigen::VectorXd& theta, const std::string& name);
  /// Fields of the state at one of the times; negative positions count from the end. Throws std::out_of_range.
  std::map<std::string, FieldValues> fields(const Eigen::VectorXd& theta, const std::string& name, int step);

 private:
  DesignVector point(const Eigen::VectorXd& theta) const;
  Eigen::VectorXd flat(const DesignVector& x) const;
  template <class Function>
  Eigen::VectorXd by_entry(const Eigen::VectorXd& x, Function&& function) const;
  const CaseModel& case_named(const std::string& name) const;
  void solve(const Eigen::VectorXd& theta);

  Problem problem_;
  Eigen::VectorXd start_;
  std::size_t shared_ = 0;
  std::vector<Block> blocks_;
  std::vector<VariableTransform> transforms_;  // of each entry
};

}  // namespace invar
