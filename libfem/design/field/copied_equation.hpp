#pragma once
#include <petscsf.h>

#include <memory>
#include <vector>

#include "libadjoint/sampling/static_batch.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/mesh/mesh_copies.hpp"

namespace invar {

/// The equation of one problem in that of a problem on copies of its mesh. Numbers that the common equation has as fields (`spread_control`)
/// are those of each copy; other controls are common.
class CopiedEquation final : public BatchLayout {
 public:
  /// one, common: equations of the same forms, `common` on a part of the mesh `copies`. Controls are found by their names. Throws
  /// std::invalid_argument if the unknowns do not correspond. Collective.
  CopiedEquation(const FormResidual& one, const FormResidual& common, const MeshCopies& copies);

  int copies() const override { return static_cast<int>(rows_.size()); }
  const std::vector<int>& rows(int copy) const override { return rows_[static_cast<std::size_t>(copy)]; }
  void to_copy(int copy, Vec one, Vec common) const override;
  void from_copy(int copy, Vec common, Vec one) const override;
  void write_controls(int copy, const Controls& one, Controls& common) const override;

 private:
  using ForestHandle = PetscHandle<PetscSF, PetscSFDestroy>;
  struct Spread {
    int one, common;  // positions of the number and of the field
    bool in_cells;
  };

  void connect(const DofMap& one, const DofMap& common, const MeshCopies& copies);

  std::vector<std::vector<int>> rows_, nodes_, cells_;  // by copy: own rows, local nodes and cells of the common equation
  std::vector<ForestHandle> forests_;                   // by copy: its rows are the roots, those of the single problem the leaves
  std::vector<Spread> spread_;
};

}  // namespace invar
