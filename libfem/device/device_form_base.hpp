#pragma once
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "libfem/device/cell_tables.hpp"
#include "libfem/device/device_access.hpp"
#include "libfem/device/element_kernel.hpp"
#include "libfem/device/reduce.hpp"
#include "libfem/form/in_place.hpp"
#include "libfem/form/weak_form.hpp"

namespace invar {

/// What DeviceForm<Q> does for every q-function alike: what the host's form answers, its groups of cells and coefficients in device
/// memory, and sums of the rows that kernels leave in `Group::rows`.
class DeviceFormBase : public WeakForm, public InPlace {
 public:
  int group_count() const { return static_cast<int>(groups_.size()); }
  const CellTables& tables(int group) const { return groups_[group]->tables; }
  /// Copies the present coefficients, for the two functions below: an operator must not change when the equation is evaluated elsewhere.
  void keep_coefficients() const;
  /// y += Σ_l ∂r/∂u_l · direction[l] by this rule; on the device.
  virtual void add_product(const FormState& at, const PerLevel<const double*>& direction, Rule rule, double* y) const = 0;
  /// Leaves blocks of the element matrices Σ_l weights[l] ∂r/∂u_l, by the cheap rule, of `count` cells of a group from `first` on in `out` on
  /// the device, [cell][pair][component][component].
  virtual void tangent_blocks(const FormState& at, const PerLevel<double>& weights, NodePairs pairs, int group, int first, int count,
                              double* out) const = 0;

  FormTraits traits() const override { return host_->traits(); }
  std::vector<Coefficient>& coefficients() override {
    views_.clear();
    return host_->coefficients();
  }
  std::unique_ptr<WeakForm> on_boundary(const BoundaryPart& part) const override { return host_->on_boundary(part); }
  bool around_axis() const override { return host_->around_axis(); }

  double value_jvp(const FormState& at, const FormTangent& d) const override;
  void value_vjp_tangent(const FormState& at, double seed, const FormTangent& d, FormCotangent& out) const override;
  void vjp_tangent(const FormState& at, const double* lambda, const FormTangent& d, FormCotangent& out) const override;

 protected:
  /// Properties of a q-function.
  struct Quantity {
    int dim, ref_dim, n_components, most_coefficients;
    bool only_gradients;       // no values of the unknown are read
    std::vector<int> basis;    // of each component
    PerLevel<bool> reads;
    PerLevel<int> first;       // place of a level's first component among the nodal values that are read
  };
  struct Group {
    explicit Group(CellTables t) : tables(std::move(t)) {}
    CellTables tables;
    DeviceArray<double> rows, partial;
    std::vector<MatrixPart> matrix_parts;
    std::uint64_t parts_of = 0;
    const char* constrained = nullptr;
  };

  DeviceFormBase(Quantity quantity, const CellBatches& domain, std::shared_ptr<Device> device, std::unique_ptr<WeakForm> host);

  // What the host's form does, with copies of arrays on the device.
  bool host_residual(const FormState& at, double* r) const;
  void host_jvp(const FormState& at, const FormTangent& d, double* r_dot) const;
  void host_jacobian(const FormState& at, const PerLevel<double>& weights, AssembledMatrix& K) const;
  void host_vjp(const FormState& at, const double* lambda, FormCotangent& out) const;

  StateView view_of(const FormState& at, ReadOnDevice& read) const;
  /// Adds a direction of the unknown.
  void add_direction(StateView& view, const PerLevel<const double*>& direction, ReadOnDevice& read) const;
  /// The coefficients as kernels read them. After a call of `coefficients` those that have changed are sent.
  const std::vector<CoefficientView>& coefficient_views() const;
  const std::vector<CoefficientView>& kept_coefficients() const { return kept_views_; }
  /// Where a kernel leaves `size` numbers of this group.
  double* rows(Group& g, std::size_t size) const;
  /// Number of cells of a team of threads.
  static int cells_of_team(int n_points, int cell_size);

  /// Reduction of number `offset` of the cells' rows of `stride` numbers: their sum, or the smallest one.
  double reduce(Group& g, VectorReduction::Of what, int stride, int offset) const;
  /// Adds rows of `stride` numbers to the unknowns' numbers: those from `offset` on.
  void add_to_unknowns(Group& g, int stride, int offset, double* target) const;
  void add_to_coordinates(Group& g, double* target) const;
  void add_to_coefficients(Group& g, FormCotangent& out) const;
  /// The values of a matrix, to be added to; end with their `finish`.
  AddedOnDevice matrix_values(AssembledMatrix& K) const;
  /// The parts of cells whose element matrices are stored at a time, and are then added.
  const std::vector<MatrixPart>& matrix_parts(Group& g, AssembledMatrix& K) const;
  void add_to_matrix(Group& g, const MatrixPart& part, double* target) const;

  const Quantity quantity_;
  std::shared_ptr<Device> device_;
  std::unique_ptr<WeakForm> host_;
  std::size_t n_local_, n_nodes_;
  std::vector<std::unique_ptr<Group>> groups_;

 private:
  FormState on_host(FormState at, OnHost& copies) const;
  FormTangent on_host(FormTangent d, OnHost& copies) const;
  FormCotangent on_host(FormCotangent out, OnHost& copies) const;

  mutable MirrorOnDevice coordinates_;
  mutable std::vector<MirrorOnDevice> coefficients_;
  mutable std::vector<CoefficientView> views_, kept_views_;
  mutable std::vector<DeviceArray<double>> kept_;
};

}  // namespace invar
