#include "libfem/contact/contact_quantities.hpp"

#include <algorithm>
#include <cmath>

#include "libfem/contact/contact_fields.hpp"
#include "libfem/contact/contact_forms.hpp"
#include "libfem/contact/contact_history.hpp"
#include "libfem/contact/contact_measures.hpp"
#include "libfem/objective/function_of.hpp"

namespace invar {
namespace {

using Scalar = std::shared_ptr<Observable>;
using ContactEntry = QuantityEntry<ContactQuantityCase>;
using Pair = ContactQuantityCase::Pair;

EntryParameter which_pair() { return {.key = "contact", .kind = EntryParameter::Kind::text, .doc = "name of an entry of the section `contact`"}; }

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

/// ∫ p |v_t| / (∫ p + F), F far below any relevant force, so the slip is 0 without contact.
Scalar make_slip(const ContactQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  const Pair* pair = pair_named(c, v, mistakes);
  if (!pair) return nullptr;
  if (!c.in_time) {
    mistakes.add("", "slip exists in processes in time only", "give 'time' a 'scheme'");
    return nullptr;
  }
  constexpr double least = 1e-9;
  const Controls& given = c.residual->control_values();
  const double force = least * given[pair->values[0].control][0] * std::pow(given[pair->values[1].control][0], c.dim() - 1);
  const Scalar power = c.integral(make_contact_slip(pair->finder, c.dofs), {pair->values[0], pair->values[1], c.fixed(v.number("smoothing"))});
  const Scalar thrust = c.integral(make_contact_thrust(pair->finder, c.dofs), {pair->values[0], pair->values[1]});
  return FunctionOf::make<2>({power, thrust}, [force](const auto& a) { return a[0] / (a[1] + force); });
}

/// The norm of 1/d with a high exponent, inverted; d̂ where nothing is nearer than d̂.
Scalar make_undeformed_gap(const ContactQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  const Pair* pair = pair_named(c, v, mistakes);
  if (!pair) return nullptr;
  const double within = v.number("within"), area = std::pow(within, c.axisymmetric ? 2 : c.dim() - 1);
  const Scalar sum = c.integral(make_undeformed_closeness(pair->finder, c.dofs), {c.fixed(1 / area), c.fixed(within)});
  return FunctionOf::make<1>({sum}, [within](const auto& a) { return within * pow(1 + a[0], -1.0 / closeness_power); });
}

Measurement make_smallest_gap(const ContactQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  const Pair* pair = pair_named(c, v, mistakes);
  if (!pair) return {};
  Measurement m;
  m.value = [c, pair = *pair](const EvaluationPoint& u) { return pair.finder->smallest_gap(surfaces_at(c, pair, u)); };
  return m;
}

Measurement make_greatest_pressure(const ContactQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  const Pair* pair = pair_named(c, v, mistakes);
  if (!pair) return {};
  Measurement m;
  m.value = [pair = *pair, dofs = c.dofs, residual = c.residual](const EvaluationPoint& u) {
    const LocalArray local(u);
    const double stiffness = residual->number(pair.values[0].control, u.given), d_hat = residual->number(pair.values[1].control, u.given);
    ContactFields fields(dofs->mesh(), d_hat);
    add_contact_fields(*pair.finder, dofs, local.data(), nullptr, residual->coordinates(u.given).data(), stiffness, d_hat, fields);
    double greatest = *std::ranges::max_element(fields.pressure);
    MPI_Allreduce(MPI_IN_PLACE, &greatest, 1, MPI_DOUBLE, MPI_MAX, dofs->comm());
    return greatest;
  };
  return m;
}

}  // namespace

std::span<const ContactEntry> contact_quantities() {
  using enum EntryParameter::Kind;
  static const ContactEntry entries[] = {
      {.name = "contact_force",
       .doc = "Solid: force of a contact on the first of its surfaces, with friction.",
       .parameters = {which_pair(), {.key = "direction", .kind = direction, .doc = "of the force; its length scales the result"}},
       .make = &make_force},
      {.name = "contact_moment",
       .doc = "Solid: moment of a contact's forces on the first of its surfaces, with deformed positions.",
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
                       .doc = "a fixed point on the axis",
                       .default_value = std::vector{0.0, 0.0, 0.0},
                       .least = 3,
                       .most = 3}},
       .make = &make_moment},
      {.name = "contact_area",
       .doc = "Solid: undeformed contact area: the integral of p²/(p² + P²), p the pressure, averaged over both surfaces.",
       .parameters = {which_pair(),
                      {.key = "pressure", .unit = "Pa", .doc = "P, to be chosen far below the pressures of interest", .lower = 0, .lower_open = true}},
       .make = &make_area},
      {.name = "friction_power",
       .doc = "Solid in time: power dissipated by the friction of a contact.",
       .parameters = {which_pair()},
       .make = &make_power},
      {.name = "slip",
       .doc = "Solid in time: slip speed of a contact, averaged with the pressure as weight: ∫ p |v_t| / ∫ p, v_t the tangential relative velocity. Its mean over a time interval, times the length of the interval, is the slip distance.",
       .parameters = {which_pair(),
                      {.key = "smoothing",
                       .unit = "m/s",
                       .doc = "ε: |v_t| is replaced by |v_t|²/√(|v_t|² + ε²), which reduces the weight of slower slip",
                       .default_value = std::vector{1e-5},
                       .lower = 0,
                       .lower_open = true}},
       .make = &make_slip},
      {.name = "undeformed_gap",
       .doc = "Solid: smallest distance between the undeformed surfaces of a contact, smoothed so that it is differentiable. As a constraint with `lower` it keeps a designed shape away from the other body: trials whose undeformed bodies overlap are rejected, and no search can know in which direction it would be free again.",
       .parameters = {which_pair(),
                      {.key = "within",
                       .unit = "m",
                       .doc = "R: only distances below it count, and it is the result where there are none; 5 to 10 times the wanted gap. A distance d between surfaces along a length R, in space over an area R², is d; along n times that it is d/n^(1/16)",
                       .lower = 0,
                       .lower_open = true}},
       .of_mesh = &always_of_mesh,
       .make = &make_undeformed_gap},
  };
  return entries;
}

std::span<const ReportEntry<ContactQuantityCase>> contact_reports() {
  static const ReportEntry<ContactQuantityCase> entries[] = {
      {.name = "smallest_gap",
       .doc = "Solid: smallest distance between the surfaces of a contact; the diagonal of the box around them, which is longer, if nothing of them faces each other, as on a flat surface that might touch itself.",
       .parameters = {which_pair()},
       .make = &make_smallest_gap},
      {.name = "greatest_pressure",
       .doc = "Solid: largest contact pressure, averaged around each node.",
       .parameters = {which_pair()},
       .make = &make_greatest_pressure},
  };
  return entries;
}

}  // namespace invar
