#include "apps/invar/problem/fitted_problem.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <stdexcept>

#include "apps/invar/physics/physics.hpp"
#include "apps/invar/problem/design_parts.hpp"
#include "libfem/mesh/mesh_error.hpp"
#include "libfem/mesh/serial_order.hpp"
#include "libfem/space/expression.hpp"

namespace invar {
namespace {

using spec::Value;

constexpr double most_unknowns = 1e6;  // of second order; above, elements are those of the run

/// Sections of every case, in their order.
std::vector<CaseSections> sections_of(const Problem& problem) {
  std::vector<CaseSections> all;
  if (const Value* cases = problem.spec.find("cases"))
    for (const Value& c : *cases) all.push_back({c.key, &problem.spec, &c});
  else all.push_back({"", &problem.spec, nullptr});
  return all;
}

/// The cases whose material the density scales: those on its mesh.
std::vector<std::size_t> cases_of_density(const Problem& problem) {
  std::vector<std::size_t> of;
  for (std::size_t c = 0; c < problem.cases.size(); ++c)
    if (problem.cases[c].mesh.get() == &problem.density->filter().mesh()) of.push_back(c);
  return of;
}

const Value& density_entry_of(const Problem& problem) {
  const auto block = std::ranges::find_if(problem.blocks, [](const DesignBlock& b) { return b.entry && (*b.entry)["kind"].text() == "solid_density"; });
  return *block->entry;
}

void collect_words(const Value& value, std::set<std::string>& words) {
  words.insert(value.key);
  if (value.is_text()) words.insert(value.text());
  for (const Value& child : value) collect_words(child, words);
}

/// Regions of the mesh that some sections name.
std::set<std::string> regions_in(const Mesh& mesh, const CaseSections& sections, std::initializer_list<const char*> names) {
  std::set<std::string> words, regions;
  for (const char* name : names)
    if (const Value* section = sections.find(name)) collect_words(*section, words);
  for (const Region& region : mesh.regions)
    if (words.contains(region.name)) regions.insert(region.name);
  return regions;
}

BodySupport support_of(const CaseModel& model, const CaseSections& sections) {
  const Mesh& mesh = *model.mesh;
  const int dim = mesh.dim;
  std::vector<double> held(std::size_t(mesh.node_total()) * dim, 0.0), touched(mesh.node_total(), 0.0);
  const char* displacements[] = {"u_x", "u_y", "u_z"};
  for (const DirichletCondition& c : model.residual->dirichlet_conditions()) {
    int axis = 0;
    while (axis < dim && model.component(displacements[axis]) != c.component) ++axis;
    if (axis == dim) continue;
    std::vector<char> in(mesh.node_total(), 0);
    if (const Region* region = mesh.find_region(c.region))
      for (const int node : region->nodes) in[node] = 1;
    for (const int node : c.nodes) in[node] = 1;
    for (int node = 0; node < mesh.node_total(); ++node)
      if ((in[node] != 0) != c.outside) held[std::size_t(node) * dim + axis] = 1;
  }
  for (const std::string& name : regions_in(mesh, sections, {"loads", "contact", "ties", "rigid", "joints", "tendons"}))
    if (const Region* region = mesh.find_region(name); region->dim < dim)
      for (const int node : region->nodes) touched[node] = 1;
  const auto marks = [&](const std::vector<double>& values, int components) {
    const std::vector<double> all = nodes_in_serial_order(mesh, values, components);
    return std::vector<char>(all.begin(), all.end());
  };
  return {marks(held, dim), marks(touched, 1)};
}

DensityOnCells density_of(const Problem& run, bool axisymmetric) {
  const DensityDesign& design = *run.density;
  const CellFilter& filter = design.filter();
  DensityOnCells density;
  density.axisymmetric = axisymmetric;
  density.filtered = cells_in_serial_order(filter.mesh(), design.filtered());
  const std::vector<signed char> fixed = design.fixed_cells();
  const std::vector<double> all = cells_in_serial_order(filter.mesh(), std::vector<double>(fixed.begin(), fixed.end()));
  density.fixed.assign(all.begin(), all.end());
  if (!rounding_keeps_volume(run)) {
    density.level = design.filtered_at(0.5);
    return density;
  }
  const std::vector<double> densities = design.densities();
  for (const int c : design.cells()) density.volume += densities[c] * filter.volumes()[c];
  MPI_Allreduce(MPI_IN_PLACE, &density.volume, 1, MPI_DOUBLE, MPI_SUM, filter.mesh().comm);
  return density;
}

/// The serial mesh that the run's was made from.
Mesh serial_mesh_of(const CaseSections& sections) {
  const Value& options = *sections.find("physics");
  Diagnostics said;  // warnings of the run
  try {
    return build_serial_mesh(*sections.find("mesh"), physics_of(options["type"].text()).order(options), said);
  } catch (const MeshError& e) {
    throw std::invalid_argument(e.what());
  } catch (const ExpressionError& e) {
    throw std::invalid_argument(e.what());
  }
}

/// Loads that have nothing to act on, and such as do so in part.
void note_lost_loads(const FittedBody& body, const std::set<std::string>& loaded, std::vector<std::string>& notes) {
  for (const auto& [region, share] : body.kept_share) {
    if (!loaded.contains(region) || share > 1 - 1e-9) continue;
    if (share == 0) throw std::domain_error("the load at '" + region + "' acts where the body has no material");
    char text[100];
    std::snprintf(text, sizeof text, "%.3g %% of the loaded '", 100 * share);
    notes.push_back(text + region + "' belong to the body");
  }
}

/// Overrides of the spec that leave the density at 1 on the new mesh, without what belongs to the old one.
std::vector<std::string> overrides_of(const Problem& run, const FittedBody& body, FittedProblem& fitted) {
  const std::string entry = density_entry_of(run).yaml_path + ".";
  std::vector<std::string> sets{entry + "start=1", entry + "radius=0", "verify.refine=null", "expect=null"};
  for (const char* key : {"filter", "mass", "region", "solid", "void", "symmetry", "extrude", "thresholds"}) sets.push_back(entry + key + "=null");
  if (run.spec["optimizer"].has("start")) sets.push_back("optimizer.start=null");
  if (run.spec["solver"]["linear"].text() == "cg_lattice") sets.push_back("solver.linear=auto");
  const double unknowns = static_cast<double>(body.mesh.coordinates.size()) * (body.mesh.dim == 2 ? 4 : 8);
  std::set<std::string> raised;
  for (const CaseSections& sections : sections_of(run)) {
    const Value& options = *sections.find("physics");
    const Physics& physics = physics_of(options["type"].text());
    if (physics.order(options) >= 2 || physics.second_order.empty() || !raised.insert(options.yaml_path).second) continue;
    if (unknowns < most_unknowns) sets.push_back(options.yaml_path + '.' + physics.second_order);
    else fitted.notes.push_back("elements of first order, because there are many");
  }
  if (const Value* objective = run.spec.find("objective"))
    for (const Value& term : *objective)
      if (term["type"].text() == "stress_limit") {
        sets.push_back(term.yaml_path + ".weight=0");
        fitted.notes.push_back("the objective is without the multipliers of stress limits");
      }
  return sets;
}

/// θ of the run without its density: numbers as they are, fields on cells by the cell of the old mesh around each new one.
DesignVector design_on(const Problem& run, const DesignVector& theta, const Problem& to, const std::vector<int>& parent) {
  const std::vector<DesignPart> source = parts_of(*run.functional), target = parts_of(*to.functional);
  DesignVector out = to.functional->start();
  out.shared = theta.shared;
  for (std::size_t b = 0; b < source.size(); ++b) {
    const LocalEntries &old = source[b].of, &fresh = target[b].of;
    int any = !old.positions.empty();
    MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, to.functional->comm());
    if (!any || (run.blocks[b].entry && (*run.blocks[b].entry)["kind"].text() == "solid_density")) continue;
    if (old.of != ControlLayout::cells || old.components != 1 || !old.scale.empty())
      throw std::invalid_argument("the field '" + run.blocks[b].name + "' is designed too, and is not carried over to another mesh");
    const Mesh &from = mesh_of(run, b), &mesh = mesh_of(to, b);
    std::size_t cells = 0;
    for (const CellBlock& block : from.cells) cells += static_cast<std::size_t>(block.count());
    std::vector<double> values(cells, 0.0);
    for (std::size_t i = 0; i < old.positions.size(); ++i) values[old.positions[i]] = theta.local[source[b].local + i];
    values = cells_in_serial_order(from, values);
    for (std::size_t i = 0; i < fresh.positions.size(); ++i)  // one block of cells
      out.local[target[b].local + i] = values[parent[mesh.original_cell[0][fresh.positions[i]]]];
  }
  return out;
}

}  // namespace

