#pragma once
#include <Eigen/Dense>
#include <functional>
#include <string>
#include <vector>

namespace invar {

/// Where and when the values of one term of a fit were measured: which errors may depend on each other.
struct MeasuredPlaces {
  /// Consecutive residuals.
  struct Set {
    Eigen::Index first_row = 0, rows = 0;
    std::vector<double> places;   // [samples × dim], m
    std::vector<double> times;    // [samples] load parameters or times
    std::vector<int> components;  // [samples] errors of different components are independent
    /// Turns residuals into differences of the samples, by a matrix with orthonormal columns; null: each sample has its residual.
    std::function<std::vector<double>(const std::vector<double>&)> at_samples = {};
    std::vector<std::vector<double>> removed = {};  // the orthonormal vectors [samples] that complete these columns
    std::size_t samples() const { return times.size(); }
  };

  std::string name;  // of the term
  int dim = 0;       // 0: values along t alone
  std::vector<Set> sets;

  int samples() const {
    std::size_t n = 0;
    for (const Set& s : sets) n += s.samples();
    return static_cast<int>(n);
  }
  double rows() const {
    Eigen::Index n = 0;
    for (const Set& s : sets) n += s.rows;
    return static_cast<double>(n);
  }
  /// The rows of a matrix that belong to the term, at its samples [samples × columns].
  Eigen::MatrixXd at_samples(const Eigen::MatrixXd& rows) const;
};

}  // namespace invar
