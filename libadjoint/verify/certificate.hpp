#pragma once
#include <limits>
#include <string>
#include <vector>

namespace invar {

/// One step of a Taylor test.
struct TaylorStep {
  double step = 0;       // h
  double remainder = 0;  // of the expansion at h
  double rate = std::numeric_limits<double>::quiet_NaN();  // observed order from the step before
  bool above_noise = false;  // remainder far above the round-off of J
  // points whose formula is another one than at the point itself; −1: the equation has one formula
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
  bool undecided = false;          // neither passed nor failed: the reference is too uncertain
  std::string note{};              // "exact", or why it failed
  std::vector<TaylorStep> steps{}; // of a Taylor test
  double derivative = std::numeric_limits<double>::quiet_NaN();  // by the adjoint
  double reference = std::numeric_limits<double>::quiet_NaN();   // by the other method
  double reference_error = std::numeric_limits<double>::quiet_NaN();  // of the reference, estimated, as `measured`
};

/// Results of all checks of a functional's derivatives at a point.
struct Certificate {
  std::vector<CertificateEntry> entries;

  /// Some check passed and none failed; some may be undecided.
  bool passed() const;
  /// Some check failed. Neither passed nor failed: undecided.
  bool failed() const;
  /// One line per entry, with a heading and the verdict.
  std::string table() const;
};

}  // namespace invar
