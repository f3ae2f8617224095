#include "libfem/design/field/designed_cells.hpp"

namespace invar {

DesignedCells::DesignedCells(std::shared_ptr<CellFilter> filter, GivenCells cells) : filter_(std::move(filter)), given_(std::move(cells)) {
  for (int c = 0; c < filter_->cell_count(); ++c)
    if (given_.designed[c] && filter_->owned()[c]) cells_.push_back(c);
}

void DesignedCells::share(std::shared_ptr<const CellOrbits> orbits) {
  orbits_ = std::move(orbits);
  if (orbits_) values_ = std::make_unique<CellValues>(filter_->mesh(), filter_->own_cells());
}

std::vector<double> DesignedCells::filled(const std::vector<double>& numbers, std::vector<double> all) const {
  const std::vector<double> values = orbits_ ? orbits_->mean(numbers) : numbers;
  for (std::size_t i = 0; i < cells_.size(); ++i) all[cells_[i]] = values[i];
  return all;
}

void DesignedCells::take_means(std::vector<double>& cells) const {
  std::vector<double> values;
  for (const int c : cells_) values.push_back(cells[c]);
  values = orbits_->mean(values);
  for (std::size_t i = 0; i < cells_.size(); ++i) cells[cells_[i]] = values[i];
}

Evaluation DesignedCells::smooth(const std::vector<double>& rho, std::vector<double>& smooth) {
  const Evaluation e = filter_->apply(rho, smooth);
  if (!e.ok || !orbits_) return e;
  take_means(smooth);
  values_->fill([&](std::size_t i) { return smooth[values_->own()[i]]; });
  values_->spread(smooth);
  return e;
}

Evaluation DesignedCells::apply(const std::vector<double>& numbers, std::vector<double>& smooth) { return this->smooth(filled(numbers, given_.value), smooth); }

Evaluation DesignedCells::jvp(const std::vector<double>& numbers_dot, std::vector<double>& smooth_dot) {
  return smooth(filled(numbers_dot, std::vector<double>(given_.value.size(), 0.0)), smooth_dot);
}

Evaluation DesignedCells::vjp(std::vector<double> smooth_bar, std::vector<double>& numbers_bar) {
  if (orbits_) take_means(smooth_bar);
  std::vector<double> rho_bar;
  const Evaluation e = filter_->vjp(smooth_bar, rho_bar);
  if (!e.ok) return e;
  if (orbits_) take_means(rho_bar);
  for (std::size_t i = 0; i < cells_.size(); ++i) numbers_bar[i] += rho_bar[cells_[i]];
  return e;
}

}  // namespace invar
