#include "apps/invar/problem/build_density.hpp"

#include <algorithm>
#include <stdexcept>

#include "apps/invar/physics/flow_model.hpp"
#include "apps/invar/problem/case_builder.hpp"
#include "libfem/design/field/helmholtz_filter.hpp"

namespace invar {
namespace {

using namespace spec;

std::vector<DesignStage> stages_of(const Value& entry) {
  DensityStage common;
  common.threshold = entry["threshold"].number();
  common.max_resistance = entry["max_resistance"].number();
  std::vector<DesignStage> stages;
  for (const Value& s : entry["stages"]) {
    DesignStage stage{common, static_cast<int>(s["iterations"].integer())};
    stage.density.steepness = s["steepness"].number();
    stage.density.convexity = s["convexity"].number();
    stages.push_back(stage);
  }
  return stages;
}

}  // namespace

Table density_table() {
  const Table stage = Table("stage", "Each begins where the one before ended.")
                          .defaulted("steepness", number().at_least(0), "0", "of the projection to 0 and 1; 0: none")
                          .defaulted("convexity", number().above(0), "0.1", "q of Borrvall and Petersson (2003): a cell of density ρ resists by α(ρ) = α_max q (1 − ρ)/(q + ρ); a smaller q gives intermediate densities less resistance")
                          .defaulted("iterations", integer().at_least(1), "30", "most accepted steps");
  return Table("density", "Where fluid flows and where solid is: one density per cell, filtered and projected.")
      .defaulted("region", text(), "all", "cell region that is designed; elsewhere is fluid")
      .required("radius", number("m").above(0), "of the filter; at least two cells")
      .required("max_resistance", number("Pa s/m^2").above(0), "α_max of Borrvall and Petersson (2003, Topology optimization of fluids in Stokes flow): resistance of solid, force per volume and velocity of the flow through it")
      .defaulted("start", either({number().at_least(0).at_most(1), expression()}), "0.5", "density at the start, before the filter: a number, or a formula in x, y, z; 1: fluid")
      .defaulted("threshold", number().above(0).below(1), "0.5", "filtered densities above it become fluid")
      .defaulted("stages", list_of(record(stage)), "[{}]", "of the optimisation");
}

const Value* density_entry(const Value& spec) {
  if (const Value* design = spec.find("design"))
    for (const Value& entry : *design)
      if (entry["kind"].text() == "density") return &entry;
  return nullptr;
}

void add_density(CaseModel& model, const Value& entry, Diagnostics& diagnostics) {
  const auto* flow = model.as<FlowCase>();
  if (!flow || flow->parts.size() != 1) {
    diagnostics.error(entry.position, entry.yaml_path, "a density is designed in cases of flow with one fluid; case '" + model.name +
                                                           "' is not one");
    return;
  }
  model.residual->spread_control(flow->parts[0].resistance.control);
  const std::size_t cells = model.residual->control_values()[flow->parts[0].resistance.control].size();
  model.density_control =
      model.residual->add_control({.name = "density", .unit = "1", .layout = ControlLayout::cells}, std::vector<double>(cells, 1.0));
}

std::shared_ptr<Parameterization> build_density(const Value& entry, Problem& problem, Diagnostics& diagnostics) {
  const CaseModel& first = problem.cases.front();
  std::vector<DensityDesign::Target> targets;
  for (std::size_t c = 0; c < problem.cases.size(); ++c) {
    const CaseModel& model = problem.cases[c];
    if (!model.residual || model.density_control < 0) return nullptr;
    if (model.mesh != first.mesh) {
      diagnostics.error(entry.position, entry.yaml_path, "a density is designed for all cases together, and they have different meshes",
                        "give the mesh once, at the top of the spec");
      return nullptr;
    }
    targets.push_back({static_cast<int>(c), model.density_control, model.as<FlowCase>()->parts[0].resistance.control});
  }
  const std::string region = entry["region"].text();
  if (region != "all" && !check_region(*first.mesh, region, first.mesh->dim, entry["region"], diagnostics)) return nullptr;
  problem.stages = stages_of(entry);
  try {
    const auto filter = std::make_shared<HelmholtzFilter>(first.mesh, entry["radius"].number(),
                                                          first.axisymmetric());
    problem.density = std::make_shared<DensityDesign>(filter, region == "all" ? "" : region, problem.stages.front().density,
                                                      std::vector<double>{entry["start"].is_number() ? entry["start"].number() : 0.5}, targets);
  } catch (const std::invalid_argument& e) {
    diagnostics.error(entry.position, entry.yaml_path, e.what());
  }
  return problem.density;
}

}  // namespace invar
