#include "libadjoint/inference/measured_places.hpp"

#include <algorithm>

namespace invar {

Eigen::MatrixXd MeasuredPlaces::at_samples(const Eigen::MatrixXd& rows) const {
  Eigen::MatrixXd all(samples(), rows.cols());
  Eigen::Index first = 0;
  for (const Set& s : sets) {
    const auto n = static_cast<Eigen::Index>(s.samples());
    for (Eigen::Index j = 0; j < rows.cols(); ++j) {
      if (!s.at_samples) {
        all.col(j).segment(first, n) = rows.col(j).segment(s.first_row, n);
        continue;
      }
      const Eigen::VectorXd of_set = rows.col(j).segment(s.first_row, s.rows);
      const std::vector<double> spread = s.at_samples({of_set.data(), of_set.data() + of_set.size()});
      std::ranges::copy(spread, all.col(j).segment(first, n).begin());
    }
    first += n;
  }
  return all;
}

}  // namespace invar
