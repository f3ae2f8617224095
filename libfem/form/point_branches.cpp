#include "libfem/form/point_branches.hpp"

#include <cmath>

namespace invar {

PointBranches::PointBranches(const CellBatches& cells) {
  for (const BatchGroup& g : cells.groups) groups_.push_back({g.first_point, g.n_points(), g.owned});
}

void PointBranches::append(const WeakForm& form, const FormState& at, std::vector<char>& numbers) const {
  std::vector<double> all(form.memory_size());
  form.update_memory(at, all.data());
  for (const Group& g : groups_)
    for (std::size_t b = 0; b < g.owned.size(); ++b)
      for (int q = 0; q < g.n_points; ++q) {
        const double* of_point = &all[(g.first_point + b * g.n_points + q) * simd_width];
        for (int lane = 0; lane < g.owned[b]; ++lane) numbers.push_back(static_cast<char>(std::lround(of_point[lane])));
      }
}

}  // namespace invar
