#include "libfem/contact/contact_quantities.hpp"

#include <algorithm>

#include "libfem/contact/contact_fields.hpp"
#include "libfem/contact/contact_forms.hpp"
#include "libfem/contact/surface_fields.hpp"

namespace invar {
namespace {

using Scalar = std::shared_ptr<Observable>;
using Entry = QuantityEntry<ContactQuantityCase>;
using Pair = ContactQuantityCase::Pair;

EntryParameter which_pair() { return {.key = "contact", .kind = EntryParameter::Kind::text, .doc = "its name in the section `contact`"}; }

const Pair* pair_named(const ContactQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  const auto found = std::ranges::find(c.pairs, v.text("contact"), &Pair::name);
  if (found != c.pairs.end()) return &*found;
  std::string known;
  for (const Pair& pair : c.pairs) known += (known.empty() ? "" : ", ") + pair.name;
  mistakes.add("contact", "no contact is called '" + v.text("contact") + "'",
               known.empty() ? "the case has no section `contact`" : "its contacts: " + known);
  return nullptr;
}

const Pair* pair_of_two_sides(const ContactQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  const Pair* pair = pair_named(c, v, mistakes);
  if (!pair || !pair->finder->surface().self) return pair;
  mistakes.add("contact", "the forces of a surface on itself add up to zero");
  return nullptr;
}

Scalar make_force(const ContactQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  const Pair* pair = pair_of_two_sides(c, v, mistakes);
  if (!pair) return nullptr;
  RigidVelocity along;
  const std::vector<double> direction = v.numbers("direction");
  std::ranges::copy(direction, along.constant.begin());
  return c.integral(make_contact_force(pair->finder, c.dofs, pair->friction, along), pair->values);
}

Scalar make_moment(const ContactQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  const Pair* pair = pair_of_two_sides(c, v, mistakes);
  if (!pair) return nullptr;
  if (c.axisymmetric) {
    mistakes.add("contact", "around the axis of an axisymmetric body moments add up to zero");
    return nullptr;
  }
  const RigidVelocity turn = RigidVelocity::about(v.vector("point"), v.vector("axis"), c.dofs->mesh().dim);
  return c.integral(make_contact_force(pair->finder, c.dofs, pair->friction, turn), pair->values);
}

Scalar make_area(const ContactQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  const Pair* pair = pair_named(c, v, mistakes);
  if (!pair) return nullptr;
  return c.integral(make_contact_area(pair->finder, c.dofs), {pair->values[0], pair->values[1], c.fixed(v.number("pressure"))});
}

Scalar make_power(const ContactQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  const Pair* pair = pair_named(c, v, mistakes);
  if (!pair) return nullptr;
  if (!pair->friction) {
    mistakes.add("contact", "the contact '" + pair->name + "' has no friction", "give it 'friction'");
    return nullptr;
  }
  return c.integral(make_friction_power(pair->finder, c.dofs), pair->values);
}

/// The surfaces of a pair in a state.
SurfacePosition position_of(const Pair& pair, const std::shared_ptr<const DofMap>& dofs, FormResidual& residual, const EvaluationPoint& u) {
  const SurfaceTransfer transfer(pair.finder->surface(), pair.finder->nodes(), dofs);
  const LocalArray local(u);
  SurfacePosition at;
  at.dim = dofs->mesh().dim;
  at.X = transfer.of_coordinates(residual.coordinates(u.given).data());
  at.u = transfer.of_unknown(local.data());
  return at;
}

Measurement make_smallest_gap(const ContactQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  const Pair* pair = pair_named(c, v, mistakes);
  if (!pair) return {};
  Measurement m;
  m.value = [pair = *pair, dofs = c.dofs, residual = c.residual](const EvaluationPoint& u) {
    return pair.finder->smallest_gap(position_of(pair, dofs, *residual, u));
  };
  return m;
}

Measurement make_greatest_pressure(const ContactQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  const Pair* pair = pair_named(c, v, mistakes);
  if (!pair) return {};
  Measurement m;
  m.value = [pair = *pair, dofs = c.dofs, residual = c.residual](const EvaluationPoint& u) {
    const LocalArray local(u);
    const double stiffness = residual->number(pair.values[0].control, u.given), d_hat = residual->number(pair.values[1].control, u.given);
    ContactFields fields{std::vector<double>(dofs->mesh().node_total(), 0.0), std::vector<double>(dofs->mesh().node_total(), d_hat)};
    add_contact_fields(*pair.finder, dofs, local.data(), residual->coordinates(u.given).data(), stiffness, d_hat, fields);
    double greatest = *std::ranges::max_element(fields.pressure);
    MPI_Allreduce(MPI_IN_PLACE, &greatest, 1, MPI_DOUBLE, MPI_MAX, dofs->comm());
    return greatest;
  };
  return m;
}

}  // namespace

std::span<const Entry> contact_quantities() {
  using enum EntryParameter::Kind;
  static const Entry entries[] = {
      {.name = "contact_force",
       .doc = "Solid: force of a contact on the first of its surfaces, with friction.",
       .parameters = {which_pair(), {.key = "direction", .kind = direction, .doc = "of the force; its length scales the result"}},
       .make = &make_force},
      {.name = "contact_moment",
       .doc = "Solid: moment of a contact's forces on the first of its surfaces, at their places in the deformed body.",
       .parameters = {which_pair(),
                      {.key = "axis",
                       .kind = numbers,
                       .doc = "of the moment (in the plane: [0, 0, 1])",
                       .default_value = std::vector{0.0, 0.0, 1.0},
                       .least = 3,
                       .most = 3},
                      {.key = "point",
                       .kind = numbers,
                       .unit = "m",
                       .doc = "on the axis, which stays where it is",
                       .default_value = std::vector{0.0, 0.0, 0.0},
                       .least = 3,
                       .most = 3}},
       .make = &make_moment},
      {.name = "contact_area",
       .doc = "Solid: undeformed area on which a contact presses: the integral of p²/(p² + P²), in the mean of both surfaces.",
       .parameters = {which_pair(),
                      {.key = "pressure", .unit = "Pa", .doc = "P, far below the pressures that matter", .lower = 0, .lower_open = true}},
       .make = &make_area},
      {.name = "friction_power",
       .doc = "Solid in time: what the friction of a contact dissipates per time.",
       .parameters = {which_pair()},
       .make = &make_power},
  };
  return entries;
}

std::span<const ReportEntry<ContactQuantityCase>> contact_reports() {
  static const ReportEntry<ContactQuantityCase> entries[] = {
      {.name = "smallest_gap",
       .doc = "Solid: the smallest distance between the surfaces of a contact.",
       .parameters = {which_pair()},
       .make = &make_smallest_gap},
      {.name = "greatest_pressure",
       .doc = "Solid: the largest of the mean pressures of a contact around nodes.",
       .parameters = {which_pair()},
       .make = &make_greatest_pressure},
  };
  return entries;
}

}  // namespace invar
