#include "apps/invar/verbs/energy_balance.hpp"

#include <algorithm>
#include <cmath>

#include "libfem/objective/form_value.hpp"
#include "libfem/solid/dynamic_forms.hpp"
#include "libfem/space/expression.hpp"

namespace invar {
namespace {

using spec::Value;

CaseSections sections_of(const Value& spec, const std::string& name) {
  const Value* cases = spec.find("cases");
  return {name, &spec, cases ? cases->find(name) : nullptr};
}

/// A formula among the record's values that depends on time.
bool varies(const Value& record) {
  return std::any_of(record.begin(), record.end(),
                     [](const Value& v) { return v.is_expression() && Expression(v.text()).depends_on_time(); });
}

/// What takes energy: all that a material says besides its elastic law.
std::string loss_in(const Value& material, const CaseModel& model) {
  std::vector<std::string> elastic = {"model", "region", "incompressible", "terms", "bulk", "density"};
  const std::string path = "materials." + material.key + ".";
  for (const MaterialPart& part : model.solid()->parts)
    for (const int c : part.controls)
      if (const std::string& name = model.residual->controls()[c].name; name.starts_with(path))
        elastic.push_back(name.substr(path.size()));
  for (const Value& v : material) {
    const bool zero = v.is_number() && v.number() == 0;
    if (!v.defaulted && !zero && std::find(elastic.begin(), elastic.end(), v.key) == elastic.end())
      return "material '" + material.key + "' has " + v.key;
  }
  return {};
}

std::string work_of(const Value& load) {
  const std::string type = load["type"].text(), name = "'" + load.key + "'";
  if (type == "pressure") return "the follower pressure " + name + " does work";
  if (type == "muscle") return "the muscle " + name + " does work";
  if (type == "contact") return "the contact " + name + " takes and gives energy";
  if (type != "body_force" && type != "traction") return "the energy of the " + type + " " + name + " is not counted";
  return varies(load) ? "the load " + name + " varies in time" : "";
}

std::string why_not_constant(const Problem& problem, const CaseModel& model) {
  if (!model.solid()) return "the flow is viscous";
  const CaseSections sections = sections_of(problem.spec, model.name);
  for (const MaterialPart& part : model.solid()->parts)
    if (part.density.control < 0) return "there is no inertia";
  for (const Value& m : *sections.find("materials"))
    if (std::string loss = loss_in(m, model); !loss.empty()) return loss;
  if (const Value* loads = sections.find("loads"))
    for (const Value& l : *loads)
      if (std::string work = work_of(l); !work.empty()) return work;
  if (const Value* boundary = sections.find("boundary"))
    for (const Value& s : *boundary)
      if (varies(s)) return "the support '" + s.key + "' moves";
  for (const ControlInfo& c : model.residual->controls())
    if (c.layout == ControlLayout::signal) return "'" + c.name + "' is a function of time";
  return {};
}

}  // namespace

EnergyBalance::EnergyBalance(const Problem& problem, CaseModel& model)
    : model_(model), reason_(why_not_constant(problem, model)) {
  if (!reason_.empty()) return;
  const SolidModel& solid = *model.solid();
  std::vector<int> kinetic;
  for (const MaterialPart& part : solid.parts)
    kinetic.push_back(model.residual->add_functional(
        make_kinetic_energy(solid.kind, CellBatches::on_cells(model.dofs, part.region, 4)), {part.density}));
  std::vector<double> factors(model.residual->form_count(), 0.0), others = factors;
  for (const int f : kinetic) factors[f] = 1;
  for (std::size_t f = 0; f < solid.parts.size(); ++f) others[f] = 1;
  for (const int f : solid.dead_load_forms) others[f] = 1;
  kinetic_ = std::make_shared<FormValue>(model.residual, std::move(factors));
  potential_ = std::make_shared<FormValue>(model.residual, std::move(others));
}

EnergyHistory EnergyBalance::history() {
  EnergyHistory h;
  h.kinetic.resize(model_.times.size());
  h.potential.resize(model_.times.size());
  model_.process->visit_states([&](int step, const EvaluationPoint& u) {
    kinetic_->evaluate(u, &h.kinetic[step]);
    potential_->evaluate(u, &h.potential[step]);
  });
  double size = 0;
  for (std::size_t k = 0; k < h.kinetic.size(); ++k) size = std::max({size, h.kinetic[k], std::abs(h.potential[k])});
  if (size == 0) return h;
  const auto change = [&](std::size_t k) { return (h.kinetic[k] + h.potential[k] - h.kinetic[0] - h.potential[0]) / size; };
  h.drift = change(h.kinetic.size() - 1);
  for (std::size_t k = 0; k < h.kinetic.size(); ++k) h.largest_drift = std::max(h.largest_drift, std::abs(change(k)));
  return h;
}

}  // namespace invar
