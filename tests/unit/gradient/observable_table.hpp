#pragma once
#include <memory>
#include <string>
#include <vector>

#include "libfem/objective/form_value.hpp"
#include "libfem/objective/place_observable.hpp"
#include "libfem/objective/quotient.hpp"
#include "libfem/objective/reaction.hpp"
#include "libfem/objective/sampled_displacement.hpp"
#include "libfem/objective/weighted_sum.hpp"
#include "libfem/objective/without_modes.hpp"
#include "libfem/solid/stress_norm.hpp"
#include "tests/unit/gradient/solid_problem.hpp"

namespace invar::gradient_test {

/// An observable of the matrix.
struct ObservableCase {
  std::string name;
  std::vector<std::string> covers;  // classes and factories of libfem/objective that it stands for
  std::unique_ptr<Observable> (*make)(const SolidProblem&);
};

inline std::unique_ptr<Observable> point_samples(const SolidProblem& p) {
  const int dim = p.mesh->dim;
  std::vector<Sample> samples;
  for (const double at : {0.3, 0.8})
    for (int c = 0; c < p.dofs->n_components(); ++c) {
      std::vector<double> x{0.5 + at, 0.4 + 0.3 * at};
      if (dim == 3) x.push_back(0.5 * at);
      bend(x.data(), dim);
      samples.push_back({x, c});  // in mixed problems the last component is the pressure
    }
  std::vector<double> distance;
  return make_point_samples(p.dofs, samples, distance);
}

inline std::unique_ptr<Observable> field_samples(const SolidProblem& p, bool facets) {
  const int dim = p.mesh->dim;
  std::vector<int> components;
  for (int c = 0; c < dim; ++c) components.push_back(c);
  std::vector<double> targets;
  return make_field_samples(p.dofs, facets ? "top" : "body", facets ? dim - 1 : dim, 2, components,
                            [](int, const double*) { return 0.0; }, targets);
}

inline std::unique_ptr<Observable> stored_energy(const SolidProblem& p) {
  std::vector<double> factors(p.residual->form_count(), 0.0);
  factors[0] = 1;
  return std::make_unique<FormValue>(p.residual, factors);
}

inline std::unique_ptr<Observable> mass_moment(const SolidProblem& p) {
  std::vector<double> factors(p.residual->form_count(), 0.0);
  factors[p.mass_moment_form] = 1;
  return std::make_unique<FormValue>(p.residual, factors);
}

/// The stress at the facets of the top, or in all cells.
inline std::vector<StressPart> stress_parts(const SolidProblem& p, bool facets) {
  std::vector<ControlledValue> constants;
  for (const ParamSpec& k : p.material->parameters())
    for (std::size_t c = 0; c < p.residual->controls().size(); ++c)
      if (p.residual->controls()[c].name == "material." + std::string(k.key)) constants.push_back({static_cast<int>(c), {}});
  const CellBatches cells = CellBatches::on_cells(p.dofs, "", 4);
  return {{{p.material, p.spec.kind}, constants, facets ? side_domains(cells, sides_of(*p.mesh, *p.mesh->find_region("top"))) : std::vector{cells}}};
}

inline std::unique_ptr<Observable> stress_norm(const SolidProblem& p) {
  return std::make_unique<StressNorm>(p.residual, stress_parts(p, p.spec.index % 2 == 0), 6);
}

inline const std::vector<ObservableCase>& all_observables() {
  static const std::vector<ObservableCase> cases{
      {"reaction_force", {"Reaction", "Reaction::force"},
       [](const SolidProblem& p) -> std::unique_ptr<Observable> {
         std::vector<double> direction{1.0, 0.4, -0.7};
         direction.resize(p.mesh->dim);
         return Reaction::force(p.residual, "left", direction);
       }},
      {"reaction_moment", {"Reaction", "Reaction::moment"},
       [](const SolidProblem& p) -> std::unique_ptr<Observable> {
         return Reaction::moment(p.residual, "left", {0.2, -0.3, 0.1}, {0.3, 0.5, 0.8}, Reaction::Of::supports, {},
                                 Reaction::Arms::deformed);  // the undeformed ones: flow_table.hpp
       }},
      {"force_on_surface", {"Reaction", "Reaction::force"},
       [](const SolidProblem& p) -> std::unique_ptr<Observable> {
         std::vector<double> direction{0.3, 1.0, -0.5};
         direction.resize(p.mesh->dim);
         return Reaction::force(p.residual, "top", direction, Reaction::Of::surface);
       }},
      {"point_samples", {"LinearObservable", "make_point_samples"}, &point_samples},
      {"field_samples_of_cells", {"LinearObservable", "make_field_samples"},
       [](const SolidProblem& p) { return field_samples(p, false); }},
      {"field_samples_of_facets", {"LinearObservable", "make_field_samples"},
       [](const SolidProblem& p) { return field_samples(p, true); }},
      {"field_samples_from_the_mesh", {"PlaceObservable"},
       [](const SolidProblem& p) -> std::unique_ptr<Observable> {
         std::unique_ptr<Observable> samples = field_samples(p, true);
         return std::make_unique<PlaceObservable>(p.residual, std::unique_ptr<LinearObservable>(static_cast<LinearObservable*>(samples.release())));
       }},
      {"stored_energy", {"FormValue"}, &stored_energy},
      {"mass_moment", {"FormValue"}, &mass_moment},
      {"stress_norm", {"StressNorm"}, &stress_norm},
      {"weighted_sum", {"WeightedSum"},
       [](const SolidProblem& p) -> std::unique_ptr<Observable> {
         std::shared_ptr<Observable> parts = point_samples(p);
         std::vector<double> weights;
         for (int k = 0; k < parts->size(); ++k) weights.push_back(k % 2 ? -0.7 : 1.2 + k);
         return std::make_unique<WeightedSum>(std::move(parts), std::move(weights));
       }},
      {"without_modes", {"WithoutModes"},
       [](const SolidProblem& p) -> std::unique_ptr<Observable> {
         std::shared_ptr<Observable> parts = point_samples(p);
         std::vector<std::vector<double>> modes(2);
         std::vector<double> deviations;
         for (int k = 0; k < parts->size(); ++k) {
           modes[0].push_back(k % 2), modes[1].push_back(1 + 0.4 * k * k);
           deviations.push_back(0.6 + 0.2 * k);
         }
         return std::make_unique<WithoutModes>(std::move(parts), modes, deviations);
       }},
      {"quotient", {"FunctionOf"},
       [](const SolidProblem& p) -> std::unique_ptr<Observable> {
         std::vector<double> direction{1.0, 0.4, -0.7};
         direction.resize(p.mesh->dim);
         return std::make_unique<FunctionOf>(*make_quotient(Reaction::force(p.residual, "left", direction), stored_energy(p)));
       }},
      {"compliance", {"FormValue"}, [](const SolidProblem& p) -> std::unique_ptr<Observable> {
         std::vector<double> factors(p.residual->form_count(), 0.0);
         for (int f : p.dead_load_forms) factors[f] = -1;
         return std::make_unique<FormValue>(p.residual, factors);
       }}};
  return cases;
}

/// Those of a problem's Taylor tests. A law has eleven problems, one after the other in the table: each takes one, and the
/// first takes what they leave.
inline std::vector<int> taylor_observables(const ProblemSpec& s) {
  const int n = static_cast<int>(all_observables().size());
  std::vector<int> turns{s.index % n};
  for (int k = 11; s.index % 11 == 0 && k < n; ++k) turns.push_back((s.index + k) % n);
  return turns;
}

}  // namespace invar::gradient_test
