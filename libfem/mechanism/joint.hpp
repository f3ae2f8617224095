#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "libfem/mechanism/affine_number.hpp"
#include "libfem/mechanism/mechanism_term.hpp"
#include "libfem/mechanism/rest_place.hpp"

namespace invar {

class Mechanism;
class RigidBody;

/// A joint at a point: the relative motion that it prevents between two rigid bodies, or one and the ground. In 2-D a
/// ball is a hinge.
enum class JointKind { ball, hinge, weld, slider };

/// Two bodies (the second null: the ground), the position of the joint at rest, and the axis of a hinge or slider (unit
/// vector; none for a hinge in 2-D).
struct Joint {
  JointKind kind = JointKind::ball;
  std::array<const RigidBody*, 2> bodies{};
  RestPlace at{};
  std::array<double, 3> axis{};
};

/// A scalar constraint of a joint, with its name and its force's meaning.
struct JointConstraint {
  std::string key;  // x, y, z: force along an axis that the second body exerts on the first; others: couples
  std::unique_ptr<MechanismTerm> (*make)(const AffineMap& map, int multiplier);
  AffineMap map;
};
std::vector<JointConstraint> constraints_of(const Joint& joint);

/// Numbers for the rotation angle of the first body relative to the second about the joint's axis: two unit vectors
/// perpendicular to the axis, then the axis, in their rotated positions.
AffineMap angle_of(const Joint& joint);

// Springs, dampers and drives about that axis. numbers: stiffness [N m/rad] and angle at rest; damping [N m s/rad];
// torque on the first body [N m]; prescribed angle [rad], whose multiplier is the torque.
std::unique_ptr<MechanismTerm> torsion_spring(const Joint& joint, std::vector<MechanismNumber> numbers);
std::unique_ptr<MechanismTerm> torsion_damper(const Joint& joint, std::vector<MechanismNumber> numbers);
std::unique_ptr<MechanismTerm> joint_torque(const Joint& joint, std::vector<MechanismNumber> numbers);
std::unique_ptr<MechanismTerm> joint_motor(const Joint& joint, int multiplier, std::vector<MechanismNumber> numbers);

}  // namespace invar
