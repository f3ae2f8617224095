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

/// What stress is taken of: a law, and whether its Cauchy stress is P Fᵀ/J or, in small strains, P itself. With a relaxation
/// q the stress of a body whose material is distributed with a density ρ: that of full material at the same strain, times
/// ρ^q, so that void has none (Le, Norato, Bruns, Ha, Tortorelli 2010, below; q = ½ there). The coefficients are then the
/// constants of full material and ρ.
struct StressOf {
  std::shared_ptr<const Material> material;
  SolidKind kind = SolidKind::spatial;
  double relaxation = 0;  // q; 0: there is no density

  int coefficient_count() const { return static_cast<int>(material->parameters().size()) + (relaxation > 0); }

  /// In plane stress a compressible or swollen law at finite strain does not say how thick the body has become.
  bool is_known(bool compressible) const {
    const bool changes_volume = compressible || swelling_index(*material) >= 0;
    return !(kind == SolidKind::plane_stress && changes_volume && material->finite_strain());
  }
};

/// ∫ (s/unit)^exponent over the undeformed domain, s the von Mises norm of the (relaxed) Cauchy stress [Pa], to which a pressure
/// unknown adds nothing; axisymmetric ones over the full circle, planar ones per metre of depth. exponent: even, 0 for
/// the domain's size. unit [Pa]: read when the form is evaluated, for powers that stay within the range of numbers.
/// domain: whole cells, or sides of cells that are the same facet of the same reference cell (`side_domains`). The
/// displacement comes first in the unknown. Coefficients: the law's parameters.
std::unique_ptr<WeakForm> make_stress_power(const StressOf& stress, int exponent, std::shared_ptr<const double> unit, CellBatches domain);

/// ∫ λ h + μ/2 h² over the undeformed domain, h = max(g, −λ/μ) with g = ρ^r ½ ((s/limit)² − 1), s the von Mises norm [Pa] of full
/// material and r the relaxation (g without ρ where there is none): the augmented Lagrangian of limits on s at every point of
/// the domain, as in Giraldo-Londoño, Paulino, Struct. Multidiscip. Optim. 63 (2021) 2065, where a cubic function of s stands
/// in place of the square. g is 0 in void, whatever its strain (a vanishing constraint), and where s is the limit, and smooth where s is 0. Coefficients:
/// those of the stress, then λ ≥ 0 and μ > 0.
std::unique_ptr<WeakForm> make_stress_excess(const StressOf& stress, double limit, CellBatches domain);
/// g of that.
double stress_excess(double stress, double density_power, double limit);

/// The sides that a facet region has: of both cells where it is inside the body. Ascending; complete on the cells that
/// touch the rank's own nodes.
std::vector<CellSide> sides_of(const Mesh& mesh, const Region& facets);

/// Those of these cells' sides (`CellBatches::on_sides`) one after the other by the facet of the reference cell that they
/// are: as many domains on every rank, of which some may be empty.
std::vector<CellBatches> side_domains(const CellBatches& cells, const std::vector<CellSide>& sides);

/// The von Mises stress [Pa] at the points of a domain, cells or sides, with their places as undeformed.
struct StressPoint {
  double x[3]{}, stress = 0;  // of full material
  double density_power = 1;   // ρ^q, what the stress is to be multiplied by
  int cell = -1;              // position among the rank's cells

  double relaxed() const { return density_power * stress; }
};
/// Of cells that this rank owns, or of all that it knows. u, coordinates: this rank's part, with ghosts. coefficients: the
/// stress's.
enum class CellsOf { own, all };
std::vector<StressPoint> stress_points(const StressOf& stress, const CellBatches& domain, const std::vector<Coefficient>& coefficients,
                                       const double* u, const double* coordinates, CellsOf which = CellsOf::own);

}  // namespace invar
