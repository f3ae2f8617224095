#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "libfem/form/coefficient.hpp"
#include "libfem/solid/material.hpp"
#include "libfem/solid/solid_forms.hpp"
#include "libfem/space/dof_map.hpp"

namespace invar {

/// Derived fields of a deformed solid per local cell (all blocks in turn, ghosts included): averages over the
/// undeformed volume of the cell, by quadrature. Zero in cells without a body.
struct SolidFields {
  /// A region of cells and its law.
  struct Body {
    std::string region;                   // empty: all cells
    const Material* material = nullptr;   // as given to make_displacement_form or make_mixed_form
    std::vector<Coefficient> parameters;  // of that form: the material's, then κ where mixed
    /// Plane stress of a compressible law: the 3-D law, from which the thickness strain is computed. Null: the
    /// plane-stress law is incompressible.
    const Material* solid = nullptr;
    /// History variables of PlasticFlow and MaxwellBranches after the step; nullptr: none.
    const double *plastic = nullptr, *viscous = nullptr;
    int branches = 0;
    int degree = 0;  // of the forms' quadrature; 0: twice the cells' order
    /// A stress that another form adds (AddedStress), with the coefficients of that form.
    struct Added {
      bool viscous = false;  // Kelvin–Voigt; else of muscles
      std::vector<Coefficient> coefficients;
      const Region* cells = nullptr;  // null: all of the body
    };
    std::vector<Added> added = {};
    const double* rate = nullptr;  // of the unknown, like it; null: zero
  };

  std::vector<double> stress;  // [n × 9] Cauchy stress σ by rows, Pa; axisymmetric: σ₃₃ is the
                               // hoop stress; in 2-D σ₁₃ = σ₂₃ = 0
  std::vector<double> von_mises;       // [n] average of √(3/2 dev σ : dev σ), Pa
  std::vector<double> energy_density;  // [n] stored energy per undeformed volume, J/m³; mixed: with
                                       // p²/(2κ) for the change of volume
  std::vector<double> volume_ratio;  // [n] J = det F; of small-strain laws 1 + tr ε
  std::vector<double> least_volume_ratio;  // [n] smallest J at a point of the cell
  std::vector<double> greatest_stretch;    // [n] largest Ī₁ − 3 at a point of the cell, Ī₁ = J^(−2/3) tr FᵀF
  std::vector<double> plastic_strain;  // [n] α; empty: no plasticity
  std::vector<double> volume;        // [n] undeformed, m³ (m² per unit thickness in the plane)

  /// `u`: local values of the unknown, ghosts included (LocalArray); `coordinates`: undeformed, of the local nodes (a design may move
  /// them). `mixed`: the unknown is (u, p). Throws std::invalid_argument if a region does not exist or a body does not fit.
  static SolidFields evaluate(std::shared_ptr<const DofMap> dofs, const double* u, const double* coordinates, SolidKind kind,
                              bool mixed, std::span<const Body> bodies);
};

/// The displacement at the local nodes, m: [n_nodes × mesh.dim].
std::vector<double> nodal_displacement(const DofMap& dofs, const double* u);
/// The pressure of the mixed unknown, Pa: [n_nodes], 0 at nodes without pressure.
std::vector<double> vertex_pressure(const DofMap& dofs, const double* u);
/// Nodal averages of cell values, weighted with `weights` (volumes), for smooth pictures. Interfaces between bodies are
/// smoothed too. Collective.
std::vector<double> smooth_at_nodes(const DofMap& dofs, std::span<const double> cell_values,
                                    std::span<const double> weights);

}  // namespace invar
