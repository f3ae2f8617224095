#pragma once
#include <array>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "libfem/device/device_tangent.hpp"
#include "libfem/device/lattice_kernels.hpp"
#include "libfem/mesh/cell_lattice.hpp"

namespace invar {

/// CellMatrix on a device: ∂r/∂u = Σ_s f_s Gₛᵀ K_k(s) Gₛ over shares s of congruent first-order cells, with a few element matrices K_k of trace 1.
/// The forms' kernels compute the element matrices, of which only traces f_s and kinds k(s) are kept. The PETSc matrix is a shell with
/// products, its diagonal, a norm and vectors; MatGetRowMaxAbs returns the diagonal. On one process.
class DeviceCells {
 public:
  /// tangent: of the forms. held: flags of its unknowns.
  DeviceCells(std::shared_ptr<DeviceTangent> tangent, const std::vector<char>& held, const CellLattice& lattice);
  DeviceCells(const DeviceCells&) = delete;
  DeviceCells& operator=(const DeviceCells&) = delete;

  /// Represents Σ_k weights[k] ∂r/∂u_k at this state; false if there are other forms or too many kinds of element matrices.
  bool linearise(std::span<const FormAt> forms, const PerLevel<double>& weights);

  Mat mat() const { return mat_; }
  const std::shared_ptr<Device>& device() const { return tangent_->device(); }
  int dim() const { return tangent_->components(); }
  /// [share] its cell in the mesh; `shares_number` changes with them.
  const std::vector<int>& cells() const { return cells_; }
  int shares_number() const { return shares_number_; }
  template <int D>
  CellShares<D> shares() const {
    return {node_.data(), factor_.data(), kind_.data(), matrices_.data(), held_.data()};
  }

 private:
  using Chunk = DeviceTangent::Chunk;
  enum class Of { product, diagonal, magnitudes };

  void create_shell();
  bool find_shares();
  void add_share(const Chunk& chunk, int cell);
  void match(const double* blocks, int first, int count);
  void add_kind(const double* block, const signed char* corner);
  void measure();
  void run(Of of, const double* x, double* y) const;

  std::shared_ptr<DeviceTangent> tangent_;
  std::vector<char> is_held_;
  std::vector<std::array<int, 3>> place_;  // [node] in the lattice
  MatHandle mat_;
  std::vector<int> active_;                // chunks with shares, which are in their order
  int chunks_number_ = 0, shares_number_ = 0;
  std::vector<int> cells_, nodes_;         // nodes_: [share][corner], as in CellShares
  std::vector<signed char> corners_;       // [share][node of the cell] its corner
  std::vector<double> kinds_;              // [kind][column][row], by corners; the first one is zero
  DeviceArray<signed char> corner_;
  DeviceArray<int> node_, kind_, start_, from_;
  DeviceArray<char> held_;
  DeviceArray<double> factor_, matrices_, row_, partial_;
  double on_held_ = 1, largest_sum_ = 0;
};

/// Calls work(integral_constant<dim>), dim 2 or 3.
template <class Work>
void with_dim(int dim, const Work& work) {
  if (dim == 2) work(std::integral_constant<int, 2>());
  else work(std::integral_constant<int, 3>());
}

}  // namespace invar
