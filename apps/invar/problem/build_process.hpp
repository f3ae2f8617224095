#pragma once
#include <memory>
#include <vector>

#include "apps/invar/problem/case_model.hpp"
#include "libadjoint/solve/linear_solver.hpp"
#include "libadjoint/time/truncated_sweeps.hpp"

namespace invar {

/// Adds the data that the chosen linear solver needs to the case, and what `auto` does on a device; records an error if the solver is not suitable.
void prepare_solver(const CaseModel& model, const CaseSections& sections, const spec::Value& method, Diagnostics& diagnostics);

/// What the section `solver` says of linear systems.
LinearSolverOptions linear_options(const spec::Value& solver);

/// The process of a case, by `time` and `solver`: load steps, a path, or a march; nullptr after recording what is
/// wrong.
std::shared_ptr<Case> make_process(CaseModel& model, const CaseSections& sections, const spec::Value& spec, MPI_Comm comm,
                                   Diagnostics& diagnostics);

/// Options of truncated sweeps of the processes in time.
std::vector<TruncatedSweeps> truncated_sweeps(const std::vector<CaseModel>& cases);

}  // namespace invar
