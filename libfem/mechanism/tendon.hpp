#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "libadjoint/constraint/tie_elimination.hpp"
#include "libfem/mechanism/affine_number.hpp"
#include "libfem/mechanism/mechanism_term.hpp"
#include "libfem/space/dof_map.hpp"

namespace invar {

class Mechanism;

/// A material point of the mesh as unknowns of a mechanism, tied to the nodes of its cell.
struct AttachedPoint {
  std::array<double, 3> at{};     // at rest, m
  std::array<int, 3> shift{-1, -1, -1};  // unknowns of the mechanism: its displacement
};

/// Adds the points' displacements to the mechanism, as NAME.1.x …; returns a message if a point is in no cell, or moves with nodes that
/// are not material. first: global number of the mechanism's first unknown; displacement: components of the space; material: by local
/// node, whether it moves with matter; empty: every node does. Collective.
std::optional<std::string> attach_points(const DofMap& dofs, Mechanism& mechanism, const std::string& name, const std::vector<int>& displacement,
                                         PetscInt first, int source, std::vector<AttachedPoint>& points, std::vector<LinearConstraint>& out,
                                         const std::vector<char>& material = {});

// A massless cable without friction through the points in order. numbers: its tension [N]; or its length [m], whose multiplier is the
// tension.
std::unique_ptr<MechanismTerm> cable_of_tension(const std::vector<AttachedPoint>& points, int dim, std::vector<MechanismNumber> numbers);
std::unique_ptr<MechanismTerm> cable_of_length(const std::vector<AttachedPoint>& points, int dim, int multiplier, std::vector<MechanismNumber> numbers);
/// A spring with a damper between two points: stiffness [N/m], length at rest [m], damping [N s/m].
std::unique_ptr<MechanismTerm> spring_between(const std::vector<AttachedPoint>& points, int dim, std::vector<MechanismNumber> numbers);

}  // namespace invar
