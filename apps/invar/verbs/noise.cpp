#include "apps/invar/verbs/noise.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace invar {
namespace {

nlohmann::ordered_json function_json(const CorrelationFunction& f, double probability) {
  constexpr const char* kinds[] = {"none", "exponential", "gaussian", "constant"};
  nlohmann::ordered_json j = {{"kind", kinds[static_cast<int>(f.kind)]}};
  if (f.kind != CorrelationFunction::Kind::constant) j["length"] = f.length;
  j["share"] = f.share;
  j["probability_by_chance"] = probability;
  return j;
}

/// Several images of one time are told apart by their order.
void order_images(MeasuredPlaces& places) {
  std::set<double> times;
  for (const MeasuredPlaces::Set& s : places.sets)
    if (!s.times.empty()) times.insert(s.times.front());
  if (places.dim == 0 || times.size() == places.sets.size()) return;
  for (std::size_t k = 0; k < places.sets.size(); ++k) std::ranges::fill(places.sets[k].times, static_cast<double>(k));
}

}  // namespace

std::vector<MeasuredPlaces> measured_places(const Problem& problem) {
  std::map<std::pair<int, int>, std::pair<Eigen::Index, Eigen::Index>> rows;  // of each data set: first and number
  Eigen::Index row = 0;
  for (std::size_t c = 0; c < problem.cases.size(); ++c) {
    const std::vector<DataSet>& data = problem.cases[c].process->data();
    for (std::size_t s = 0; s < data.size(); ++s) {
      const auto n = static_cast<Eigen::Index>(data[s].target.size());
      rows[{static_cast<int>(c), static_cast<int>(s)}] = {row, n};
      row += n;
    }
  }
  std::map<std::pair<int, std::string>, std::size_t> numbers;
  std::vector<MeasuredPlaces> all;
  for (const MeasuredSamples& samples : problem.samples) {
    const auto [at, is_new] = numbers.try_emplace({samples.case_index, samples.term}, all.size());
    if (is_new) {
      const auto curve = std::ranges::find_if(problem.curves, [&](const FitCurve& c) { return c.case_index == samples.case_index && c.data_set == samples.data_set; });
      all.push_back({curve != problem.curves.end() ? curve->name : samples.name, static_cast<int>(samples.where.places.size() / samples.rows.size()), {}});
    }
    MeasuredPlaces::Set set = samples.where;
    std::tie(set.first_row, set.rows) = rows.at({samples.case_index, samples.data_set});
    set.at_samples = samples.at_samples;
    all[at->second].sets.push_back(std::move(set));
  }
  std::erase_if(all, [](const MeasuredPlaces& p) { return p.samples() < 2; });
  for (MeasuredPlaces& p : all) order_images(p);
  return all;
}

nlohmann::ordered_json noise_json(const std::vector<NoiseCorrelation>& terms) {
  nlohmann::ordered_json all = nlohmann::ordered_json::object();
  for (const NoiseCorrelation& noise : terms) {
    nlohmann::ordered_json& of = all[noise.name];
    of = {{"data", noise.data}, {"effective_data", noise.effective_data}, {"effective_squares", noise.effective_squares}, {"is_correlated", noise.is_found() ? 1 : 0}};
    if (noise.space.is_found()) of["space"] = function_json(noise.space, noise.space_probability);
    if (noise.time.is_found()) of["time"] = function_json(noise.time, noise.time_probability);
    if (!noise.doubt.empty()) of["doubt"] = noise.doubt;
  }
  return all;
}

}  // namespace invar
