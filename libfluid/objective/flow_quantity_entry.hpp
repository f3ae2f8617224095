#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "libfem/objective/quantity_entry.hpp"
#include "libfluid/flow/flow_fields.hpp"
#include "libfluid/flow/flow_forms.hpp"
#include "libfluid/objective/aerodynamic_coefficients.hpp"

namespace invar {

/// A case of flow, as input of quantities of flows.
struct FlowQuantityCase : QuantityCase {
  struct Fluid {
    std::string region;  // empty: everywhere
    ViscosityLaw law;
    ControlledValue density;
    std::vector<ControlledValue> law_parameters;
    ControlledValue resistance;
    std::optional<ControlledValue> eddy_damping = {};  // c_v1 of the turbulence model
    int form = 0;        // number of the first form of its equations in the residual
  };
  FlowKind kind = FlowKind::planar;
  FlowDiscretisation discretisation = FlowDiscretisation::taylor_hood;
  bool stress_form = true;           // else the viscosity is one number
  int degree = 0, facet_degree = 0;  // of quadrature
  std::vector<Fluid> fluids;
  std::vector<std::string> walls;    // no-slip walls
  int pressure = -1, scalar = -1;    // components of the unknown; −1: none
  int density_field = -1;            // control: fluid density of a topology design; −1: none
  // call before reading the density on facets: it then cannot vary from cell to cell
  std::function<void()> read_density_on_facets = [] {};
  std::function<void()> read_viscosity_on_facets = [] {};  // likewise

  /// The fluids with the present values of their laws' parameters.
  std::vector<FlowFields::Fluid> fluids_at(const Setting& given) const;
};

using FlowQuantity = QuantityEntry<FlowQuantityCase>;

// Forces of the fluid and derived quantities.
FlowQuantity force_quantity();
FlowQuantity moment_quantity();
FlowQuantity drag_coefficient_quantity();
FlowQuantity lift_coefficient_quantity();
FlowQuantity moment_coefficient_quantity();

/// All quantities except integrals (`flow_integrals`), in the order of the manual.
std::span<const FlowQuantity> flow_quantities();
/// Data with more than one number.
std::span<const DataEntry<QuantityCase>> flow_data();
/// Reports about walls.
std::span<const ReportEntry<FlowQuantityCase>> flow_reports();

/// Density and prescribed velocity of a region as numbers (so the density cannot be a field). Returns nothing after recording under
/// "stream" that it is no free stream, or that there are several fluids. what: the quantity that needs it.
std::optional<FreeStream> free_stream(const FlowQuantityCase& c, const std::string& region, std::string_view what, EntryMistakes& mistakes);

/// The density of the only fluid, a control; −1 after recording that there are several.
int density_of(const FlowQuantityCase& c, std::string_view what, EntryMistakes& mistakes);

}  // namespace invar
