#include <cmath>
#include <cstdio>
#include <iostream>

#include "apps/invar/picture/layout.hpp"
#include "apps/invar/report/console.hpp"
#include "apps/invar/report/run_folder.hpp"
#include "apps/invar/spec/usage_error.hpp"
#include "apps/invar/verbs/design_size.hpp"
#include "apps/invar/verbs/results.hpp"
#include "apps/invar/verbs/setup_scene.hpp"
#include "apps/invar/verbs/verbs.hpp"
#include "libfem/space/region_measure.hpp"

namespace invar {
namespace {

std::string filled_up(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

const char* unit_of(int dim) { return dim == 3 ? " m^3" : dim == 2 ? " m^2" : dim == 1 ? " m" : ""; }

int entities(const Region& region) {
  std::size_t n = 0;
  for (const std::vector<int>& members : region.members) n += members.size();
  return static_cast<int>(n);
}

void print_regions(const Problem& problem, const CaseModel& model) {
  const Mesh& mesh = *model.mesh;
  const auto conditions = shown_conditions(problem, model);
  std::cout << "  region              measure         entities  nodes    unknowns  conditions\n";
  for (const Region& region : mesh.regions) {
    const bool measured = region.dim >= mesh.dim - 1;
    std::string says;
    for (const auto& [name, text] : conditions)
      if (name == region.name) says += text;
    if (!measured && says.empty()) continue;  // corners and edges without conditions
    long long unknowns = 0;
    for (const int node : region.nodes) unknowns += model.dofs->dof_count(node);
    std::cout << "  " << filled_up(region.name, 19) << ' '
              << filled_up(measured ? label_number(region_measure(mesh, region), 5) + unit_of(region.dim) : "", 15) << ' '
              << filled_up(grouped(entities(region)), 9) << ' ' << filled_up(grouped(static_cast<long long>(region.nodes.size())), 8) << ' '
              << filled_up(grouped(unknowns), 9) << ' ' << says << '\n';
  }
}

void print_loads(const Problem& problem, const CaseModel& model) {
  const std::vector<ShownLoad> loads = shown_loads(problem, model);
  if (loads.empty()) return;
  std::cout << "  loads on the body at rest, at t = " << label_number(model.times.back(), 6) << " (total force"
            << (model.mesh->dim == 2 && !model.axisymmetric() ? ", N per metre of depth" : ", N") << "):\n";
  for (const ShownLoad& load : loads) {
    double largest = 0;
    for (const double f : load.total) largest = std::max(largest, std::abs(f));
    std::string total;
    for (int d = 0; d < model.mesh->dim; ++d)
      total += (d ? ", " : "[") + label_number(std::abs(load.total[d]) < 1e-9 * largest ? 0 : load.total[d], 6);
    std::cout << "    " << filled_up(load.name, 17) << ' ' << filled_up(total + ']', 25) << ' ' << load.text << '\n';
  }
}

void print_points(const Problem& problem, const CaseModel& model) {
  const auto points = shown_points(problem, model);
  if (points.empty()) return;
  std::cout << "  points:\n";
  int number = 0;
  for (const auto& [text, at] : points) {
    std::cout << "    " << filled_up(at.size() <= 2 ? std::to_string(++number) : "", 3) << text;
    for (std::size_t k = 0; k < at.size() && at.size() <= 2; ++k) {
      std::cout << (k ? " to (" : " at (");
      for (int d = 0; d < model.mesh->dim; ++d) std::cout << (d ? ", " : "") << label_number(at[k][d], 6);
      std::cout << ')';
    }
    std::cout << '\n';
  }
}

void print_case(const Problem& problem, const CaseModel& model) {
  const Mesh& mesh = *model.mesh;
  std::cout << "case " << model.name << ": " << model.physics_word << ", ";
  for (const CellBlock& block : mesh.cells)
    std::cout << grouped(block.count()) << ' ' << name_of(block.type.shape) << " cells of order " << block.type.order << ", ";
  std::cout << grouped(mesh.n_global_nodes) << " nodes, " << grouped(model.dofs->n_global()) << " unknowns (";
  for (int c = 0; c < model.dofs->n_components(); ++c) std::cout << (c ? ", " : "") << model.dofs->components()[c].name;
  std::cout << "); " << model.last_step() + (model.march ? 0 : 1) << " steps to t = " << label_number(model.times.back(), 6) << '\n';
  print_regions(problem, model);
  print_loads(problem, model);
  print_points(problem, model);
}

void print_design(const Problem& problem) {
  CaseFunctional& functional = *problem.functional;
  if (!functional.has_design()) return;
  constexpr std::size_t most = 24;
  std::cout << "design: " << design_size(functional).text() << '\n';
  const std::vector<std::string> names = functional.names();
  const std::vector<double> start = functional.physical(functional.start()), lower = functional.physical(functional.lower()),
                            upper = functional.physical(functional.upper());
  for (std::size_t k = 0; k < start.size() && k < most; ++k)
    std::cout << "  " << filled_up(names[k], 36) << " from " << filled_up(label_number(start[k], 6), 12) << " within ["
              << label_number(lower[k], 6) << ", " << label_number(upper[k], 6) << "]\n";
  if (start.size() > most) std::cout << "  … and " << start.size() - most << " more\n";
}

}  // namespace

ExitCode show(const CommandLine& line) {
  int ranks = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  if (ranks > 1) throw UsageError("'show' draws on one process: start it without mpirun");
  const Problem problem = build_problem(line.spec, line.sets, PETSC_COMM_WORLD);
  const std::filesystem::path folder =
      line.out.value_or(RunFolder::default_for(line.spec).concat("_show"));
  std::cout << problem.title << '\n';
  for (const CaseModel& model : problem.cases) print_case(problem, model);
  print_design(problem);
  made_folder(folder);
  for (const CaseModel& model : problem.cases) {
    const std::filesystem::path png = folder / (model.name + ".png");
    const std::string failure = render_setup(setup_scene(problem, model), png);
    if (failure.empty()) std::cout << "drawn: " << png.string() << '\n';
    else std::cout << "no picture of case " << model.name << ": " << failure << '\n';
  }
  return ExitCode::ok;
}

}  // namespace invar
