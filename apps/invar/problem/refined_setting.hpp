#pragma once
#include <string>
#include <vector>

#include "apps/invar/problem/problem.hpp"

namespace invar {

/// Another setting of the same problem, as overrides of its spec.
struct RefinedSetting {
  std::vector<std::string> sets{};  // as of `--set`
  int mesh_levels = 0;              // refinements of the mesh between the two
  double formal_order = 0;          // of the method that is refined by halves; 0: it is not
  std::string reason{};             // why there is no such setting; else empty
};

/// The words of `verify.refine` that are settings of the same problem, whether or not it has a design.
inline constexpr const char* refinements[] = {"mesh", "step", "order", "tolerance"};

/// The setting for a word of `verify.refine` (mesh, step, order, tolerance) at a refinement `level`, 1 or 2.
RefinedSetting refined_setting(const Problem& problem, const std::string& kind, int level);
/// Why the check `kind` of `verify.refine` can never be conclusive for this problem, whatever its search finds; empty: it may be.
/// Collective.
std::string why_never_conclusive(const Problem& problem, const std::string& kind);
/// Number of refinement levels of a word of `verify.refine`: `verify.levels` for mesh and step, otherwise 1.
int levels_of(const spec::Value& spec, const std::string& kind);
/// What `verify.refine` lists, each once.
std::vector<std::string> verified_kinds(const spec::Value& spec);

}  // namespace invar
