#pragma once
#include <map>
#include <string>
#include <vector>

#include "apps/invar/spec/value.hpp"

namespace invar {

/// Values that must not change when a run is resumed: every value of the spec as text by its path, except limits of iterations,
/// pictures and expectations; and PETSc's options.
using SpecIdentity = std::map<std::string, std::string>;
SpecIdentity identity_of(const spec::Value& spec, const std::vector<std::string>& petsc_options);

/// Throws SpecError naming every value that is another one than when the run began.
void require_same(const spec::Value& spec, const std::vector<std::string>& petsc_options, const SpecIdentity& begun);

}  // namespace invar
