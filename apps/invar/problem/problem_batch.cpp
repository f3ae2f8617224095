#include "apps/invar/problem/problem_batch.hpp"

#include <algorithm>
#include <set>
#include <typeinfo>

#include "apps/invar/physics/physics.hpp"
#include "apps/invar/problem/build_process.hpp"
#include "apps/invar/problem/device_choice.hpp"
#include "libadjoint/static_case.hpp"
#include "libfem/design/field/copied_equation.hpp"
#include "libfem/mesh/mesh_copies.hpp"
#include "libfem/mesh/second_order.hpp"

namespace invar {
namespace {

/// Why a problem cannot be one of a batch; empty: it can.
std::string why_alone(const Problem& problem) {
  if (problem.cases.size() != 1) return "there are several cases";
  const CaseModel& model = problem.cases[0];
  const Case& process = *model.process;
  if (typeid(process) != typeid(StaticCase) || model.ties || model.linear_start) return "the case is not one of plain equilibria";
  if (model.residual->capabilities().step_limit) return "there may be contact";
  for (const ControlInfo& control : model.residual->controls())
    if (control.layout != ControlLayout::number) return "'" + control.name + "' is a field";
  return {};
}

/// Why a problem does not have the equation of another one; empty: it has.
std::string why_different(const CaseModel& one, const CaseModel& other) {
  if (one.mesh->coordinates != other.mesh->coordinates) return "their meshes differ";
  const auto& a = one.residual->controls();
  const auto& b = other.residual->controls();
  if (!std::ranges::equal(a, b, {}, &ControlInfo::name, &ControlInfo::name) || one.dofs->n_global() != other.dofs->n_global()) return "their equations differ";
  return {};
}

/// Positions of the numbers that are not the same in all problems, or that one of them designs.
std::set<int> numbers_apart(const std::vector<Problem*>& problems) {
  std::set<int> apart;
  const Controls& first = problems[0]->cases[0].residual->control_values();
  for (const Problem* problem : problems) {
    const Controls& values = problem->cases[0].residual->control_values();
    for (std::size_t c = 0; c < values.size(); ++c)
      if (values[c] != first[c]) apart.insert(static_cast<int>(c));
    if (!problem->numbers) continue;
    std::vector<Controls> wanted{Controls(values.size())};
    problem->numbers->want(wanted);
    for (std::size_t c = 0; c < wanted[0].size(); ++c)
      if (!wanted[0][c].empty()) apart.insert(static_cast<int>(c));
  }
  return apart;
}

}  // namespace

ProblemBatch::ProblemBatch() = default;
ProblemBatch::~ProblemBatch() = default;

std::unique_ptr<ProblemBatch> ProblemBatch::of(const std::vector<Problem*>& problems, MPI_Comm comm, std::string& why_not) {
  const CaseModel& first = problems[0]->cases[0];
  for (const Problem* problem : problems) {
    why_not = why_alone(*problem);
    if (why_not.empty()) why_not = why_different(first, problem->cases[0]);
    if (!why_not.empty()) return nullptr;
  }
  const spec::Value& spec = problems[0]->spec;
  const CaseSections sections{{}, &spec, nullptr};
  const spec::Value& section = *sections.find("mesh");
  const int order = physics_of(first.physics_word).order(*sections.find("physics"));
  Diagnostics diagnostics;
  Mesh serial = build_serial_mesh(section, order, diagnostics);
  if (order == 2) serial = to_second_order(serial);
  std::unique_ptr<ProblemBatch> out(new ProblemBatch);
  out->copies_ = std::make_unique<MeshCopies>(serial, static_cast<int>(problems.size()));
  MeshCache meshes;
  meshes.given.emplace(section.yaml_path, out->copies_->mesh());
  CaseModel& common = out->common_ = build_case(sections, {}, comm, meshes, diagnostics);
  diagnostics.throw_if_any();
  const auto& names = first.residual->controls();
  for (const int c : numbers_apart(problems))
    if (const int there = common.control_named(names[static_cast<std::size_t>(c)].name); there >= 0) common.residual->spread_control(there);
  DeviceChoice devices(spec["solver"]["device"]);
  devices.place(common, sections, diagnostics);
  prepare_solver(common, sections, spec["solver"]["linear"], diagnostics);
  diagnostics.throw_if_any();
  std::vector<std::shared_ptr<StaticCase>> members;
  for (const Problem* problem : problems) members.push_back(std::static_pointer_cast<StaticCase>(problem->cases[0].process));
  out->batch_ = std::make_unique<StaticBatch>(common.residual, std::make_shared<LinearSolver>(comm, linear_options(spec["solver"])),
                                              std::make_shared<CopiedEquation>(*first.residual, *common.residual, *out->copies_), std::move(members));
  return out;
}

}  // namespace invar
