#include "apps/invar/problem/expectations.hpp"

#include <algorithm>
#include <initializer_list>

#include "apps/invar/spec/did_you_mean.hpp"
#include "libadjoint/verify/limit_optimality.hpp"

namespace invar {
namespace {

/// The words that follow the longest beginning, up to a point, that `wanted` and a name have in common.
std::vector<std::string> alternatives(const std::string& wanted, const std::vector<std::string>& names) {
  std::size_t common = 0;
  std::vector<std::string> words;
  for (const std::string& name : names) {
    const auto differs = std::ranges::mismatch(wanted, name).in1 - wanted.begin();
    const std::size_t point = differs == 0 ? std::string::npos : wanted.rfind('.', static_cast<std::size_t>(differs) - 1);
    const std::size_t length = point == std::string::npos ? 0 : point + 1;
    if (length < common) continue;
    if (length > common) words.clear();
    common = length;
    if (const std::string word = name.substr(common, name.find('.', common) - common); std::ranges::find(words, word) == words.end()) words.push_back(word);
  }
  return words;
}

/// Paths of numbers in results.json; one that ends with a point stands for all below it.
class ResultNames {
 public:
  explicit ResultNames(const Problem& problem) {
    const spec::Value& spec = problem.spec;
    if (spec.has("objective")) all_.insert(all_.end(), {"objective", "sum_of_squares"});
    if (spec.has("design")) {
      add("design", {"variables", "numbers", "field_entries"});
      add("optimizer", {"converged", "iterations", "evaluations", "rejected", "relative_gradient", "violation"});
      add("inference", {"noise_known", "chi_squared", "data", "degrees_of_freedom", "negative_log_evidence", "noise_variance", "all_identifiable", "effective_data", "effective_degrees_of_freedom",
                        "expected_chi_squared", "variance_inflation"});
      all_.push_back("inference.noise_correlation.");
      all_.insert(all_.end(), {"posterior.", "weight.", "verification."});
    }
    if (const spec::Value* output = spec.find("output")) {
      add_quantities(output->find("probes"), "probes", "probe_intervals");
      add_quantities(output->find("quantities"), "quantities", "intervals");
    } else {
      all_.insert(all_.end(), {"probes.", "probe_intervals.", "quantities.", "intervals."});
    }
    if (spec["verify"].has("refine") && !spec.has("design")) all_.push_back("convergence.");
    for (const CaseModel& model : problem.cases) add("cases." + model.name, {"unknowns", "nodes", "steps", "stored_energy", "march.", "solve."});
  }
  void add_variables(const std::vector<std::string>& variables) {
    for (std::size_t i = 0; i < variables.size(); ++i) {
      add("fit." + variables[i], {"value", "standard_error", "lower_95", "upper_95", "identifiable", "at_bound", "widening"});
      for (std::size_t j = i + 1; j < variables.size(); ++j) all_.push_back("inference.correlations." + variables[i] + "." + variables[j]);
    }
  }
  void add_built(const Problem& problem) {
    for (const FitCurve& data : problem.curves) add("outliers." + problem.cases[data.case_index].process->data()[data.data_set].name, {"count", "of", "limit"});
    for (const FitCurve& data : problem.curves)
      if (problem.cases[data.case_index].process->data()[data.data_set].weight == 0)
        add("held_out." + data.name, {"data", "r_squared", "root_mean_square", "banded", "outside", "ratio", "chance", "widening"});
    for (const CaseConstraint& c : problem.constraints) {
      if (c.info.competes) all_.push_back("worst_of." + c.info.name);
      else add("constraints." + c.info.name, {"value", "violation", "lower", "upper"});
    }
    std::vector<std::shared_ptr<Case>> cases;
    for (const CaseModel& model : problem.cases) cases.push_back(model.process);
    for (const LimitedTerm& t : limited_terms(cases)) {
      add("limits." + t.name, {"violation", "ratio", "share", "slack", "multiplier", "points", "active_points", "cells", "active_cells"});
      all_.push_back("optimizer.lagrangian_gradient");
    }
    for (const CaseError& e : problem.errors) {
      all_.push_back("errors." + problem.cases[e.case_index].name + "." + e.name);
      all_.push_back(all_.back() + "_order");
    }
  }
  void add_unbuilt() { all_.insert(all_.end(), {"fit.", "inference.correlations.", "outliers.", "held_out.", "constraints.", "worst_of.", "errors.", "limits.", "optimizer.lagrangian_gradient"}); }
  const std::vector<std::string>& all() const { return all_; }

 private:
  void add(const std::string& of, std::initializer_list<const char*> numbers) {
    for (const char* number : numbers) all_.push_back(of + "." + number);
  }
  void add_quantities(const spec::Value* quantities, const std::string& values, const std::string& intervals) {
    if (!quantities) return;
    for (const spec::Value& q : *quantities) {
      all_.push_back(values + "." + q.key);
      add(intervals + "." + q.key, {"standard_error", "lower_95", "upper_95", "tells_sign"});
    }
  }

  std::vector<std::string> all_;
};

}  // namespace

void check_expectations(const Problem& problem, const std::vector<std::string>* variables, Diagnostics& diagnostics) {
  const spec::Value* expect = problem.spec.find("expect");
  if (!expect) return;
  ResultNames names(problem);
  if (variables) {
    names.add_variables(*variables);
    names.add_built(problem);
  } else {
    names.add_unbuilt();
  }
  for (const spec::Value& e : *expect) {
    const auto covers = [&](const std::string& name) { return name.ends_with('.') ? e.key.starts_with(name) : e.key == name; };
    if (std::ranges::any_of(names.all(), covers)) continue;
    diagnostics.error(e.key_position, "expect", "results.json will contain no number '" + e.key + "'" + did_you_mean(e.key, names.all()),
                      "allowed there: " + comma_list(alternatives(e.key, names.all())));
  }
}

}  // namespace invar
