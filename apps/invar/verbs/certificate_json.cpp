#include "apps/invar/verbs/certificate_json.hpp"

#include "libadjoint/verify/directions.hpp"
#include "libadjoint/verify/dot_product_test.hpp"

namespace invar {

Certificate certify_problem(Problem& problem, const DesignVector& theta, bool everything) {
  const spec::Value& v = problem.spec["verify"];
  CertifyOptions options;
  options.directions = static_cast<int>(v["directions"].integer());
  options.seed = static_cast<std::uint64_t>(v["seed"].integer());
  options.dot_tolerance = v["tolerance"].number();
  options.hessian = everything;
  if (everything) return certify(*problem.functional, theta, options);
  // The cheap part, for every run: adjoint against tangent in random directions.
  Certificate certificate;
  const DesignVector ones = [&] {
    DesignVector d = DesignVector::zeros_like(theta);
    for (std::size_t i = 0; i < d.shared.size(); ++i) d.shared[i] = i % 2 ? -0.7 : 1.0;
    return d;
  }();
  certificate.entries.push_back(dot_product_test(*problem.functional, theta, ones, "alternating direction", options.dot_tolerance));
  return certificate;
}

nlohmann::ordered_json to_json(const Certificate& certificate) {
  nlohmann::ordered_json j;
  j["passed"] = certificate.passed();
  for (const CertificateEntry& e : certificate.entries) {
    nlohmann::ordered_json entry = {{"check", e.check}, {"subject", e.subject}, {"measured", e.measured},
                                    {"expected", e.expected}, {"tolerance", e.tolerance}, {"passed", e.passed},
                                    {"adjoint", e.derivative}, {"reference", e.reference}, {"note", e.note}};
    for (const TaylorStep& s : e.steps)
      entry["steps"].push_back({{"step", s.step}, {"remainder", s.remainder}, {"rate", s.rate}});
    j["entries"].push_back(entry);
  }
  return j;
}

}  // namespace invar
