#pragma once
#include <array>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "libadjoint/constraint/tie_elimination.hpp"
#include "libfem/mechanism/affine_number.hpp"
#include "libfem/mechanism/mechanism_term.hpp"
#include "libfem/mechanism/region_nodes.hpp"
#include "libfem/mechanism/rest_place.hpp"

namespace invar {

class Mechanism;
class RestNumbers;

/// A rigid body in director coordinates (P. Betsch, P. Steinmann, Multibody Syst. Dyn. 6, 2001): a point X moves to x = X̄ + c + A (X −
/// X̄), with the unknown displacement c of the centre and A = 1 + q. Positions are linear in the unknowns, as time schemes require;
/// multipliers enforce AᵀA = 1.
class RigidBody {
 public:
  /// Adds its unknowns, NAME.x … and NAME.xx …, to the mechanism. dim: of space. with_velocities: for equations with velocities among their
  /// unknowns; the velocities of c and A are then unknowns too (NAME.v_x …), and forces are added to their rows. The relation between
  /// velocities and rates comes from the displacement rows of nodes in cells, or from `motion`.
  RigidBody(Mechanism& mechanism, std::string name, int dim, const RestPlace& centre, bool with_velocities = false);

  const std::string& name() const { return name_; }
  int dim() const { return dim_; }
  /// Coordinate along an axis of the point that is at X at rest; for vectors that rotate with the body their component.
  AffineNumber place(const RestPlace& X, int axis) const;
  AffineNumber turned(const std::array<double, 3>& vector, int axis) const;
  int shift(int axis) const { return shift_[axis]; }
  /// The unknown q_ij.
  int turn(int i, int j) const { return turn_[i][j]; }
  /// The velocity unknown of one of these; −1: none.
  int velocity_of(int unknown) const { return has_velocities_ ? unknown + dim_ * (dim_ + 1) : -1; }

  /// Orthonormality constraints, dim (dim + 1)/2: the numbers of which the k-th is a function.
  int orthogonality_count() const { return dim_ * (dim_ + 1) / 2; }
  std::unique_ptr<MechanismTerm> orthogonality(int k, int multiplier) const;
  /// Whether a rotation A can have these entries: rows and columns of which all entries are known must be orthonormal. known: values by
  /// unknowns of the mechanism.
  bool may_turn(const std::map<int, double>& known) const;
  /// Velocities equal the rates of c and A; for bodies without cells.
  std::unique_ptr<MechanismTerm> motion() const;
  /// Inertia of a body without cells. numbers: its mass [kg], then moments of inertia about its centre [kg m²]: one in the
  /// plane (per unit depth), three about the axes in space.
  std::unique_ptr<MechanismTerm> inertia(std::vector<MechanismNumber> numbers) const;
  /// A dead force at its centre, one number per axis [N].
  std::unique_ptr<MechanismTerm> dead_force(std::vector<MechanismNumber> numbers) const;
  /// Isotropic spring and damper that hold its centre at its initial position. numbers: stiffness [N/m], damping [N s/m].
  std::unique_ptr<MechanismTerm> spring(std::vector<MechanismNumber> numbers) const;
  /// How the body moves in the given motions, as the end of "it can …": "turn about (1, 2)". motions: independent ones, each by the
  /// mechanism's unknowns. Empty if the body does not move.
  std::string described(const std::vector<std::vector<double>>& motions) const;
  /// Ties nodes to the body. first: global number of the mechanism's first unknown; velocity: its components, empty if velocities are no
  /// unknowns. rest: receives the nodes' coordinates if the shape is designed; null: it is not, and the centre is fixed.
  void tie_nodes(const RegionNodes& nodes, const std::vector<int>& displacement, const std::vector<int>& velocity, PetscInt first, int source,
                 std::vector<LinearConstraint>& out, RestNumbers* rest = nullptr);
  /// Whether these nodes, by their positions in the serial mesh, are tied to it; after `tie_nodes`.
  bool has_nodes(const std::vector<long long>& originals) const;

 private:
  std::vector<int> places() const;  // unknowns of c, then of A by rows
  AffineMap centre() const;

  std::string name_;
  int dim_;
  bool has_velocities_;
  RestPlace centre_;
  std::set<long long> nodes_;  // tied ones
  std::array<int, 3> shift_{-1, -1, -1};
  std::array<std::array<int, 3>, 3> turn_;  // of q
};

}  // namespace invar
