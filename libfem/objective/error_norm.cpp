#include "libfem/objective/error_norm.hpp"

#include <cmath>

#include "libfem/objective/sampled_displacement.hpp"

namespace invar {
namespace {

constexpr int error_degree = 8;  // of quadrature

}  // namespace

ErrorNorm::ErrorNorm(const std::shared_ptr<const DofMap>& dofs, const std::vector<int>& components,
                     const std::function<double(int, const double*)>& target, bool without_mean)
    : measure_(region_measure(dofs, dofs->components()[components.front()].region, dofs->mesh().dim, error_degree)) {
  const std::string& region = dofs->components()[components.front()].region;
  const Mesh& mesh = dofs->mesh();
  const auto sample = [&](const std::function<double(int, const double*)>& of, std::vector<double>& out) {
    return make_field_samples(dofs, region, mesh.dim, error_degree, components, of, out);
  };
  samples_ = sample(target, target_);
  if (without_mean) sample([](int, const double*) { return 1.0; }, ones_);
  long long cells = 0;
  for (const CellBlock& block : mesh.cells) cells += block.n_owned;
  MPI_Allreduce(MPI_IN_PLACE, &cells, 1, MPI_LONG_LONG, MPI_SUM, dofs->comm());
  cell_size_ = std::pow(measure_ / static_cast<double>(cells), 1.0 / mesh.dim);
}

double ErrorNorm::evaluate(const EvaluationPoint& u) const {
  std::vector<double> y(target_.size());
  samples_->evaluate(u, y.data());
  double mean = 0, squares = 0;
  for (std::size_t i = 0; i < ones_.size(); ++i) mean += ones_[i] * (y[i] - target_[i]);
  for (std::size_t i = 0; i < y.size(); ++i)
    squares += std::pow(y[i] - target_[i] - (ones_.empty() ? 0.0 : mean * ones_[i]), 2);
  return std::sqrt(squares * measure_);
}

double observed_order(double coarse_size, double coarse_error, double fine_size, double fine_error) {
  return std::log(coarse_error / fine_error) / std::log(coarse_size / fine_size);
}

}  // namespace invar
