#include "apps/invar/verbs/process_accuracy.hpp"

#include <algorithm>
#include <cmath>

#include "apps/invar/report/csv.hpp"
#include "libadjoint/solve/scientific.hpp"

namespace invar {
namespace {

using nlohmann::ordered_json;

/// Two digits, the accuracy of these numbers.
std::string rough_number(double v) { return short_number(v, 2); }

/// Reports the first few steps that Newton's method did not solve.
void add_troubles(const ordered_json& troubles, std::vector<std::string>& lines) {
  constexpr std::size_t most = 4;
  for (std::size_t k = 0; k < std::min(troubles.size(), most); ++k) {
    const ordered_json& t = troubles[k];
    lines.push_back("the step from t = " + rough_number(t["begin"].get<double>()) + " s of " +
                    rough_number(t["length"].get<double>()) + " s was " +
                    (t["divided"].get<bool>() ? "divided, which makes the objective discontinuous in the design: "
                                              : "computed by shorter steps: ") +
                    t["reason"].get<std::string>());
  }
  if (troubles.size() > most) lines.push_back("and " + std::to_string(troubles.size() - most) + " more such steps");
}

}  // namespace

ProcessAccuracy::ProcessAccuracy(Problem& problem) {
  for (CaseModel& model : problem.cases) {
    names_.push_back(model.name);
    numbers_.emplace_back(model);
    auto* process = dynamic_cast<TransientCase*>(model.process.get());
    const int horizon = process ? model.march->options.horizon / model.march->scheme.stages() : 0;
    watched_.push_back(process ? std::make_unique<Watched>(process, horizon, EnergyBalance(model.residual)) : nullptr);
  }
}

void ProcessAccuracy::listen() {
  for (const auto& w : watched_)
    if (w) w->residuals.listen(*w->process);
  for (StepNumbers& numbers : numbers_) numbers.listen();
}

ordered_json ProcessAccuracy::report(int case_index) {
  if (!watched_[case_index]) return nullptr;
  Watched& w = *watched_[case_index];
  const MarchReport& r = w.process->march_report();
  ordered_json j = {{"steps", w.process->step_lengths().size()}, {"rejected", r.rejected}, {"solves", r.steps},
                    {"newton_iterations", r.newton_iterations},
                    {"largest_residual", w.residuals.largest()}, {"keeps_all_states", r.keeps_all},
                    {"adjoint_solves", r.adjoint_solves}};
  if (!r.keeps_all) j["slots"] = r.slots;
  if (r.adjoint_solves > 0) {
    j["repeated_steps"] = r.repeated_steps;
    j["largest_adjoint_residual"] = r.largest_adjoint_residual();
    w.adjoint_residuals = adjoint_residuals_by_time(r, w.process->times());
  }
  if (has_growth_rate(r)) {
    const double horizon = swept_time(w.process->step_lengths(), w.horizon);
    j["adjoint_growth"] = r.adjoint_growth;
    j["horizon"] = horizon;
    j["adjoint_growth_over_horizon"] = std::exp(r.adjoint_growth * horizon);
  }
  for (const MarchReport::Trouble& t : r.troubles)
    j["troubles"].push_back({{"begin", t.begin}, {"length", t.length}, {"divided", t.divided}, {"reason", t.reason}});
  w.troubles = r.troubles;
  j["energy"]["conservative"] = w.energy.reason().empty();
  if (w.energy.reason().empty()) {
    w.history = w.energy.history(*w.process);
    j["energy"]["drift"] = w.history.drift;
    j["energy"]["largest_drift"] = w.history.largest_drift;
  } else {
    j["energy"]["reason"] = w.energy.reason();
  }
  return j;
}

ordered_json ProcessAccuracy::reports() {
  ordered_json all;
  for (std::size_t c = 0; c < watched_.size(); ++c)
    if (watched_[c]) all[names_[c]] = report(static_cast<int>(c));
  return all;
}

void ProcessAccuracy::write_steps_taken(const RunFolder& folder) const {
  for (std::size_t c = 0; c < watched_.size(); ++c) {
    if (!watched_[c] || watched_[c]->residuals.relative().empty()) continue;
    const Watched& w = *watched_[c];
    const std::vector<double>& taken = w.residuals.relative();
    std::vector<double> times(w.process->times().begin(), w.process->times().begin() + 1 + static_cast<std::ptrdiff_t>(taken.size()));
    std::vector<double> residuals{0.0};
    residuals.insert(residuals.end(), taken.begin(), taken.end());
    const std::vector<double> divided = divisions_by_time(w.process->march_report().troubles, times);
    folder.write("steps/" + names_[c] + ".csv", csv_text({"t", "residual", "divided"}, {times, residuals, divided}));
  }
}

void ProcessAccuracy::note_steps() {
  noted_.clear();
  for (const StepNumbers& numbers : numbers_) noted_.push_back(numbers.columns());
}

void ProcessAccuracy::write_steps(const RunFolder& folder) const {
  for (std::size_t c = 0; c < watched_.size(); ++c) {
    const Measurement::Columns noted = c < noted_.size() ? noted_[c] : Measurement::Columns{};
    const auto write = [&](std::vector<std::string> columns, std::vector<std::vector<double>> data) {
      columns.insert(columns.end(), noted.names.begin(), noted.names.end());
      data.insert(data.end(), noted.data.begin(), noted.data.end());
      folder.write("steps/" + names_[c] + ".csv", csv_text(columns, data));
    };
    if (!watched_[c]) {
      if (!noted.names.empty()) write({"t"}, {numbers_[c].times()});
      continue;
    }
    const Watched& w = *watched_[c];
    const std::vector<double>& times = w.process->times();
    std::vector<std::string> columns = {"t", "residual"};
    std::vector<std::vector<double>> data = {times, {0.0}};
    data[1].insert(data[1].end(), w.residuals.relative().begin(), w.residuals.relative().end());
    data[1].resize(times.size(), 0.0);
    if (!w.adjoint_residuals.empty()) {
      columns.push_back("adjoint_residual");
      data.push_back(w.adjoint_residuals);
    }
    if (!w.troubles.empty()) {
      columns.push_back("divided");
      data.push_back(divisions_by_time(w.troubles, times));
    }
    if (w.energy.reason().empty()) {
      columns.insert(columns.end(), {"kinetic_energy", "potential_energy"});
      data.push_back(w.history.kinetic);
      data.push_back(w.history.potential);
    }
    write(columns, data);
  }
}

std::vector<std::string> trust_lines(const ordered_json& j) {
  const auto value = [&](const char* key) { return j[key].get<double>(); };
  std::vector<std::string> lines;
  std::string steps = std::to_string(j["steps"].get<long>()) + " steps, " + std::to_string(j["rejected"].get<long>()) +
                      " rejected; largest residual " + rough_number(value("largest_residual"));
  if (j.contains("largest_adjoint_residual"))
    steps += ", of an adjoint step " + rough_number(value("largest_adjoint_residual"));
  lines.push_back(steps);
  if (j.contains("troubles")) add_troubles(j["troubles"], lines);
  if (j.contains("adjoint_growth")) {
    const double rate = value("adjoint_growth"), exponent = rate * value("horizon");
    lines.push_back("adjoint ~ exp(" + rough_number(rate) + " t) backward in time: a factor of " +
                    rough_number(std::exp(exponent)) + " over " + rough_number(value("horizon")) + " s");
    if (grows_beyond_meaning(rate, value("horizon")))
      lines.push_back("the process is chaotic or unstable, and the gradient is of little use: distances of neighbouring trajectories grow by a factor of 1e" +
                      std::to_string(static_cast<int>(exponent / std::log(10.0))) +
                      "; use a shorter time, or a 'horizon'");
  }
  const ordered_json& energy = j["energy"];
  if (energy["conservative"].get<bool>()) {
    const double most = energy["largest_drift"].get<double>();
    lines.push_back("energy drifts by " + rough_number(energy["drift"].get<double>()) + " of its largest part, at most by " + rough_number(most));
    if (most > large_energy_drift)
      lines.push_back("shorter steps keep more of the energy; after impacts so does a scheme that damps the highest frequencies: bdf2, generalised_alpha, sdirk2");
  } else {
    lines.push_back("energy: not conservative, " + energy["reason"].get<std::string>());
  }
  return lines;
}

}  // namespace invar
