#pragma once
#include <memory>
#include <optional>

#include "apps/invar/problem/case_model.hpp"

namespace invar {

/// The number that a record of `objective`, `constraints` or `output.quantities` names, as an observable
/// of size 1; nullptr after recording what is wrong. May add functionals to the case's residual. station: that of the
/// record's list which is meant, where it has one.
std::shared_ptr<Observable> build_scalar(CaseModel& model, const spec::Value& record, Diagnostics& diagnostics, std::optional<double> station = {});

/// Value of a geometric quantity in the undesigned mesh; NaN, with an error message, if the quantity depends on the state.
double value_as_given(CaseModel& model, const spec::Value& record, Observable& quantity, Diagnostics& diagnostics);

/// The unknown at one point; nullptr as above. `component`: "u_x", …, "p".
std::shared_ptr<Observable> build_point_value(const CaseModel& model, const spec::Value& point, const spec::Value& component,
                                              Diagnostics& diagnostics);

/// The component of the unknown that a word names; −1 after recording that there is none.
int component_of(const CaseModel& model, const spec::Value& word, Diagnostics& diagnostics);

/// The field that a record's `variable` names; nullptr after recording that there is none.
const DesignedField* find_field(const CaseModel& model, const spec::Value& variable, Diagnostics& diagnostics);

/// The control of the initial field that a record's `variable` names; −1 after recording that it is not designed.
int initial_field_of(const CaseModel& model, const spec::Value& variable, Diagnostics& diagnostics);

/// The point has as many coordinates as the mesh; else an error is recorded.
bool check_point(const CaseModel& model, const spec::Value& point, Diagnostics& diagnostics);

/// Step at which the case has the record's load parameter `at` (times are met exactly), the last without.
int step_of(const CaseModel& model, const spec::Value& record, Diagnostics& diagnostics);

/// A statistic by its word, of the values at the window's steps.
std::shared_ptr<const TimeStatistic> statistic_of(const CaseModel& model, const std::string& word, const TimeWindow& window);

/// Applies a record's `statistic` to an observable, without name and weight: its value at a step, its mean or
/// r.m.s. over time, its smooth maximum or minimum, or another statistic.
ProcessTerm process_term(const CaseModel& model, const spec::Value& record, std::shared_ptr<Observable> observable,
                         Diagnostics& diagnostics);

}  // namespace invar
