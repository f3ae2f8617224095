#pragma once
#include <string>
#include <vector>

#include "libadjoint/parameterization.hpp"
#include "libfem/mesh/mesh_copies.hpp"

namespace invar {

/// A number that differs between the copies of a mesh: one variable per copy. It sets controls with one entry per cell or node of all
/// copies, e.g. coefficients (without a formula in space), prescribed and initial values.
class CopiedNumber final : public Parameterization {
 public:
  struct Target {
    int case_index = 0, control = 0;
    std::vector<int> copy;   // per local entry
    std::vector<int> owned;  // local entries that this rank owns
  };
  static Target on_nodes(int case_index, int control, const MeshCopies& copies, const Mesh& part);
  static Target on_cells(int case_index, int control, const MeshCopies& copies, const Mesh& part);

  /// name: of the variables, followed by the number of the copy. values: [copy].
  CopiedNumber(const std::string& name, const std::vector<double>& values, std::vector<Target> targets, VariableTransform transform = VariableTransform());

  std::vector<DesignVariable> variables() const override { return variables_; }
  Evaluation apply(const DesignVector& theta, std::vector<Controls>& d) override;
  void want(std::vector<Controls>& d_bar) const override;
  Evaluation jvp(const DesignVector& theta, const DesignVector& theta_dot, std::vector<Controls>& d_dot) override;
  Evaluation vjp(const DesignVector& theta, std::vector<Controls>& d_bar, DesignVector& theta_bar) override;
  Evaluation vjp_tangent(const DesignVector& theta, const DesignVector& theta_dot, const std::vector<Controls>& d_bar,
                         std::vector<Controls>& d_bar_dot, DesignVector& theta_bar_dot) override;

 private:
  std::vector<DesignVariable> variables_;
  std::vector<Target> targets_;
};

}  // namespace invar
