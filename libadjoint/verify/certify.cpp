#include "libadjoint/verify/certify.hpp"

#include <algorithm>
#include <iterator>

#include "libadjoint/verify/constraint_test.hpp"
#include "libadjoint/verify/directions.hpp"
#include "libadjoint/verify/dot_product_test.hpp"
#include "libadjoint/verify/hessian_test.hpp"

namespace invar {

Certificate certify(ReducedFunctional& functional, const DesignVector& theta,
                    const CertifyOptions& options) {
  Certificate certificate;
  auto& entries = certificate.entries;
  DesignVector g = DesignVector::zeros_like(theta);
  const Evaluation e = functional.gradient(theta, g);
  if (!e.ok) {
    entries.push_back({.check = "gradient", .subject = "the point itself", .note = e.reason});
    return certificate;
  }
  const Directions directions(functional, theta, options.taylor.first_step);
  std::vector<Probe> probes;
  if (norm(g, functional.comm()) > 0) probes.push_back({"gradient", directions.along(g)});
  for (int k = 0; k < options.directions; ++k)
    probes.push_back({"random direction " + std::to_string(k + 1),
                      directions.random(options.seed + static_cast<std::uint64_t>(k))});

  // Before θ moves: the gradient is at hand.
  std::vector<CertificateEntry> products = dot_product_tests(functional, theta, probes, options.dot_tolerance);
  for (const auto& [name, d] : probes)
    entries.push_back(taylor_test(functional, theta, d, name, options.taylor));
  std::move(products.begin(), products.end(), std::back_inserter(entries));
  for (auto& entry : constraint_test(functional, theta, probes.back().direction, options.dot_tolerance))
    entries.push_back(std::move(entry));
  for (auto& entry : finite_difference_table(functional, theta, options.finite_differences))
    entries.push_back(std::move(entry));
  if (!options.hessian) return certificate;

  for (std::size_t k = 0; k < probes.size(); ++k) {
    const auto& [name, d] = probes[k];
    entries.push_back(hessian_taylor_test(functional, theta, d, name, options.taylor));
    entries.push_back(hessian_gradient_test(functional, theta, d, name, options.taylor));
    if (k + 1 < probes.size())
      entries.push_back(hessian_symmetry_test(functional, theta, d, probes[k + 1].direction,
                                              name + ", " + probes[k + 1].name));
  }
  return certificate;
}

}  // namespace invar
