#include "libadjoint/verify/certify.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "libadjoint/verify/constraint_test.hpp"
#include "libadjoint/verify/directions.hpp"
#include "libadjoint/verify/dot_product_test.hpp"
#include "libadjoint/verify/hessian_test.hpp"

namespace invar {

namespace {

/// While it lives, neighbouring points use the time steps of θ.
class HeldSteps {
 public:
  explicit HeldSteps(ReducedFunctional& functional) : functional_(functional), any_(functional_.compare_values(true)) {}
  ~HeldSteps() { functional_.compare_values(false); }
  /// Whether there are time steps.
  bool any() const { return any_; }
  HeldSteps(const HeldSteps&) = delete;
  HeldSteps& operator=(const HeldSteps&) = delete;

 private:
  ReducedFunctional& functional_;
  bool any_;
};

/// J at θ ± h d with freely chosen time steps. The other checks compare solutions with equal steps; if a step is divided or
/// adapted, an optimiser sees another J.
CertificateEntry steps_test(ReducedFunctional& functional, const DesignVector& theta, const Probe& probe,
                            const std::vector<double>& offsets, const std::vector<Evaluation>& held) {
  constexpr double same = 1e-9, tiny = 1e-300;
  CertificateEntry entry{.check = "steps in time", .subject = probe.name, .measured = 0, .tolerance = same, .passed = true};
  for (std::size_t k = 0; k < offsets.size(); ++k) {
    const Evaluation free = functional.value(moved(theta, offsets[k], probe.direction));
    if (!free.ok || !held[k].ok) continue;
    entry.measured = std::max(entry.measured, std::abs(free.value - held[k].value) / std::max(std::abs(held[k].value), tiny));
  }
  if (entry.measured <= same) return entry;
  entry.passed = false;
  entry.undecided = true;
  entry.note = "cannot tell: nearby designs use other time steps, which makes J discontinuous; the gradient is correct for the steps used";
  return entry;
}

/// A failed test of second derivatives proves nothing if these jump nearby; a passed one is still valid.
CertificateEntry unless_kinked(const ReducedFunctional& functional, CertificateEntry entry) {
  if (entry.passed || entry.undecided || !functional.has_kinks()) return entry;
  entry.undecided = true;
  entry.note = "cannot tell: the equation switches formulas nearby, so its second derivatives are discontinuous";
  return entry;
}

}  // namespace

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
  std::optional<HeldSteps> held(std::in_place, functional);
  const Directions directions(functional, theta, options.taylor.first_step);
  std::vector<Probe> probes;
  if (norm(g, functional.comm()) > 0) probes.push_back({"gradient", directions.along(g)});
  for (int k = 0; k < options.directions; ++k)
    probes.push_back({"random direction " + std::to_string(k + 1),
                      directions.random(options.seed + static_cast<std::uint64_t>(k))});

  // First, because the gradient at θ is available.
  std::vector<CertificateEntry> products = dot_product_tests(functional, theta, probes, options.dot_tolerance);
  // The round-off of J comes from its solves: it is measured once, along a direction that moves every variable. This is a random sample,
  // so a test that fails is repeated with the round-off along its own direction.
  TaylorOptions taylor = options.taylor;
  FiniteDifferenceOptions differences = options.finite_differences;
  if (std::isnan(taylor.noise)) taylor.noise = measured_noise(functional, theta, directions.random(options.seed));
  if (std::isnan(differences.noise)) differences.noise = taylor.noise;
  const auto confirmed = [&](const auto& test) {
    CertificateEntry entry = test(taylor);
    return entry.passed || entry.undecided || !std::isnan(options.taylor.noise) ? entry : test(options.taylor);
  };
  for (const auto& [name, d] : probes)
    entries.push_back(confirmed([&](const TaylorOptions& o) { return taylor_test(functional, theta, d, name, o); }));
  std::move(products.begin(), products.end(), std::back_inserter(entries));
  for (auto& entry : constraint_test(functional, theta, probes.back().direction, options.dot_tolerance))
    entries.push_back(std::move(entry));
  std::vector<CertificateEntry> table = finite_difference_table(functional, theta, differences);
  if (std::isnan(options.finite_differences.noise) && std::ranges::any_of(table, [](const CertificateEntry& t) { return !t.passed && !t.undecided; }))
    table = finite_difference_table(functional, theta, options.finite_differences);
  std::move(table.begin(), table.end(), std::back_inserter(entries));
  bool hessian = options.hessian;
  if (DesignVector product; hessian && !probes.empty())
    if (const Evaluation e = functional.hessian_action(theta, probes.front().direction, product); !e.ok) {
      entries.push_back({.check = "hessian", .subject = "the point itself", .undecided = true, .note = "cannot tell: " + e.reason});
      hessian = false;
    }
  for (std::size_t k = 0; hessian && k < probes.size(); ++k) {
    const auto& [name, d] = probes[k];
    entries.push_back(unless_kinked(functional, confirmed([&](const TaylorOptions& o) { return hessian_taylor_test(functional, theta, d, name, o); })));
    entries.push_back(unless_kinked(functional, hessian_gradient_test(functional, theta, d, name, taylor)));
    if (k + 1 < probes.size())
      entries.push_back(hessian_symmetry_test(functional, theta, d, probes[k + 1].direction,
                                              name + ", " + probes[k + 1].name));
  }
  if (held->any()) {
    const std::vector<double> offsets = {1e-3, 1e-2};
    std::vector<Evaluation> values;
    for (const double h : offsets) values.push_back(functional.value(moved(theta, h, probes.front().direction)));
    held.reset();
    entries.push_back(steps_test(functional, theta, probes.front(), offsets, values));
  }
  return certificate;
}

}  // namespace invar
