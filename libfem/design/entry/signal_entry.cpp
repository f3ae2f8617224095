#include <algorithm>
#include <stdexcept>

#include "libadjoint/maps/design_bounds.hpp"
#include "libadjoint/maps/signal_design.hpp"
#include "libfem/design/entry/design_entry.hpp"

namespace invar {
namespace {

TimeBasis::Kind time_basis(const std::string& word) {
  if (word == "constant") return TimeBasis::Kind::constant;
  if (word == "linear") return TimeBasis::Kind::linear;
  return word == "cubic" ? TimeBasis::Kind::cubic : TimeBasis::Kind::fourier;
}

void make_signal(DesignCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  if (c.times.empty()) {
    mistakes.add("variable", "a signal is a function of time, and case '" + c.name + "' is not a process in time", "give 'time' a 'scheme'");
    return;
  }
  if (!c.why_no_signal.empty()) {
    mistakes.add("variable", c.why_no_signal);
    return;
  }
  if (v.text("basis") == "fourier" && c.admitted.bounded()) {
    mistakes.add("basis", "the model has bounds for '" + c.path + "', which bounds of Fourier coefficients cannot enforce",
                 "use constant, linear or cubic");
    return;
  }
  try {
    c.residual->make_signal(c.control, TimeBasis(time_basis(v.text("basis")), v.integer("functions"), v.number_or("begin", c.times.front()),
                                                 v.number_or("end", c.times.back())));
  } catch (const std::invalid_argument& e) {
    mistakes.add("", e.what());
  }
}

std::shared_ptr<Parameterization> make_design(const std::vector<DesignCase>& cases, const EntryValues& v, EntryMistakes& mistakes) {
  std::vector<DesignEntry::Target> targets;
  for (const DesignCase& c : cases) targets.push_back({c.index, c.control});
  const DesignCase& last = cases.back();
  std::vector<double> start = last.residual->control_values()[last.control];
  if (v.has("start") && v.numbers("start").size() == 1) std::ranges::fill(start, v.number("start"));
  std::vector<DesignVariable> coefficients;
  for (std::size_t i = 0; i < start.size(); ++i) {
    const auto bounds = design_bounds(v, last.admitted, start[i], VariableTransform::Kind::linear, mistakes);
    if (!bounds) return nullptr;
    coefficients.push_back({last.path + "[" + std::to_string(i) + "]", VariableTransform(), start[i], (*bounds)[0], (*bounds)[1]});
  }
  return std::make_shared<SignalDesign>(std::move(coefficients), std::move(targets));
}

}  // namespace

DesignEntryKind signal_entry() {
  using enum EntryParameter::Kind;
  DesignEntryKind e{.name = "signal",
                    .doc = "A number of this spec as a function of time.",
                    .parameters = {{.key = "variable", .kind = variable, .doc = "its path, e.g. boundary.cylinder.factor, loads.muscle.x"},
                                   {.key = "basis",
                                    .kind = word,
                                    .doc = "basis functions",
                                    .words = {{"constant", "piecewise constant"},
                                              {"linear", "piecewise linear"},
                                              {"cubic", "cubic B-spline"},
                                              {"fourier", "1, cos, sin, …; for numbers without bounds of the model"}}},
                                   {.key = "functions", .kind = integer, .doc = "number of basis functions", .lower = 1},
                                   {.key = "begin", .unit = "s", .doc = "start of their interval; default: the start of time", .may_be_left_out = true},
                                   {.key = "end", .unit = "s", .doc = "default: the end of time", .may_be_left_out = true},
                                   {.key = "start",
                                    .kind = number_or_numbers,
                                    .doc = "initial value of all coefficients, or a list; default: the constant of the spec",
                                    .may_be_left_out = true}},
                    .prepare = make_signal,
                    .make = make_design,
                    .one_mesh = false};
  for (const EntryParameter& bound : bound_parameters()) e.parameters.push_back(bound);
  return e;
}

}  // namespace invar
