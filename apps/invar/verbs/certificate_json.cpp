#include "apps/invar/verbs/certificate_json.hpp"

#include <algorithm>
#include <cstdio>

#include "libadjoint/verify/constraint_test.hpp"
#include "libadjoint/verify/directions.hpp"
#include "libadjoint/verify/dot_product_test.hpp"

namespace invar {

Certificate certify_problem(Problem& problem, const DesignVector& theta, bool everything) {
  const FullSweeps full(problem);
  const spec::Value& v = problem.spec["verify"];
  CertifyOptions options;
  options.directions = static_cast<int>(v["directions"].integer());
  options.seed = static_cast<std::uint64_t>(v["seed"].integer());
  options.dot_tolerance = v["tolerance"].number();
  const auto& cases = problem.cases;  // processes in time have no second derivatives
  options.hessian = everything && std::none_of(cases.begin(), cases.end(), [](const CaseModel& c) { return c.march.has_value(); });
  if (everything) return certify(*problem.functional, theta, options);
  // The cheap part, for every run: adjoint against tangent along the gradient and in a random direction.
  Certificate certificate;
  DesignVector gradient = DesignVector::zeros_like(theta);
  static_cast<void>(problem.functional->gradient(theta, gradient));
  const Directions directions(*problem.functional, theta);
  const DesignVector random = directions.random(options.seed);
  if (const DesignVector along = directions.along(gradient); norm(along, problem.functional->comm()) > 0)
    certificate.entries.push_back(dot_product_test(*problem.functional, theta, along, "along the gradient", options.dot_tolerance));
  certificate.entries.push_back(dot_product_test(*problem.functional, theta, random, "random direction", options.dot_tolerance));
  for (CertificateEntry& e : constraint_test(*problem.functional, theta, random, options.dot_tolerance))
    certificate.entries.push_back(std::move(e));
  return certificate;
}

nlohmann::ordered_json to_json(const Certificate& certificate) {
  nlohmann::ordered_json j;
  j["passed"] = certificate.passed();
  for (const CertificateEntry& e : certificate.entries) {
    nlohmann::ordered_json entry = {{"check", e.check}, {"subject", e.subject}, {"measured", e.measured},
                                    {"expected", e.expected}, {"tolerance", e.tolerance}, {"passed", e.passed},
                                    {"undecided", e.undecided}, {"adjoint", e.derivative}, {"reference", e.reference},
                                    {"reference_error", e.reference_error}, {"note", e.note}};
    for (const TaylorStep& s : e.steps)
      entry["steps"].push_back({{"step", s.step}, {"remainder", s.remainder}, {"rate", s.rate}});
    j["entries"].push_back(entry);
  }
  return j;
}

nlohmann::ordered_json to_json(const ShortenedGradient& gradient) {
  return {{"causes", gradient.causes}, {"relative_error", gradient.relative_error}, {"cosine", gradient.cosine}};
}

std::vector<std::string> in_words(const ShortenedGradient& gradient) {
  char text[120];
  std::snprintf(text, sizeof text, "differs from the whole one by %.2e of it, cosine of the angle %.6g", gradient.relative_error,
                gradient.cosine);
  std::vector<std::string> lines = gradient.causes;
  lines.push_back(text);
  if (!(gradient.cosine > 0)) lines.push_back("it does not lead downhill: take a longer horizon");
  return lines;
}

}  // namespace invar
