#include "apps/invar/verbs/certificate_json.hpp"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "apps/invar/problem/build_process.hpp"
#include "libadjoint/verify/constraint_test.hpp"
#include "libadjoint/verify/directions.hpp"
#include "libadjoint/verify/dot_product_test.hpp"

namespace invar {

GradientChecks certify_problem(Problem& problem, const DesignVector& theta, bool everything) {
  GradientChecks proof;
  CaseFunctional& functional = *problem.functional;
  DesignVector kept, gradient;
  const std::vector<std::string> causes = shortenings(truncated_sweeps(problem.cases));
  if (!causes.empty())
    if (const Evaluation e = functional.gradient(theta, kept); !e.ok)
      throw std::runtime_error("the gradient cannot be evaluated again: " + e.reason);
  const FullSweeps full(functional, truncated_sweeps(problem.cases));
  if (const Evaluation e = functional.gradient(theta, gradient); !e.ok) {
    proof.certificate.entries.push_back({.check = "gradient", .subject = "the point itself", .note = e.reason});
    return proof;
  }
  if (!causes.empty()) proof.shortened = compare_shortened(kept, gradient, causes, functional.comm());

  const spec::Value& v = problem.spec["verify"];
  CertifyOptions options;
  options.directions = static_cast<int>(v["directions"].integer());
  options.seed = static_cast<std::uint64_t>(v["seed"].integer());
  options.dot_tolerance = v["tolerance"].number();
  options.hessian = everything && std::ranges::all_of(problem.cases, [](const CaseModel& c) { return c.process->why_no_second_derivatives().empty(); });
  if (everything) {
    proof.certificate = certify(functional, theta, options);
    return proof;
  }
  // The inexpensive part, for every run: adjoint against tangent along the gradient and in a random direction.
  const Directions directions(functional, theta);
  std::vector<Probe> probes;
  if (DesignVector along = directions.along(gradient); norm(along, functional.comm()) > 0)
    probes.push_back({"along the gradient", std::move(along)});
  probes.push_back({"random direction", directions.random(options.seed)});
  proof.certificate.entries = dot_product_tests(functional, theta, probes, options.dot_tolerance);
  for (CertificateEntry& e : constraint_test(functional, theta, probes.back().direction, options.dot_tolerance))
    proof.certificate.entries.push_back(std::move(e));
  return proof;
}

nlohmann::ordered_json to_json(const Certificate& certificate) {
  nlohmann::ordered_json j;
  j["passed"] = certificate.passed();
  for (const CertificateEntry& e : certificate.entries) {
    nlohmann::ordered_json entry = {{"check", e.check}, {"subject", e.subject}, {"measured", e.measured},
                                    {"expected", e.expected}, {"tolerance", e.tolerance}, {"passed", e.passed},
                                    {"undecided", e.undecided}, {"adjoint", e.derivative}, {"reference", e.reference},
                                    {"reference_error", e.reference_error}, {"note", e.note}};
    for (const TaylorStep& s : e.steps) {
      entry["steps"].push_back({{"step", s.step}, {"remainder", s.remainder}, {"rate", s.rate}});
      if (s.switched >= 0) entry["steps"].back()["switched_points"] = s.switched;
    }
    j["entries"].push_back(entry);
  }
  return j;
}

nlohmann::ordered_json to_json(const TruncatedGradient& gradient) {
  return {{"causes", gradient.causes}, {"relative_error", gradient.relative_error}, {"cosine", gradient.cosine}};
}

std::vector<std::string> in_words(const TruncatedGradient& gradient) {
  char text[120];
  std::snprintf(text, sizeof text, "relative difference from the full gradient %.2e, cosine of the angle %.6g", gradient.relative_error,
                gradient.cosine);
  std::vector<std::string> lines = gradient.causes;
  lines.push_back(text);
  if (!(gradient.cosine > 0)) lines.push_back("it is not a descent direction: use a longer horizon");
  return lines;
}

}  // namespace invar
