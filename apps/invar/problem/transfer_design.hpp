#pragma once
#include <optional>

#include "apps/invar/problem/problem.hpp"

namespace invar {

/// The design θ of one problem in another that differs from it by `levels` refinements of the mesh, the order of its
/// elements, or less: numbers, signals and the coefficients of boundary maps as they are; fields exactly (see `FieldTransfer`),
/// with the value 0 at nodes that are not designed. Throws std::invalid_argument, on all ranks, if the problems do not fit.
/// Collective.
DesignVector transfer_design(const Problem& from, const DesignVector& theta, const Problem& to, int levels);

}  // namespace invar
