#pragma once
#include "libfluid/flow/flow_boundary.hpp"
#include "libfluid/flow/flow_boundary_forms.hpp"

namespace invar {

/// Boundary terms of a flow with a choice at run time, so that moving meshes need one instance for all of them. Coefficients: those
/// of the term. Where the mesh moves by w, slip walls move with it, and what passes an open boundary is carried by u − w.
template <class K>
struct FlowBoundaryTerm {
  static constexpr int dim = K::dim, ref_dim = K::dim - 1, n_components = K::dim;
  static constexpr std::array<int, K::dim> basis{};
  static constexpr auto slots = value_slots<K::dim>();
  static constexpr bool symmetric = false, uses_position = K::axisymmetric, convects = true;

  FlowBoundary which;
  int n_coefficients() const { return which == FlowBoundary::pressure ? 1 : which == FlowBoundary::traction ? dim : 2; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto flux(const std::array<Tz, K::dim>& u, const PointGeometry<Tg, dim, ref_dim>& g, const Tp* p) const {
    Vector<Tz, dim> rest;
    for (int i = 0; i < dim; ++i) rest[i] = Tz(0.0);
    return flux(u, g, p, rest);
  }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto flux(const std::array<Tz, K::dim>& u, const PointGeometry<Tg, dim, ref_dim>& g, const Tp* p, const Vector<Tz, dim>& w) const {
    std::array<Tz, K::dim> carrier;
    for (int i = 0; i < dim; ++i) carrier[i] = u[i] - w[i];
    switch (which) {
      case FlowBoundary::traction: return FlowTraction<K>{}.flux(u, g, p);
      case FlowBoundary::backflow: return BackflowStabilisation<K>{}.flux(u, carrier, g, p);
      case FlowBoundary::slip: return SlipPenalty<K>{}.flux(carrier, g, p);
      default: return PressureOutlet<K>{}.flux(u, g, p);
    }
  }
};

}  // namespace invar
