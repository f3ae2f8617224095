#include "apps/invar/verbs/steady_solves.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "apps/invar/report/csv.hpp"
#include "libadjoint/solve/scientific.hpp"

namespace invar {

using nlohmann::ordered_json;

SteadySolves::SteadySolves(Problem& problem) {
  for (CaseModel& model : problem.cases) {
    names_.push_back(model.name);
    Watched& w = watched_.emplace_back();
    auto* process = dynamic_cast<StaticCase*>(model.process.get());
    if (process && process->residual().capabilities().pseudo_time) w.process = process;
    w.times = model.times;
  }
}

void SteadySolves::listen() {
  for (Watched& w : watched_)
    if (w.process)
      w.process->on_step = [&w, before = w.process->on_step](int step, const NewtonReport& solve) {
        if (before) before(step, solve);
        w.solves.resize(step);  // what comes later is of an earlier run
        w.solves.push_back(solve);
      };
}

double SteadySolves::Watched::relative(const NewtonReport& solve, double residual) const {
  return residual / std::max({solve.residuals.front(), process->force_scale(), std::numeric_limits<double>::min()});
}

ordered_json SteadySolves::report(int case_index) const {
  const Watched& w = watched_[case_index];
  if (w.solves.empty()) return nullptr;
  std::size_t damped = 0, newton = 0;
  int refused = 0, limited = 0;
  double least = HUGE_VAL, most = 0, left = 0;
  for (const NewtonReport& solve : w.solves) {
    damped += solve.cfl.size();
    newton += solve.steps.size() - solve.cfl.size();
    refused = std::accumulate(solve.refused.begin(), solve.refused.end(), refused);
    for (const double cfl : solve.cfl) least = std::min(least, cfl), most = std::max(most, cfl);
    for (const int nodes : solve.limited) limited = std::max(limited, nodes);
    left = std::max(left, w.relative(solve, solve.residuals.back()));
  }
  ordered_json j = {{"newton_steps", newton}, {"pseudo_time_steps", damped}, {"refused_points", refused}, {"residual", left}};
  if (damped > 0) j["cfl"] = {least, most};
  if (limited > 0) j["limited_nodes"] = limited;
  return j;
}

void SteadySolves::write_steps(const RunFolder& folder) const {
  for (std::size_t c = 0; c < watched_.size(); ++c) {
    const Watched& w = watched_[c];
    if (w.solves.empty()) continue;
    std::vector<std::vector<double>> columns(7);
    for (std::size_t s = 0; s < w.solves.size(); ++s) {
      const NewtonReport& solve = w.solves[s];
      for (std::size_t k = 0; k < solve.residuals.size(); ++k) {
        const double row[] = {w.times[s], static_cast<double>(k), w.relative(solve, solve.residuals[k]), k ? solve.steps[k - 1] : 0,
                              k && k <= solve.cfl.size() ? solve.cfl[k - 1] : HUGE_VAL, k ? double(solve.refused[k - 1]) : 0,
                              k && k <= solve.limited.size() ? double(solve.limited[k - 1]) : 0};
        for (std::size_t i = 0; i < columns.size(); ++i) columns[i].push_back(row[i]);
      }
    }
    folder.write("steps/" + names_[c] + ".csv", csv_text({"t", "iterate", "residual", "step", "cfl", "refused", "limited"}, columns));
  }
}

std::string solve_line(const ordered_json& j) {
  if (j["pseudo_time_steps"].get<int>() == 0) return {};
  return std::to_string(j["pseudo_time_steps"].get<int>()) + " steps in pseudo-time, CFL " + short_number(j["cfl"][0].get<double>(), 2) + " to " +
         short_number(j["cfl"][1].get<double>(), 2) + ", then " + std::to_string(j["newton_steps"].get<int>()) + " of Newton's method; " +
         std::to_string(j["refused_points"].get<int>()) + " trial points rejected; " + (j.contains("limited_nodes") ? "eddy viscosity limited at up to " + std::to_string(j["limited_nodes"].get<int>()) + " nodes; " : "") + "residual " + short_number(j["residual"].get<double>(), 2);
}

}  // namespace invar
