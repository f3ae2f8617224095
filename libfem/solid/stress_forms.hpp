#pragma once
#include <memory>
#include <vector>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfem/mesh/boundary_facets.hpp"
#include "libfem/solid/material.hpp"
#include "libfem/solid/solid_forms.hpp"
#include "libfem/solid/grown_material.hpp"
#include "libfem/solid/swollen_material.hpp"

namespace invar {

/// A law and its stress measure: Cauchy stress P Fᵀ/J or, at small strains, P itself; to it is added F S Fᵀ/J of Kelvin–Voigt elements and
/// muscles (KelvinVoigt, ActiveStress), so that it is the total stress of the body. With a relaxation exponent q and a density ρ it is
/// the stress of full material at the same strain times ρ^q, which vanishes in void (Le, Norato, Bruns, Ha, Tortorelli 2010, see below; q =
/// ½ there). Coefficients: the law's, with a density of full material, then ρ; those of each Kelvin–Voigt element, then of each muscle.
struct StressOf {
  std::shared_ptr<const Material> material;
  SolidKind kind = SolidKind::spatial;
  double relaxation = 0;  // q; 0: no density
  int viscous = 0, active = 0;  // numbers of Kelvin–Voigt elements and of muscles

  int first_added() const { return static_cast<int>(material->parameters().size()) + (relaxation > 0); }
  int coefficient_count() const { return first_added() + 2 * viscous + (kind == SolidKind::spatial ? 4 : 3) * active; }

  /// In plane stress, compressible or swollen finite-strain laws do not provide the deformed thickness.
  bool is_known(bool compressible) const {
    const bool changes_volume = compressible || swelling_index(*material) >= 0 || growth_index(*material) >= 0;
    return !(kind == SolidKind::plane_stress && changes_volume && material->finite_strain());
  }
};

/// ∫ (s/unit)^exponent over the undeformed domain, s the von Mises norm of the (relaxed) Cauchy stress [Pa], which does not depend on a
/// pressure unknown; axisymmetric: over the full circle, planar: per metre of depth. exponent: even, 0 for the domain's size. unit [Pa]:
/// read at evaluation, to keep powers within the range of numbers. domain: cells, or sides of cells with the same facet of the reference
/// cell (`side_domains`). The displacement comes first in the unknown, whose rate is read where there are Kelvin–Voigt elements. Coefficients: those of the
/// stress.
std::unique_ptr<WeakForm> make_stress_power(const StressOf& stress, int exponent, std::shared_ptr<const double> unit, CellBatches domain);

/// ∫ cosh(κ s) e^(−shift) over the undeformed domain, with the same s, κ > 0 [1/Pa] and a shift that is read at evaluation and keeps exponentials within
/// the range of numbers. An analytic function of s². Domain and coefficients: as there.
std::unique_ptr<WeakForm> make_stress_exponential(const StressOf& stress, double sharpness, std::shared_ptr<const double> shift, CellBatches domain);

/// ∫ λ h + μ/2 h² over the undeformed domain, h = max(g, −λ/μ) with g = ρ^r ½ ((s/limit)² − 1), s the von Mises norm [Pa] of full material
/// and r the relaxation exponent (g without ρ if there is none): the augmented Lagrangian of limits on s at every point, as in
/// Giraldo-Londoño, Paulino, Struct. Multidiscip. Optim. 63 (2021) 2065, with a cubic function of s in place of the square. g is 0 in void
/// for any strain (a vanishing constraint) and where s equals the limit; it is smooth at s = 0. Coefficients: those of the stress, then λ ≥
/// 0 and μ > 0. No Kelvin–Voigt elements.
std::unique_ptr<WeakForm> make_stress_excess(const StressOf& stress, double limit, CellBatches domain);
/// The function g above.
double stress_excess(double stress, double density_power, double limit);

/// The sides of a facet region: of both cells if it is inside the body. Ascending; complete on cells that touch the rank's own nodes.
std::vector<CellSide> sides_of(const Mesh& mesh, const Region& facets);
/// The sides of all facet regions and of the mesh's boundary.
std::vector<CellSide> all_sides(const Mesh& mesh);

/// Domains on these sides of the cells (`CellBatches::on_sides`), one per facet of the reference cell: the same number on every rank,
/// possibly empty.
std::vector<CellBatches> side_domains(const CellBatches& cells, const std::vector<CellSide>& sides);

/// The von Mises stress [Pa] at a point of a domain (cells or sides), with its undeformed position.
struct StressPoint {
  double x[3]{}, stress = 0;  // of full material
  double density_power = 1;   // ρ^q, the factor on the stress
  int cell = -1;              // number among the rank's cells

  double relaxed() const { return density_power * stress; }
};
/// For cells that this rank owns, or for all local cells. u, coordinates: this rank's part, with ghosts; rate of u: null: zero. coefficients: of the
/// stress.
enum class CellsOf { own, all };
std::vector<StressPoint> stress_points(const StressOf& stress, const CellBatches& domain, const std::vector<Coefficient>& coefficients,
                                       const double* u, const double* rate, const double* coordinates, CellsOf which = CellsOf::own);

}  // namespace invar
