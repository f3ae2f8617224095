#include "libfem/form/history_places.hpp"

#include "libfem/form/batched_form.hpp"
#include "libfem/form/row_map.hpp"

namespace invar {
namespace {

/// The cells of a form with history variables; null: it has none on this rank.
const CellBatches* remembering_cells(const WeakForm& form) {
  if (const auto* mapped = dynamic_cast<const RowMapped*>(&form)) return remembering_cells(mapped->inner());
  const auto* batched = dynamic_cast<const BatchedForm*>(&form);
  return batched && form.memory_size() > 0 ? &batched->domain() : nullptr;
}

void add_points(const CellBatches& cells, int per_point, std::size_t first, std::vector<HistoryPlaces::Point>& points) {
  const Mesh& mesh = cells.dofs->mesh();
  for (const BatchGroup& g : cells.groups)
    for (int b = 0; b < g.n_batches; ++b)
      for (int q = 0; q < g.n_points(); ++q)
        for (int lane = 0; lane < simd_width; ++lane) {
          HistoryPlaces::Point point{g.cell[b * simd_width + lane], lane < g.owned[b], {},
                                     first + PointMemory{.per_point = per_point}.place(g, b, q) + lane};
          for (int a = 0; a < g.n_nodes; ++a)
            for (int i = 0; i < mesh.dim; ++i)
              point.x[i] += g.geometry.N[q * g.n_nodes + a] *
                            mesh.coordinates[std::size_t(g.node[(std::size_t(b) * g.n_nodes + a) * simd_width + lane]) * mesh.dim + i];
          points.push_back(point);
        }
}

}  // namespace

std::vector<HistoryPlaces> history_places(FormResidual& equation) {
  const int count = equation.form_count();
  PetscInt all_memory = 0;
  if (const VecHandle memory = equation.create_memory()) check(VecGetLocalSize(memory, &all_memory));
  std::vector<int> per_point(count, 0);
  std::vector<const CellBatches*> cells(count, nullptr);
  equation.exchange_forms([&](int f, const std::unique_ptr<WeakForm>& form) -> std::unique_ptr<WeakForm> {
    const std::size_t end = f + 1 < count ? equation.first_memory(f + 1) : static_cast<std::size_t>(all_memory);
    if (end > equation.first_memory(f)) cells[f] = remembering_cells(*form);  // functionals have no place there
    if (cells[f]) {
      const BatchGroup& last = cells[f]->groups.back();
      per_point[f] = static_cast<int>(form->memory_size() / PointMemory{.per_point = 1}.place(last, last.n_batches, 0));
    }
    return nullptr;
  });
  MPI_Allreduce(MPI_IN_PLACE, per_point.data(), count, MPI_INT, MPI_MAX, equation.comm());
  std::vector<HistoryPlaces> all;
  for (int f = 0; f < count; ++f) {
    if (per_point[f] == 0) continue;
    all.push_back({equation.form_name(f), per_point[f], {}});
    if (cells[f]) add_points(*cells[f], per_point[f], equation.first_memory(f), all.back().points);
  }
  return all;
}

}  // namespace invar
