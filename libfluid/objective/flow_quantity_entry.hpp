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

/// A case of flow, as quantities of flows see it.
struct FlowQuantityCase : QuantityCase {
  struct Fluid {
    std::string region;  // empty: everywhere
    ViscosityLaw law;
    ControlledValue density;
    std::vector<ControlledValue> law_parameters;
    ControlledValue resistance;
    int form = 0;        // the first of its equations in the residual
  };
  FlowKind kind = FlowKind::planar;
  FlowDiscretisation discretisation = FlowDiscretisation::taylor_hood;
  int degree = 0, facet_degree = 0;  // of quadrature
  std::vector<Fluid> fluids;
  std::vector<std::string> walls;    // regions where the fluid rests
  int pressure = -1, scalar = -1;    // components of the unknown; −1: there is none
  int density_field = -1;            // control: where fluid is, of topologies that are designed; −1: it is not designed
  std::function<void()> read_density_on_facets = [] {};  // to be called by what does: the density cannot differ from cell to cell

  /// The fluids with the present values of their laws' parameters.
  std::vector<FlowFields::Fluid> fluids_at(const Setting& given) const;
};

using FlowQuantity = QuantityEntry<FlowQuantityCase>;

// Forces of the fluid and what is made of them.
FlowQuantity force_quantity();
FlowQuantity moment_quantity();
FlowQuantity drag_coefficient_quantity();
FlowQuantity lift_coefficient_quantity();
FlowQuantity moment_coefficient_quantity();

/// All but those that are integrals (`flow_integrals`), in the order of the manual.
std::span<const FlowQuantity> flow_quantities();
/// Data of more than one number.
std::span<const DataEntry<QuantityCase>> flow_data();
/// What is reported of walls.
std::span<const ReportEntry<FlowQuantityCase>> flow_reports();

/// The density and what the boundary prescribes in a region, as numbers, so that the density cannot be a field; nothing after
/// recording under "stream" that it is no free stream, or that there are several fluids. what: the quantity that needs it.
std::optional<FreeStream> free_stream(const FlowQuantityCase& c, const std::string& region, std::string_view what, EntryMistakes& mistakes);

/// The density of the one fluid, a control; −1 after recording that there are several.
int density_of(const FlowQuantityCase& c, std::string_view what, EntryMistakes& mistakes);

}  // namespace invar
