#include "libfem/solid/stress_limit.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>

#include "libfem/form/local_access.hpp"
#include "libfem/objective/form_value.hpp"
#include "libfem/objective/quotient.hpp"

namespace invar {
namespace {

std::size_t cells_known(const Mesh& mesh) {
  std::size_t total = 0;
  for (const CellBlock& block : mesh.cells) total += block.count();
  return total;
}

/// A single point of a tabulation.
Tabulation at_point(const Tabulation& all, int point, int n_points) {
  Tabulation one{all.n_nodes, {}, {}};
  const auto slice = [&](const std::vector<double>& from) {
    const std::size_t size = from.size() / n_points;
    return std::vector<double>(from.begin() + point * size, from.begin() + (point + 1) * size);
  };
  one.N = slice(all.N), one.dN = slice(all.dN);
  return one;
}

/// The quadrature points of the cells in order, each as a separate domain.
std::vector<CellBatches> point_domains(const CellBatches& cells) {
  std::vector<CellBatches> all;
  for (int q = 0;; ++q) {
    CellBatches one = cells.without_cells();
    int first = 0;
    for (const BatchGroup& g : cells.groups) {
      if (q >= g.n_points()) continue;
      BatchGroup& of = one.groups.emplace_back(g);
      of.weights = {g.weights[q]};
      of.first_point = first, first += g.n_batches;
      of.geometry = at_point(g.geometry, q, g.n_points());
      for (int k = 0; k < 2; ++k) of.basis[k] = at_point(g.basis[k], q, g.n_points()), of.test[k] = at_point(g.test[k], q, g.n_points());
    }
    if (one.groups.empty()) return all;
    all.push_back(std::move(one));
  }
}

}  // namespace

StressLimit::StressLimit(const std::shared_ptr<FormResidual>& residual, std::vector<StressPart> parts, const Options& options)
    : residual_(residual), parts_(std::move(parts)), options_(options), penalty_(residual->add_control({"", ""}, {options.penalty})) {
  std::vector<int> forms;
  // Every part has the same list of domains: its cells, or one for each side of a cell.
  std::vector<int> most(parts_.empty() ? 0 : parts_.front().domains.size(), 0);  // points per domain, of any part and rank
  std::vector<std::vector<std::vector<CellBatches>>> points;                     // by part, domain and point
  for (const StressPart& part : parts_) {
    auto& of_part = points.emplace_back();
    for (std::size_t k = 0; k < part.domains.size(); ++k) {
      of_part.push_back(point_domains(part.domains[k]));
      most[k] = std::max(most[k], static_cast<int>(of_part.back().size()));
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, most.data(), static_cast<int>(most.size()), MPI_INT, MPI_MAX, residual->comm());  // a rank without such cells has no points
  const int total = std::accumulate(most.begin(), most.end(), 0);
  for (int q = 0; q < total; ++q)
    multipliers_.push_back(residual->add_control({.name = "", .layout = ControlLayout::cells}, std::vector<double>(cells_known(residual->dofs().mesh()), 0.0)));
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const CellBatches none = parts_[p].domains.front().without_cells();
    parts_[p].domains.clear();
    for (std::size_t k = 0; k < most.size(); ++k) {
      points[p][k].resize(most[k], none);
      std::ranges::move(points[p][k], std::back_inserter(parts_[p].domains));
    }
  }
  const std::shared_ptr<Observable> measure = integral_of_powers(residual, parts_, 0, std::make_shared<const double>(1.0));
  for (const StressPart& part : parts_)
    for (int q = 0; q < total; ++q) {
      std::vector<ControlledValue> coefficients = part.coefficients;
      coefficients.push_back({multipliers_[q], {}});
      coefficients.push_back({penalty_, {}});
      forms.push_back(residual->add_functional(make_stress_excess(part.stress, options.limit, part.domains[q]), std::move(coefficients)));
    }
  std::vector<double> factors(residual->form_count(), 0.0);
  for (const int form : forms) factors[form] = 1;
  mean_ = make_quotient(std::make_shared<FormValue>(residual, std::move(factors)), measure);
}

std::vector<int> StressLimit::adaptive_controls() const {
  std::vector<int> all = multipliers_;
  all.push_back(penalty_);
  return all;
}

template <class Visit>
void StressLimit::visit_points(const EvaluationPoint& u, CellsOf which, const Visit& visit) const {
  const LocalArray local(u);
  for (std::size_t q = 0; q < multipliers_.size(); ++q)
    for (const StressPart& part : parts_)
      for (const StressPoint& p : stress_points(part.stress, part.domains[q], residual_->form_coefficients(part.form, u.given), local.data(), nullptr,
                                                residual_->coordinates(u.given).data(), which))
        visit(q, p, stress_excess(p.stress, p.density_power, options_.limit));
}

std::vector<std::vector<double>> StressLimit::adapted(const EvaluationPoint& u) {
  const double mu = (*u.given.controls)[penalty_][0];
  std::vector<std::vector<double>> next;
  for (const int control : multipliers_) next.push_back((*u.given.controls)[control]);
  visit_points(u, CellsOf::all, [&](std::size_t q, const StressPoint& p, double g) {
    double& lambda = next[q][p.cell];
    lambda = std::max(0.0, lambda + mu * g);
  });
  next.push_back({std::min(options_.growth * mu, options_.largest_penalty)});
  return next;
}

LimitStatus StressLimit::status(const EvaluationPoint& u) {
  const Controls& d = *u.given.controls;
  const double mu = d[penalty_][0];
  struct {
    double g;
    int rank;
  } worst{-std::numeric_limits<double>::infinity(), 0};
  enum { ratio, share, x, y, z, numbers };
  double at[numbers]{}, most[2]{};  // most: slack, multiplier
  std::vector<char> seen(cells_known(residual_->dofs().mesh()), 0), active = seen;
  long long counts[4]{};
  visit_points(u, CellsOf::own, [&](std::size_t q, const StressPoint& p, double g) {
    const double lambda = d[multipliers_[q]][p.cell] + mu * g;
    ++counts[0];
    seen[p.cell] = 1;
    if (lambda > 0) {
      ++counts[1];
      active[p.cell] = 1;
      most[0] = std::max(most[0], -g);
      most[1] = std::max(most[1], lambda);
    }
    if (!(g > worst.g)) return;
    worst.g = g;
    at[ratio] = p.stress / options_.limit, at[share] = p.density_power;
    std::copy_n(p.x, 3, at + x);
  });
  counts[2] = std::ranges::count(seen, 1);
  counts[3] = std::ranges::count(active, 1);
  const MPI_Comm comm = residual_->comm();
  MPI_Comm_rank(comm, &worst.rank);
  MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE_INT, MPI_MAXLOC, comm);
  MPI_Bcast(at, numbers, MPI_DOUBLE, worst.rank, comm);
  MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_DOUBLE, MPI_MAX, comm);
  MPI_Allreduce(MPI_IN_PLACE, counts, 4, MPI_LONG_LONG, MPI_SUM, comm);
  return {.violation = std::max(0.0, worst.g), .ratio = at[ratio], .share = at[share], .x = {at[x], at[y], at[z]}, .slack = most[0], .multiplier = most[1],
          .points = counts[0], .active_points = counts[1], .cells = counts[2], .active_cells = counts[3]};
}

}  // namespace invar
