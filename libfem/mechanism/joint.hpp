#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "libfem/mechanism/affine_number.hpp"
#include "libfem/mechanism/mechanism_term.hpp"

namespace invar {

class Mechanism;
class RigidBody;

/// A joint at a point: what of the relative motion of two rigid bodies, or of one and the ground, it takes away. In the
/// plane a ball is a hinge.
enum class JointKind { ball, hinge, weld, slider };

/// Two bodies, the second null: the ground; where they meet at rest; the axis that a hinge turns about, or a slider runs
/// along (unit vector; in the plane of a hinge none).
struct Joint {
  JointKind kind = JointKind::ball;
  std::array<const RigidBody*, 2> bodies{};
  std::array<double, 3> at{}, axis{};
};

/// A scalar constraint of a joint, with its name and its force's meaning.
struct JointConstraint {
  std::string key;  // x, y, z: the force along an axis that the second body exerts on the first; others: couples
  std::unique_ptr<MechanismTerm> (*make)(const AffineMap& map, int multiplier);
  AffineMap map;
};
std::vector<JointConstraint> constraints_of(const Joint& joint);

/// The angle by which the first body has turned against the second about the joint's axis: the numbers that it is made of.
/// Two unit vectors across the axis, then the axis, as they have moved.
AffineMap angle_of(const Joint& joint);

// Drives and resistances about that axis. numbers: stiffness [N m/rad] and angle at rest; damping [N m s/rad]; torque on
// the first body [N m]; prescribed angle [rad], whose multiplier is the torque.
std::unique_ptr<MechanismTerm> torsion_spring(const Joint& joint, std::vector<MechanismNumber> numbers);
std::unique_ptr<MechanismTerm> torsion_damper(const Joint& joint, std::vector<MechanismNumber> numbers);
std::unique_ptr<MechanismTerm> joint_torque(const Joint& joint, std::vector<MechanismNumber> numbers);
std::unique_ptr<MechanismTerm> joint_motor(const Joint& joint, int multiplier, std::vector<MechanismNumber> numbers);

}  // namespace invar
