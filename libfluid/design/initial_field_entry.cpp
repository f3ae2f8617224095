#include <cmath>

#include "libfluid/design/design_library.hpp"
#include "libfluid/design/initial_field.hpp"

namespace invar {
namespace {

/// The initial velocity of the spec [node × dim], including ghosts.
std::vector<double> velocities_at_start(const DesignCase& c) {
  const DofMap& dofs = c.residual->dofs();
  VecHandle u = dofs.create_vector();
  c.residual->initial(Level::value, c.residual->given(c.times.front()), u);
  const LocalArray local(u);
  std::vector<double> w;
  for (int node = 0; node < c.mesh->node_total(); ++node)
    for (int i = 0; i < c.mesh->dim; ++i) w.push_back(local.data()[dofs.dof(node, i)]);
  return w;
}

void add_initial_field(DesignCase& c, const EntryValues&, EntryMistakes& mistakes) {
  const std::string name = "case '" + c.name + "'";
  if (!c.is_flow)
    return mistakes.add("", "an initial field is the initial velocity of a 'flow', and " + name + " has another physics",
                        "design the numbers of 'initial', e.g. initial.all.v_x");
  if (c.times.empty())
    return mistakes.add("", "only processes in time have an initial field, and " + name + " is none", "give 'time' a 'scheme'");
  if (c.control_named(initial_velocity) >= 0)
    return mistakes.add("", "the initial field of " + name + " is listed twice", "use one entry of 'design'");
  if (!c.slip.empty())
    return mistakes.add("", "an initial field satisfies velocities prescribed in 'boundary', but not the penalty of '" + c.slip + "'",
                        "prescribe the normal component in 'boundary' on walls parallel to the axes");
  const std::vector<double> w = velocities_at_start(c);
  const int dim = c.mesh->dim;
  const auto add = [&](const char* of) {
    return c.residual->add_control({.name = of, .unit = "m/s", .layout = ControlLayout::nodes, .components = dim}, w);
  };
  const int velocity = add(initial_velocity);
  add(initial_source);
  for (int i = 0; i < dim; ++i) c.residual->add_initial({Level::value, "", i, {velocity, {}}, i});
}

std::shared_ptr<Parameterization> make_initial_field(const std::vector<DesignCase>& cases, const EntryValues& v, EntryMistakes&) {
  std::vector<InitialField::Target> targets;
  for (const DesignCase& c : cases) {
    const FlowKind kind = c.mesh->dim == 3 ? FlowKind::spatial : c.axisymmetric ? FlowKind::axisymmetric : FlowKind::planar;
    targets.push_back({c.index, c.control_named(initial_velocity),
                       std::make_shared<SolenoidalProjection>(c.residual, kind, c.times.front(), v.number("smoothing")),
                       c.control_named(initial_source)});
  }
  const DesignCase& first = cases.front();
  const std::string& region = v.text("region");
  return std::make_shared<InitialField>(std::move(targets), region == "all" ? "" : region,
                                        first.residual->control_values()[first.control_named(initial_velocity)],
                                        v.number_or("largest", INFINITY));
}

}  // namespace

DesignEntryKind initial_field_entry() {
  using enum EntryParameter::Kind;
  return {.name = "initial_field",
          .doc = "Initial velocity u of a flow in time: (1 − l² Δ) u + ∇p = w, ∇·u = 0, with the boundary conditions of the flow. The designed field is w, a vector at every node, which starts from `initial`. Terms may refer to u as 'initial.velocity' and to w as 'initial.source'.",
          .parameters = {{.key = "smoothing",
                          .unit = "m",
                          .doc = "smoothing length l; 0: u is the L2 projection of w onto divergence-free fields",
                          .default_value = std::vector{0.0},
                          .lower = 0},
                         {.key = "region", .kind = cell_region, .doc = "cell region where w is designed; elsewhere it is fixed", .default_text = "all"},
                         {.key = "largest",
                          .unit = "m/s",
                          .doc = "bound of every component of w on either side",
                          .may_be_left_out = true,
                          .lower = 0,
                          .lower_open = true},
                         {.key = "case", .kind = case_name, .doc = "name of the case; default: the same initial field for all cases", .may_be_left_out = true}},
          .last = true,
          .prepare = add_initial_field,
          .make = make_initial_field,
          .block_name = initial_source};
}

}  // namespace invar
