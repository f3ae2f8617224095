#include "libfem/design/boundary/spline_basis.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace invar {

SplineBasis::SplineBasis(int degree, int count, bool periodic) : degree_(degree), count_(count), periodic_(periodic) {
  if (degree < 0 || count <= degree)
    throw std::invalid_argument("a spline of degree " + std::to_string(degree) + " needs at least " +
                                std::to_string(std::max(degree, 0) + 1) + " control points, not " +
                                std::to_string(count));
}

double SplineBasis::knot(int k) const {
  return static_cast<double>(periodic_ ? k : std::clamp(k, 0, spans())) / spans();
}

SplineBasis::Support SplineBasis::at(double s) const {
  s = periodic_ ? s - std::floor(s) : std::clamp(s, 0.0, 1.0);
  const int span = std::min(static_cast<int>(s * spans()), spans() - 1);
  Support support{std::vector<int>(degree_ + 1), std::vector<double>(degree_ + 1, 0.0)};
  std::vector<double>& N = support.value;
  N[0] = 1;
  for (int j = 1; j <= degree_; ++j) {  // the recurrence of Cox and de Boor, degree by degree
    double saved = 0;
    for (int r = 0; r < j; ++r) {
      const double right = knot(span + r + 1), left = knot(span + r + 1 - j);
      const double share = N[r] / (right - left);
      N[r] = saved + (right - s) * share;
      saved = (s - left) * share;
    }
    N[j] = saved;
  }
  for (int r = 0; r <= degree_; ++r)
    support.index[r] = periodic_ ? (span + r - degree_ / 2 + count_) % count_ : span + r;
  return support;
}

double SplineBasis::abscissa(int i) const {
  if (periodic_) return (i + (degree_ % 2 == 0 ? 0.5 : 0.0)) / count_;
  if (degree_ == 0) return (i + 0.5) / count_;
  double sum = 0;
  for (int k = i - degree_ + 1; k <= i; ++k) sum += knot(k);
  return sum / degree_;
}

}  // namespace invar
