#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "libadjoint/constraint/tie_elimination.hpp"
#include "libfem/mechanism/affine_number.hpp"
#include "libfem/mechanism/mechanism_term.hpp"
#include "libfem/mechanism/rest_place.hpp"
#include "libfem/space/dof_map.hpp"

namespace invar {

class Mechanism;
class RestNumbers;
class RigidBody;

/// A material point of the mesh as unknowns of a mechanism, tied to the nodes of its cell, or a designed one of a rigid part.
struct AttachedPoint {
  RestPlace at{};
  std::array<int, 3> shift{-1, -1, -1};  // unknowns of the mechanism: its displacement
  const RigidBody* body = nullptr;       // with which it moves; then there are no such unknowns
};

/// What points may depend on besides the nodes of their cells.
struct PointSurroundings {
  std::vector<char> material = {};                  // by local node, whether it moves with matter; empty: every node does
  std::vector<const RigidBody*> bodies = {};        // whose nodes are tied
  RestNumbers* rest = nullptr;                      // receives what designed points and shapes change; null: nothing is designed
};

/// Adds the points' displacements to the mechanism, as NAME.1.x …; returns a message if a point is in no cell, or moves with nodes that
/// are not material. first: global number of the mechanism's first unknown; displacement: components of the space. If the shape is designed,
/// the points are material: they keep their position in their cells. If the place of a point is designed, it moves through its cell, which it
/// may not leave, or if all the cell's nodes are tied to a rigid body, relative to that body, without a limit. Collective.
std::optional<std::string> attach_points(const DofMap& dofs, Mechanism& mechanism, const std::string& name, const std::vector<int>& displacement,
                                         PetscInt first, int source, std::vector<AttachedPoint>& points, std::vector<LinearConstraint>& out,
                                         const PointSurroundings& around = {});

// A massless cable without friction through the points in order. numbers: its tension [N]; or its length [m], whose multiplier is the
// tension.
std::unique_ptr<MechanismTerm> cable_of_tension(const std::vector<AttachedPoint>& points, int dim, std::vector<MechanismNumber> numbers);
std::unique_ptr<MechanismTerm> cable_of_length(const std::vector<AttachedPoint>& points, int dim, int multiplier, std::vector<MechanismNumber> numbers);
/// A spring with a damper between two points: stiffness [N/m], length at rest [m], damping [N s/m].
std::unique_ptr<MechanismTerm> spring_between(const std::vector<AttachedPoint>& points, int dim, std::vector<MechanismNumber> numbers);

}  // namespace invar
