#include "apps/invar/physics/flow_checks.hpp"

#include <string>

namespace invar {
namespace {

using spec::Value;

bool check_dimension(const Value& physics, int dim, const FlowCase& flow, Diagnostics& diagnostics) {
  if ((flow.kind == FlowKind::spatial) == (dim == 3)) return true;
  diagnostics.error(physics.position, physics.yaml_path,
                    "the mesh has dimension " + std::to_string(dim) + " and the kind is '" + physics["kind"].text() + "'; use " +
                        (dim == 3 ? "spatial" : "planar or axisymmetric"));
  return false;
}

/// A passive scalar needs Taylor-Hood elements and solvers that support it.
bool check_scalar(const CaseSections& sections, const FlowCase& flow, Diagnostics& diagnostics) {
  if (!flow.scalar) return true;
  const Value& physics = *sections.find("physics");
  if (flow.discretisation != FlowDiscretisation::taylor_hood) {
    diagnostics.error(physics["scalar"].position, physics["scalar"].yaml_path, "a passive scalar is available in Taylor-Hood flow only",
                      "use 'elements: taylor_hood'");
    return false;
  }
  const Value& method = (*sections.top)["solver"]["linear"];
  if (!method.text().starts_with("field_split")) return true;
  diagnostics.error(method.position, method.yaml_path, "'" + method.text() + "' is for velocity and pressure only, and this flow has a passive scalar",
                    "use auto");
  return false;
}

/// Checks the limitations of pressure correction.
bool check_correction(const CaseSections& sections, const FlowCase& flow, Diagnostics& diagnostics) {
  if (!flow.splits) return true;
  const std::size_t before = diagnostics.size();
  const Value& time = *sections.find("time");
  if (const Value& elements = (*sections.find("physics"))["elements"]; elements.text() == "equal_order")
    diagnostics.error(elements.position, elements.yaml_path, "pressure_correction needs Taylor-Hood elements", "use 'elements: taylor_hood'");
  if (const Value& begin = time["begin_with"]; begin.text() == "equilibrium")
    diagnostics.error(begin.position, begin.yaml_path, "pressure_correction has no steady equation: its steady limit depends slightly on the time step",
                      "use 'scheme: bdf2', which may begin with the steady flow");
  return diagnostics.size() == before;
}

/// Stabilised elements have neither steps with extrapolated convection nor a grad-div term to choose.
bool check_equal_order(const CaseSections& sections, const FlowCase& flow, Diagnostics& diagnostics) {
  if (flow.discretisation == FlowDiscretisation::taylor_hood) return true;
  if (flow.linearised) {
    const Value& convection = (*sections.find("time"))["convection"];
    diagnostics.error(convection.position, convection.yaml_path, "stabilised elements of equal order are integrated by implicit steps only", "use 'convection: implicit'");
    return false;
  }
  const Value& grad_div = (*sections.find("physics"))["grad_div"];
  if (!grad_div.is_number()) return true;
  diagnostics.error(grad_div.position, grad_div.yaml_path, "'grad_div' is for Taylor-Hood elements: stabilised ones already have a term of this kind",
                    "leave it out");
  return false;
}

}  // namespace

bool check_carries(bool scalar, const Value& key, Diagnostics& diagnostics) {
  if (!scalar)
    diagnostics.error(key.key_position, key.yaml_path, "'" + key.key + "' is for a passive scalar, and this flow has none", "set 'scalar: true' in 'physics'");
  return scalar;
}

bool check_turbulence(const Value& physics, bool turbulent, Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.size();
  if (!turbulent)
    for (const char* key : {"wall_distance", "discontinuity_capturing"})
      if (const Value* given = physics.find(key); given && !given->defaulted)
        diagnostics.error(given->key_position, given->yaml_path, "'" + std::string(key) + "' is for turbulent flow, and this flow is laminar",
                          "set 'turbulence: spalart_allmaras', or leave it out");
  if (!turbulent) return diagnostics.size() == before;
  const auto require = [&](bool holds, const char* key, const char* what, const char* instead) {
    if (!holds) diagnostics.error(physics[key].position, physics[key].yaml_path, std::string("turbulent flow needs ") + what, instead);
  };
  require(physics["elements"].text() == "equal_order", "elements", "stabilised elements of first order", "use 'elements: equal_order'");
  require(!physics.has("equations") || physics["equations"].text() == "navier_stokes", "equations", "inertia", "use 'equations: navier_stokes'");
  require(!physics["scalar"].boolean(), "scalar", "to be without a passive scalar", "use 'scalar: false'");
  return diagnostics.size() == before;
}

void refuse_load_of_scalar(const Value& load, Diagnostics& diagnostics) {
  diagnostics.error(load["type"].position, load["type"].yaml_path, "the load '" + load["type"].text() + "' is for a passive scalar, and this flow has none", "set 'scalar: true' in 'physics'");
}

bool check_flow(const CaseSections& sections, int dim, const FlowCase& flow, Diagnostics& diagnostics) {
  const Value& physics = *sections.find("physics");
  return check_dimension(physics, dim, flow, diagnostics) && check_correction(sections, flow, diagnostics) &&
         check_turbulence(physics, flow.turbulent, diagnostics) && check_scalar(sections, flow, diagnostics) && check_equal_order(sections, flow, diagnostics);
}

}  // namespace invar
