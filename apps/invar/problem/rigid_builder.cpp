#include "apps/invar/problem/rigid_builder.hpp"

#include <algorithm>
#include <cmath>

#include "apps/invar/physics/fsi_model.hpp"
#include "apps/invar/physics/physics.hpp"
#include "apps/invar/spec/did_you_mean.hpp"
#include "libfem/mechanism/constraint_rank.hpp"
#include "libfem/mechanism/region_ties.hpp"
#include "libfem/mesh/region_flags.hpp"
#include "libfluid/fsi/interface.hpp"

namespace invar {

using spec::Value;

void RigidBuilder::build(const Value* rigid, const Value* joints, const Value* tendons) {
  const std::size_t before = diagnostics_.size();
  for (const Value* section : {rigid, joints, tendons})
    if (section && static_cast<int>(displacement().size()) != dim_) {
      diagnostics_.error(section->key_position, section->yaml_path, "rigid parts, joints and tendons need displacements", "use physics 'solid' or 'fsi'");
      return;
    }
  const Value* kind = sections_.find("physics")->find("kind");
  if (rigid && kind && kind->text() == "axisymmetric")
    diagnostics_.error(rigid->key_position, rigid->yaml_path, "rigid parts are not available in axisymmetric problems, where the only rigid motion is a translation along the axis",
                       "use 'kind: spatial'");
  if (diagnostics_.size() != before) return;
  if (rigid)
    for (const Value& record : *rigid) body(record);
  if (diagnostics_.size() != before) return;
  if (joints)
    for (const Value& record : *joints) joint(record);
  if (tendons)
    for (const Value& record : *tendons) tendon(record);
}

std::vector<int> RigidBuilder::components_named(const std::string& letter) const {
  std::vector<int> all;
  for (int i = 0; i < dim_; ++i)
    if (const int c = model_.component(letter + "_" + axes[i]); c >= 0) all.push_back(c);
  return all;
}

std::vector<int> RigidBuilder::displacement() const { return components_named(model_.physics->motion().displacement); }

std::vector<int> RigidBuilder::velocity() const { return components_named(model_.physics->motion().velocity); }

bool RigidBuilder::in_flow() const { return model_.as<FsiCase>() != nullptr; }

MechanismNumber RigidBuilder::number(const Value& record, const std::string& path, const char* key, const char* unit, bool grows) {
  const ControlledValue value = grows ? bind(record, path, key, unit) : bind_constant(record, path, key, unit);
  if (value.varies_in_space)
    diagnostics_.error(record[key].position, record[key].yaml_path, "this number depends on t only, not on the position");
  MechanismNumber n{value.control, {}};
  if (value.shape)
    n.shape = [shape = value.shape](double t) {
      const double nowhere[3] = {};
      return shape(nowhere, t);
    };
  return n;
}

void RigidBuilder::body(const Value& record) {
  const std::string path = "rigid." + record.key;
  RestPlace centre;
  std::optional<RegionNodes> nodes;
  if (const Value* region = record.find("region")) {
    if (!check_region(*model_.mesh, region->text(), -1, *region, diagnostics_)) return;
    check_laws(*region);
    nodes = gather_region(*model_.dofs, region->text());
    centre = centre_in_shape(*nodes, *parts_.rest);
  }
  if (const Value* place = record.find("place")) centre = place_of(*place, path + ".place", nodes.has_value());
  const Value* mass = record.find("mass");
  for (const char* key : {"inertia", "inertia_y", "inertia_z"})
    if (const Value* v = record.find(key); v && !v->defaulted && dim_ == 2 && key != std::string("inertia"))
      diagnostics_.error(v->key_position, v->yaml_path, "the mesh is two-dimensional: rotation is about one axis", "use 'inertia'");
  int k = parts_.mechanism->size();
  auto made = std::make_unique<RigidBody>(*parts_.mechanism, record.key, dim_, centre, in_flow());
  for (; k < parts_.mechanism->size(); ++k) parts_.numbers[parts_.mechanism->name(k)] = k;
  if (in_flow() && !(nodes && lies_in_bodies(record["region"]))) parts_.mechanism->add_term(made->motion());
  if (nodes) {
    const int source = parts_.begin(record);
    made->tie_nodes(*nodes, displacement(), velocity(), parts_.first, source, parts_.constraints, parts_.rest.get());
  }
  if (mass && model_.march && (*sections_.find("time"))["inertia"].boolean()) {
    std::vector<MechanismNumber> numbers{number(record, path, "mass", "kg", false)};
    for (const char* key : {"inertia", "inertia_y", "inertia_z"})
      if (dim_ == 3 || key == std::string("inertia")) numbers.push_back(number(record, path, key, "kg m2", false));
    check_moments(record, numbers);
    parts_.mechanism->add_term(made->inertia(std::move(numbers)));
  }
  if (record.has("force_x") || record.has("force_y") || record.has("force_z")) {
    std::vector<MechanismNumber> numbers;
    for (const char* key : {"force_x", "force_y", "force_z"})
      if (static_cast<int>(numbers.size()) < dim_) numbers.push_back(number(record, path, key, "N"));
    parts_.mechanism->add_term(made->dead_force(std::move(numbers)));
  }
  if (const Value* damping = record.find("damping"); damping && !model_.march)
    diagnostics_.error(damping->key_position, damping->yaml_path, "dampers are for processes in time", "give 'time' a 'scheme'");
  if (record.has("stiffness") || record.has("damping"))
    parts_.mechanism->add_term(made->spring({number(record, path, "stiffness", "N/m", false), number(record, path, "damping", "N s/m", false)}));
  initial_rates(record, *made);
  for (int k = 0; k < made->orthogonality_count(); ++k)
    of_bodies_.push_back({record.key + ".rigid_" + std::to_string(k + 1), [k, of = made.get()](int multiplier) { return of->orthogonality(k, multiplier); }, nullptr});
  bodies_[record.key] = std::move(made);
}

/// Moments of inertia in space are those of a distribution of mass if each is at most the sum of the others.
void RigidBuilder::check_moments(const Value& record, const std::vector<MechanismNumber>& mass_and_moments) {
  double largest = 0, sum = 0;
  for (std::size_t k = 1; k < mass_and_moments.size(); ++k) {
    const double moment = value_of(mass_and_moments[k]);
    largest = std::max(largest, moment);
    sum += moment;
  }
  if (dim_ == 3 && largest > (1 + 1e-9) * (sum - largest))
    diagnostics_.error(record["inertia"].position, record.yaml_path, "no body has these moments of inertia: the largest exceeds the sum of the other two", "give 'inertia', 'inertia_y' and 'inertia_z'");
}

/// Refuses small-strain laws, for which rotations cause strain that would resist the motion of a rigid part.
void RigidBuilder::check_laws(const Value& region) {
  const Mesh& mesh = *model_.mesh;
  const Region& rigid = *mesh.find_region(region.text());
  if (rigid.dim != dim_) return;
  for (const Value& material : *sections_.find("materials")) {
    if (!model_.physics->resists_rotation(material.key)) continue;
    const Region* of_material = material["region"].text() == "all" ? nullptr : mesh.find_region(material["region"].text());
    int shared = !of_material;
    for (std::size_t b = 0; of_material && b < std::min(rigid.members.size(), of_material->members.size()); ++b)
      for (const int cell : rigid.members[b]) shared |= std::ranges::binary_search(of_material->members[b], cell);
    MPI_Allreduce(MPI_IN_PLACE, &shared, 1, MPI_INT, MPI_MAX, model_.dofs->comm());
    if (shared)
      diagnostics_.error(region.position, region.yaml_path,
                         "cells of '" + region.text() + "' have the law '" + material["model"].text() + "', for which a rotation causes strain", "use neo_hookean there");
  }
}

/// For a part in a flow: whether all its nodes belong to bodies, whose displacement rows relate displacement and velocity.
/// Otherwise it must be a piece of the fluid's surface, because within the fluid these rows are those of the mesh.
bool RigidBuilder::lies_in_bodies(const Value& region) {
  const FsiCase& fsi = *model_.as<FsiCase>();
  const Region& part = *model_.mesh->find_region(region.text());
  const std::vector<char> inside = nodes_in(*model_.mesh, fsi.body_regions());
  int within = std::ranges::all_of(part.nodes, [&](int node) { return inside[node] != 0; });
  MPI_Allreduce(MPI_IN_PLACE, &within, 1, MPI_INT, MPI_MIN, model_.dofs->comm());
  const bool is_surface = part.dim == dim_ - 1 && !behind_facets(*model_.mesh, fsi.fluid.region, fsi.body_regions(), part).within;
  if (!within && !is_surface)
    diagnostics_.error(region.position, region.yaml_path, "the rigid part '" + region.text() + "' reaches into the fluid",
                       "name cells or facets of a body, or facets that bound the fluid: the surface of a part without cells");
  return within;
}

/// Initial velocity of its centre and angular velocity: ċ = v, Ȧ = ω ×.
void RigidBuilder::initial_rates(const Value& record, const RigidBody& body) {
  const std::string path = "rigid." + record.key;
  constexpr const char *velocities[] = {"velocity_x", "velocity_y", "velocity_z"}, *spins[] = {"spin_x", "spin_y", "spin_z"};
  for (int i = 0; i < 3; ++i)
    for (const char* key : {velocities[i], spins[i]}) {
      const Value* v = record.find(key);
      if (!v) continue;
      const bool turns = key == spins[i];
      if (!model_.march) {
        diagnostics_.error(v->key_position, v->yaml_path, "velocities exist in processes in time only", "give 'time' a 'scheme'");
      } else if (turns ? dim_ == 2 && i < 2 : i >= dim_) {
        diagnostics_.error(v->key_position, v->yaml_path, "the mesh is two-dimensional: use velocity_x, velocity_y and spin_z");
      } else if (!turns) {
        begin_with(body, body.shift(i), number(record, path, key, "m/s", false));
      } else {
        const MechanismNumber rate = number(record, path, key, "rad/s", false);
        const int j = (i + 1) % 3, k = (i + 2) % 3;  // (e_i ×) turns e_j to e_k
        MechanismNumber back = rate;
        back.shape = [rate](double t) { return -rate.factor(t); };
        begin_with(body, body.turn(k, j), rate);
        begin_with(body, body.turn(j, k), back);
      }
    }
}

const RigidBody* RigidBuilder::body_named(const Value& word) {
  if (word.text() == "ground") return nullptr;
  if (const auto found = bodies_.find(word.text()); found != bodies_.end()) return found->second.get();
  std::vector<std::string> names{"ground"};
  std::string known = "ground";
  for (const auto& [name, made] : bodies_) names.push_back(name), known += ", " + name;
  diagnostics_.error(word.position, word.yaml_path, "there is no rigid part '" + word.text() + "'" + did_you_mean(word.text(), names), "there are: " + known);
  return nullptr;
}

void RigidBuilder::joint(const Value& record) {
  const std::size_t before = diagnostics_.size();
  const std::string path = "joints." + record.key, type = record["type"].text();
  Joint made{type == "ball" ? JointKind::ball : type == "hinge" ? JointKind::hinge : type == "weld" ? JointKind::weld : JointKind::slider,
             {body_named(record["between"][0]), body_named(record["between"][1])}, place_of(record["at"], path + ".at"), {}};
  if (!made.bodies[0] && diagnostics_.size() == before)
    diagnostics_.error(record["between"].position, record["between"].yaml_path, "the first of a joint is a rigid part, the second may be 'ground'");
  if (made.bodies[0] && made.bodies[0] == made.bodies[1])
    diagnostics_.error(record["between"].position, record["between"].yaml_path, "a joint is between two different parts");
  const bool needs_axis = made.kind == JointKind::slider || (made.kind == JointKind::hinge && dim_ == 3);
  if (const Value* axis = record.find("axis"); axis && needs_axis) made.axis = vector_of(*axis, true);
  else if (needs_axis) diagnostics_.error(record.position, record.yaml_path, "'axis' is missing: the direction of a slider, or the rotation axis of a hinge in space");
  else if (axis) diagnostics_.error(axis->key_position, axis->yaml_path, "this joint has no axis");
  if (diagnostics_.size() != before) return;
  for (JointConstraint& c : constraints_of(made))
    of_joints_.push_back({record.key + "." + c.key, [make = c.make, map = std::move(c.map)](int multiplier) { return make(map, multiplier); }, &record});
  const bool turns = made.kind == JointKind::hinge || (made.kind == JointKind::ball && dim_ == 2);
  for (const char* key : {"stiffness", "damping", "torque", "angle"})
    if (const Value* v = record.find(key); v && !turns)
      diagnostics_.error(v->key_position, v->yaml_path, "only a hinge has a rotation axis", "use type 'hinge'");
  if (!turns) return;
  if (record.has("stiffness"))
    parts_.mechanism->add_term(torsion_spring(made, {number(record, path, "stiffness", "N m/rad", false), number(record, path, "rest", "rad", false)}));
  if (record.has("damping")) parts_.mechanism->add_term(torsion_damper(made, {number(record, path, "damping", "N m s/rad", false)}));
  if (record.has("torque")) parts_.mechanism->add_term(joint_torque(made, {number(record, path, "torque", "N m")}));
  if (record.has("angle"))
    of_joints_.push_back({record.key + ".torque", [made, n = number(record, path, "angle", "rad")](int multiplier) { return joint_motor(made, multiplier, {n}); }, &record, true});
}

void RigidBuilder::check_free_motions(const TiedEquation& tied) {
  if (!sections_.find("rigid") || model_.path) return;
  if (!model_.march) {
    std::vector<std::vector<double>> motions;
    for (const double t : model_.times) {  // a stiffness that is zero at one of them may support the part at others
      StepTable load;
      load.equation[Level::value].unknown = 1;
      load.time = load.end = t;
      if (motions = free_motions(tied, load); motions.empty()) return;
    }
    if (const FreePart found = free_part(motions); found.part)
      diagnostics_.error(found.part->key_position, found.part->yaml_path, "the mechanism has too few joints: in statics, " + found.can_move + " without resistance" + found.others,
                         "add a joint, or a spring by 'stiffness'; or solve in time, where parts with a mass are free to move");
    return;
  }
  const bool inertia = (*sections_.find("time"))["inertia"].boolean();
  const auto has_mass = [&](const Value& part) {
    const Value* region = part.find("region");
    return region && model_.mesh->find_region(region->text())->dim >= dim_ - 1;  // of its cells, or of those beside its surface
  };
  if (inertia && std::ranges::all_of(*sections_.find("rigid"), has_mass)) return;
  const TimeScheme& scheme = model_.march->scheme;
  const double first = model_.times[1] - model_.start;
  if (const FreePart found = free_part(free_motions(tied, scheme.step(model_.start, first, 0))); found.part)
    diagnostics_.error(found.part->key_position, found.part->yaml_path,
                       "the mechanism has too few joints: " + found.can_move + (inertia ? " without resistance or inertia" : " without resistance, and 'inertia: false' omits masses") + found.others,
                       std::string("add a joint, a spring by 'stiffness' or a damper") + (inertia ? ", or give it 'mass' and 'inertia'" : ""));
  else if (scheme.needs_start() && !model_.march->from_equilibrium)
    if (const FreePart slow = free_part(free_motions(tied, scheme.start(model_.start, first))); slow.part)
      diagnostics_.warning(slow.part->key_position, slow.can_move + " without inertia" + slow.others + ": where forces act at the start, the initial acceleration cannot be found; "
                                                    "give it 'mass' and 'inertia', or use bdf2, which does not need this acceleration");
}

std::vector<std::vector<double>> RigidBuilder::free_motions(const TiedEquation& tied, const StepTable& step) const {
  std::vector<std::vector<double>> motions = tied.free_motions(step);
  const auto may_be_held = [&](const std::vector<double>& motion) {
    return std::ranges::any_of(*sections_.find("rigid"), [&](const Value& part) { return part.has("region") && !bodies_.at(part.key)->described({motion}).empty(); });
  };
  if (sections_.find("contact")) std::erase_if(motions, may_be_held);
  return motions;
}

RigidBuilder::FreePart RigidBuilder::free_part(const std::vector<std::vector<double>>& motions) const {
  FreePart found;
  std::string others;
  for (const Value& record : *sections_.find("rigid")) {
    const std::string motion = bodies_.at(record.key)->described(motions);
    if (motion.empty()) continue;
    if (found.part) others += (others.empty() ? "" : ", ") + ("'" + record.key + "'");
    else found.part = &record, found.can_move = "'" + record.key + "' can " + motion;
  }
  if (!others.empty()) found.others = "; " + others + " can move, too";
  return found;
}

void RigidBuilder::check_start(const MechanismTerm& constraint, const Value& joint) {
  constexpr double few_digits = 1e-3;  // of numbers as users write them
  const ConstraintRate rate = rate_at_rest(constraint, rates_);
  if (std::abs(rate.value) > few_digits * rate.size)
    diagnostics_.warning(joint.key_position, "the initial velocities of rigid parts violate the joint '" + joint.key + "', which changes them by an impulse in the first step; a part that turns about a "
                                             "point p begins with 'velocity_…' = ω × (centre − p) and 'spin_…' = ω, and without these keys at rest");
}

void RigidBuilder::constrain(const TiedEquation& tied, const Elimination& solved) {
  if (const Value* time = sections_.find("time"); model_.march && model_.march->scheme.stages() > 1 && !(of_joints_.empty() && of_bodies_.empty())) {
    diagnostics_.error((*time)["scheme"].position, (*time)["scheme"].yaml_path,
                       "'" + (*time)["scheme"].text() + "' is only first-order accurate with constrained rigid parts",
                       physics_of(model_.physics_word).time_order(*time) == 2 ? "use midpoint, generalised_alpha, newmark or bdf2" : "use generalised_alpha or bdf2");
    return;
  }
  const std::vector<std::map<int, double>> prescribed = tied.prescribed();
  for (const auto& [name, body] : bodies_)
    if (!std::ranges::all_of(prescribed, [&](const auto& known) { return body->may_turn(known); })) {
      const Value& record = (*sections_.find("rigid"))[name.c_str()];
      diagnostics_.error(record.key_position, record.yaml_path, "the values that 'boundary' prescribes at nodes of the rigid part '" + name + "' strain it",
                         "prescribe those of a rigid motion, or remove its nodes from the region");
      return;
    }
  ConstraintRank rank(solved.ties, [&](PetscInt unknown) { return tied.is_held(unknown); }, parts_.first);
  for (const std::vector<Pending>* list : {&of_joints_, &of_bodies_})
    for (const Pending& pending : *list) {
      const int multiplier = parts_.mechanism->size();
      std::unique_ptr<MechanismTerm> term = pending.make(multiplier);
      if (!rank.add(*term)) {
        if (!pending.source) continue;  // implied by joints
        diagnostics_.error(pending.source->key_position, pending.source->yaml_path,
                           "the mechanism has too many joints: '" + pending.name + "' is redundant: other joints or 'boundary' already constrain this motion",
                           "remove one of them, or use a ball or a slider in place of a hinge or a weld");
        return;
      }
      if (pending.source && !pending.driven) check_start(*term, *pending.source);
      parts_.mechanism->add_unknown(pending.name, true);
      parts_.mechanism->add_term(std::move(term));
      if (pending.source) parts_.numbers[pending.name] = multiplier;
    }
}

}  // namespace invar
