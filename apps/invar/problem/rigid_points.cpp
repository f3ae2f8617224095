// Places of rigid parts, joints and tendons.
#include <algorithm>
#include <cmath>

#include "apps/invar/physics/fsi_model.hpp"
#include "apps/invar/problem/rigid_builder.hpp"
#include "libfem/mechanism/tendon.hpp"
#include "libfem/mesh/region_flags.hpp"

namespace invar {

using spec::Value;

namespace {

/// Whether a value is this text, or contains it.
bool mentions(const Value& value, const std::string& text) {
  return ((value.is_text() || value.is_expression()) && value.text() == text) ||
         std::ranges::any_of(value.children, [&](const Value& child) { return mentions(child, text); });
}

}  // namespace

std::array<double, 3> RigidBuilder::vector_of(const Value& list, bool unit) {
  std::array<double, 3> v{};
  const std::vector<double> numbers = list.numbers();
  if (static_cast<int>(numbers.size()) != dim_) {
    diagnostics_.error(list.position, list.yaml_path, "the mesh has dimension " + std::to_string(dim_) + ": give as many numbers");
    return v;
  }
  std::copy(numbers.begin(), numbers.end(), v.begin());
  const double size = std::hypot(v[0], v[1], v[2]);
  if (unit && size == 0) diagnostics_.error(list.position, list.yaml_path, "a direction must not be zero");
  if (unit && size > 0)
    for (double& x : v) x /= size;
  return v;
}

bool RigidBuilder::varies(const std::string& path) const {
  for (const char* section : {"design", "trim"})
    if (const Value* at = sections_.find(section))
      for (const std::string& name : {path, "cases." + model_.name + "." + path})
        if (mentions(*at, name)) return true;
  return false;
}

RestPlace RigidBuilder::place_of(const Value& list, const std::string& path, bool of_nodes) {
  const std::size_t before = diagnostics_.size();
  RestPlace x(vector_of(list, false));
  if (diagnostics_.size() != before) return x;
  for (int i = 0; i < dim_; ++i) {
    const std::string name = path + "." + std::to_string(i);
    const int control = binder_.add_number(name, "m", list[i].range, x.start()[i]);
    if (varies(name)) x.let_follow(i, of_nodes ? MechanismNumber{.rest = parts_.rest->add_control(control)} : MechanismNumber{.control = control});
  }
  return x;
}

void RigidBuilder::tendon(const Value& record) {
  const std::size_t before = diagnostics_.size();
  const std::string path = "tendons." + record.key;
  std::vector<AttachedPoint> points;
  for (const Value& at : record["through"]) {
    const std::size_t k = points.size();
    points.push_back({place_of(at, path + ".through." + std::to_string(k))});
    if (k > 0 && points[k].at.start() == points[k - 1].at.start())
      diagnostics_.error(at.position, at.yaml_path, "this point of the tendon '" + record.key + "' is the one before it: between them there is no direction of a force", "leave it out");
  }
  if (points.size() < 2) diagnostics_.error(record["through"].position, record["through"].yaml_path, "a tendon needs at least two points");
  if (diagnostics_.size() != before) return;
  const int source = parts_.begin(record);
  PointSurroundings around{.rest = parts_.rest.get()};
  if (in_flow()) around.material = nodes_in(*model_.mesh, model_.as<FsiCase>()->material_regions());
  for (const auto& [name, body] : bodies_) around.bodies.push_back(body.get());
  auto wrong = attach_points(*model_.dofs, *parts_.mechanism, record.key, displacement(), parts_.first, source, points, parts_.constraints, around);
  if (!wrong && in_flow()) {
    std::vector<AttachedPoint> velocities = points;
    wrong = attach_points(*model_.dofs, *parts_.mechanism, record.key + ".v", velocity(), parts_.first, source, velocities, parts_.constraints, around);
    for (std::size_t k = 0; k < points.size(); ++k)
      for (int i = 0; i < dim_ && !points[k].body; ++i) parts_.mechanism->test_with(points[k].shift[i], velocities[k].shift[i]);
  }
  if (wrong) {
    diagnostics_.error(record["through"].position, record["through"].yaml_path, "the tendon '" + record.key + "' is not attached: " + *wrong);
    return;
  }
  if (record.has("tension")) {
    parts_.mechanism->add_term(cable_of_tension(points, dim_, {number(record, path, "tension", "N")}));
  } else if (record.has("length")) {
    of_joints_.push_back({record.key + ".tension", [points, dim = dim_, n = number(record, path, "length", "m", false)](int multiplier) {
                            return cable_of_length(points, dim, multiplier, {n});
                          }, &record, true});
  } else {
    if (points.size() != 2) diagnostics_.error(record["through"].position, record["through"].yaml_path, "a spring has two points");
    else parts_.mechanism->add_term(spring_between(points, dim_, {number(record, path, "stiffness", "N/m", false), number(record, path, "rest", "m", false), number(record, path, "damping", "N s/m", false)}));
  }
}

}  // namespace invar
