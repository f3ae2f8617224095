#include <algorithm>
#include <cmath>
#include <functional>

#include "apps/invar/verbs/results.hpp"
#include "libfem/io/pvd_series.hpp"
#include "libfem/io/vtk_writer.hpp"
#include "libfem/solid/solid_fields.hpp"

namespace invar {
namespace {

/// visit(position among all cells of the rank) for the cells of a region; empty: all.
void for_cells(const Mesh& mesh, const std::string& region, const std::function<void(int)>& visit) {
  const Region* r = region.empty() ? nullptr : mesh.find_region(region);
  int first = 0;
  for (std::size_t b = 0; b < mesh.cells.size(); ++b) {
    if (region.empty())
      for (int c = 0; c < mesh.cells[b].count(); ++c) visit(first + c);
    else if (r && b < r->members.size())
      for (int c : r->members[b]) visit(first + c);
    first += mesh.cells[b].count();
  }
}

std::vector<SolidFields::Body> bodies_of(const CaseModel& model) {
  std::vector<SolidFields::Body> bodies;
  for (std::size_t f = 0; f < model.parts.size(); ++f)
    bodies.push_back({model.parts[f].region, model.parts[f].material.get(),
                      model.residual->form_coefficients(static_cast<int>(f)), model.parts[f].unreduced.get()});
  return bodies;
}

/// Constants of the materials, where they are.
void add_material_fields(const CaseModel& model, std::vector<VtkField>& fields) {
  int n_cells = 0;
  for (const CellBlock& block : model.mesh->cells) n_cells += block.count();
  for (const MaterialPart& part : model.parts) {
    const auto specs = part.material->parameters();
    for (std::size_t k = 0; k < specs.size(); ++k) {
      const std::string name = "material_" + std::string(specs[k].key);
      auto field = std::find_if(fields.begin(), fields.end(), [&](const VtkField& f) { return f.name == name; });
      if (field == fields.end()) {
        fields.push_back({name, 1, VtkField::On::cells, std::vector<double>(n_cells, std::nan(""))});
        field = fields.end() - 1;
      }
      const double value = model.residual->control_values()[part.controls[k]][0];
      for_cells(*model.mesh, part.region, [&](int cell) { field->values[cell] = value; });
    }
  }
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
  add_material_fields(model, fields);
  return fields;
}

/// dJ/d(constant) per undeformed volume for every designed material constant: where the objective is
/// sensitive to it. By the adjoint, with the constant spread over the cells.
void add_sensitivities(Problem& problem, int case_index, std::vector<VtkField>& fields) {
  CaseModel& model = problem.cases[case_index];
  const LocalArray u(model.process->state(0));
  const std::vector<double> volume =
      SolidFields::evaluate(model.dofs, u.data(), model.kind, model.mixed, bodies_of(model)).volume;
  if (!problem.numbers) return;
  for (const DesignEntry& e : problem.numbers->entries())
    for (const DesignEntry::Target& t : e.targets) {
      if (t.case_index != case_index || !e.name.starts_with("materials.")) continue;
      model.residual->spread_control(t.control);
      Controls d_bar(model.residual->controls().size());
      d_bar[t.control].assign(volume.size(), 0.0);
      const SolveReport report = model.process->gradient(d_bar);
      model.residual->gather_control(t.control);
      if (!report.converged) continue;
      VtkField field{"dJ_d_" + e.name.substr(std::string("materials.").size()), 1, VtkField::On::cells, d_bar[t.control]};
      for (std::size_t c = 0; c < volume.size(); ++c) field.values[c] = volume[c] > 0 ? field.values[c] / volume[c] : 0.0;
      fields.push_back(std::move(field));
    }
}

std::filesystem::path made(const std::filesystem::path& folder) {
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  if (rank == 0) std::filesystem::create_directories(folder);
  MPI_Barrier(PETSC_COMM_WORLD);
  return folder;
}

}  // namespace

void write_fields(Problem& problem, const std::filesystem::path& folder) {
  const std::string wanted = problem.spec["output"]["fields"].text();
  if (wanted == "none") return;
  made(folder);
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  for (std::size_t c = 0; c < problem.cases.size(); ++c) {
    CaseModel& model = problem.cases[c];
    PvdSeries series(folder / (model.name + ".pvd"));
    const int n = static_cast<int>(model.times.size());
    for (int step = wanted == "all" ? 0 : n - 1; step < n; ++step) {
      model.residual->set_time(model.times[step]);
      std::vector<VtkField> fields = fields_of(model, model.process->state(step));
      if (step == n - 1) add_sensitivities(problem, static_cast<int>(c), fields);
      const std::filesystem::path file =
          write_vtk(folder / (model.name + "_" + std::to_string(step + 1)), *model.mesh, fields, model.dofs->comm());
      if (rank == 0) series.add(model.times[step], file);
    }
  }
}

IterationFields::IterationFields(Problem& problem, std::filesystem::path folder)
    : problem_(problem), folder_(std::move(folder)), wanted_(problem.spec["output"]["fields"].text() == "iterations") {
  if (!wanted_) return;
  made(folder_);
  for (const CaseModel& model : problem_.cases) series_.emplace_back(folder_ / (model.name + "_iterations.pvd"));
}

void IterationFields::add(int iteration, const DesignVector& theta) {
  if (!wanted_ || !problem_.functional->solve(theta).ok) return;
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  for (std::size_t c = 0; c < problem_.cases.size(); ++c) {
    const CaseModel& model = problem_.cases[c];
    const int last = static_cast<int>(model.times.size()) - 1;
    model.residual->set_time(model.times[last]);
    const std::filesystem::path file =
        write_vtk(folder_ / (model.name + "_iteration_" + std::to_string(iteration)), *model.mesh,
                  fields_of(model, model.process->state(last)), model.dofs->comm());
    if (rank == 0) series_[c].add(iteration, file);
  }
}

}  // namespace invar
