// Reports on the deformed mesh of fluid–structure interaction.
#include "apps/invar/physics/fsi_model.hpp"
#include "apps/invar/problem/case_model.hpp"
#include "libadjoint/solve/scientific.hpp"
#include "libfem/mesh/place_text.hpp"
#include "libfluid/fsi/moved_mesh.hpp"

namespace invar {
namespace {

MovedCell worst_cell(const CaseModel& model, const std::string& region, const EvaluationPoint& state) {
  const LocalArray u(state);
  const FsiComponents at{model.mesh->dim};
  std::vector<double> x = model.residual->coordinates(state.given);
  for (int node = 0; node < model.mesh->node_total(); ++node)
    for (int i = 0; i < at.dim; ++i) x[std::size_t(node) * at.dim + i] += u.data()[model.dofs->dof(node, at.displacement(i))];
  return worst_moved_cell(*model.mesh, region, x);
}

}  // namespace

std::vector<std::pair<std::string, Measurement>> FsiCase::step_numbers(CaseModel& model) const {
  return {{"mesh_quality", {.value = [this, &model](const EvaluationPoint& u) { return worst_cell(model, fluid.region, u).quality; }}}};
}

std::function<std::string(const EvaluationPoint&)> FsiCase::explanation(const CaseModel& model) const {
  return [this, &model](const EvaluationPoint& u) -> std::string {
    const int dim = model.mesh->dim;
    for (const MaterialPart& body : bodies)
      if (const MovedCell worst = worst_cell(model, body.region, u); !(worst.quality > 0))
        return ": the body '" + body.name + "' has an inverted cell at " + place_in_words(worst.place, dim);
    constexpr double poor = 0.1;
    const MovedCell of_fluid = worst_cell(model, fluid.region, u);
    if (!(of_fluid.quality > poor))
      return ": the mesh of the fluid '" + fluid.name + "' has " + (of_fluid.quality > 0 ? "a cell of quality " + short_number(of_fluid.quality, 2) : "an inverted cell") +
             " at " + place_in_words(of_fluid.place, dim) + ": the body has moved further than the mesh can follow, or touches a wall";
    return {};
  };
}

}  // namespace invar
