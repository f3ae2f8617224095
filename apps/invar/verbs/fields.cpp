#include "apps/invar/verbs/results.hpp"
#include "libfem/io/pvd_series.hpp"
#include "libfem/io/vtk_writer.hpp"
#include "libfem/solid/solid_fields.hpp"

namespace invar {
namespace {

std::vector<SolidFields::Body> bodies_of(const CaseModel& model) {
  std::vector<SolidFields::Body> bodies;
  for (std::size_t f = 0; f < model.parts.size(); ++f)
    bodies.push_back({model.parts[f].region, model.parts[f].material.get(),
                      model.residual->form_coefficients(static_cast<int>(f)), model.parts[f].unreduced.get()});
  return bodies;
}

/// Displacement and pressure at nodes; stresses, energy density and constants in cells.
std::vector<VtkField> fields_of(const CaseModel& model, Vec state) {
  const LocalArray u(state);
  const SolidFields s = SolidFields::evaluate(model.dofs, u.data(), model.kind, model.mixed, bodies_of(model));
  std::vector<VtkField> fields;
  using On = VtkField::On;
  fields.push_back({"displacement", model.mesh->dim, On::nodes, nodal_displacement(*model.dofs, u.data())});
  if (model.mixed)
    fields.push_back({"pressure", 1, On::nodes, interpolate_vertices_to_nodes(*model.mesh, vertex_pressure(*model.dofs, u.data()))});
  fields.push_back({"von_mises_smoothed", 1, On::nodes, smooth_at_nodes(*model.dofs, s.von_mises, s.volume)});
  fields.push_back({"cauchy_stress", 9, On::cells, s.stress});
  fields.push_back({"von_mises", 1, On::cells, s.von_mises});
  fields.push_back({"energy_density", 1, On::cells, s.energy_density});
  fields.push_back({"volume_ratio", 1, On::cells, s.volume_ratio});
  return fields;
}

}  // namespace

void write_fields(Problem& problem, const std::filesystem::path& folder) {
  const std::string wanted = problem.spec["output"]["fields"].text();
  if (wanted == "none") return;
  std::filesystem::create_directories(folder);
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  MPI_Barrier(PETSC_COMM_WORLD);
  for (CaseModel& model : problem.cases) {
    PvdSeries series(folder / (model.name + ".pvd"));
    const int n = static_cast<int>(model.times.size());
    for (int step = wanted == "all" ? 0 : n - 1; step < n; ++step) {
      model.residual->set_time(model.times[step]);
      const std::filesystem::path file = write_vtk(folder / (model.name + "_" + std::to_string(step + 1)), *model.mesh,
                                                   fields_of(model, model.process->state(step)), model.dofs->comm());
      if (rank == 0) series.add(model.times[step], file);
    }
  }
}

}  // namespace invar
