#include "apps/invar/verbs/run_messages.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "apps/invar/page/limit_text.hpp"
#include "apps/invar/verbs/outliers.hpp"
#include "apps/invar/verbs/process_accuracy.hpp"
#include "libadjoint/number_text.hpp"
#include "libadjoint/solve/scientific.hpp"

namespace invar {

namespace {

/// "; linear solver NAME, N iterations" of every one that was used.
std::string solver_description(const NewtonReport& newton) {
  std::string text;
  for (const auto& [method, iterations] : newton.linear_methods)
    text += (text.empty() ? "; linear solver " : ", then ") + method +
            (iterations > 0 ? ", " + std::to_string(iterations) + " iterations" : "");
  return text;
}

/// Writes the progress of solves: stages and Newton's iterates with -v, those of Krylov methods with -vv.
class SolveLog final : public SolveMonitor {
 public:
  SolveLog(Console& console, const Interruption* interruption, double patience)
      : console_(console), interruption_(interruption), patience_(patience) {}
  void stage(const std::string& what) override { say(Verbosity::verbose, "      " + what); }
  void newton(int iteration, double residual, double step) override {
    char text[96];
    if (iteration == 0) std::snprintf(text, sizeof text, "        Newton %2d  residual %.3e", iteration, residual);
    else std::snprintf(text, sizeof text, "        Newton %2d  residual %.3e  step %.3g", iteration, residual, step);
    say(Verbosity::verbose, text);
    const auto now = std::chrono::steady_clock::now();
    if (iteration == 0) newton_begin_ = now;
    else iterates(iteration, residual, std::chrono::duration<double>(now - newton_begin_).count());
  }
  void pseudo_time(int iteration, double residual, double step, double cfl, int limited) override {
    char text[160];
    std::snprintf(text, sizeof text, "        pseudo-time %3d  residual %.3e  step %.3g  CFL %.3g", iteration, residual, step, cfl);
    if (limited > 0) std::snprintf(text + std::strlen(text), sizeof text - std::strlen(text), "  limited at %d nodes", limited);
    say(Verbosity::verbose, text);
  }
  void krylov(std::string_view method, int iteration, double residual) override {
    char text[96];
    std::snprintf(text, sizeof text, "          %.*s %3d  residual %.3e", int(method.size()), method.data(), iteration, residual);
    say(Verbosity::debug, text);
  }
  void progress(const std::string& what, double done) override {
    const auto now = std::chrono::steady_clock::now();
    if (what != what_ || done < done_) begin_ = now, what_ = what, first_ = done;
    done_ = done;
    const double seconds = std::chrono::duration<double>(now - begin_).count();
    task_.clear();
    if (!(done > first_) || done >= 1) return;
    char percent[32];
    std::snprintf(percent, sizeof percent, ": %.0f %%, ", 100 * done);
    try {
      task_ = what + percent + duration_text(seconds) + " so far, about " +
              duration_text(seconds * (1 - done) / (done - first_)) + " left";
      console_.progress(task_);
    } catch (const std::exception&) {
    }
  }
  void changed(const std::string& why) override { say(Verbosity::normal, "  " + why); }
  bool stop() const override {
    if (!interruption_ || !interruption_->asked() || interruption_->seconds() < patience_) return false;
    interruption_->note_cut();
    return true;
  }

 private:
  /// Progress of a long single solve: iterate, residual and time per iterate. The number of remaining ones is unknown.
  void iterates(int iteration, double residual, double seconds) noexcept {
    if (seconds < iteration) return;  // those below a second are not what one waits for
    try {
      char text[64];
      std::snprintf(text, sizeof text, "Newton iterate %d, residual %.1e, ", iteration, residual);
      console_.progress(task_ + (task_.empty() ? "" : "; ") + text + duration_text(seconds / iteration) + " each");
    } catch (const std::exception&) {
    }
  }
  /// Must not throw; a log that cannot be written is reported elsewhere.
  void say(Verbosity from, const std::string& text) noexcept {
    try {
      console_.line(text, from);
    } catch (const std::exception&) {
    }
  }

