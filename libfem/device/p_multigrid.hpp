#pragma once
#include <memory>
#include <span>
#include <vector>

#include "libadjoint/solve/multigrid_levels.hpp"
#include "libfem/device/block_pattern.hpp"
#include "libfem/device/device_tangent.hpp"
#include "libfem/form/form_residual.hpp"

namespace invar {

/// Two levels for DeviceTangent: the elements of its space, smoothed by `invar_device_chebyshev` with the cheap rule, and linear elements
/// on the same mesh. The coarse matrix is integrated with linear shape functions at the state of the fine space, on the device, from where
/// it goes to its direct solver: cuDSS on a CUDA device that has it, else MUMPS. Of a cycle only coarse vectors are on the host.
class PMultigrid final : public MultigridLevels {
 public:
  /// constrained: own unknowns of the fine space that are held.
  PMultigrid(std::shared_ptr<DeviceTangent> fine, const std::shared_ptr<const DofMap>& dofs, std::span<const int> constrained);
  PMultigrid(const PMultigrid&) = delete;
  PMultigrid& operator=(const PMultigrid&) = delete;

  int count() const override { return 2; }
  std::string_view method() const override { return "cg_p_multigrid"; }
  std::string options() const override { return options_; }
  Mat finest() const override { return fine_->mat(Rule::full); }
  Mat prolongation(int) const override { return transfer_; }
  Mat matrix(int level) const override { return level == 0 ? coarse_.get() : fine_->mat(Rule::cheap); }
  std::string set_up() override;

 private:
  /// A sparse matrix on the device.
  struct Rows {
    int n = 0;
    DeviceArray<int> start, column;
    DeviceArray<double> value;
  };
  Rows send(Mat A) const;
  void create_transfer(std::span<const int> constrained, const DofMap& dofs);
  void find_pattern();
  BlockList list_to_blocks(const DeviceTangent::Chunk& chunk) const;
  void prolong(Vec coarse, Vec fine);
  void restrict_to_coarse(Vec fine, Vec coarse);
  void multiply(const Rows& rows, const double* x, double* y) const;

  std::shared_ptr<DeviceTangent> fine_;
  DofMap linear_;
  std::string options_;
  Rows prolong_, restrict_;
  MatHandle transfer_, coarse_;
  std::vector<char> held_;                    // [coarse dof]
  BlockPattern pattern_;                      // of the coarse matrix, by coarse nodes
  std::vector<std::optional<BlockList>> lists_;  // of the chunks of `fine_`, to blocks
  int chunks_number_ = 0;
  DeviceArray<double> blocks_;                // [block][component][component]
  DeviceArray<double> coarse_numbers_;        // of a coarse vector
};

/// Solves a symmetric equation whose forms are on `device` by products and these levels in place of an assembled matrix: what
/// `cg_p_multigrid` means there. Where `auto` gives them up the matrix is assembled (AssembledOnDemand), with values on the device if cuDSS is
/// there, else on the host. Returns false if its space does not suit. Call after `finish`.
bool use_p_multigrid(FormResidual& residual, const std::shared_ptr<Device>& device);

}  // namespace invar
