#pragma once
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "libfem/device/cell_tables.hpp"
#include "libfem/device/device_access.hpp"
#include "libfem/device/element_kernel.hpp"
#include "libfem/form/in_place.hpp"
#include "libfem/form/weak_form.hpp"

namespace invar {

/// What DeviceForm<Q> does for every q-function alike: what the host's form answers, its groups of cells and coefficients in device
/// memory, and sums of the rows that kernels leave in `Group::rows`.
class DeviceFormBase : public WeakForm, public InPlace {
 public:
  FormTraits traits() const override { return host_->traits(); }
  std::vector<Coefficient>& coefficients() override { return host_->coefficients(); }
  std::unique_ptr<WeakForm> on_boundary(const BoundaryPart& part) const override { return host_->on_boundary(part); }
  bool around_axis() const override { return host_->around_axis(); }

  double value_jvp(const FormState& at, const FormTangent& d) const override;
  void value_vjp_tangent(const FormState& at, double seed, const FormTangent& d, FormCotangent& out) const override;
  void vjp_tangent(const FormState& at, const double* lambda, const FormTangent& d, FormCotangent& out) const override;

 protected:
  /// Properties of a q-function.
  struct Quantity {
    int dim, ref_dim, n_components, most_coefficients;
    std::vector<int> basis;    // of each component
    PerLevel<bool> reads;
    PerLevel<int> first;       // place of a level's first component among the nodal values that are read
  };
  struct Group {
    explicit Group(CellTables t) : tables(std::move(t)) {}
    CellTables tables;
    DeviceArray<double> rows, partial;
    PlaceList entries;
    std::uint64_t entries_of = 0;
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
  /// Sends coefficients that have changed; the coefficients as kernels read them.
  const std::vector<CoefficientView>& coefficient_views() const;
  /// Where a kernel leaves `size` numbers of this group.
  double* rows(Group& g, std::size_t size) const;
  struct TeamSize {
    int cells, threads;
  };
  static TeamSize team_size(int n_points, int cell_size);

  /// Reduction of a group's rows.
  double reduce(Group& g, const DeviceArray<int>& list, int stride, int offset, bool least) const;
  /// Adds rows of `stride` numbers to the unknowns' numbers: those from `offset` on.
  void add_to_unknowns(Group& g, int stride, int offset, double* target) const;
  void add_to_coordinates(Group& g, double* target) const;
  void add_to_coefficients(Group& g, FormCotangent& out) const;
  /// Adds element matrices. Begin with `matrix_values`, end with its `finish`.
  AddedOnDevice matrix_values(AssembledMatrix& K) const;
  void add_to_matrix(Group& g, AssembledMatrix& K, double* target) const;

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
  mutable std::vector<CoefficientView> views_;
};

}  // namespace invar
