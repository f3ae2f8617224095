#include "apps/invar/batch/sweep_plan.hpp"

#include <algorithm>
#include <cmath>

#include "apps/invar/spec/json_schema.hpp"
#include "libadjoint/sampling/distribution.hpp"
#include "libadjoint/sampling/sobol_indices.hpp"
#include "libadjoint/sampling/unit_points.hpp"

namespace invar {
namespace {

using spec::Value;
using DistributionKind = Distribution::Kind;

constexpr std::size_t most_points = 100000;

/// An input that is drawn.
struct RandomInput {
  std::string path;
  SourcePosition at;
  Distribution distribution;
};

class Planner {
 public:
  Planner(const Value& spec, Diagnostics& diagnostics)
      : spec_(spec), sweep_(spec["sweep"]), design_(sweep_["design"].text()), diagnostics_(diagnostics) {}

  SweepPlan plan() {
    const std::size_t before = diagnostics_.size();
    if (design_ == "grid" || design_ == "zip") {
      require("over");
      refuse({"points", "uncertain"}, true);
      if (const Value* over = sweep_.find("over"))
        for (const Value& key : *over) axes_.push_back(axis(key));
      if (diagnostics_.size() == before) design_ == "grid" ? grid() : zip();
    } else if (design_ == "list") {
      require("points");
      refuse({"over", "uncertain"}, true);
      if (const Value* points = sweep_.find("points"))
        for (const Value& point : *points) {
          plan_.points.emplace_back();
          for (const Value& v : point) plan_.points.back().push_back(setting(v.key, v));
        }
    } else {
      std::vector<RandomInput> inputs;
      if (design_ == "starts") {
        refuse({"points", "over", "uncertain"}, false);
        inputs = starts();
      } else {
        refuse({"points"}, false);
        inputs = drawn();
      }
      if (diagnostics_.size() == before) draw(inputs);
    }
    if (plan_.points.size() > most_points) error(sweep_, "these are " + std::to_string(plan_.points.size()) + " runs; at most 100000 are possible");
    name_inputs();
    return std::move(plan_);
  }

 private:
  void error(const Value& at, const std::string& message, const std::string& allowed = {}) {
    diagnostics_.error(at.position, at.yaml_path, message, allowed);
  }
  void require(const char* key) {
    if (!sweep_.has(key)) diagnostics_.error(sweep_.key_position, sweep_.yaml_path, "design " + design_ + " needs '" + key + "'");
  }
  /// Refuses keys that the design does not use.
  void refuse(const std::vector<std::string>& keys, bool drawing_too) {
    for (const std::string& key : keys)
      if (const Value* v = sweep_.find(key))
        diagnostics_.error(v->key_position, v->yaml_path, "design " + design_ + " has no key '" + key + "'");
    if (!drawing_too) return;
    for (const char* key : {"samples", "seed"})
      if (const Value& v = sweep_[key]; !v.defaulted)
        diagnostics_.error(v.key_position, v.yaml_path, "design " + design_ + " does not draw samples: it has no '" + std::string(key) + "'");
  }

  static SweepPlan::Setting setting(const std::string& path, const Value& v) { return {path, spec::as_json(v), v.position}; }

  bool range_is_right(const Value& v) {
    const double from = v["from"].number(), to = v["to"].number();
    if (!(from < to)) return error(v["to"], "'to' must be above 'from'"), false;
    if (v["scale"].text() == "log" && !(from > 0)) return error(v["from"], "numbers on a logarithmic scale must be positive"), false;
    return true;
  }

  /// The values of one key of a grid.
  SweepPlan::Point axis(const Value& key) {
    SweepPlan::Point out;
    if (key.is_list()) {
      for (const Value& v : key) out.push_back(setting(key.key, v));
      return out;
    }
    if (!range_is_right(key)) return out;
    const Value* n = key.find("n");
    if (!n) return error(key, "'n' is missing: design " + design_ + " needs the number of values"), out;
    const bool log = key["scale"].text() == "log";
    const double a = key["from"].number(), b = key["to"].number();
    for (long long i = 0; i < n->integer(); ++i) {
      const double share = static_cast<double>(i) / static_cast<double>(n->integer() - 1);
      const double value = i == 0 ? a : share == 1 ? b : log ? a * std::pow(b / a, share) : a + share * (b - a);
      out.push_back({key.key, value, key.position});
    }
    return out;
  }

  void grid() {
    plan_.points.emplace_back();
    for (const SweepPlan::Point& axis : axes_) {
      std::vector<SweepPlan::Point> longer;
      if (plan_.points.size() * axis.size() > most_points) return error(sweep_, "the grid has more than 100000 runs");
      for (const SweepPlan::Point& point : plan_.points)
        for (const SweepPlan::Setting& value : axis) {
          longer.push_back(point);
          longer.back().push_back(value);
        }
      plan_.points = std::move(longer);
    }
  }

  void zip() {
    const std::size_t n = axes_[0].size();
    for (const SweepPlan::Point& axis : axes_)
      if (axis.size() != n)
        return diagnostics_.error(axis[0].at, "sweep.over." + axis[0].path, "'" + axis[0].path + "' has " + std::to_string(axis.size()) +
                                      " values and '" + axes_[0][0].path + "' has " + std::to_string(n) + "; design zip needs equal numbers");
    plan_.points.resize(n);
    for (std::size_t i = 0; i < n; ++i)
      for (const SweepPlan::Point& axis : axes_) plan_.points[i].push_back(axis[i]);
  }

