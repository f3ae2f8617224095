#include "libadjoint/time/shifted_samples.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace invar {
namespace {

/// c[0..2] += factor · weights of the values at grid[k − 1], grid[k], grid[k + 1] in the slope at k of the parabola through them; at an end
/// the parabola through the last three, or the line through two.
void visit_slope(const std::vector<double>& t, int k, const auto& visit) {
  const int n = static_cast<int>(t.size());
  if (n == 2) {
    visit(0, -1 / (t[1] - t[0]));
    visit(1, 1 / (t[1] - t[0]));
    return;
  }
  const int m = std::clamp(k, 1, n - 2);  // the middle one of three
  const double x = t[k], a = t[m - 1], b = t[m], c = t[m + 1];
  visit(m - 1, ((x - b) + (x - c)) / ((a - b) * (a - c)));
  visit(m, ((x - a) + (x - c)) / ((b - a) * (b - c)));
  visit(m + 1, ((x - a) + (x - b)) / ((c - a) * (c - b)));
}

}  // namespace

ShiftedSamples::ShiftedSamples(std::shared_ptr<Observable> signal, int shift, std::vector<double> grid, std::vector<double> times, MPI_Comm comm)
    : signal_(std::move(signal)), shift_(shift), grid_(std::move(grid)), times_(std::move(times)), comm_(comm) {
  if (signal_->size() != 1 || grid_.size() < 2 || !std::is_sorted(grid_.begin(), grid_.end(), std::less_equal<>()))
    throw std::invalid_argument("shifted samples are of one number at two or more ascending times");
}

std::vector<ShiftedSamples::Weight> ShiftedSamples::weights(const EvaluationPoint& u) const {
  const auto near = std::lower_bound(grid_.begin(), grid_.end(), u.given.time);
  int here = static_cast<int>(near - grid_.begin());
  if (here == static_cast<int>(grid_.size()) || (here > 0 && u.given.time - grid_[here - 1] < grid_[here] - u.given.time)) --here;
  const double s = u.controls()[shift_][0];
  std::vector<Weight> out(times_.size());
  for (std::size_t i = 0; i < times_.size(); ++i) {
    const double t = times_[i] + s, slack = 1e-12 * (grid_.back() - grid_.front());
    if (!(t >= grid_.front() - slack && t <= grid_.back() + slack)) {
      out[i].value = std::numeric_limits<double>::quiet_NaN();
      continue;
    }
    const int j = std::clamp(static_cast<int>(std::upper_bound(grid_.begin(), grid_.end(), t) - grid_.begin()) - 1, 0, static_cast<int>(grid_.size()) - 2);
    const double h = grid_[j + 1] - grid_[j], x = (t - grid_[j]) / h;
    const auto add = [&](int k, double factor, double value, double slope, double bend) {
      if (k != here) return;
      out[i].value += factor * value;
      out[i].slope += factor * slope / h;
      out[i].bend += factor * bend / (h * h);
    };
    add(j, 1, (1 + 2 * x) * (1 - x) * (1 - x), 6 * x * (x - 1), 12 * x - 6);
    add(j + 1, 1, x * x * (3 - 2 * x), 6 * x * (1 - x), 6 - 12 * x);
    visit_slope(grid_, j, [&](int k, double w) { add(k, h * w, x * (1 - x) * (1 - x), (1 - x) * (1 - 3 * x), 6 * x - 4); });
    visit_slope(grid_, j + 1, [&](int k, double w) { add(k, h * w, x * x * (x - 1), x * (3 * x - 2), 6 * x - 2); });
  }
  return out;
}

double ShiftedSamples::shift_rate(const Controls* d_dot) const {
  return d_dot && !(*d_dot)[shift_].empty() ? (*d_dot)[shift_][0] : 0.0;
}

void ShiftedSamples::add_to_shift(double bar, Controls* d_bar) const {
  int rank = 0;
  MPI_Comm_rank(comm_, &rank);  // derivatives by numbers are shares of a sum
  if (rank == 0 && d_bar && !(*d_bar)[shift_].empty()) (*d_bar)[shift_][0] += bar;
}

void ShiftedSamples::evaluate(const EvaluationPoint& u, double* y) {
  double signal = 0;
  signal_->evaluate(u, &signal);
  const std::vector<Weight> w = weights(u);
  for (std::size_t i = 0; i < w.size(); ++i) y[i] = w[i].value * signal;
}

// ---- forward, then reverse ------------------------------------------------------------------------------

void ShiftedSamples::jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) {
  double signal = 0, signal_dot = 0;
  signal_->evaluate(u, &signal);
  signal_->jvp(u, u_dot, d_dot, &signal_dot);
  const double rate = shift_rate(d_dot);
  const std::vector<Weight> w = weights(u);
  for (std::size_t i = 0; i < w.size(); ++i) y_dot[i] = w[i].value * signal_dot + w[i].slope * rate * signal;
}

void ShiftedSamples::vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) {
  double signal = 0, seed = 0, by_shift = 0;
  signal_->evaluate(u, &signal);
  const std::vector<Weight> w = weights(u);
  for (std::size_t i = 0; i < w.size(); ++i) {
    seed += y_bar[i] * w[i].value;
    by_shift += y_bar[i] * w[i].slope * signal;
  }
  signal_->vjp(u, &seed, u_bar, d_bar);
  add_to_shift(by_shift, d_bar);
}

void ShiftedSamples::vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot,
                                 const Controls* d_dot, const State& u_bar_dot, Controls* d_bar_dot) {
  double signal = 0, signal_dot = 0, seed = 0, seed_dot = 0, by_shift_dot = 0;
  signal_->evaluate(u, &signal);
  signal_->jvp(u, u_dot, d_dot, &signal_dot);
  const double rate = shift_rate(d_dot);
  const std::vector<Weight> w = weights(u);
  for (std::size_t i = 0; i < w.size(); ++i) {
    const double bar_dot = y_bar_dot ? y_bar_dot[i] : 0.0;
    seed += y_bar[i] * w[i].value;
    seed_dot += bar_dot * w[i].value + y_bar[i] * w[i].slope * rate;
    by_shift_dot += (bar_dot * w[i].slope + y_bar[i] * w[i].bend * rate) * signal + y_bar[i] * w[i].slope * signal_dot;
  }
  signal_->vjp_tangent(u, &seed, &seed_dot, u_dot, d_dot, u_bar_dot, d_bar_dot);
  add_to_shift(by_shift_dot, d_bar_dot);
}

}  // namespace invar
