#include "libadjoint/maps/time_basis.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace invar {
namespace {

/// The clamped uniform cubic B-splines at s ∈ [0, 1] by the recurrence of Cox and de Boor.
std::vector<double> cubic_splines(int n, double s) {
  constexpr int degree = 3;
  const int spans = n - degree;
  const auto knot = [&](int i) { return std::clamp(double(i - degree) / spans, 0.0, 1.0); };
  const int span = std::min(static_cast<int>(s * spans), spans - 1);
  double N[degree + 1] = {1.0};
  for (int p = 1; p <= degree; ++p) {
    double carried = 0;
    for (int r = 0; r < p; ++r) {
      const double left = knot(span + degree + 1 + r - p), right = knot(span + degree + 1 + r);
      const double share = N[r] / (right - left);
      N[r] = carried + (right - s) * share;
      carried = (s - left) * share;
    }
    N[p] = carried;
  }
  std::vector<double> values(n, 0.0);
  for (int p = 0; p <= degree; ++p) values[span + p] = N[p];
  return values;
}

}  // namespace

TimeBasis::TimeBasis(Kind kind, int size, double begin, double end)
    : kind_(kind), size_(size), begin_(begin), end_(end) {
  const int least = kind == Kind::linear ? 2 : kind == Kind::cubic ? 4 : 1;
  if (size < least) throw std::invalid_argument("this basis in time needs at least " + std::to_string(least) + " functions");
  if (kind == Kind::fourier && size % 2 == 0)
    throw std::invalid_argument("a Fourier basis has an odd number of functions: 1, then pairs of cosine and sine");
  if (!(end > begin)) throw std::invalid_argument("the interval of a basis in time must not be empty");
}

std::vector<double> TimeBasis::values(double t) const {
  const double s = (t - begin_) / (end_ - begin_), inside = std::clamp(s, 0.0, 1.0);
  std::vector<double> phi(size_, 0.0);
  switch (kind_) {
    case Kind::constant: phi[std::min(static_cast<int>(inside * size_), size_ - 1)] = 1; break;
    case Kind::linear: {
      const double place = inside * (size_ - 1);
      const int i = std::min(static_cast<int>(place), size_ - 2);
      phi[i + 1] = std::max(0.0, place - i);  // a fused multiply-add gives -6e-17 at some knots
      phi[i] = 1 - phi[i + 1];
      break;
    }
    case Kind::cubic: return cubic_splines(size_, inside);
    case Kind::fourier:
      phi[0] = 1;
      for (int k = 1; 2 * k < size_; ++k) {
        phi[2 * k - 1] = std::cos(2 * std::numbers::pi * k * s);
        phi[2 * k] = std::sin(2 * std::numbers::pi * k * s);
      }
  }
  return phi;
}

}  // namespace invar
