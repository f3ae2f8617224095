#include "apps/invar/problem/check_start.hpp"

#include <set>

#include "apps/invar/problem/saved_state.hpp"
#include "libadjoint/number_text.hpp"
#include "libfem/mechanism/tied_equation.hpp"
#include "libfem/mesh/place_text.hpp"

namespace invar {
namespace {

/// Calls use(u) with the state where the process begins, or where the search for its initial equilibrium does. Not called if that state needs a
/// solve, as the run does it.
void at_start(const CaseModel& model, const std::function<void(const EvaluationPoint& u)>& use) {
  const std::shared_ptr<Residual> equation = model.equation();
  const VecHandle start = equation->create_vector();
  check(VecSet(start, 0.0));
  const Setting given = Setting{.controls = std::make_shared<const Controls>(equation->control_values())}.at(model.start);
  Evolution* const evolution = model.march && !model.march->from_equilibrium ? equation->capabilities().evolution : nullptr;
  if (evolution && !evolution->initial(Level::value, given, start).converged) return;
  const EvaluationPoint q{State(start), given};
  if (model.ties) model.ties->unfold(q, use);
  else use(q);
}

void check_ties_at_start(const CaseModel& model, const CaseSections& sections, Diagnostics& diagnostics) {
  const spec::Value* ties = sections.find("ties");
  if (!ties || !model.march || model.march->from_equilibrium || model.times.size() < 2) return;
  Setting start = Setting{.controls = std::make_shared<const Controls>(model.equation()->control_values())}.at(model.times[0]);
  start.step_length = model.times[1] - model.times[0];
  std::set<std::string> violated;
  for (const auto& level : model.march->scheme.initial())
    if (level == Level::value || level == Level::rate) violated.merge(model.ties->violated_at_start(*level, start));
  for (const spec::Value& tie : *ties)
    if (violated.contains(tie.yaml_path))
      diagnostics.warning(tie.key_position, "the initial values or rates violate '" + tie.yaml_path + "': at the start single nodes take up the difference, and the first steps are inaccurate; begin with 'initial' values that "
                                            "satisfy it, or let what it prescribes begin smoothly, for example with t^2");
}

}  // namespace

void check_start(const CaseModel& model, const CaseSections& sections, Diagnostics& diagnostics) {
  check_ties_at_start(model, sections, diagnostics);
  constexpr double least = 0.01;  // gap, relative to the one below which bodies press on each other
  if (!model.residual->capabilities().step_limit) return;
  const spec::Value* initial = sections.find("initial");
  const bool goes_on = initial && initial->has(initial_from);  // where another run may have pressed them together
  const bool at_rest = !model.march || model.march->from_equilibrium;
  at_start(model, [&](const EvaluationPoint& u) {
    for (const auto& [form, entry] : model.may_touch) {
      const ClosestApproach nearest = model.residual->nearest(form, u);
      if (nearest.gap > (goes_on ? 0 : least * nearest.reach)) continue;
      diagnostics.error(entry->position, entry->yaml_path,
                        (at_rest ? "in the undeformed state " : "at the start ") + nearest.between +
                            (nearest.gap < 0 ? " intersect" : " are only " + number_text(nearest.gap) + " m apart") + ", at " + place_in_words(nearest.place, model.mesh->dim),
                        at_rest ? "leave a gap of about 'distance' between what touches, here " + number_text(nearest.reach) + " m: 'at' of a body, or the position of the obstacle, parts them"
                                : "part them in the mesh, by 'initial', or by what 'boundary' prescribes at the start");
    }
  });
}

}  // namespace invar
