#pragma once
#include <span>

#include "libfem/form/at_nodes.hpp"
#include "libfem/objective/number_value.hpp"
#include "libfem/objective/quotient.hpp"
#include "libfem/objective/reaction.hpp"
#include "libfem/solid/dynamic_forms.hpp"
#include "libfem/solid/mass_moment.hpp"
#include "libfem/solid/memory_forms.hpp"
#include "tests/unit/gradient/dynamic_form_table.hpp"
#include "tests/unit/gradient/transient_problem.hpp"

namespace invar::gradient_test {

/// A solid in motion.
struct TransientSolidSpec {
  std::string name;
  TimeScheme::Kind scheme;
  double rho = 0.5;
  ProblemSpec body = {};       // kind, volume and cells of it
  std::string obstacle = {};   // empty: none
  bool barrier = false;        // it lets nothing through
  bool carried = false;        // it moves with the left side
  bool held = true;            // its left side is moved, else it flies
  bool initial_field = false;  // its top begins from a displacement and a velocity per node
  bool coordinates = false;    // every node's are designed
  int branches = 0;            // of Maxwell elements
  bool flows = false;          // plastically; at finite strain beside hencky
  bool lumped = false;         // masses are at the nodes, and there is no viscosity: the matrix of mass is diagonal
  std::vector<double> times{0, 0.04, 0.08, 0.11, 0.15, 0.19, 0.22, 0.26};
};

class TransientSolidBuilder : TransientBuilder {
 public:
  TransientSolidBuilder(const TransientSolidSpec& s, MPI_Comm comm, int turn)
      : TransientBuilder(s.name, TimeScheme(s.scheme, 2, s.rho), s.times, bent_mesh(s.body), components_of(s.body),
                         comm, turn, s.carried ? std::vector<std::vector<std::string>>{{"bottom", "left"}} : std::vector<std::vector<std::string>>{}),
        s_(s),
        kind_(s.body.kind) {}

  TransientProblem build() {
    if (is_mixed(s_.body)) r().set_algebraic({dim()});
    add_body();
    add_loads();
    if (!s_.obstacle.empty()) add_contact();
    add_beginning();
    add_quantities();
    if (s_.coordinates) p_.fields.push_back(r().add_coordinates());
    return finish();
  }

 private:
  CellBatches cells() const { return CellBatches::on_cells(p_.dofs, "", s_.body.cell.order == 2 ? 4 : 2); }
  CellBatches facets(const char* region) const { return CellBatches::on_facets(p_.dofs, region, 4); }

