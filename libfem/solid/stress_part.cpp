#include "libfem/solid/stress_part.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include "libfem/form/local_access.hpp"
#include "libfem/objective/form_value.hpp"

namespace invar {
namespace {

/// The sum of the functionals that `make(stress, domain)` makes of all domains.
template <class Make>
std::shared_ptr<Observable> integral_of(const std::shared_ptr<FormResidual>& residual, std::vector<StressPart>& parts, const Make& make) {
  std::vector<int> forms;
  for (StressPart& part : parts)
    for (const CellBatches& domain : part.domains) forms.push_back(part.form = residual->add_functional(make(part.stress, domain), part.coefficients));
  std::vector<double> factors(residual->form_count(), 0.0);
  for (const int form : forms) factors[form] = 1;
  return std::make_shared<FormValue>(residual, std::move(factors));
}

}  // namespace

std::shared_ptr<Observable> integral_of_powers(const std::shared_ptr<FormResidual>& residual, std::vector<StressPart>& parts, int exponent,
                                               const std::shared_ptr<const double>& unit) {
  return integral_of(residual, parts, [&](const StressOf& stress, const CellBatches& domain) { return make_stress_power(stress, exponent, unit, domain); });
}

std::shared_ptr<Observable> integral_of_exponentials(const std::shared_ptr<FormResidual>& residual, std::vector<StressPart>& parts, double sharpness,
                                                     const std::shared_ptr<const double>& shift) {
  return integral_of(residual, parts, [&](const StressOf& stress, const CellBatches& domain) { return make_stress_exponential(stress, sharpness, shift, domain); });
}

std::vector<StressPoint> stress_points(FormResidual& residual, const std::vector<StressPart>& parts, const EvaluationPoint& u, CellsOf which) {
  const LocalArray local(u);
  std::optional<LocalArray> rate;
  if (const Vec v = u.levels[Level::rate]) rate.emplace(v);
  std::vector<StressPoint> points;
  for (const StressPart& part : parts)
    for (const CellBatches& domain : part.domains)
      std::ranges::copy(stress_points(part.stress, domain, residual.form_coefficients(part.form, u.given), local.data(), rate ? rate->data() : nullptr, residual.coordinates(u.given).data(), which),
                        std::back_inserter(points));
  return points;
}

StressPoint greatest_stress(FormResidual& residual, const std::vector<StressPart>& parts, const EvaluationPoint& u) {
  struct {
    double stress;
    int rank;
  } best{-1, 0};
  StressPoint point;
  point.stress = -1;
  for (const StressPoint& p : stress_points(residual, parts, u))
    if (p.relaxed() > point.relaxed()) point = p;
  MPI_Comm_rank(residual.comm(), &best.rank);
  best.stress = point.relaxed();
  MPI_Allreduce(MPI_IN_PLACE, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, residual.comm());
  MPI_Bcast(point.x, 3, MPI_DOUBLE, best.rank, residual.comm());
  point.stress = best.stress;
  point.density_power = 1;
  return point;
}

}  // namespace invar
