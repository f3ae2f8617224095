#pragma once
#include <Eigen/Dense>
#include <cstddef>
#include <vector>

#include "libadjoint/inference/correlation_function.hpp"

namespace invar {

/// Data whose distances from each other are considered: those of one frame and component, or of one point and component.
struct LagChannel {
  std::vector<int> samples;    // numbers of the data
  std::vector<double> points;  // [samples × dim]
};

/// Pairs of data, by classes of distance ("lags").
class LagPairs {
 public:
  struct Pair {
    int i, j, lag;
  };

  /// Pairs within each channel up to half of its extent. Where there are more than `most`, all near pairs are taken, and those of a random
  /// selection of data beyond. Classes are as wide as the distance of neighbours, and wider where the distance is large.
  LagPairs(const std::vector<LagChannel>& channels, int dim, std::size_t most);

  const std::vector<Pair>& pairs() const { return pairs_; }  // channel by channel
  /// [channels + 1] where the pairs of each channel begin.
  const std::vector<std::size_t>& starts() const { return starts_; }
  int lags() const { return static_cast<int>(bins_.size()); }
  double count(int lag) const { return bins_[lag].count; }
  double mean_distance(int lag) const { return bins_[lag].distances / bins_[lag].count; }
  /// Mean of ρ over the pairs of each class.
  Eigen::VectorXd mean_shape(const CorrelationFunction& f) const;
  double spacing() const { return spacing_; }    // distance of neighbours
  double farthest() const { return farthest_; }  // largest distance considered

 private:
  struct Bin {
    double count = 0, distances = 0;
    Eigen::Array<double, 8, 1> counts = Eigen::Array<double, 8, 1>::Zero(), sums = counts;  // of eight parts of the class
  };
  void set_edges();
  void add(int i, int j, double h);
  void drop_empty();

  double spacing_ = 0, farthest_ = 0;
  std::vector<double> edges_;  // upper, ascending
  std::vector<Bin> bins_;
  std::vector<Pair> pairs_;
  std::vector<std::size_t> starts_;
};

}  // namespace invar