  void add_body() {
    p_.material = material_of(s_.body);
    std::vector<ControlledValue> constants;
    for (const ParamSpec& k : p_.material->parameters())
      constants.push_back(number("material." + std::string(k.key), typical_constant(std::string(k.key)), k.lower));
    if (is_mixed(s_.body)) {
      const bool exact = s_.body.volume == Volume::incompressible;
      constants.push_back(exact ? ControlledValue{r().add_control({"", ""}, {INFINITY}), {}}
                                : number("material.kappa", 150, 0));
    }
    if (is_mixed(s_.body))
      add("make_mixed_form", make_mixed_form(kind_, p_.material, cells()), constants);
    else
      add("make_displacement_form", make_displacement_form(kind_, p_.material, cells()), constants);
    const ControlledValue density = number("density", 1.2, 0), coat = number("coat", 0.2, 0),
                          alpha = number("alpha", 0.5, 0);
    const auto mass_points = [&](CellBatches domain) { return s_.lumped ? at_nodes(std::move(domain)) : domain; };
    if (s_.lumped) r().set_lumped_mass();
    add("make_inertia", make_inertia(kind_, mass_points(cells())), {density});
    add("make_coat_inertia", make_coat_inertia(kind_, mass_points(facets("top"))), {coat});
    add("make_mass_damping", make_mass_damping(kind_, mass_points(cells())), {density, alpha});
    if (kind_ != SolidKind::plane_stress && !s_.lumped)
      add("make_kelvin_voigt", make_kelvin_voigt(kind_, cells()), {number("eta", 0.3, 0), number("zeta", 0.2, 0)});
    if (s_.branches > 0) {
      std::vector<ControlledValue> spectrum;
      for (int i = 0; i < s_.branches; ++i) {
        spectrum.push_back(number("branch." + std::to_string(i) + ".shear", 3.0 + i, 0));
        spectrum.push_back(number("branch." + std::to_string(i) + ".time", 0.05 * (1 + 7 * i), 0));
      }
      add("make_maxwell_branches", make_maxwell_branches(kind_, s_.branches, cells()), spectrum);
    }
    if (s_.flows) {
      std::vector<ControlledValue> law;
      const std::pair<const char*, double> constants[] = {{"young", 10}, {"poisson", 0.3}, {"yield", 0.12}, {"hardening", 1.5},
                                                          {"saturation", 0.2}, {"rate", 8}, {"back", 2}};
      const bool finite = s_.body.material == "hencky";
      for (const auto& [name, v] : std::span(constants).first(finite ? 6 : 7)) law.push_back(number(std::string("plastic.") + name, v, 0));
      if (finite) {
        add("make_finite_plastic_flow", make_finite_plastic_flow(kind_, cells()), law);
      } else {
        add("make_plastic_flow", make_plastic_flow(kind_, cells()), law);
      }
    }
    tension_ = signal("tension", 0.8);
    std::vector<ControlledValue> muscle{tension_, number("fibre.0", 1.0), number("fibre.1", 0.4)};
    if (dim() == 3) muscle.push_back(number("fibre.2", -0.3));
    add("make_active_stress", make_active_stress(kind_, cells()), muscle);
    kinetic_energy_ = functional("make_kinetic_energy", make_kinetic_energy(kind_, mass_points(cells())), {density});
    const ControlledValue thicker{density.control, [](const double* x, double) { return 1 + 0.5 * x[0] * x[1]; }, true, false};
    const auto moment = [&](int component) {
      return functional("make_mass_moment",
                        make_mass_moment(component, dim(), kind_ == SolidKind::axisymmetric, cells()), {thicker, density});
    };
    centre_of_mass_ = make_quotient(moment(1), moment(-1));
  }

  void add_loads() {
    std::vector<ControlledValue> force, traction;
    for (int i = 0; i < dim(); ++i) {
      force.push_back(number("force." + std::to_string(i), 0.5 - 0.8 * i, -INFINITY,
                             [](const double* x, double t) { return 1 + 4 * t + 0.5 * x[0] * x[1]; }));
      const std::string name = "traction." + std::to_string(i);
      traction.push_back(i == 0 ? signal(name, 0.6) : number(name, -0.3));
    }
    add("make_body_force", make_body_force(kind_, cells()), force);
    add("make_traction", make_traction(kind_, facets("right")), traction);
    if (!s_.held) return;
    r().add_dirichlet({"left", 0, signal("left.0", 0.03, [](const double* x, double t) { return t * (1 + x[1]); })});
    for (int i = 1; i < dim(); ++i)
      r().add_dirichlet({"left", i, number("left." + std::to_string(i), 0.2, -INFINITY, [](const double*, double t) {
                           return t * t;
                         })});
    // Where it meets the left side the forces of both are told apart.
    r().add_dirichlet({"top", 0, number("top.0", 0.04, -INFINITY, [](const double* x, double t) { return t * (1 + x[0]); })});
  }

