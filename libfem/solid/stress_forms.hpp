#pragma once
#include <memory>
#include <vector>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfem/mesh/boundary_facets.hpp"
#include "libfem/solid/material.hpp"
#include "libfem/solid/solid_forms.hpp"
#include "libfem/solid/swollen_material.hpp"

namespace invar {

/// What stress is taken of: a law, and whether its Cauchy stress is P Fᵀ/J or, in small strains, P itself.
struct StressOf {
  std::shared_ptr<const Material> material;
  SolidKind kind = SolidKind::spatial;

  /// In plane stress a compressible or swollen law at finite strain does not say how thick the body has become.
  bool is_known(bool compressible) const {
    const bool changes_volume = compressible || swelling_index(*material) >= 0;
    return !(kind == SolidKind::plane_stress && changes_volume && material->finite_strain());
  }
};

/// ∫ (s/unit)^exponent over the undeformed domain, s the von Mises norm of the Cauchy stress [Pa], to which a pressure
/// unknown adds nothing; axisymmetric ones over the full circle, planar ones per metre of depth. exponent: even, 0 for
/// the domain's size. unit [Pa]: read when the form is evaluated, for powers that stay within the range of numbers.
/// domain: whole cells, or sides of cells that are the same facet of the same reference cell (`side_domains`). The
/// displacement comes first in the unknown. Coefficients: the law's parameters.
std::unique_ptr<WeakForm> make_stress_power(const StressOf& stress, int exponent, std::shared_ptr<const double> unit, CellBatches domain);

/// The sides that a facet region has: of both cells where it is inside the body. Ascending; complete on the cells that
/// touch the rank's own nodes.
std::vector<CellSide> sides_of(const Mesh& mesh, const Region& facets);

/// Those of these cells' sides (`CellBatches::on_sides`) one after the other by the facet of the reference cell that they
/// are: as many domains on every rank, of which some may be empty.
std::vector<CellBatches> side_domains(const CellBatches& cells, const std::vector<CellSide>& sides);

/// The von Mises stress [Pa] at the points of a domain, cells or sides, with their places as undeformed.
struct StressPoint {
  double x[3]{}, stress = 0;
};
/// Of cells that this rank owns. u, coordinates: this rank's part, with ghosts. parameters: the law's.
std::vector<StressPoint> stress_points(const StressOf& stress, const CellBatches& domain, const std::vector<Coefficient>& parameters,
                                       const double* u, const double* coordinates);

}  // namespace invar
