#include "libfem/design/field/cone_filter.hpp"

#include <bit>
#include <cmath>
#include <stdexcept>

#include "libfem/mesh/box_tree.hpp"
#include "libfem/mesh/cell_centres.hpp"
#include "libfem/mesh/all_gather.hpp"
#include "libfem/mesh/exchange_lists.hpp"
#include "libfem/mesh/layers.hpp"

namespace invar {
namespace {

constexpr double weightless = 1e-12;  // weights relative to R, below which they are rounding errors

using Centre = std::array<double, 3>;

BoundingBox around(const Centre& x, double distance) {
  BoundingBox box;
  for (int i = 0; i < 3; ++i) box.low[i] = x[i] - distance, box.high[i] = x[i] + distance;
  return box;
}

/// Cells of other ranks that may be within the radius of own cells, in CSR form.
struct OtherCells {
  std::vector<PetscInt> number;
  std::vector<Centre> centre;
};

OtherCells others_near(const std::vector<Centre>& own, double radius, MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  std::vector<double> mine;  // low and high corner of the bounding box; an empty box without cells
  BoundingBox box;
  box.low.fill(INFINITY), box.high.fill(-INFINITY);
  for (const Centre& x : own) box.cover(around(x, radius));
  mine.insert(mine.end(), box.low.begin(), box.low.end());
  mine.insert(mine.end(), box.high.begin(), box.high.end());
  const std::vector<double> all = all_gather(mine, MPI_DOUBLE, comm);
  const PetscInt first = CellValues::first_number(own.size(), comm);
  std::vector<std::vector<std::int64_t>> lists(all.size() / 6);
  for (std::size_t r = 0; r < lists.size(); ++r) {
    if (static_cast<int>(r) == rank) continue;
    BoundingBox theirs;
    std::copy_n(all.begin() + std::ptrdiff_t(6 * r), 3, theirs.low.begin());
    std::copy_n(all.begin() + std::ptrdiff_t(6 * r + 3), 3, theirs.high.begin());
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (!theirs.meets(around(own[i], 0))) continue;
      lists[r].push_back(first + static_cast<PetscInt>(i));
      for (const double x : own[i]) lists[r].push_back(std::bit_cast<std::int64_t>(x));
    }
  }
  OtherCells came;
  std::vector<double> places;
  for (const std::vector<std::int64_t>& list : exchange_lists(lists, comm))
    for (std::size_t k = 0; k < list.size(); k += 4) {
      came.number.push_back(static_cast<PetscInt>(list[k]));
      came.centre.push_back({std::bit_cast<double>(list[k + 1]), std::bit_cast<double>(list[k + 2]), std::bit_cast<double>(list[k + 3])});
      places.insert(places.end(), came.centre.back().begin(), came.centre.back().end());
    }
  OtherCells ordered;
  for (const int k : order_by_rows(places, 3)) ordered.number.push_back(came.number[k]), ordered.centre.push_back(came.centre[k]);
  return ordered;
}

}  // namespace

ConeFilter::ConeFilter(std::shared_ptr<const Mesh> mesh, double radius, bool axisymmetric) : CellFilter(std::move(mesh), axisymmetric) {
  if (!(radius > 0) || !std::isfinite(radius)) throw std::invalid_argument("the radius of a filter must be a positive length");
  std::vector<int> ordered = cells_by_rows(this->mesh(), own_cells());
  const std::vector<double> x = cell_centres(this->mesh(), ordered);
  std::vector<Centre> centres;
  for (std::size_t c = 0; c < ordered.size(); ++c) centres.push_back({x[3 * c], x[3 * c + 1], x[3 * c + 2]});
  const OtherCells others = others_near(centres, radius, this->mesh().comm);
  values_ = std::make_unique<CellValues>(this->mesh(), std::move(ordered), others.number);
  const std::size_t count = centres.size();
  centres.insert(centres.end(), others.centre.begin(), others.centre.end());
  std::vector<BoundingBox> boxes;
  for (const Centre& p : centres) boxes.push_back(around(p, 0));
  const BoxTree tree(std::move(boxes));
  std::vector<int> near;
  std::vector<double> weights;
  for (std::size_t i = 0; i < count; ++i) {
    near.clear(), weights.clear();
    tree.visit_meeting(around(centres[i], radius), 0, [&](int j) { near.push_back(j); });
    std::ranges::sort(near);
    std::erase_if(near, [&](int j) {
      double square = 0;
      for (int k = 0; k < 3; ++k) square += (centres[i][k] - centres[j][k]) * (centres[i][k] - centres[j][k]);
      const double weight = 1 - std::sqrt(square) / radius;
      if (!(weight > weightless)) return true;
      weights.push_back(weight);
      return false;
    });
    weights_of_.add(near, weights);
  }
  sum_.resize(count);
  weigh([&](std::size_t i) { return volumes()[values_->own()[i]]; });
  total_ = sum_;
}

template <class F>
void ConeFilter::weigh(const F& fill) {
  values_->fill(fill);
  const LocalArray local(values_->vector());
  weights_of_.multiply(local.data(), sum_.data());
}

Evaluation ConeFilter::apply(const std::vector<double>& rho, std::vector<double>& smooth) {
  const std::vector<int>& own = values_->own();
  weigh([&](std::size_t i) { return volumes()[own[i]] * rho[own[i]]; });
  values_->fill([&](std::size_t i) { return sum_[i] / total_[i]; });
  values_->spread(smooth);
  return Evaluation::success(0);
}

// w is symmetric.
Evaluation ConeFilter::vjp(const std::vector<double>& smooth_bar, std::vector<double>& rho_bar) {
  const std::vector<int>& own = values_->own();
  weigh([&](std::size_t i) { return smooth_bar[own[i]] / total_[i]; });
  rho_bar.assign(cell_count(), 0.0);
  for (std::size_t i = 0; i < own.size(); ++i) rho_bar[own[i]] = volumes()[own[i]] * sum_[i];
  return Evaluation::success(0);
}

}  // namespace invar
