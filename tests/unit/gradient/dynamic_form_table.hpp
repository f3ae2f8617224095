#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "libfem/solid/dynamic_forms.hpp"
#include "libfluid/flow/flow_law_library.hpp"
#include "libfluid/flow/passive_scalar_forms.hpp"
#include "libfluid/flow/unsteady_forms.hpp"
#include "tests/unit/gradient/solid_problem.hpp"

namespace invar::gradient_test {

/// A form that time adds, and where it is probed: on the bent body of `solid_problem.hpp`.
struct DynamicForm {
  std::string name = {}, factory = {};
  std::vector<Level> levels = {};  // that it reads
  std::string region = {};         // empty: all cells
  bool points = false;             // at the nodes of the region
  int dim = 2;
  std::vector<double> coefficients = {};
  bool symmetric = false, density = false, functional = false;  // functionals have no residual
  std::string obstacle = {};  // contact: its shape
  std::string carrier = {};   // with which it moves: its unknowns are held
  bool touches = true;        // contact: some of the facets are in reach
  bool may_vanish = false;    // it, or its derivative in a level that it reads
  bool scalar = false;        // the space holds a pressure and a scalar besides
  bool flow = false;          // the space holds a pressure besides
  bool equal_order = false;   // and all of it is of first order
  std::function<std::unique_ptr<WeakForm>(CellBatches)> make = {};

