#include "libfem/design/field/cell_filter.hpp"

#include <cmath>

namespace invar {
namespace {

/// Quadrature degree, exact for products of first-order functions and the radius on affine cells.
constexpr int degree = 4;

}  // namespace

CellFilter::CellFilter(std::shared_ptr<const Mesh> mesh, bool axisymmetric) {
  const MPI_Comm comm = mesh->comm;
  dofs_ = std::make_shared<const DofMap>(std::move(mesh), std::vector<Component>{{.name = "rho", .in_cells = true}}, comm);
  weights_ = std::make_unique<CellWeights>(cells(), axisymmetric);
}

double CellFilter::typical_width() const {
  double sum[2] = {0, 0};
  for (int c = 0; c < cell_count(); ++c)
    if (owned()[c]) sum[0] += volumes()[c], sum[1] += 1;
  MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_DOUBLE, MPI_SUM, mesh().comm);
  return std::pow(sum[0] / sum[1], 1.0 / mesh().dim);
}

CellBatches CellFilter::cells() const { return CellBatches::on_cells(dofs_, "", degree); }

std::vector<int> CellFilter::own_cells() const {
  std::vector<int> own;
  for (int c = 0; c < cell_count(); ++c)
    if (owned()[c]) own.push_back(c);
  return own;
}

NoFilter::NoFilter(std::shared_ptr<const Mesh> mesh, bool axisymmetric) : CellFilter(std::move(mesh), axisymmetric), values_(this->mesh(), own_cells()) {}

Evaluation NoFilter::apply(const std::vector<double>& rho, std::vector<double>& smooth) {
  values_.fill([&](std::size_t i) { return rho[values_.own()[i]]; });
  values_.spread(smooth);
  return Evaluation::success(0);
}

Evaluation NoFilter::vjp(const std::vector<double>& smooth_bar, std::vector<double>& rho_bar) {
  rho_bar = smooth_bar;
  return Evaluation::success(0);
}

}  // namespace invar
