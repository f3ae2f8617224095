#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "apps/invar/problem/case_builder.hpp"
#include "apps/invar/problem/mechanism_parts.hpp"
#include "libfem/mechanism/joint.hpp"
#include "libfem/mechanism/rigid_body.hpp"
#include "libfem/mechanism/tied_equation.hpp"

namespace invar {

/// Builds the sections `rigid`, `joints` and `tendons` of a case.
class RigidBuilder : CaseBuilder {
 public:
  RigidBuilder(CaseModel& model, const CaseSections& sections, MechanismParts& parts, Diagnostics& diagnostics)
      : CaseBuilder(model, sections, model.numbers_grow, diagnostics), parts_(parts), dim_(model.mesh->dim) {}

  /// Bodies, their nodes, laws without multipliers. Sections that are null are not there.
  void build(const spec::Value* rigid, const spec::Value* joints, const spec::Value* tendons);
  /// Constraints with multipliers, after the elimination of ties.
  void constrain(const TiedEquation& tied, const Elimination& solved);
  /// Checks that every rigid part has support by joints, springs or attached parts, or in time inertia. Call after the equation is built.
  void check_free_motions(const TiedEquation& tied);

 private:
  /// A constraint to be created; `make` gets the number of its multiplier.
  struct Pending {
    std::string name;
    std::function<std::unique_ptr<MechanismTerm>(int multiplier)> make;
    const spec::Value* source = nullptr;  // null: orthonormality of a body, which joints may make redundant
    bool driven = false;                  // a number prescribes it
  };
  /// Those of a step, where there is contact without parts that have nodes: contact, which begins later, may hold them.
  std::vector<std::vector<double>> free_motions(const TiedEquation& tied, const StepTable& step) const;
  /// The first part that takes part in motions, null if none does: "'arm' can turn", and "; 'leg' can move, too".
  struct FreePart {
    const spec::Value* part = nullptr;
    std::string can_move, others;
  };
  FreePart free_part(const std::vector<std::vector<double>>& motions) const;
  void body(const spec::Value& record);
  void check_laws(const spec::Value& region);
  void check_moments(const spec::Value& record, const std::vector<MechanismNumber>& mass_and_moments);
  void initial_rates(const spec::Value& record, const RigidBody& body);
  /// At the start.
  double value_of(const MechanismNumber& n) const { return n.factor(model_.start) * residual_.control_values()[n.control][0]; }
  /// The rate of one of its unknowns.
  void begin_with(const RigidBody& body, int unknown, const MechanismNumber& rate) {
    rates_[unknown] = value_of(rate);
    if (const int velocity = body.velocity_of(unknown); velocity >= 0) parts_.mechanism->add_initial(Level::value, velocity, rate);
    else parts_.mechanism->add_initial(Level::rate, unknown, rate);
  }
  /// Warns of given initial velocities that violate a joint.
  void check_start(const MechanismTerm& constraint, const spec::Value& joint);
  void joint(const spec::Value& record);
  void tendon(const spec::Value& record);
  const RigidBody* body_named(const spec::Value& word);
  std::array<double, 3> vector_of(const spec::Value& list, bool unit);
  /// Its coordinates are numbers that may be designed, PATH.0 …. of_nodes: nodes are tied to the place.
  RestPlace place_of(const spec::Value& list, const std::string& path, bool of_nodes = false);
  /// Whether the number is designed, or determined by a trim.
  bool varies(const std::string& path) const;
  MechanismNumber number(const spec::Value& record, const std::string& path, const char* key, const char* unit, bool grows = true);
  /// Components of the space: displacements; in fluid-structure interaction velocities, elsewhere none.
  std::vector<int> displacement() const;
  std::vector<int> velocity() const;
  std::vector<int> components_named(const std::string& letter) const;
  bool in_flow() const;
  bool lies_in_bodies(const spec::Value& region);

  MechanismParts& parts_;
  int dim_;
  std::map<std::string, std::unique_ptr<RigidBody>> bodies_;
  std::map<int, double> rates_;  // given initial ones, by unknown
  std::vector<Pending> of_joints_, of_bodies_;
};

}  // namespace invar
