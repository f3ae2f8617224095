#include "libadjoint/verify/hessian_test.hpp"

#include <algorithm>
#include <cmath>

#include "libadjoint/verify/directions.hpp"
#include "libadjoint/verify/dot_product_test.hpp"

namespace invar {
namespace {

CertificateEntry unavailable(const char* check, std::string subject, const Evaluation& e) {
  CertificateEntry entry{.check = check, .subject = std::move(subject)};
  entry.note = "the gradient or the Hessian could not be evaluated: " + e.reason;
  return entry;
}

/// J, g and H·d at θ.
struct Expansion {
  Evaluation evaluation;
  DesignVector g, hd;

  Expansion(ReducedFunctional& functional, const DesignVector& theta, const DesignVector& d)
      : g(DesignVector::zeros_like(theta)), hd(g) {
    const Evaluation second = functional.hessian_action(theta, d, hd);
    evaluation = functional.gradient(theta, g);
    if (evaluation.ok && !second.ok) evaluation = second;
    evaluation.error = std::max(evaluation.error, second.error);
  }
};

}  // namespace

CertificateEntry hessian_symmetry_test(ReducedFunctional& functional, const DesignVector& theta,
                                       const DesignVector& v, const DesignVector& w,
                                       std::string subject, double tolerance) {
  CertificateEntry entry{.check = "hessian symmetry", .subject = std::move(subject)};
  entry.tolerance = tolerance;
  DesignVector hv = DesignVector::zeros_like(theta), hw = hv;
  const Evaluation first = functional.hessian_action(theta, v, hv);
  const Evaluation second = functional.hessian_action(theta, w, hw);
  if (!first.ok || !second.ok)
    return unavailable("hessian symmetry", entry.subject, first.ok ? second : first);
  const MPI_Comm comm = functional.comm();
  entry.derivative = dot(v, hw, comm);
  entry.reference = dot(w, hv, comm);
  const double size = std::max({std::abs(entry.derivative), std::abs(entry.reference),
                                1e-6 * norm(hv, comm) * norm(w, comm)});
  entry.measured = size > 0 ? std::abs(entry.derivative - entry.reference) / size : 0.0;
  entry.tolerance = std::max(tolerance, 10 * (first.error + second.error));
  entry.passed = entry.measured <= entry.tolerance;
  if (!entry.passed) {
    DesignVector g = DesignVector::zeros_like(theta);
    const Evaluation at = functional.gradient(theta, g);
    double slopes = std::abs(dot(g, v, comm)) + std::abs(dot(g, w, comm));
    std::vector<double> derivatives;
    if (at.ok && functional.directionals(theta, std::vector{v, w}, derivatives).ok)
      for (const double size : functional.term_sizes()) slopes += size;
    entry.passed = at.ok && std::abs(entry.derivative - entry.reference) <= 10 * zero_derivative * (std::abs(at.value) + slopes);
    entry.note = entry.passed ? "zero but for round-off" : "the Hessian is not symmetric";
  }
  return entry;
}

CertificateEntry hessian_taylor_test(ReducedFunctional& functional, const DesignVector& theta,
                                     const DesignVector& direction, std::string subject,
                                     const TaylorOptions& options) {
  const double noise = std::isnan(options.noise) ? measured_noise(functional, theta, direction) : options.noise;
  const Expansion at(functional, theta, direction);
  if (!at.evaluation.ok) return unavailable("hessian taylor", std::move(subject), at.evaluation);
  const double value = at.evaluation.value;
  const double slope = dot(at.g, direction, functional.comm());
  const double curvature = dot(at.hd, direction, functional.comm());
  CertificateEntry entry = check_order(
      "hessian taylor", std::move(subject), 3, std::abs(slope) + std::abs(curvature), at.evaluation.error, options,
      [&](double h) {
        const Evaluation e = functional.value(moved(theta, h, direction));
        const double size = std::max({std::abs(e.value), std::abs(value), std::abs(h * slope)});
        return Remainder{e, e.value - value - h * slope - 0.5 * h * h * curvature,
                         std::max(noise, options.relative_noise * size)};
      });
  entry.derivative = curvature;
  return entry;
}

namespace {

/// Round-off of the gradient near θ along d: second differences of gradients at points 1e-10 apart. NaN if an evaluation fails.
double gradient_noise(ReducedFunctional& functional, const DesignVector& theta, const DesignVector& direction) {
  std::vector<DesignVector> g(5, DesignVector::zeros_like(theta));
  for (std::size_t k = 0; k < g.size(); ++k)
    if (!functional.gradient(moved(theta, 1e-10 * static_cast<double>(k), direction), g[k]).ok) return std::nan("");
  double noise = 0;
  for (std::size_t k = 0; k + 2 < g.size(); ++k) {
    DesignVector second = g[k];
    second.axpy(-2.0, g[k + 1]);
    second.axpy(1.0, g[k + 2]);
    noise = std::max(noise, norm(second, functional.comm()) / std::sqrt(6.0));
  }
  return noise;
}

}  // namespace

CertificateEntry hessian_gradient_test(ReducedFunctional& functional, const DesignVector& theta,
                                       const DesignVector& direction, std::string subject,
                                       const TaylorOptions& options) {
  const Expansion at(functional, theta, direction);
  if (!at.evaluation.ok) return unavailable("hessian gradient", std::move(subject), at.evaluation);
  const double noise = gradient_noise(functional, theta, direction);
  const MPI_Comm comm = functional.comm();
  return check_order("hessian gradient", std::move(subject), 2, norm(at.hd, comm), at.evaluation.error, options,
                     [&](double h) {
                       DesignVector g = DesignVector::zeros_like(theta);
                       const Evaluation e = functional.gradient(moved(theta, h, direction), g);
                       if (!e.ok) return Remainder{e};
                       const double size = std::max(norm(g, comm), norm(at.g, comm));
                       g.axpy(-1.0, at.g);
                       g.axpy(-h, at.hd);
                       return Remainder{e, norm(g, comm), std::max(noise, 1e-14 * size)};
                     });
}

}  // namespace invar
