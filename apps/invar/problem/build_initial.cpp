#include "apps/invar/problem/build_initial.hpp"

#include <algorithm>
#include <stdexcept>

#include "apps/invar/problem/build_shape.hpp"
#include "apps/invar/physics/flow_model.hpp"
#include "apps/invar/problem/case_builder.hpp"
#include "apps/invar/spec/did_you_mean.hpp"
#include "libfluid/design/initial_field.hpp"

namespace invar {
namespace {

using namespace spec;

bool is_initial_field(const Value& entry) { return entry["kind"].text() == "initial_field"; }

bool concerns(const Value& entry, const CaseModel& model) {
  const Value* name = entry.find("case");
  return !name || name->text() == model.name;
}

/// Whether the case can begin with a field; says what is in the way.
bool fits(const CaseModel& model, const CaseSections& sections, const Value& entry, Diagnostics& diagnostics) {
  const auto refuse = [&](const std::string& why, const std::string& hint) {
    diagnostics.error(entry.position, entry.yaml_path, why, hint);
    return false;
  };
  const std::string name = "case '" + model.name + "'";
  if (!model.as<FlowCase>())
    return refuse("an initial field is the velocity that a flow begins with, and " + name + " is of a solid",
                  "design the numbers of 'initial', e.g. initial.all.v_x");
  if (!model.march)
    return refuse("only a process in time begins with a field, and " + name + " is none", "give 'time' a 'scheme'");
  if (model.initial_control >= 0)
    return refuse("the initial field of " + name + " is listed twice", "one entry of 'design' says all of it");
  if (const Value* loads = sections.find("loads"))
    for (const Value& l : *loads)
      if (l["type"].text() == "slip")
        return refuse("an initial field knows the velocities that 'boundary' prescribes, and not the penalty of '" +
                          l.key + "'",
                      "on walls along the axes prescribe the normal component in 'boundary'");
  const std::string region = entry["region"].text();
  return region == "all" || check_region(*model.mesh, region, model.mesh->dim, entry["region"], diagnostics);
}

/// The initial value of the velocity as the spec says [node × dim], ghosts included.
std::vector<double> velocities_at_start(const CaseModel& model) {
  VecHandle u = model.dofs->create_vector();
  model.residual->initial(Level::value, model.residual->given(model.start), u);
  const LocalArray local(u);
  const Mesh& mesh = *model.mesh;
  std::vector<double> w;
  for (int node = 0; node < mesh.node_total(); ++node)
    for (int i = 0; i < mesh.dim; ++i) w.push_back(local.data()[model.dofs->dof(node, i)]);
  return w;
}

}  // namespace

Table initial_field_table() {
  return Table("initial_field", "The velocity that a flow in time begins with: u of (1 − l² Δ) u + ∇p = w, ∇·u = 0, as the boundary "
                                "prescribes it. w is designed, a vector at every node; it starts as `initial` says. Terms may "
                                "name u, 'initial.velocity', and w, 'initial.source'.")
      .defaulted("smoothing", number("m").at_least(0), "0", "l: variations shorter than that are smoothed away; 0: u is the velocity nearest to w")
      .defaulted("region", text(), "all", "cell region where w is designed; elsewhere it stays")
      .optional("largest", number("m/s").above(0), "bound of every component of w on either side")
      .optional("case", text(), "which case; left out: all of them begin alike");
}

void add_initial_field(CaseModel& model, const CaseSections& sections, Diagnostics& diagnostics) {
  const Value* design = sections.top->find("design");
  if (!design || !model.residual) return;
  for (const Value& entry : *design) {
    if (!is_initial_field(entry) || !concerns(entry, model) || !fits(model, sections, entry, diagnostics)) continue;
    const int dim = model.mesh->dim;
    const auto add = [&, w = velocities_at_start(model)](const char* name) {
      return model.residual->add_control({.name = name, .unit = "m/s", .layout = ControlLayout::nodes, .components = dim}, w);
    };
    model.initial_control = add(initial_velocity);
    model.initial_source = add(initial_source);
    for (int i = 0; i < dim; ++i) model.residual->add_initial({Level::value, "", i, {model.initial_control, {}}, i});
  }
}

std::shared_ptr<Parameterization> build_initial_field(const Value& entry, Problem& problem, Diagnostics& diagnostics) {
  std::vector<InitialField::Target> targets;
  std::vector<std::string> names;
  const CaseModel* first = nullptr;
  for (std::size_t c = 0; c < problem.cases.size(); ++c) {
    const CaseModel& model = problem.cases[c];
    names.push_back(model.name);
    if (!concerns(entry, model)) continue;
    if (!model.process || model.initial_control < 0) return nullptr;  // reported when the case was built
    if (!first) first = &model;
    if (model.mesh != first->mesh) {
      diagnostics.error(entry.position, entry.yaml_path, "an initial field is designed for all cases together, and they have different meshes",
                        "name the 'case', or give the mesh once, at the top of the spec");
      return nullptr;
    }
    targets.push_back({static_cast<int>(c), model.initial_control,
                       std::make_shared<SolenoidalProjection>(model.residual, model.as<FlowCase>()->kind, model.start,
                                                              entry["smoothing"].number()),
                       model.initial_source});
  }
  if (!first) {
    const Value& name = entry["case"];
    diagnostics.error(name.position, name.yaml_path, "there is no case '" + name.text() + "'" + did_you_mean(name.text(), names));
    return nullptr;
  }
  const std::string region = entry["region"].text();
  return std::make_shared<InitialField>(std::move(targets), region == "all" ? "" : region,
                                        first->residual->control_values()[first->initial_control],
                                        entry.has("largest") ? entry["largest"].number() : INFINITY);
}

std::shared_ptr<Observable> build_initial_penalty(const CaseModel& model, const Value& variable, NodalPenalty::Of of, Diagnostics& diagnostics) {
  const std::string& name = variable.text();
  if (name != initial_velocity && name != initial_source)
    diagnostics.error(variable.position, variable.yaml_path, "there is no initial field '" + name + "'",
                       std::string("there are ") + initial_velocity + " and " + initial_source);
  else if (model.initial_control < 0)
    diagnostics.error(variable.position, variable.yaml_path, "the initial velocity is not designed as a field",
                       "add '- {kind: initial_field}' to 'design'");
  else
    return std::make_shared<NodalPenalty>(model.residual, name == initial_source ? model.initial_source : model.initial_control,
                                          of, model.axisymmetric());
  return nullptr;
}

}  // namespace invar
