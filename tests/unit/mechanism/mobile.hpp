#pragma once
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "libfem/mechanism/constraint_rank.hpp"
#include "libfem/mechanism/joint.hpp"
#include "libfem/mechanism/mechanism.hpp"
#include "libfem/mechanism/mechanism_laws.hpp"
#include "libfem/mechanism/rigid_body.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"

namespace invar::mechanisms {

using Place = std::array<double, 3>;
using Matrix = std::array<std::array<double, 3>, 3>;

/// Bodies and joints; the mesh is a single free cell, needed for the controls.
struct Mobile {
  std::shared_ptr<FormResidual> numbers;
  std::shared_ptr<Mechanism> mechanism;
  std::vector<std::unique_ptr<RigidBody>> bodies;
  std::vector<Joint> joints;

  Mobile() {
    const Mesh serial = make_rectangle(0, 0, 1, 1, 3, 3, Shape::quadrilateral);
    auto mesh = std::make_shared<const Mesh>(distribute(serial, PETSC_COMM_WORLD));
    numbers = std::make_shared<FormResidual>(std::make_shared<const DofMap>(mesh, std::vector<Component>{{"u", 1}}, PETSC_COMM_WORLD));
    mechanism = std::make_shared<Mechanism>(numbers);
  }
  MechanismNumber number(double value) { return {numbers->add_control({"c" + std::to_string(numbers->controls().size()), "1"}, {value}), {}}; }
  /// Its coordinates are numbers.
  RestPlace place(int dim, const Place& x) {
    RestPlace all(x);
    for (int i = 0; i < dim; ++i) all.let_follow(i, number(x[i]));
    return all;
  }
  RigidBody& body(int dim, const RestPlace& centre, double mass, const Place& inertia) {
    bodies.push_back(std::make_unique<RigidBody>(*mechanism, "b" + std::to_string(bodies.size()), dim, centre));
    std::vector<MechanismNumber> given{number(mass)};
    for (int i = 0; i < (dim == 2 ? 1 : 3); ++i) given.push_back(number(inertia[i]));
    mechanism->add_term(bodies.back()->inertia(given));
    return *bodies.back();
  }
  void force(const RigidBody& body, const Place& f) {
    std::vector<MechanismNumber> given;
    for (int i = 0; i < body.dim(); ++i) given.push_back(number(f[i]));
    mechanism->add_term(body.dead_force(given));
  }
  void spin(const RigidBody& body, const Place& omega) {
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      if (omega[i] == 0) continue;
      mechanism->add_initial(Level::rate, body.turn(k, j), number(omega[i]));
      mechanism->add_initial(Level::rate, body.turn(j, k), number(-omega[i]));
    }
  }
  void velocity(const RigidBody& body, const Place& v) {
    for (int i = 0; i < body.dim(); ++i)
      if (v[i] != 0) mechanism->add_initial(Level::rate, body.shift(i), number(v[i]));
  }
  void finish() {
    constrain();
    mechanism->finish();
  }
  void constrain() {
    const std::vector<Tie> none;
    ConstraintRank rank(none, [](PetscInt) { return false; }, 0);
    for (const Joint& joint : joints)
      for (const JointConstraint& c : constraints_of(joint)) {
        auto term = c.make(c.map, mechanism->size());
        ASSERT_TRUE(rank.add(*term)) << c.key;
        mechanism->add_unknown(c.key, true);
        mechanism->add_term(std::move(term));
      }
    for (const auto& body : bodies)
      for (int k = 0; k < body->orthogonality_count(); ++k) {
        auto term = body->orthogonality(k, mechanism->size());
        if (!rank.add(*term)) continue;
        mechanism->add_unknown("o" + std::to_string(k), true);
        mechanism->add_term(std::move(term));
      }
  }
};

}  // namespace invar::mechanisms
