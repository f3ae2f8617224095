#pragma once
#include <limits>
#include <string>
#include <vector>

namespace invar {

/// One step of a Taylor test.
struct TaylorStep {
  double step = 0;       // h
  double remainder = 0;  // of the Taylor expansion at h
  double rate = std::numeric_limits<double>::quiet_NaN();  // observed order, from this and the previous step
  bool above_noise = false;  // remainder far above the round-off of J
  // number of points with another branch of the equation than at h = 0; −1: no branches
  long long switched = -1;
};

/// One check: a measured order or relative difference, and its expected value.
struct CertificateEntry {
  std::string check{};    // "taylor", "dot product", "finite difference", "hessian taylor", …
  std::string subject{};  // the direction or the variable
  double measured = std::numeric_limits<double>::quiet_NaN();  // NaN: could not be measured
  double expected = 0;
  double tolerance = 0;            // on |measured − expected|
  bool passed = false;
  bool undecided = false;          // neither passed nor failed: the reference is too inaccurate
  std::string note{};              // "exact", or the reason of a failure
  std::vector<TaylorStep> steps{}; // of a Taylor test
  double derivative = std::numeric_limits<double>::quiet_NaN();  // by the adjoint
  double reference = std::numeric_limits<double>::quiet_NaN();   // by the other method
  double reference_error = std::numeric_limits<double>::quiet_NaN();  // estimated relative error of the reference, comparable with `measured`
};

/// Results of all checks of a functional's derivatives at a point.
struct Certificate {
  std::vector<CertificateEntry> entries;

  /// At least one check passed and none failed; some may be undecided.
  bool passed() const;
  /// At least one check failed. Neither passed nor failed: undecided.
  bool failed() const;
  /// One line per entry, with a heading and the verdict.
  std::string table() const;
};

}  // namespace invar