std::string why_not_fitted(const Problem& problem) {
  if (!problem.density) return "no density is designed";
  if (problem.density->stage().law == DensityStage::Law::resistance)
    return "a porous body in a flow is solved again on the same cells: 'black_white'";
  if (problem.density->last_stage().affine()) return "without a penalty a density is a thickness, and nothing has to be black or white";
  return {};
}

bool rounding_keeps_volume(const Problem& problem) {
  const Value* constraints = problem.spec.find("constraints");
  return constraints && std::ranges::any_of(*constraints, [](const Value& c) { return c["type"].text() == "fluid_volume" || c["type"].text() == "material_volume"; });
}

FittedProblem build_fitted(const Problem& run, const DesignVector& theta, const std::filesystem::path& spec) {
  const std::vector<CaseSections> sections = sections_of(run);
  const std::vector<std::size_t> cases = cases_of_density(run);
  const Mesh serial = serial_mesh_of(sections[cases.front()]);
  std::vector<BodySupport> supports;
  for (const std::size_t c : cases) supports.push_back(support_of(run.cases[c], sections[c]));
  FittedProblem fitted;
  fitted.body = fit_body(serial, density_of(run, run.cases[cases.front()].axisymmetric()), supports);
  std::map<std::string, Mesh> meshes;
  for (const std::size_t c : cases) {
    note_lost_loads(fitted.body, regions_in(serial, sections[c], {"loads"}), fitted.notes);
    meshes[sections[c].find("mesh")->yaml_path] = fitted.body.mesh;
  }
  std::ranges::sort(fitted.notes);
  fitted.notes.erase(std::unique(fitted.notes.begin(), fitted.notes.end()), fitted.notes.end());
  fitted.problem = build_problem(spec, overrides_of(run, fitted.body, fitted), PETSC_COMM_WORLD, std::move(meshes));
  fitted.body.mesh = {};
  fitted.theta = design_on(run, theta, fitted.problem, fitted.body.parent);
  if (fitted.problem.staged) fitted.problem.staged->begin_stage(fitted.problem.staged->stage_count() - 1);
  return fitted;
}

}  // namespace invar
