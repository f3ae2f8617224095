#include "libadjoint/inference/noise_correlation.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "libadjoint/inference/correlogram.hpp"
#include "libadjoint/solve/scientific.hpp"

namespace invar {
namespace {

using Kind = CorrelationFunction::Kind;
using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;

/// A sample: its set and number within.
struct SampleAt {
  const MeasuredPlaces::Set* set;
  std::size_t k;
};

std::vector<SampleAt> samples_of(const MeasuredPlaces& places) {
  std::vector<SampleAt> all;
  for (const MeasuredPlaces::Set& s : places.sets)
    for (std::size_t k = 0; k < s.samples(); ++k) all.push_back({&s, k});
  return all;
}

std::vector<double> place_of(const MeasuredPlaces& places, const SampleAt& s) {
  const auto first = s.set->places.begin() + static_cast<std::ptrdiff_t>(s.k) * places.dim;
  return {first, first + places.dim};
}

void add_to_channel(LagChannel& c, int sample, std::span<const double> point) {
  c.samples.push_back(sample);
  c.points.insert(c.points.end(), point.begin(), point.end());
}

/// Data of one frame and component; of a term with several sets the channels of each set follow one another.
std::vector<LagChannel> frames_of(const MeasuredPlaces& places, std::vector<std::size_t>& first_of_sets) {
  std::vector<LagChannel> all;
  int sample = 0;
  for (const MeasuredPlaces::Set& s : places.sets) {
    first_of_sets.push_back(all.size());
    std::map<std::pair<int, double>, LagChannel> channels;  // by component and time
    for (std::size_t k = 0; k < s.samples(); ++k, ++sample) add_to_channel(channels[{s.components[k], s.times[k]}], sample, place_of(places, {&s, k}));
    for (auto& [key, c] : channels)
      if (c.samples.size() > 1) all.push_back(std::move(c));
  }
  first_of_sets.push_back(all.size());
  return all;
}

/// Data of one place and component.
std::vector<LagChannel> histories_of(const MeasuredPlaces& places) {
  std::map<std::tuple<int, std::vector<double>>, LagChannel> channels;
  int sample = 0;
  for (const SampleAt& s : samples_of(places)) add_to_channel(channels[{s.set->components[s.k], place_of(places, s)}], sample++, std::span(&s.set->times[s.k], 1));
  std::vector<LagChannel> all;
  for (auto& [key, c] : channels)
    if (c.samples.size() > 1) all.push_back(std::move(c));
  return all;
}

std::size_t most_pairs(Index directions) {
  return std::max<std::size_t>(200'000, 2'000'000 / static_cast<std::size_t>(1 + directions / 5));
}

/// Along one kind of distance.
struct Along {
  CorrelationFunction found;
  double probability = 1;
  bool tells = false, spans_data = false;
};

Along look_along(const LagPairs& pairs, const VectorXd& r, const FittedDirections& fitted, const std::vector<Kind>& kinds, double level) {
  Along along;
  if (pairs.lags() == 0) return along;
  const Correlogram correlogram(pairs, r, fitted);
  const Correlogram::Test test = correlogram.test(level);
  constexpr double seen = 2.326 + 1.282;  // standard deviations by which 1 % by chance are exceeded in nine of ten cases
  along.probability = test.probability;
  along.tells = test.power > seen;
  if (!(test.probability < level)) return along;
  along.found = correlogram.fit(kinds);
  if (!(along.found.share > 0)) along.found = {};
  along.spans_data = along.found.kind == Kind::exponential || along.found.kind == Kind::gaussian ? 4 * along.found.length > pairs.farthest() : false;
  return along;
}

/// C X for the correlation over the times of each place, and over the places of each frame. Each place at each time has one row, also those
/// without a datum; rows of data at the same place and time are added.
class Grid {
 public:
  explicit Grid(const MeasuredPlaces& places) : dim_(places.dim) {
    std::map<std::tuple<int, std::vector<double>>, int> place_numbers;
    std::map<double, int> time_numbers;
    const std::vector<SampleAt> all = samples_of(places);
    for (const SampleAt& s : all) {
      place_numbers.try_emplace({s.set->components[s.k], place_of(places, s)}, 0);
      time_numbers.try_emplace(s.set->times[s.k], 0);
    }
    int n = 0, previous = 0;
    for (auto& [key, number] : place_numbers) {
      const auto& [component, place] = key;
      if (components_.empty() || component != previous) components_.push_back(n);
      previous = component;
      number = n++;
      points_.insert(points_.end(), place.begin(), place.end());
    }
    components_.push_back(n);
    for (auto& [t, number] : time_numbers) {
      number = static_cast<int>(times_.size());
      times_.push_back(t);
    }
    for (const SampleAt& s : all) at_.push_back(time_numbers[s.set->times[s.k]] * n + place_numbers[{s.set->components[s.k], place_of(places, s)}]);
  }

  MatrixXd spread(const MatrixXd& X) const {
    MatrixXd all = MatrixXd::Zero(static_cast<Index>(times_.size()) * components_.back(), X.cols());
    for (Index i = 0; i < X.rows(); ++i) all.row(at_[static_cast<std::size_t>(i)]) += X.row(i);
    return all;
  }
  MatrixXd gather(const MatrixXd& all) const { return all(at_, Eigen::all); }

  MatrixXd over_times(const CorrelationFunction& f, const MatrixXd& all) const {
    const int n = components_.back();
    const auto T = static_cast<Index>(times_.size());
    MatrixXd out(all.rows(), all.cols());
    for (int place = 0; place < n; ++place) {
      const auto rows = Eigen::seqN(Index{place}, T, Index{n});
      out(rows, Eigen::all) = correlated_sum(f, times_, 1, all(rows, Eigen::all));
    }
    return out;
  }
  MatrixXd over_places(const CorrelationFunction& f, const MatrixXd& all) const {
    MatrixXd out(all.rows(), all.cols());
    for (std::size_t t = 0; t < times_.size(); ++t)
      for (std::size_t c = 0; c + 1 < components_.size(); ++c) {
        const Index first = static_cast<Index>(t) * components_.back() + components_[c], n = components_[c + 1] - components_[c];
        const std::span<const double> points(points_.data() + std::size_t(components_[c]) * dim_, static_cast<std::size_t>(n * dim_));
        out.middleRows(first, n) = correlated_sum(f, points, dim_, all.middleRows(first, n));
      }
    return out;
  }

 private:
  int dim_;
  std::vector<double> points_, times_;  // places by component
  std::vector<int> components_;         // first place of each, and the number of all
  std::vector<Index> at_;               // [samples]
};

/// R X where errors of different frames are independent.
MatrixXd correlated_in_frames(const MeasuredPlaces& places, const CorrelationFunction& f, const MatrixXd& X) {
  std::vector<std::size_t> sets;
  MatrixXd out = X;
  for (const LagChannel& c : frames_of(places, sets)) {
    const MatrixXd of = X(c.samples, Eigen::all);
    out(c.samples, Eigen::all) = (1 - f.share) * of + f.share * correlated_sum(f, c.points, places.dim, of);
  }
  return out;
}

void count_effective_data(const MeasuredPlaces& places, NoiseCorrelation& noise) {
  const auto n = static_cast<double>(noise.data);
  const MatrixXd ones = VectorXd::Ones(noise.data);
  NoiseCorrelation squared = noise;
  squared.space = noise.space.squared(), squared.time = noise.time.squared();
  noise.effective_data = n * n / correlated_product(places, noise, ones).sum();
  noise.effective_squares = n * n / correlated_product(places, squared, ones).sum();
}

}  // namespace

NoiseCorrelation find_noise_correlation(const MeasuredPlaces& places, const VectorXd& r, const MatrixXd& U, const MatrixXd& rest, double level) {
  NoiseCorrelation noise{.name = places.name, .data = places.samples()};
  noise.effective_data = noise.effective_squares = noise.data;
  FittedDirections fitted{U, rest, {}, {}};
  Along space, time;
  if (places.dim > 0) {
    const std::vector<LagChannel> frames = frames_of(places, fitted.first_channels);
    int first = 0;
    for (const MeasuredPlaces::Set& s : places.sets) {
      const auto n = static_cast<int>(s.samples());
      FittedDirections::Block block{first, n, MatrixXd(n, static_cast<Index>(s.removed.size()))};
      for (std::size_t k = 0; k < s.removed.size(); ++k) block.removed.col(static_cast<Index>(k)) = Eigen::Map<const VectorXd>(s.removed[k].data(), n);
      fitted.blocks.push_back(std::move(block));
      first += n;
    }
    space = look_along(LagPairs(frames, places.dim, most_pairs(U.cols())), r, fitted, {Kind::exponential, Kind::gaussian}, level);
  }
  // What was removed from a frame is a small part of the data of a place.
  const std::vector<LagChannel> histories = histories_of(places);
  fitted.blocks = {{0, places.samples(), MatrixXd(places.samples(), 0)}};
  fitted.first_channels = {0, histories.size()};
  std::vector<Kind> kinds = {Kind::exponential, Kind::gaussian};
  if (histories.size() > 1) kinds.push_back(Kind::constant);
  time = look_along(LagPairs(histories, 1, most_pairs(U.cols())), r, fitted, kinds, level);
  noise.space = space.found, noise.time = time.found;
  noise.space_probability = space.probability, noise.time_probability = time.probability;
  noise.spans_data = space.spans_data || time.spans_data;
  if (!noise.is_found() && !space.tells && !time.tells)
    noise.doubt = "a correlation over two neighbours would not show in " + std::to_string(noise.data) + (noise.data == 1 ? " value" : " values");
  if (noise.is_found()) count_effective_data(places, noise);
  return noise;
}

MatrixXd correlated_product(const MeasuredPlaces& places, const NoiseCorrelation& noise, const MatrixXd& X) {
  if (!noise.time.is_found()) return noise.space.is_found() ? correlated_in_frames(places, noise.space, X) : X;
  const Grid grid(places);
  const MatrixXd all = grid.spread(X);
  const double of_space = noise.space.share, of_time = noise.time.share, both = std::min(of_space, of_time);
  const MatrixXd moved = grid.over_times(noise.time, all);
  MatrixXd sum = (of_time - both) * moved;
  if (noise.space.is_found()) sum += grid.over_places(noise.space, (of_space - both) * all + both * moved);
  return (1 - std::max(of_space, of_time)) * X + grid.gather(sum);
}

std::string finding_of(const NoiseCorrelation& noise) {
  if (!noise.is_found()) return {};
  std::string where;
  if (noise.space.is_found()) where = "over " + short_number(noise.space.length, 2) + " m";
  if (noise.time.is_found()) {
    if (!where.empty()) where += " and ";
    where += noise.time.kind == Kind::constant ? "from frame to frame (by " + short_number(noise.time.share, 2) + ")" : "over " + short_number(noise.time.length, 2) + " along t";
  }
  std::string text = "the residuals of '" + noise.name + "' are correlated " + where + ": its " + std::to_string(noise.data) + " values tell as much as about " +
                     short_number(std::max(1.0, noise.effective_data), 2) + " independent ones, and intervals are corrected for this. ";
  return text + (noise.spans_data ? "This is much of the range of the data, so that the model rather than the noise may be the cause: look where it differs from them"
                                  : "Values closer to each other add little; more " + std::string(noise.space.is_found() ? "frames or specimens" : "tests") +
                                        " do. If the noise of the instrument is not correlated so, the model misses something: look where it differs from the data");
}

}  // namespace invar
