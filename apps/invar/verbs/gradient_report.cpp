#include "apps/invar/verbs/gradient_report.hpp"

#include <cmath>

#include "apps/invar/verbs/design_size.hpp"
#include "apps/invar/verbs/results.hpp"
#include "apps/invar/physics/material_fields.hpp"

namespace invar {
namespace {

using nlohmann::ordered_json;

/// A derivative by the optimiser's coordinate and by the physical value.
ordered_json derivatives(double by_theta, double slope) {
  return {{"derivative", by_theta / slope}, {"scaled_derivative", by_theta}};
}

ordered_json variables_json(const Problem& problem, const GradientReport& report) {
  ordered_json all = ordered_json::object();
  const std::vector<DesignVariable> variables = problem.functional->variables();
  for (std::size_t k = 0; k < variables.size(); ++k) {
    const DesignVariable& v = variables[k];
    const double theta = report.theta.shared[k], slope = v.transform.derivative(theta);
    ordered_json& entry = all[v.name];
    entry = {{"value", v.transform.physical(theta)},
             {"scaled", theta},
             {"scale", v.transform.kind() == VariableTransform::Kind::log ? "log" : "linear"},
             {"lower", v.lower},
             {"upper", v.upper}};
    entry.update(derivatives(report.gradient.shared[k], slope));
    for (std::size_t c = 0; c < report.constraint_gradients.size(); ++c)
      entry["constraints"][problem.constraints[c].info.name] = derivatives(report.constraint_gradients[c].shared[k], slope);
  }
  return all;
}

/// Blocks of the design with entries on some rank, by position among the functional's.
std::vector<std::size_t> field_blocks(const Problem& problem) {
  std::vector<std::size_t> blocks;
  for (std::size_t b = 0; b < problem.functional->design().size(); ++b) {
    int any = !problem.functional->design()[b]->local_entries().positions.empty();
    MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, problem.functional->comm());
    if (any) blocks.push_back(b);
  }
  return blocks;
}

bool writes_fields(const Problem& problem) { return problem.spec["output"]["fields"].text() != "none"; }

std::string field_file_of(const Problem& problem, std::size_t block) {
  int ranks = 1;
  MPI_Comm_size(problem.functional->comm(), &ranks);
  return "gradient_" + problem.cases[problem.blocks[block].case_index].name + (ranks > 1 ? ".pvtu" : ".vtu");
}

/// Entries as a field of the whole mesh, not a number elsewhere. Nodes that other ranks own get theirs.
VtkField as_field(const CaseModel& model, const std::string& name, const LocalEntries& of, const std::vector<double>& entries) {
  const Mesh& mesh = *model.mesh;
  VtkField field{name, of.components, of.of == ControlLayout::cells ? VtkField::On::cells : VtkField::On::nodes, {}};
  if (field.on == VtkField::On::cells) {
    std::size_t cells = 0;
    for (const CellBlock& block : mesh.cells) cells += block.count();
    field.values.assign(cells, std::nan(""));
    for (std::size_t i = 0; i < entries.size(); ++i) field.values[of.positions[i]] = entries[i];
    return field;
  }
  int order = 1;
  for (const CellBlock& block : mesh.cells) order = std::max(order, block.type.order);
  std::vector<Component> components;
  for (int c = 0; c < of.components; ++c) components.push_back({"v" + std::to_string(c), order});
  const DofMap nodes(model.mesh, components, model.dofs->comm());
  VecHandle v = nodes.create_vector();
  check(VecSet(v, std::nan("")));
  double* a = nullptr;
  check(VecGetArray(v, &a));
  for (std::size_t i = 0; i < entries.size(); ++i)
    a[nodes.dof(of.positions[i / of.components], static_cast<int>(i) % of.components)] = entries[i];
  check(VecRestoreArray(v, &a));
  const LocalArray local(v);
  for (int node = 0; node < mesh.node_total(); ++node)
    for (int c = 0; c < of.components; ++c) field.values.push_back(local.data()[nodes.dof(node, c)]);
  return field;
}

}  // namespace

GradientReport evaluate_gradient(Problem& problem, const DesignVector& theta) {
  GradientReport report{.objective = {}, .theta = theta, .gradient = {}, .constraints = {}, .constraint_gradients = {}};
  report.objective = problem.functional->gradients(theta, report.gradient, report.constraints, report.constraint_gradients);
  return report;
}

ordered_json gradient_json(const Problem& problem, const GradientReport& report) {
  const MPI_Comm comm = problem.functional->comm();
  ordered_json j = {{"title", problem.title}, {"objective", report.objective.value}, {"gradient_norm", norm(report.gradient, comm)}};
  for (std::size_t c = 0; c < report.constraints.size(); ++c) {
    const ConstraintInfo& info = problem.constraints[c].info;
    j["constraints"][info.name] = {{"value", report.constraints[c]}, {"lower", info.lower}, {"upper", info.upper},
                                   {"gradient_norm", norm(report.constraint_gradients[c], comm)}};
  }
  j["variables"] = variables_json(problem, report);
  for (const std::size_t b : field_blocks(problem)) {
    const LocalEntries of = problem.functional->design()[b]->local_entries();
    const DesignVector part = problem.functional->part_of(report.gradient, b);
    long long entries = static_cast<long long>(part.local.size());
    MPI_Allreduce(MPI_IN_PLACE, &entries, 1, MPI_LONG_LONG, MPI_SUM, comm);
    const std::string& name = problem.blocks[b].name;
    ordered_json& field = j["fields"][name];
    field = {{"of", of.of == ControlLayout::cells ? "cells" : "nodes"}, {"entries", entries}, {"components", of.components},
             {"gradient_norm", norm({{}, part.local}, comm)}};
    if (!writes_fields(problem)) continue;
    field["file"] = "fields/" + field_file_of(problem, b);
    field["arrays"] = {"value_" + name, "gradient_" + name};
    for (const CaseConstraint& c : problem.constraints) field["arrays"].push_back("gradient_of_" + c.info.name + "_" + name);
  }
  return j;
}

void write_gradient_fields(Problem& problem, const GradientReport& report, const std::filesystem::path& folder) {
  if (!writes_fields(problem)) return;
  const CaseFunctional& functional = *problem.functional;
  const std::vector<std::size_t> blocks = field_blocks(problem);
  for (std::size_t c = 0; c < problem.cases.size(); ++c) {
    const CaseModel& model = problem.cases[c];
    std::vector<VtkField> fields;
    for (const std::size_t b : blocks) {
      if (problem.blocks[b].case_index != static_cast<int>(c)) continue;
      const LocalEntries of = functional.design()[b]->local_entries();
      const std::string& name = problem.blocks[b].name;
      const auto add = [&](const std::string& array, const DesignVector& x, bool physical) {
        std::vector<double> entries = functional.part_of(x, b).local;
        if (physical)
          for (double& v : entries) v = of.transform.physical(v);
        fields.push_back(as_field(model, array, of, entries));
      };
      add("value_" + name, report.theta, true);
      add("gradient_" + name, report.gradient, false);
      for (std::size_t k = 0; k < problem.constraints.size(); ++k)
        add("gradient_of_" + problem.constraints[k].info.name + "_" + name, report.constraint_gradients[k], false);
    }
    for (VtkField& f : sensitivity_fields(problem, static_cast<int>(c))) fields.push_back(std::move(f));
    if (fields.empty()) continue;
    write_case_fields(model, made_folder(folder) / ("gradient_" + model.name), fields);
  }
}

}  // namespace invar