  bool of_flow() const { return flow || scalar; }
};

inline const char* word(ObstacleShape shape) {
  constexpr const char* words[] = {"plane", "sphere", "cylinder", "box"};
  return words[static_cast<int>(shape)];
}

/// Contact of the top, which is near y = 1: `at` is the obstacle's position.
struct ContactPlace {
  std::string name;
  ObstacleShape shape;
  double width;
  std::vector<double> at, direction;
  double radius;
  bool touches = true;
};

/// Places on both sides of the transition, inside it and across it; of boxes faces, edges and
/// corners, from outside and from inside.
inline std::vector<ContactPlace> contact_places(int dim) {
  constexpr auto plane = ObstacleShape::plane, sphere = ObstacleShape::sphere, cylinder = ObstacleShape::cylinder,
                 box = ObstacleShape::box;
  std::vector<ContactPlace> places{{"plane_deep", plane, 0.05, {1.1, 0.6, 0.4}, {0.1, -1.3, 0.05}, 0.7},
                                   {"plane_inside_transition", plane, 0.9, {1.1, 1.0, 0.4}, {0.1, -1.3, 0.05}, 0.7},
                                   {"plane_across", plane, 0.06, {1.1, 1.02, 0.4}, {0.2, -1.0, 0.1}, 0.7},
                                   {"plane_beyond", plane, 0.05, {1.1, 2.0, 0.4}, {0.1, -1.3, 0.05}, 0.7, false},
                                   {"sphere_across", sphere, 0.2, {1.15, 1.4, 0.43}, {0.3, 0.4, 0.5}, 0.45},
                                   {"sphere_deep", sphere, 0.03, {1.15, 2.2, 0.43}, {0.3, 0.4, 0.5}, 2.1},
                                   {"cylinder_across", cylinder, 0.2, {1.15, 1.4, 0.43}, {0.3, 0.1, 0.9}, 0.42},
                                   {"box_face", box, 0.08, {1.1, 1.35, 0.5}, {1.4, 0.34, 1.2}, 0.7},
                                   {"box_corner_outside", box, 0.5, {2.0, 1.6, 1.5}, {0.62, 0.53, 0.85}, 0.7},
                                   {"box_across_an_edge", box, 0.3, {1.36, 1.21, 0.8}, {0.25, 0.23, 0.35}, 0.7},
                                   {"box_from_inside", box, 0.05, {1.1, 0.9, 0.45}, {0.9, 0.7, 0.8}, 0.7}};
  for (ContactPlace& p : places) p.at.resize(dim), p.direction.resize(dim);
  return places;
}

/// The same for a barrier: the top is outside, the width is the barrier's distance.
inline std::vector<ContactPlace> barrier_places(int dim) {
  constexpr auto plane = ObstacleShape::plane, sphere = ObstacleShape::sphere, cylinder = ObstacleShape::cylinder,
                 box = ObstacleShape::box;
  std::vector<ContactPlace> places{{"plane_near", plane, 0.9, {1.1, 1.5, 0.4}, {0.1, -1.3, 0.05}, 0.7},
                                   {"plane_beyond", plane, 0.05, {1.1, 2.0, 0.4}, {0.1, -1.3, 0.05}, 0.7, false},
                                   {"sphere_across", sphere, 0.7, {1.15, 1.9, 0.43}, {0.3, 0.4, 0.5}, 0.45},
                                   {"cylinder_across", cylinder, 0.7, {1.15, 1.9, 0.43}, {0.3, 0.1, 0.9}, 0.42},
                                   {"box_face", box, 0.7, {1.1, 1.8, 0.5}, {1.4, 0.34, 1.2}, 0.7},
                                   {"box_corner", box, 0.8, {2.1, 2.0, 1.6}, {0.62, 0.53, 0.85}, 0.7}};
  for (ContactPlace& p : places) p.at.resize(dim), p.direction.resize(dim);
  return places;
}

/// Coefficients of RigidContact.
inline std::vector<double> contact_coefficients(const ContactPlace& p) {
  std::vector<double> c{40, p.width, 0.4, 0.15};
  c.insert(c.end(), p.at.begin(), p.at.end());
  c.insert(c.end(), p.direction.begin(), p.direction.end());
  c.push_back(p.radius);
  return c;
}

/// Every form of dynamic_forms.hpp and unsteady_forms.hpp, of every kind.
inline std::vector<DynamicForm> all_dynamic_forms() {
  std::vector<DynamicForm> all;
  using Make = std::unique_ptr<WeakForm> (*)(SolidKind, CellBatches);
  for (const SolidKind kind :
       {SolidKind::spatial, SolidKind::plane_strain, SolidKind::plane_stress, SolidKind::axisymmetric}) {
    const int dim = kind == SolidKind::spatial ? 3 : 2;
    const auto add = [&](const char* factory, Make make, DynamicForm f) {
      f.factory = factory;
      f.name = std::string(factory) + " " + word(kind) + f.name;
      f.dim = dim;
      f.make = [make, kind](CellBatches cells) { return make(kind, std::move(cells)); };
      all.push_back(std::move(f));
    };
    std::vector<double> fibres{0.8, 0.6, 0.9};
    fibres.resize(1 + dim);
    add("make_active_stress", &make_active_stress,
        {.levels = {Level::value}, .coefficients = fibres, .symmetric = true, .density = true});
    add("make_inertia", &make_inertia, {.levels = {Level::acceleration}, .coefficients = {1.3}, .symmetric = true});
    add("make_coat_inertia", &make_coat_inertia,
        {.levels = {Level::acceleration}, .region = "top", .coefficients = {0.4}, .symmetric = true});
    add("make_mass_damping", &make_mass_damping,
        {.levels = {Level::rate}, .coefficients = {1.3, 0.7}, .symmetric = true});
    add("make_kinetic_energy", &make_kinetic_energy,
        {.levels = {Level::rate}, .coefficients = {1.3}, .symmetric = true, .density = true, .functional = true});
    if (kind != SolidKind::plane_stress)
      add("make_kelvin_voigt", &make_kelvin_voigt, {.levels = {Level::value, Level::rate}, .coefficients = {0.6, 0.3}});
    using MakeContact = std::unique_ptr<WeakForm> (*)(SolidKind, ObstacleShape, CellBatches, const std::string&);
    const auto add_contact = [&](const char* factory, MakeContact of_obstacle, const ContactPlace& p, const std::string& carrier = {}) {
      add(factory, nullptr,
          {.name = " " + p.name + (carrier.empty() ? "" : " carried"),
           .levels = {Level::value, Level::rate},
           .region = "top",
           .coefficients = contact_coefficients(p),
           .obstacle = word(p.shape),
           .carrier = carrier,
           .touches = p.touches});
      all.back().make = [of_obstacle, kind, shape = p.shape, carrier](CellBatches facets) { return of_obstacle(kind, shape, std::move(facets), carrier); };
    };
    if (kind != SolidKind::axisymmetric) {  // of these the library's terms have every shape
      for (const ContactPlace& p : contact_places(dim)) add_contact("make_rigid_contact", &make_rigid_contact, p);
      for (const ContactPlace& p : barrier_places(dim)) add_contact("make_obstacle_contact", &make_obstacle_contact, p);
    }
    add_contact("make_rigid_contact", &make_rigid_contact, contact_places(dim)[4], "bottom");
    add_contact("make_obstacle_contact", &make_obstacle_contact, barrier_places(dim)[2], "bottom");
  }
  for (const FlowKind kind : {FlowKind::planar, FlowKind::axisymmetric, FlowKind::spatial}) {
    constexpr const char* words[] = {" planar", " axisymmetric", " spatial"};
    const int dim = kind == FlowKind::spatial ? 3 : 2;
    const std::string suffix = words[static_cast<int>(kind)];
    all.push_back({.name = "make_flow_inertia" + suffix,
                   .factory = "make_flow_inertia",
                   .levels = {Level::rate},
                   .dim = dim,
                   .coefficients = {1.3},
                   .symmetric = true,
                   .make = [kind](CellBatches cells) { return make_flow_inertia(kind, std::move(cells)); }});
    all.push_back({.name = "make_linearised_convection" + suffix,
                   .factory = "make_linearised_convection",
                   .levels = {Level::value, Level::predicted},
                   .dim = dim,
                   .coefficients = {1.3},
                   .make = [kind](CellBatches cells) { return make_linearised_convection(kind, std::move(cells)); }});
    for (const bool turbulent : {false, true}) {
      std::vector<double> coefficients{1.3, 0.2, 0.4};
      if (turbulent) coefficients.push_back(0.7);
      all.push_back({.name = (turbulent ? "make_stabilised_inertia turbulent" : "make_stabilised_inertia") + suffix,
                     .factory = "make_stabilised_inertia",
                     .levels = {Level::value, Level::rate},
                     .dim = dim,
                     .coefficients = coefficients,
                     .scalar = turbulent,
                     .flow = true,
                     .equal_order = true,
                     .make = [kind, turbulent](CellBatches cells) {
                       const FlowModel model{.law = make_viscosity_law("newtonian"), .stress_form = turbulent, .turbulent = turbulent};
                       return make_stabilised_inertia(kind, model, std::move(cells));
                     }});
    }
    FlowModel model{make_viscosity_law("newtonian"), false, false};
    std::vector<double> momentum{1.3, 0.15, 0.3, 0.1, 0.2, 0.4};
    if (dim == 2) momentum.erase(momentum.begin() + 2);
    all.push_back({.name = "make_corrected_momentum" + suffix,
                   .factory = "make_corrected_momentum",
                   .levels = {Level::value, Level::predicted},
                   .dim = dim,
                   .coefficients = momentum,
                   .flow = true,
                   .make = [kind, model](CellBatches cells) { return make_corrected_momentum(kind, model, std::move(cells)); }});
    for (const bool stress : {false, true}) {
      model.stress_form = stress;
      model.grad_div = stress ? 0.2 : 0;
      model.law = make_viscosity_law(stress ? "carreau" : "newtonian");
      all.push_back({.name = (stress ? "make_pressure_correction carreau" : "make_pressure_correction newtonian") + suffix,
                     .factory = "make_pressure_correction",
                     .levels = {Level::value, Level::rate, Level::predicted},
                     .dim = dim,
                     .coefficients = stress ? std::vector<double>{1.3, 0.4, 0.1, 0.7, 0.6} : std::vector<double>{1.3, 0.15},
                     .scalar = true,  // in the place of the potential
                     .make = [kind, model](CellBatches cells) { return make_pressure_correction(kind, model, std::move(cells)); }});
    }
    for (const auto transport : {ScalarTransport::implicit, ScalarTransport::linearised}) {
      const bool linearised = transport == ScalarTransport::linearised;
      all.push_back({.name = (linearised ? "make_passive_scalar linearised" : "make_passive_scalar implicit") + suffix,
                     .factory = "make_passive_scalar",
                     .levels = {Level::value, Level::rate, linearised ? Level::predicted : Level::value},
                     .dim = dim,
                     .coefficients = {0.1, 0.7},
                     .scalar = true,
                     .make = [kind, transport](CellBatches cells) {
                       return make_passive_scalar(kind, transport, std::move(cells));
                     }});
    }
  }
  return all;
}

}  // namespace invar::gradient_test