  std::vector<RandomInput> drawn() {
    std::vector<RandomInput> out;
    if (const Value* over = sweep_.find("over"))
      for (const Value& key : *over) {
        if (key.is_list()) {
          error(key, "design " + design_ + " needs a range, not a list", "write {from: …, to: …}");
        } else if (range_is_right(key)) {
          if (const Value* n = key.find("n")) error(*n, "design " + design_ + " has the number of values in 'samples', and no key 'n'");
          const DistributionKind kind = key["scale"].text() == "log" ? DistributionKind::log_uniform : DistributionKind::uniform;
          out.push_back({key.key, key.position, {kind, {key["from"].number(), key["to"].number(), 0}}});
        }
      }
    const Value* uncertain = sweep_.find("uncertain");
    for (std::size_t i = 0; uncertain && i < uncertain->size(); ++i) {
      const Value& key = uncertain->children[i];
      RandomInput input{key.key, key.position, distribution(key)};
      if (const char* mistake = input.distribution.mistake()) error(key, mistake);
      if (std::ranges::any_of(out, [&](const RandomInput& o) { return o.path == key.key; }))
        error(key, "'" + key.key + "' is also in 'over'");
      out.push_back(std::move(input));
    }
    if (!sweep_.has("over") && !uncertain) error(sweep_, "design " + design_ + " needs 'over' or 'uncertain'");
    return out;
  }

  static Distribution distribution(const Value& v) {
    Distribution out;
    for (const auto& [word, kind] : {std::pair{"normal", DistributionKind::normal}, {"lognormal", DistributionKind::lognormal},
                                     {"uniform", DistributionKind::uniform}, {"triangular", DistributionKind::triangular}})
      if (const Value* numbers = v.find(word)) {
        out.kind = kind;
        std::ranges::copy(numbers->numbers(), out.parameters.begin());
      }
    if (const Value* bound = v.find("lower")) out.lower = bound->number();
    if (const Value* bound = v.find("upper")) out.upper = bound->number();
    return out;
  }

  /// Ranges of random starts: of each designed number with two bounds.
  std::vector<RandomInput> starts() {
    std::vector<RandomInput> out;
    const Value* design = spec_.find("design");
    for (std::size_t i = 0; design && i < design->size(); ++i) {
      const Value& entry = design->children[i];
      if (entry["kind"].text() != "number") continue;
      Distribution d;
      d.kind = entry["scale"].text() == "log" ? DistributionKind::log_uniform : DistributionKind::uniform;
      if (const Value* range = entry.find("range"); range && range->size() == 2) {
        d.parameters = {(*range)[0].number(), (*range)[1].number(), 0};
      } else if (entry.has("lower") && entry.has("upper") && std::isfinite(entry["lower"].number()) && std::isfinite(entry["upper"].number())) {
        d.parameters = {entry["lower"].number(), entry["upper"].number(), 0};
      } else {
        error(entry, "'" + entry["variable"].text() + "' needs 'lower' and 'upper', or a range, from which the starts are drawn");
        continue;
      }
      if (const char* mistake = d.mistake()) error(entry, mistake);
      out.push_back({"design." + std::to_string(i) + ".start", entry.position, d});
    }
    if (out.empty() && diagnostics_.empty())
      error(sweep_["design"], "design starts needs numbers in 'design'");
    return out;
  }

  void draw(const std::vector<RandomInput>& inputs) {
    const int d = static_cast<int>(inputs.size());
    if (sweep_["samples"].number() * (design_ == "sobol_indices" ? d + 2 : 1) > most_points)
      return error(sweep_["samples"], "these are more than 100000 runs");
    const int n = static_cast<int>(sweep_["samples"].integer());
    const auto seed = static_cast<std::uint64_t>(sweep_["seed"].integer());
    const Eigen::MatrixXd u = design_ == "latin_hypercube" ? latin_hypercube_points(n, d, seed)
                              : design_ == "sobol"         ? sobol_points(n, d, seed)
                              : design_ == "sobol_indices" ? saltelli_points(n, d, seed)
                                                           : random_points(n, d, seed);
    for (Eigen::Index row = 0; row < u.rows(); ++row) {
      plan_.points.emplace_back();
      for (int k = 0; k < d; ++k) plan_.points.back().push_back({inputs[k].path, inputs[k].distribution.quantile(u(row, k)), inputs[k].at});
    }
  }

  void name_inputs() {
    for (const SweepPlan::Point& point : plan_.points)
      for (const SweepPlan::Setting& s : point)
        if (std::ranges::find(plan_.inputs, s.path) == plan_.inputs.end()) plan_.inputs.push_back(s.path);
  }

  const Value& spec_;
  const Value& sweep_;
  const std::string design_;
  Diagnostics& diagnostics_;
  std::vector<SweepPlan::Point> axes_;
  SweepPlan plan_;
};

}  // namespace

SweepPlan plan_sweep(const Value& spec, Diagnostics& diagnostics) { return Planner(spec, diagnostics).plan(); }

std::vector<spec::Assignment> assignments_of(const SweepPlan::Point& point, Diagnostics& diagnostics) {
  std::vector<spec::Assignment> out;
  for (const SweepPlan::Setting& s : point)
    if (auto value = spec::parse_value(s.value.dump(), s.at, diagnostics)) out.push_back({s.path, std::move(*value)});
  return out;
}

}  // namespace invar
