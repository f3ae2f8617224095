#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "libfem/device/device_form_base.hpp"
#include "libfem/device/multigrid_kernels.hpp"
#include "libfem/device/reduce.hpp"
#include "libfem/form/form_operator.hpp"

namespace invar {

/// Destinations of blocks that cells produce: row r of them is added to the block number target_of[r] (−1: to none), in the order of the rows.
struct BlockList {
  int n_targets = 0;
  DeviceArray<int> target, start, from;

  BlockList() = default;
  BlockList(const std::shared_ptr<Device>& device, std::span<const int> target_of);
  OneByOne<BlockSum> sum(const double* rows, int size, double* blocks) const {
    return {n_targets * size, {size, target.data(), start.data(), from.data(), rows, blocks}};
  }
};

/// The symmetric operator ∂r/∂u of forms on a device by their products, nothing assembled but the diagonal blocks of the nodes. As PETSc
/// matrices, shells with products, row maxima (of the diagonal blocks) and an estimate of the norm, it exists with the forms' own
/// quadrature and with the cheap rule, which multigrid uses inside. Held rows and columns are diagonal. For spaces with all components at
/// every node, as many as dimensions. On one process.
class DeviceTangent {
 public:
  /// Consecutive cells of a group of a form whose blocks are computed at once, so that their memory stays small.
  struct Chunk {
    int term, group, first, count;
    std::optional<BlockList> to_nodes;  // made when a block is not zero for the first time
  };

  static bool suits(const DofMap& dofs);
  /// held: flags of local dofs. create_vector: vectors of the operator, of either kind.
  DeviceTangent(std::shared_ptr<const DofMap> dofs, const std::vector<char>& held, std::shared_ptr<Device> device,
                std::function<VecHandle()> create_vector);
  DeviceTangent(const DeviceTangent&) = delete;
  DeviceTangent& operator=(const DeviceTangent&) = delete;

  /// Copies the state and the coefficients and computes the diagonal blocks. False if a form is not on the device or not symmetric.
  bool linearise(std::span<const FormAt> forms, const PerLevel<double>& weights);
  Mat mat(Rule rule) const { return shells_[rule == Rule::cheap].mat; }
  /// Writes the same operator with its entries, by the forms' own quadrature and with their present coefficients.
  void assemble(AssembledMatrix& matrix) const;
  /// The tangent of a matrix made by `mat`.
  static DeviceTangent& of(Mat mat);

  const std::shared_ptr<Device>& device() const { return device_; }
  int components() const { return nc_; }
  int n() const { return n_; }
  VecHandle create_vector() const { return create_vector_(); }
  /// y = ∂r/∂u x; x and y on the device, not the same.
  void multiply(Rule rule, const double* x, double* y);
  /// Fills a vector on the device with numbers without structure, always the same.
  void set_noise(double* x) const { device_->run(OneByOne{n_, Noise{x}}); }
  /// Inverses of the diagonal blocks B of the nodes, [node][component][component] on the device.
  const double* inverse_blocks() const { return blocks_.data(); }
  /// Sets an upper bound of the eigenvalues of B⁻¹ ∂r/∂u, for the norm.
  void set_bound(double bound) { bound_ = bound; }

  /// All cells of all forms; `chunks_number` changes with them.
  const std::vector<Chunk>& chunks() const { return chunks_; }
  int chunks_number() const { return chunks_number_; }
  const CellTables& tables(const Chunk& c) const { return terms_[c.term].form->tables(c.group); }
  /// Whether the tangent of a chunk's form is zero, such as that of dead loads.
  bool vanishes(const Chunk& c) const { return terms_[c.term].vanishes; }
  /// Blocks of the cells of a chunk by the cheap rule, [cell][pair][component][component] on the device, valid until the next call; null if
  /// the form's tangent vanishes.
  const double* blocks(const Chunk& chunk, NodePairs pairs);

 private:
  struct Term {
    const DeviceFormBase* form;
    bool vanishes = false;  // its tangent, such as that of dead loads
  };
  struct Shell {
    DeviceTangent* tangent;
    Rule rule;
    MatHandle mat;
  };
  void create_shell(Shell& shell, Rule rule);
  void make_chunks();
  BlockList list_to_nodes(const Chunk& chunk) const;
  void copy_state(std::span<const FormAt> forms);
  void set_direction(const double* x);
  void find_vanishing(const std::vector<char>& without_diagonal);
  void make_diagonal_blocks();
  double reduced(VectorReduction::Of of, const double* x, int n);

  std::shared_ptr<const DofMap> dofs_;
  std::shared_ptr<Device> device_;
  std::function<VecHandle()> create_vector_;
  int nc_, n_, n_free_;
  Shell shells_[2];
  std::vector<Term> terms_;
  std::vector<Chunk> chunks_;
  int chunks_number_ = 0;
  FormState at_;
  PerLevel<double> weights_;
  PerLevel<bool> moves_ = {};              // levels along which the forms have a derivative
  MirrorOnDevice coordinates_;
  PerLevel<DeviceArray<double>> state_, scaled_;
  PerLevel<const double*> direction_ = {}; // of the product
  DeviceArray<char> held_;
  DeviceArray<double> free_, blocks_, row_max_, rows_, partial_;
  double on_held_ = 1, largest_ = 0, bound_ = 1;
};

}  // namespace invar
