#include "apps/invar/problem/physics_fit.hpp"

#include <algorithm>

#include "apps/invar/spec/did_you_mean.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfluid/flow/flow_law_library.hpp"

namespace invar {
namespace {

using spec::Value;
using Words = std::vector<std::string>;

bool check_word(const Value& value, const char* what, const std::string& physics, const Words& known,
                Diagnostics& diagnostics) {
  if (std::find(known.begin(), known.end(), value.text()) != known.end()) return true;
  std::string list;
  for (const std::string& word : known) list += (list.empty() ? "" : ", ") + word;
  diagnostics.error(value.position, value.yaml_path,
                    "the physics is '" + physics + "', which has no " + what + " '" + value.text() + "'",
                    "allowed: " + list);
  return false;
}

Words laws(const std::string& physics) {
  const auto names = physics == "flow" ? flow_law_names() : material_names();
  return {names.begin(), names.end()};
}

}  // namespace

Words load_types(const std::string& physics) {
  if (physics == "flow") return {"pressure", "traction", "body_force", "backflow", "slip", "source"};
  return {"traction", "body_force", "pressure", "foundation", "contact", "mass", "muscle"};
}

Words term_types(const std::string& physics) {
  if (physics == "flow")
    return {"markers",       "velocity_field", "pressure_field", "reaction",  "force",       "moment",
            "point", "actuation", "pressure_drop", "mean_pressure", "dissipation", "kinetic_energy", "flow_rate", "volume", "fluid_volume", "distance",
            "centroid",      "position", "roughness", "field_size", "field_value", "field_error",
            "extremum",      "vorticity_deviation", "wall_shear", "corner_angle", "mean_scalar", "scalar_flow", "unmixedness"};
  return {"reaction", "markers", "displacement_field", "point", "load", "enclosed_volume", "mean_displacement", "actuation", "kinetic_energy", "stored_energy", "compliance", "volume", "distance",
          "centroid", "position", "roughness", "field_value", "field_error", "extremum", "corner_angle"};
}

void check_fits_physics(const CaseSections& sections, Diagnostics& diagnostics) {
  const std::string physics = (*sections.find("physics"))["type"].text();
  for (const Value& m : *sections.find("materials")) check_word(m["model"], "material", physics, laws(physics), diagnostics);
  if (const Value* loads = sections.find("loads"))
    for (const Value& l : *loads) check_word(l["type"], "load", physics, load_types(physics), diagnostics);
  const Value* boundary = sections.find("boundary");
  if (!boundary || physics == "flow") return;
  for (const Value& s : *boundary)
    for (const char* key : {"p", "no_slip", "c"})
      if (const Value* v = s.find(key))
        diagnostics.error(v->key_position, v->yaml_path,
                          std::string("'") + key + "' is for flow, and the physics is 'solid'",
                          "allowed: u_x, u_y, u_z, factor, adds");
}

bool check_term_fits(const Value& term, const CaseModel& model, Diagnostics& diagnostics) {
  const std::string physics = model.flow() ? "flow" : "solid";
  return check_word(term["type"], "quantity", physics, term_types(physics), diagnostics);
}

}  // namespace invar
