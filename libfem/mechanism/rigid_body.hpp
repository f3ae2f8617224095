#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/constraint/tie_elimination.hpp"
#include "libfem/mechanism/affine_number.hpp"
#include "libfem/mechanism/mechanism_term.hpp"
#include "libfem/mechanism/region_nodes.hpp"

namespace invar {

class Mechanism;

/// A rigid part by director coordinates (P. Betsch, P. Steinmann, Multibody Syst. Dyn. 6, 2001): a point at X goes to
/// x = X̄ + c + A (X − X̄), with the centre's displacement c and A = 1 + q as unknowns, which are linear in what time
/// schemes combine; AᵀA = 1 holds by multipliers.
class RigidBody {
 public:
  /// Adds its unknowns, NAME.x … and NAME.xx …, to the mechanism. dim: of space. with_velocities: of an equation that has velocities
  /// among its unknowns; those of c and A are unknowns, too (NAME.v_x …), and forces stand in their rows. That they are the rates
  /// is what the rows of the displacements of nodes in cells say, else `motion`.
  RigidBody(Mechanism& mechanism, std::string name, int dim, const std::array<double, 3>& centre, bool with_velocities = false);

  const std::string& name() const { return name_; }
  int dim() const { return dim_; }
  /// The place along an axis of the point that is at X at rest; of a vector that turns with the body its component.
  AffineNumber place(const std::array<double, 3>& X, int axis) const;
  AffineNumber turned(const std::array<double, 3>& vector, int axis) const;
  int shift(int axis) const { return shift_[axis]; }
  /// The unknown q_ij.
  int turn(int i, int j) const { return turn_[i][j]; }
  /// The unknown velocity of one of these; −1: there is none.
  int velocity_of(int unknown) const { return has_velocities_ ? unknown + dim_ * (dim_ + 1) : -1; }

  /// Its orthogonality, dim (dim + 1)/2 constraints: the numbers that the k-th is a function of.
  int orthogonality_count() const { return dim_ * (dim_ + 1) / 2; }
  std::unique_ptr<MechanismTerm> orthogonality(int k, int multiplier) const;
  /// That velocities are the rates of c and A, where no cells say it.
  std::unique_ptr<MechanismTerm> motion() const;
  /// Inertia of a body without cells. numbers: its mass [kg], then moments of inertia about its centre [kg m²]: one in the
  /// plane (per unit depth), three about the axes in space.
  std::unique_ptr<MechanismTerm> inertia(std::vector<MechanismNumber> numbers) const;
  /// A force at its centre that does not turn, one number for each axis [N].
  std::unique_ptr<MechanismTerm> dead_force(std::vector<MechanismNumber> numbers) const;
  /// Springs and dampers that hold its centre where it is at rest, alike along every axis. numbers: stiffness [N/m], damping [N s/m].
  std::unique_ptr<MechanismTerm> spring(std::vector<MechanismNumber> numbers) const;
  /// Nodes that move with it. first: global number of the mechanism's first unknown; velocity: its components, empty where they are
  /// no unknowns.
  void tie_nodes(const RegionNodes& nodes, const std::vector<int>& displacement, const std::vector<int>& velocity, PetscInt first, int source,
                 std::vector<LinearConstraint>& out) const;

 private:
  std::vector<int> places() const;  // the unknowns of c, then of A by rows
  AffineMap centre() const;

  std::string name_;
  int dim_;
  bool has_velocities_;
  std::array<double, 3> centre_;
  std::array<int, 3> shift_{-1, -1, -1};
  std::array<std::array<int, 3>, 3> turn_;  // of q
};

}  // namespace invar
