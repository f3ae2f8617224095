#include "apps/invar/verbs/held_out.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "libadjoint/solve/scientific.hpp"

namespace invar {

std::vector<HeldOutData> predict_held_out(Problem& problem, const DesignVector& theta, const Uncertainty& u, Console& console) {
  std::vector<HeldOutSet> sets;
  if (const Evaluation e = find_held_out(*problem.functional, theta, sets); !e.ok) {
    console.warning("no prediction of data of weight 0: " + e.reason);
    return {};
  }
  std::vector<HeldOutData> all;
  const std::vector<DesignVariable> variables = problem.functional->variables();
  for (const HeldOutSet& s : sets) {
    Case& process = *problem.cases[s.case_index].process;
    const DataSet& set = process.data()[s.data_set];
    const auto curve = std::ranges::find_if(problem.curves, [&](const FitCurve& c) { return c.case_index == s.case_index && c.data_set == s.data_set; });
    const std::string& name = curve == problem.curves.end() ? set.name : curve->name;
    all.push_back({name, s.case_index, s.data_set, assess_held_out(name, process.observed(set), set.target, set.noise, s, variables, theta.shared, u)});
  }
  return all;
}

nlohmann::ordered_json held_out_json(const std::vector<HeldOutData>& sets) {
  nlohmann::ordered_json all;
  for (const HeldOutData& s : sets) {
    nlohmann::ordered_json& of = all[s.name];
    of = {{"data", s.fit.data}, {"root_mean_square", s.fit.root_mean_square}};
    if (std::isfinite(s.fit.r_squared)) of["r_squared"] = s.fit.r_squared;
    if (s.fit.banded == 0) continue;
    of["banded"] = s.fit.banded;
    of["outside"] = s.fit.outside;
    of["ratio"] = s.fit.ratio;
    of["chance"] = s.fit.chance;
    of["widening"] = s.fit.widening;
  }
  return all;
}

void say_held_out(const std::vector<HeldOutData>& sets, Console& console) {
  for (const HeldOutData& s : sets) {
    const HeldOutFit& f = s.fit;
    char text[200];
    std::snprintf(text, sizeof text, "  predicted %-18s R² %.5f, root mean square %s of %d values that the fit was not shown", s.name.c_str(), f.r_squared, short_number(f.root_mean_square).c_str(), f.data);
    console.line(text + (f.banded == 0 ? std::string("; no band") : "; outside of the 95 % band of measurements are " + std::to_string(f.outside) + " of " + std::to_string(f.banded)));
    if (!f.finding.empty()) console.warning(f.finding);
  }
}

}  // namespace invar
