#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "apps/invar/problem/problem.hpp"
#include "libfem/design/field/fitted_body.hpp"

namespace invar {

/// The problem of a finished design by density, posed on the body itself: a mesh that fits the contour of the density, all of it full material.
struct FittedProblem {
  Problem problem;
  DesignVector theta;              // the other design variables, and density 1
  FittedBody body;                 // without its mesh, which the problem has
  std::vector<std::string> notes;  // what is different from the run, as parts of a sentence
};

/// Why the body of this problem is not solved again on a mesh of its own; empty: it is. The design is of a solid's density with a penalty.
std::string why_not_fitted(const Problem& problem);

/// Whether densities are rounded such that their volume stays, because it is constrained; else at 1/2.
bool rounding_keeps_volume(const Problem& problem);

/// Builds it from the densities of the last evaluation of `run`, at theta, and the spec in a file. The contour is that of the nominal body, in
/// all cases; it is the level 1/2 of the density or, if the volume is constrained, that of the same volume. Second-order elements are used unless
/// these would be too many. Cases that the density does not concern stay. Throws std::domain_error if no part of the body is supported, or a load acts where there is no material, SpecError
/// or std::invalid_argument if the problem does not exist on another mesh. Collective.
FittedProblem build_fitted(const Problem& run, const DesignVector& theta, const std::filesystem::path& spec);

}  // namespace invar