  /// The bottom, near y = 0, moves into it.
  void add_contact() {
    const std::map<std::string, ContactPlace> places{
        {"plane", {"", ObstacleShape::plane, 0.05, {1.1, -0.03, 0.4}, {0.1, 1.2, 0.05}, 1}},
        {"sphere", {"", ObstacleShape::sphere, 0.06, {1.2, -0.52, 0.4}, {1, 1, 1}, 0.5}},
        {"cylinder", {"", ObstacleShape::cylinder, 0.06, {1.2, -0.52, 0.4}, {0.1, 0.05, 1}, 0.5}},
        {"box", {"", ObstacleShape::box, 0.06, {1.0, -0.4, 0.4}, {0.45, 0.37, 0.4}, 1}}};
    ContactPlace place = places.at(s_.obstacle);
    if (s_.barrier) place.width = 0.3, place.at[1] -= 0.2;
    place.at.resize(dim()), place.direction.resize(dim());
    std::vector<ControlledValue> values;
    const std::vector<double> coefficients = contact_coefficients(place);
    for (std::size_t k = 0; k < coefficients.size(); ++k)
      values.push_back(
          number("contact." + std::to_string(k), coefficients[k], k < RigidContact<2>::position ? 0 : -INFINITY));
    const std::string carrier = s_.carried ? "left" : "";
    if (s_.barrier) add("make_obstacle_contact", make_obstacle_contact(kind_, place.shape, facets("bottom"), carrier), values);
    else add("make_rigid_contact", make_rigid_contact(kind_, place.shape, facets("bottom"), carrier), values);
    p_.words.insert(s_.obstacle);
  }

  void add_beginning() {
    for (int i = 0; i < dim(); ++i) begin(Level::rate, "", i, number("speed." + std::to_string(i), 0.4 - 0.8 * i));
    if (!is_mixed(s_.body)) begin(Level::value, "right", 0, number("pull", 0.03));
    if (!s_.initial_field) return;
    const ControlledValue speed = per_node("speeds", dim(), 0.3), place = per_node("places", dim(), 0.01);
    for (int i = 0; i < dim(); ++i) {
      begin(Level::rate, "top", i, speed, i);
      begin(Level::value, "top", i, place, i);
    }
  }

  void add_quantities() {
    std::vector<double> inside{1.2, 0.6, 0.4}, tip{1.65, 0.5, 0.4};
    for (auto* x : {&inside, &tip}) {
      x->resize(dim());
      bend(x->data(), dim());
    }
    quantity("tip at the end", points({{tip, 0}, {tip, 1}}), {last()}, {"LinearObservable", "make_point_samples"});
    quantity("its speed", points({{tip, 1}}, Level::rate), {last() / 2, last()},
             {"LinearObservable", "make_point_samples"});
    quantity("kinetic energy, windowed", kinetic_energy_, all_steps(), {"FormValue"}, window());
    quantity("centre of mass", centre_of_mass_, {last() / 2, last()}, {"FunctionOf"});
    const std::shared_ptr<Observable> deflection = points({{inside, 1}});
    const std::vector<std::string> sampled{"LinearObservable", "make_point_samples"};
    quantity("largest deflection", deflection, all_steps(), sampled, {}, 30);
    quantity("smallest deflection, windowed", deflection, all_steps(), sampled, window(), -30);
    quantity("r.m.s. deflection, windowed", deflection, all_steps(), sampled, window(), 0, true);
    quantity("actuation", make_actuation(p_.residual, tension_.control), all_steps(), {"NumberValue", "FunctionOf"});
    if (s_.held) {
      std::vector<double> direction{1.0, 0.4, -0.7};
      direction.resize(dim());
      quantity("reaction", Reaction::force(p_.residual, "left", direction), {1, last() / 2, last()},
               {"Reaction", "Reaction::force"});
    }
    p_.tracked = points({{inside, 0}, {inside, 1}, {tip, 1}});
  }

  TransientSolidSpec s_;
  SolidKind kind_;
  std::shared_ptr<Observable> kinetic_energy_, centre_of_mass_;
  ControlledValue tension_;
};

inline TransientProblem make_transient(const TransientSolidSpec& s, MPI_Comm comm, int turn = 0) {
  return TransientSolidBuilder(s, comm, turn).build();
}

}  // namespace invar::gradient_test