  Console& console_;
  const Interruption* interruption_;
  double patience_;   // seconds
  std::string what_;  // is in progress, from here on
  std::string task_;  // the same as text
  double first_ = 0, done_ = 0;
  std::chrono::steady_clock::time_point begin_, newton_begin_;
};

/// How far limits at points are met, and how well the optimum meets the first-order conditions.
void say_limits(const nlohmann::ordered_json& results, Console& console) {
  for (const auto& [name, of] : results["limits"].items()) console.line("  " + name + ": " + limit_text(of));
  console.line("  first order: " + first_order_text(results["optimizer"]));
}

}  // namespace

void say_trust(const nlohmann::ordered_json& processes, Console& console) {
  for (const auto& [name, of] : processes.items())
    for (const std::string& words : trust_lines(of)) console.summary("case " + name, words);
}

std::string worst_difference(const Certificate& certificate) {
  double worst = 0;
  for (const CertificateEntry& e : certificate.entries) worst = std::max(worst, e.measured);
  return scientific(worst);
}

void show_solves(Problem& problem, Console& console, const Interruption* interruption, double patience) {
  const auto words = std::make_shared<SolveLog>(console, interruption, patience);
  problem.functional->set_monitor(words);
}

void show_load_steps(Problem& problem, Console& console) {
  console.table({{"case", 16, 0}, {"step", 6, 0}, {"t", 12, 6}, {"Newton", 7, 0}, {"residual", 10, 3}, {"seconds", 9, 3}});
  const auto begin = std::chrono::steady_clock::now();
  for (CaseModel& c : problem.cases)
    c.process->on_step = [&c, &console, begin](int step, const NewtonReport& newton) {
      const int rows = std::max(1, c.last_step() / 40);  // of a march, not all
      if (c.march && step % rows != 0 && step != c.last_step()) return;
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      console.row({c.name, static_cast<long long>(step + (c.march ? 0 : 1)), c.times[step],
                   static_cast<long long>(newton.iterations + (c.march ? 0 : 1)),  // the predictor of a load step is one more
                   newton.residuals.empty() ? 0.0 : newton.residuals.back(), seconds});
      if (!c.march) console.line("      case " + c.name + solver_description(newton), Verbosity::verbose);
    };
}

void say_digits(Problem& problem, Console& console) {
  constexpr double many = 1e-6;  // digits enough for everybody
  for (CaseModel& c : problem.cases) {
    const double error = c.process->derivative_error();
    if (!(error > many)) continue;
    char text[160];
    std::snprintf(text, sizeof text, "rounding leaves about %d digits of the solution (estimated relative error %.1g): the body is slender, or its stiffness varies strongly",
                  static_cast<int>(-std::log10(error)), error);
    console.summary("case " + c.name, text);
  }
}

void show_newton(Problem& problem, Console& console) {
  for (CaseModel& c : problem.cases)
    c.process->on_step = [&c, &console](int step, const NewtonReport& newton) {
      std::string text = "      case " + c.name + ", t = " + number_text(c.times[step]) + ": residuals";
      for (double r : newton.residuals) {
        char number[32];
        std::snprintf(number, sizeof number, " %.1e", r);
        text += number;
      }
      console.line(text + solver_description(newton), Verbosity::verbose);
    };
}

namespace {

void say_correlations(const Uncertainty& u, Console& console) {
  std::vector<Eigen::Index> correlated;
  std::string inseparable;
  for (Eigen::Index i = 0; i < u.correlation.rows(); ++i)
    if (u.correlation(i, i) == 1) correlated.push_back(i);
    else if (!u.parameters[i].identifiable && u.is_inseparable(i)) inseparable += (inseparable.empty() ? "'" : ", '") + u.parameters[i].name + "'";
  if (correlated.size() > 1) console.line("  correlations (columns in the order of the rows):");
  for (std::size_t i = 0; i < correlated.size() && correlated.size() > 1; ++i) {
    char name[64];
    std::snprintf(name, sizeof name, "  %-28s", u.parameters[correlated[i]].name.c_str());
    std::string row = name;
    for (std::size_t j = 0; j <= i; ++j) {
      char number[32];
      std::snprintf(number, sizeof number, " %7.3f", u.correlation(correlated[i], correlated[j]));
      row += number;
    }
    console.line(row);
  }
  if (!inseparable.empty()) console.line("  no correlations: " + inseparable + " cannot be separated by these data");
}

}  // namespace

void say_fit(const Problem& problem, const DesignVector& theta, const Uncertainty* u, Console& console) {
  const std::vector<double> p = problem.functional->physical(theta);
  const std::vector<DesignVariable> variables = problem.functional->variables();
  console.line("");
  char text[200];
  for (std::size_t k = 0; k < p.size(); ++k) {
    const DesignVariable& d = variables[k];
    if (u && std::isfinite(u->parameters[k].standard_error))
      std::snprintf(text, sizeof text, "  %-28s %14.7g ± %.2g   95 %% in [%.5g, %.5g]", d.name.c_str(), p[k],
                    u->parameters[k].standard_error, u->parameters[k].lower, u->parameters[k].upper);
    else
      std::snprintf(text, sizeof text, "  %-28s %14.7g%s", d.name.c_str(), p[k],
                    !u ? "" : u->parameters[k].at_bound ? "   at its bound" : u->parameters[k].identifiable ? "" : "   not identifiable from these data");
    console.line(text);
  }
  if (!u) return;
  if (p.size() > 1) say_correlations(*u, console);
  for (const NoiseCorrelation& noise : u->noise_correlations)
    if (!noise.doubt.empty()) console.line("  " + noise.name + ": whether its noise is correlated cannot be told: " + noise.doubt);
  for (const std::string& finding : u->findings) console.warning(finding);
}

namespace {

/// Text after a quantity's value.
std::string interval_of(const nlohmann::ordered_json& results, const std::string& section, const std::string& name) {
  const char* const intervals = section == "probes" ? "probe_intervals" : "intervals";
  if (!results.contains(intervals) || !results[intervals].contains(name)) return {};
  const nlohmann::ordered_json& of = results[intervals][name];
  if (of.contains("reason")) return "   no interval: " + of["reason"].get<std::string>();
  char text[120];
  std::snprintf(text, sizeof text, " ± %.2g   95 %% in [%.5g, %.5g]", of["standard_error"].get<double>(),
                of["lower_95"].get<double>(), of["upper_95"].get<double>());
  return text + std::string(of["tells_sign"] == 1 ? "" : ": the data do not determine its sign");
}

}  // namespace

void say_numbers(const nlohmann::ordered_json& results, Console& console) {
  char text[200];
  const auto say = [&](const std::string& name, double value, const std::string& behind = "") {
    std::snprintf(text, sizeof text, "  %-24s %.10g", name.c_str(), value);
    console.line(text + behind);
  };
  if (results.contains("objective")) {
    std::snprintf(text, sizeof text, "  objective %.10g", results["objective"].get<double>());
    std::string line = text;
    if (results.contains("sum_of_squares")) {
      std::snprintf(text, sizeof text, ", sum of squared differences %.10g", results["sum_of_squares"].get<double>());
      line += text;
    }
    console.line(line);
  }
  for (const char* section : {"probes", "quantities"})
    if (results.contains(section))
      for (const auto& [name, value] : results[section].items())
        say(name, value.get<double>(), interval_of(results, section, name));
  if (results.contains("worst_of"))
    for (const auto& [name, value] : results["worst_of"].items()) say("contribution of " + name, value.get<double>());
  if (results.contains("constraints"))
    for (const auto& [name, of] : results["constraints"].items()) say(name, of["value"].get<double>());
  if (results.contains("limits")) say_limits(results, console);
  if (results.contains("errors"))
    for (const auto& [name, of] : results["errors"].items())
      for (const auto& [norm, value] : of.items()) say(name + " " + norm, value.get<double>());
  if (results.contains("outliers")) say_outliers(results["outliers"], console);
}

}  // namespace invar
