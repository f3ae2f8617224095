#include <algorithm>
#include <iterator>

#include "apps/invar/report/io_error.hpp"
#include "apps/invar/verbs/first_rank.hpp"
#include "apps/invar/verbs/results.hpp"
#include "apps/invar/physics/material_fields.hpp"
#include "apps/invar/problem/saved_state.hpp"
#include "libfem/design/boundary/surface_density.hpp"
#include "libfem/io/pvd_series.hpp"
#include "libfem/io/vtk_writer.hpp"

namespace invar {
namespace {

/// dJ/d(constant) per undeformed volume for every designed material constant: the local sensitivity of the objective, by the
/// adjoint for a constant per cell.
void add_sensitivities(Problem& problem, int case_index, std::vector<VtkField>& fields) {
  CaseModel& model = problem.cases[case_index];
  if (!problem.numbers && model.fields.empty()) return;
  std::vector<double> volume;
  model.process->with_state(0, [&](const EvaluationPoint& u) { volume = model.physics->cell_volumes(model, u); });
  const auto add = [&](const std::string& path, const std::vector<double>& d_bar) {
    VtkField field{"dJ_d_" + path.substr(path.find("materials.") + std::string("materials.").size()), 1, VtkField::On::cells, d_bar};
    for (std::size_t c = 0; c < volume.size(); ++c) field.values[c] = volume[c] > 0 ? field.values[c] / volume[c] : 0.0;
    fields.push_back(std::move(field));
  };
  for (const DesignedField& f : model.fields) {
    Controls d_bar(model.residual->controls().size());
    d_bar[f.control].assign(volume.size(), 0.0);
    if (model.process->gradient(d_bar).converged) add(f.path, d_bar[f.control]);
  }
  if (!problem.numbers) return;
  for (const DesignEntry& e : problem.numbers->entries())
    for (const DesignEntry::Target& t : e.targets) {
      if (t.case_index != case_index || !e.name.starts_with("materials.") || !model.physics->why_no_field(t.control).empty()) continue;
      model.residual->spread_control(t.control);
      Controls d_bar(model.residual->controls().size());
      d_bar[t.control].assign(volume.size(), 0.0);
      const std::shared_ptr<const Controls> controls = model.process->controls();
      auto spread = std::make_shared<Controls>(*controls);
      (*spread)[t.control].assign(volume.size(), (*controls)[t.control][0]);
      model.process->restate(spread);
      const SolveReport report = model.process->gradient(d_bar);
      model.residual->gather_control(t.control);
      model.process->restate(controls);
      if (report.converged) add(e.name, d_bar[t.control]);
    }
}

/// Sensitivity of the objective of the case to the position of the designed boundary, per area: the
/// vectors g of dJ = ∫ g·δx dA, mesh motion included. Steepest descent is −g.
void add_shape_gradient(Problem& problem, int case_index, std::vector<VtkField>& fields) {
  CaseModel& model = problem.cases[case_index];
  if (!problem.shape) return;
  const int control = model.residual->coordinates_control();
  Controls d_bar(model.residual->controls().size());
  d_bar[control].assign(model.mesh->coordinates.size(), 0.0);
  if (!model.process->gradient(d_bar).converged) return;
  std::vector<double> by_boundary;
  VtkField field{"shape_gradient", model.mesh->dim, VtkField::On::nodes, {}};
  if (!problem.shape->boundary_gradient(d_bar[control], by_boundary).ok) return;
  if (!surface_density(model.mesh, problem.shape->moving(), model.residual->coordinates({model.process->controls()}), by_boundary,
                       model.axisymmetric(), field.values).ok)
    return;
  fields.push_back(std::move(field));
}

/// The fields of a step.
std::vector<VtkField> fields_at(const CaseModel& model, int step) {
  std::vector<VtkField> fields;
  model.process->with_state(step, [&](const EvaluationPoint& u) { fields = model.physics->fields(model, u); });
  return fields;
}

}  // namespace

std::filesystem::path made_folder(const std::filesystem::path& folder) {
  from_first_rank(PETSC_COMM_WORLD, [&] {
    std::error_code trouble;
    std::filesystem::create_directories(folder, trouble);
    if (trouble) throw IoError("'" + folder.string() + "' cannot be made: " + trouble.message());
    return std::string();
  });
  return folder;
}

std::filesystem::path write_case_fields(const CaseModel& model, const std::filesystem::path& stem, const std::vector<VtkField>& fields) {
  if (model.residual->coordinates_control() < 0) return write_vtk(stem, *model.mesh, fields, model.dofs->comm());
  Mesh moved = *model.mesh;
  moved.coordinates = model.residual->coordinates({model.process->controls()});
  return write_vtk(stem, moved, fields, model.dofs->comm());
}

std::vector<VtkField> sensitivity_fields(Problem& problem, int case_index) {
  std::vector<VtkField> fields;
  add_sensitivities(problem, case_index, fields);
  add_shape_gradient(problem, case_index, fields);
  return fields;
}

std::vector<std::filesystem::path> write_fields(Problem& problem, const std::filesystem::path& folder, const Posterior* posterior) {
  std::vector<std::filesystem::path> last_files;
  const std::string wanted = problem.spec["output"]["fields"].text();
  if (wanted == "none") return last_files;
  made_folder(folder);
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  for (std::size_t c = 0; c < problem.cases.size(); ++c) {
    CaseModel& model = problem.cases[c];
    PvdSeries series(folder / (model.name + ".pvd"));
    std::filesystem::path file;
    for (int step = wanted == "all" ? 0 : model.last_step(); step <= model.last_step(); ++step) {
      std::vector<VtkField> fields = fields_at(model, step);
      if (step == model.last_step()) {
        std::ranges::move(sensitivity_fields(problem, static_cast<int>(c)), std::back_inserter(fields));
        if (posterior) std::ranges::move(posterior_fields(problem, *posterior, static_cast<int>(c)), std::back_inserter(fields));
      }
      file = write_case_fields(model, folder / (model.name + "_" + std::to_string(step + 1)), fields);
      if (rank == 0) series.add(model.times[step], file);
    }
    last_files.push_back(file);
  }
  return last_files;
}

void write_states(Problem& problem, const RunFolder* folder) {
  const std::string wanted = problem.spec["output"]["states"].text();
  for (CaseModel& model : problem.cases) {
    if (wanted == "none" || model.path || (wanted == "auto" && !model.march)) continue;
    const SavedState state = saved_state(model);
    if (!folder) continue;
    const std::string file = std::string(states_folder) + "/" + model.name + ".csv";
    folder->write(state_part(file, StatePart::mesh).string(), state.mesh);
    if (!state.numbers.empty()) folder->write(state_part(file, StatePart::numbers).string(), state.numbers);
    if (!state.history.empty()) folder->write(state_part(file, StatePart::history).string(), state.history);
    folder->write(file, state.values);
  }
}

int write_solved_states(Problem& problem, const std::filesystem::path& folder) {
  int rank = 0, written = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  const std::string wanted = problem.spec["output"]["fields"].text();
  if (wanted == "none") return 0;
  for (const CaseModel& model : problem.cases) {
    const std::vector<int> states = model.process->states_at_hand();
    if (states.empty()) continue;
    PvdSeries series(made_folder(folder) / (model.name + ".pvd"));
    for (const int step : states) {
      if (wanted != "all" && step != states.back()) continue;
      ++written;
      const std::filesystem::path file =
          write_case_fields(model, folder / (model.name + "_" + std::to_string(step + 1)), fields_at(model, step));
      if (rank == 0) series.add(model.times[step], file);
    }
  }
  return written;
}

std::vector<std::filesystem::path> write_start_fields(Problem& problem, const std::filesystem::path& folder) {
  made_folder(folder);
  std::vector<std::filesystem::path> files;
  for (std::size_t c = 0; c < problem.cases.size(); ++c) {
    const CaseModel& model = problem.cases[c];
    std::vector<VtkField> fields = fields_at(model, model.last_step());
    add_shape_gradient(problem, static_cast<int>(c), fields);
    files.push_back(write_case_fields(model, folder / (model.name + "_start"), fields));
  }
  return files;
}

IterationFields::IterationFields(Problem& problem, std::filesystem::path folder)
    : problem_(problem), folder_(std::move(folder)), wanted_(problem.spec["output"]["fields"].text() == "iterations") {
  if (!wanted_) return;
  made_folder(folder_);
  for (const CaseModel& model : problem_.cases) series_.emplace_back(folder_ / (model.name + "_iterations.pvd"));
}

void IterationFields::restore(int last) {
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  for (std::size_t c = 0; rank == 0 && c < series_.size(); ++c)
    for (int iteration = 0; iteration <= last; ++iteration)
      for (const char* kind : {".vtu", ".pvtu"}) {
        const std::filesystem::path file =
            folder_ / (problem_.cases[c].name + "_iteration_" + std::to_string(iteration) + kind);
        if (std::filesystem::exists(file)) series_[c].add(iteration, file);
      }
}

void IterationFields::add(int iteration, const DesignVector& theta) {
  if (!wanted_ || !problem_.functional->solve(theta).ok) return;
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  for (std::size_t c = 0; c < problem_.cases.size(); ++c) {
    const CaseModel& model = problem_.cases[c];
    const std::filesystem::path file = write_case_fields(model, folder_ / (model.name + "_iteration_" + std::to_string(iteration)),
                                                   fields_at(model, model.last_step()));
    if (rank == 0) series_[c].add(iteration, file);
  }
}

}  // namespace invar
