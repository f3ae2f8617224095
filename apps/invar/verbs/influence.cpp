#include "apps/invar/verbs/influence.hpp"

#include <stdexcept>

#include "libadjoint/inference/influence.hpp"

namespace invar {
namespace {

/// The k-th entry of `design` that is a number.
const spec::Value& number_entry(const spec::Value& design, std::size_t k) {
  for (const spec::Value& entry : design)
    if (entry["kind"].text() == "number" && k-- == 0) return entry;
  throw std::logic_error("design entry of a number");
}

}  // namespace

void require_influence(Problem& problem) {
  if (!problem.numbers) return;
  Diagnostics diagnostics;
  for (const std::size_t k : without_influence(*problem.functional, problem.numbers->entries().size())) {
    const spec::Value& variable = number_entry(problem.spec["design"], k)["variable"];
    diagnostics.error(variable.position, variable.yaml_path,
                      "nothing depends on '" + variable.text() +
                          "': neither data nor objective change with it at the start",
                      "remove it, start elsewhere, or add data that depend on it");
  }
  diagnostics.throw_if_any();
}

}  // namespace invar
