#pragma once
#include <memory>
#include <string>
#include <vector>

#include "libfem/device/block_pattern.hpp"
#include "libfem/device/device_cells.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/form/lattice_hierarchy.hpp"

namespace invar {

/// LatticeLevels on a device: the same levels and Galerkin products, made and applied there. PETSc runs the cycle on vectors of the device; those of
/// the coarsest level, which is factorised on the host, and their transfers are counted as host accesses.
class DeviceLattice final : public MultigridLevels {
 public:
  DeviceLattice(std::shared_ptr<DeviceCells> fine, LatticeHierarchy tree);
  DeviceLattice(const DeviceLattice&) = delete;
  DeviceLattice& operator=(const DeviceLattice&) = delete;

  int count() const override { return tree_.count() + 1; }
  std::string_view method() const override { return "cg_lattice"; }
  Mat finest() const override { return fine_->mat(); }
  Mat prolongation(int level) const override { return at(level - 1).transfer; }
  Mat matrix(int level) const override { return level == 0 ? coarsest_.get() : level + 1 < count() ? at(level).mat.get() : finest(); }
  std::string set_up() override;

 private:
  /// Nodes between which others lie, in device memory: see LatticeTransfer.
  struct Lists {
    DeviceArray<int> start, from;
  };
  struct Level {
    std::shared_ptr<Device> device;
    int dim = 3, n = 0, n_finer = 0;      // nodes of the level, and of the one before
    BlockPattern pattern;
    DeviceArray<int> start, column, diagonal;
    DeviceArray<double> blocks;
    BlockList to_blocks;                  // of the element matrices
    DeviceArray<int> inside, node;        // [cell] start of what is inside, in order; [cell][corner]
    DeviceArray<unsigned char> child;     // of what is inside
    DeviceArray<char> fixed, finer_fixed;
    Lists parents, children;              // of nodes of the level before, and of this one
    MatHandle mat, transfer;              // shells

    template <int D>
    BlockRows<D> rows() {
      return {.start = start.data(), .column = column.data(), .diagonal = diagonal.data(), .blocks = blocks.data()};
    }
    void multiply(Vec x, Vec y);
    void diagonal_to(Vec y);
    void prolong(Vec coarse, Vec fine);
    void restrict_to(Vec fine, Vec coarse);
  };

  const Level& at(int level) const { return *levels_[levels_.size() - 1 - level]; }
  void create_level(int t);
  void create_shells(Level& level);
  void list_shares();
  std::string fill_empty_rows(Level& level);
  void copy_coarsest();

  std::shared_ptr<DeviceCells> fine_;
  LatticeHierarchy tree_;
  std::vector<std::unique_ptr<Level>> levels_;  // the coarsest last
  MatHandle coarsest_;                          // on the host
  int shares_number_ = 0;
  DeviceArray<int> shares_of_cell_, shares_;    // of cells of the first level
  DeviceArray<unsigned char> child_of_share_;
  DeviceArray<double> numbers_, partial_;
};

/// Solves an equation whose forms are on `device` by DeviceCells and these levels in place of an assembled matrix: what `cg_lattice` means there.
/// Returns false if its cells or its space do not suit. Call after `finish`.
bool use_device_lattice(FormResidual& residual, const std::shared_ptr<Device>& device);

}  // namespace invar
