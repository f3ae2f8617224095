#pragma once
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "libfem/form/local_access.hpp"
#include "libfem/form/q_form.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfluid/design/solenoidal_projection.hpp"
#include "libfluid/flow/with_flow_kind.hpp"
#include "tests/unit/form/test_meshes.hpp"

namespace invar::test {

/// r(q) = ∫ q ∇·u on the space of flow.
template <class K>
struct DivergenceRows {
  static constexpr int dim = K::dim, ref_dim = K::dim, n_components = K::dim + 1;
  static constexpr std::array<int, K::dim + 1> basis = [] {
    std::array<int, K::dim + 1> b{};
    b[K::dim] = 1;
    return b;
  }();
  static constexpr auto slots = K::slots;
  static constexpr bool symmetric = false, uses_position = K::axisymmetric;
  int n_coefficients() const { return 0; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto flux(const std::array<Tz, slots.size()>& z, const PointGeometry<Tg, dim, dim>& g, const Tp*) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    std::array<R, slots.size()> f;
    for (R& entry : f) entry = R(0.0);
    for (int i = 0; i < dim; ++i) f[K::pressure] += R(z[K::gradient(i, i)]);
    if constexpr (K::axisymmetric) f[K::pressure] += R(z[0] / g.x[0]);
    f[K::pressure] = f[K::pressure] * K::measure(g);
    return f;
  }
};

/// A space of flow, what is prescribed there, and fields on its nodes.
class SolenoidalProblem {
 public:
  using Field = std::function<double(int component, const double* x)>;

  /// carries: a scalar besides.
  SolenoidalProblem(const Mesh& serial, FlowKind kind, MPI_Comm comm = PETSC_COMM_WORLD, bool carries = false)
      : kind(kind), mesh(std::make_shared<const Mesh>(distribute(serial, comm))) {
    std::vector<Component> components(mesh->dim, {"u", 2});
    components.push_back({"p", 1});
    if (carries) components.push_back({"c", 1});
    dofs = std::make_shared<const DofMap>(mesh, components, comm);
    flow = std::make_shared<FormResidual>(dofs);
  }

  void hold(const std::string& region, int component, const Field& g = [](int, const double*) { return 0.0; }) {
    ControlledValue v{flow->add_control({"", ""}, {1.0}), [=](const double* x, double) { return g(component, x); }};
    v.varies_in_space = true;
    flow->add_dirichlet({region, component, v});
  }
  /// The projection with what the flow's controls are at present.
  class Map {
   public:
    Map(std::shared_ptr<FormResidual> flow, FlowKind kind, double l) : flow_(flow), projection_(flow, kind, 0, l) {}
    Evaluation apply(const std::vector<double>& w, std::vector<double>& u) {
      return projection_.apply(w, flow_->control_values(), u);
    }
    Evaluation jvp(const std::vector<double>& w_dot, std::vector<double>& u_dot) {
      return projection_.jvp(w_dot, Controls(flow_->controls().size()), u_dot);
    }
    Evaluation vjp(const std::vector<double>& u_bar, std::vector<double>& w_bar) {
      Controls d_bar(flow_->controls().size());
      return projection_.vjp(u_bar, w_bar, d_bar);
    }

   private:
    std::shared_ptr<FormResidual> flow_;
    SolenoidalProjection projection_;
  };
  Map projection(double l) {
    flow->finish();
    return Map(flow, kind, l);
  }

  std::vector<double> field(const Field& f) const {
    std::vector<double> v;
    for (int n = 0; n < mesh->node_total(); ++n)
      for (int i = 0; i < mesh->dim; ++i) v.push_back(f(i, &mesh->coordinates[std::size_t(n) * mesh->dim]));
    return v;
  }
  /// Rough, and the same on any number of ranks.
  std::vector<double> noise(double seed) const {
    std::vector<double> v;
    for (long long n : mesh->original_node)
      for (int i = 0; i < mesh->dim; ++i) v.push_back(std::sin(seed * (1 + static_cast<double>(n)) + 2 * i));
    return v;
  }

  /// Σ a b over the owned entries of all ranks.
  double dot(const std::vector<double>& a, const std::vector<double>& b) const {
    double sum = 0;
    for (std::size_t i = 0; i < std::size_t(mesh->n_owned_nodes) * mesh->dim; ++i) sum += a[i] * b[i];
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, dofs->comm());
    return sum;
  }
  double norm(const std::vector<double>& a) const { return std::sqrt(dot(a, a)); }
  /// Norm of ∫ q ∇·u over all q.
  double divergence(const std::vector<double>& u) const {
    std::vector<double> state(dofs->n_local(), 0.0), r(dofs->n_local(), 0.0);
    for (int n = 0; n < mesh->node_total(); ++n)
      for (int i = 0; i < mesh->dim; ++i) state[dofs->dof(n, i)] = u[std::size_t(n) * mesh->dim + i];
    with_flow_kind(kind, [&]<class K>(K) {
      const QForm<DivergenceRows<K>> form({}, CellBatches::on_cells(dofs, "", 6));
      form.residual({state.data(), mesh->coordinates.data()}, r.data());
    });
    double squares = 0;
    for (int i = 0; i < dofs->n_owned(); ++i) squares += r[i] * r[i];
    MPI_Allreduce(MPI_IN_PLACE, &squares, 1, MPI_DOUBLE, MPI_SUM, dofs->comm());
    return std::sqrt(squares);
  }
  /// Largest difference from what is prescribed.
  double misfit(const std::vector<double>& u) const {
    VecHandle g = dofs->create_vector();
    flow->impose_constraints(flow->given(), g);
    const LocalArray wanted(g);
    std::vector<char> held(dofs->n_owned(), 0);
    for (int row : flow->constrained_rows()) held[row] = 1;
    double worst = 0;
    for (int n = 0; n < mesh->n_owned_nodes; ++n)
      for (int i = 0; i < mesh->dim; ++i)
        if (const int d = dofs->dof(n, i); held[d])
          worst = std::max(worst, std::abs(u[std::size_t(n) * mesh->dim + i] - wanted.data()[d]));
    return worst;
  }

  FlowKind kind;
  std::shared_ptr<const Mesh> mesh;
  std::shared_ptr<const DofMap> dofs;
  std::shared_ptr<FormResidual> flow;
};

}  // namespace invar::test
