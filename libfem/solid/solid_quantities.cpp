#include "libfem/solid/solid_quantities.hpp"

#include <algorithm>

#include "libfem/form/at_nodes.hpp"
#include "libfem/objective/image_data.hpp"
#include "libfem/objective/number_value.hpp"
#include "libfem/objective/place_observable.hpp"
#include "libfem/objective/quotient.hpp"
#include "libfem/objective/reaction.hpp"
#include "libfem/objective/weighted_sum.hpp"
#include "libfem/solid/displacement_measures.hpp"
#include "libfem/solid/dynamic_forms.hpp"
#include "libfem/solid/mass_moment.hpp"
#include "libfem/solid/stress_quantities.hpp"

namespace invar {
namespace {

using Scalar = std::shared_ptr<Observable>;
using Entry = QuantityEntry<SolidQuantityCase>;

// ---- forces and loads -------------------------------------------------------------------------------

Scalar make_reaction(const SolidQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  if (c.axisymmetric && v.has("axis")) {
    mistakes.add("axis", "the moments on an axisymmetric body add up to zero", "ask for the force along the axis: 'direction: [0, 1]'");
    return nullptr;
  }
  const double coefficient = v.number("coefficient");
  const auto of = v.text("of") == "surface" ? Reaction::Of::surface : Reaction::Of::supports;
  if (v.has("direction")) {
    std::vector<double> scaled = v.numbers("direction");
    for (double& d : scaled) d *= coefficient;
    auto force = Reaction::force(c.residual, v.text("region"), scaled, of);
    if (c.supports) c.supports->push_back(force->motion(1));
    return force;
  }
  const bool finite = std::ranges::any_of(c.parts, [](const auto& part) { return part.material && part.material->finite_strain(); });
  auto moment = Reaction::moment(c.residual, v.text("region"), v.vector("point"), v.vector("axis"), of, {},
                                 finite ? Reaction::Arms::deformed : Reaction::Arms::undeformed);
  if (c.supports) c.supports->push_back(moment->motion(coefficient));
  return std::make_shared<WeightedSum>(std::move(moment), std::vector<double>{coefficient});
}

Entry reaction_quantity() {
  using enum EntryParameter::Kind;
  return {.name = "reaction",
          .doc = "Solid: force or moment that the supports of a region exert on the body. At nodes shared by facet regions each region has the force of its own traction, so that reactions of parts add up to that of the whole; for regions of cells, curves or points it is the force at their nodes. Forces that ties, tendons and rigid parts transmit to supported nodes are included; do not add reactions of regions whose nodes follow these supports.",
          .parameters = {{.key = "region", .kind = any_region, .doc = "region of the support"},
                         {.key = "direction", .kind = direction, .doc = "of the force; its length scales the result", .may_be_left_out = true},
                         {.key = "axis",
                          .kind = numbers,
                          .doc = "of the moment (in the plane: [0, 0, 1]), in which forces act at deformed positions; at small strain, and for what ties, tendons and rigid parts transmit, at undeformed ones",
                          .may_be_left_out = true,
                          .least = 3,
                          .most = 3},
                         {.key = "point",
                          .kind = numbers,
                          .unit = "m",
                          .doc = "on the axis of the moment",
                          .default_value = std::vector{0.0, 0.0, 0.0},
                          .least = 3,
                          .most = 3},
                         {.key = "of",
                          .kind = word,
                          .doc = "which forces; only facet regions have a surface",
                          .default_text = "supports",
                          .words = {{"supports", "the force of the support, without loads"},
                                    {"surface", "all forces that act there, including loads, foundations and contact"}}},
                         {.key = "coefficient",
                          .doc = "multiplies the reaction, e.g. 1/A for a nominal stress",
                          .default_value = std::vector{1.0}}},
          .exactly_one_of = {"direction", "axis"},
          .make = &make_reaction};
}

Scalar make_load(const SolidQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  if (std::ranges::count(c.found_loads, c.control) > 0) return std::make_shared<NumberValue>(c.residual, c.control);
  std::string known;
  for (const int k : c.found_loads) known += (known.empty() ? "" : ", ") + c.residual->controls()[k].name;
  if (!c.finds_loads)
    mistakes.add("", "'load' is the unknown load of a path, and here all loads are given",
                 "give 'time' a 'control': a quantity, or arc_length");
  else mistakes.add("variable", "there is no unknown load '" + v.text("variable") + "'", "unknown loads: " + known);
  return nullptr;
}

Entry load_quantity() {
  return {.name = "load",
          .doc = "Solid along a path with an unknown load factor (`time.control`): the resulting value of a number of this spec.",
          .parameters = {{.key = "variable", .kind = EntryParameter::Kind::variable, .doc = "its path, e.g. loads.inner.p"}},
          .make = &make_load};
}

// ---- energies -----------------------------------------------------------------------------------------

Scalar make_kinetic(const SolidQuantityCase& c, const EntryValues&, EntryMistakes& mistakes) {
  if (!c.in_time) {
    mistakes.add("", "a solid has kinetic energy in processes in time only", "give 'time' a 'scheme'");
    return nullptr;
  }
  std::vector<int> forms;
  for (const SolidQuantityCase::Part& part : c.parts) {
    CellBatches cells = c.cells(part.region, 4);
    if (c.lumped_mass) cells = at_nodes(std::move(cells));
    forms.push_back(c.residual->add_functional(make_kinetic_energy(c.kind, std::move(cells)), {part.density}));
  }
  return c.sum_of(forms);
}

Scalar make_stored_energy(const SolidQuantityCase& c, const EntryValues&, EntryMistakes& mistakes) {
  if (std::ranges::any_of(c.parts, &SolidQuantityCase::Part::has_history)) refuse_history(mistakes, "elastic energy");
  return c.sum_of(c.stored_energy_forms);
}

Scalar make_compliance(const SolidQuantityCase& c, const EntryValues&, EntryMistakes& mistakes) {
  if (c.dead_load_forms.empty()) mistakes.add("", "the case has no dead loads whose work could be minimised");
  return c.sum_of(c.dead_load_forms, -1);  // the potential of the loads is −work
}

// ---- means over the body ------------------------------------------------------------------------------

Scalar make_mean_displacement(const SolidQuantityCase& c, const EntryValues& v, EntryMistakes&) {
  const std::string& region = v.text("region");
  const bool facets = c.names_facets(region);
  const auto domain = [&] { return facets ? c.facets(region) : c.cells(region); };
  std::vector<ControlledValue> along;  // the work of a unit dead load is the required mean
  for (int i = 0; i < c.dim(); ++i) along.push_back(c.fixed(i == v.integer("component") ? 1 : 0));
  const int moment = c.residual->add_functional(facets ? make_traction(c.kind, domain()) : make_body_force(c.kind, domain()), along),
            size = c.residual->add_functional(make_mass_moment(-1, facets ? c.dim() - 1 : c.dim(), c.axisymmetric, domain()),
                                              {c.fixed(1), c.fixed(1)});
  return make_quotient(c.sum_of({moment}, -1), c.sum_of({size}));
}

Entry mean_displacement_quantity() {
  using enum EntryParameter::Kind;
  return {.name = "mean_displacement",
          .doc = "Solid: a component of the displacement averaged over an undeformed region.",
          .parameters = {{.key = "region", .kind = body_region, .doc = "facet or cell region, or 'all'"},
                         {.key = "component", .kind = axis, .doc = "which"}},
          .make = &make_mean_displacement};
}

/// 1 in the cells of a region, else 0, [cell of the rank].
std::vector<double> indicator(const Mesh& mesh, const std::string& name) {
  std::vector<double> inside;
  const Region* region = mesh.find_region(name);
  for (std::size_t b = 0; b < mesh.cells.size(); ++b) {
    const std::size_t first = inside.size();
    inside.resize(first + mesh.cells[b].count(), 0.0);
    if (region && b < region->members.size())
      for (const int cell : region->members[b]) inside[first + cell] = 1;
  }
  return inside;
}

/// A density and its domain: the parts of the body in a region. Constant without inertia.
struct Mass {
  CellBatches domain;
  int ref_dim;
  ControlledValue density, share;
};

/// For cells the densities of their parts; for facets the area.
std::vector<Mass> masses(const SolidQuantityCase& c, const std::string& region) {
  if (c.names_facets(region)) return {{c.facets(region), c.dim() - 1, c.fixed(1), c.fixed(1)}};
  const bool is_part = std::ranges::any_of(c.parts, [&](const SolidQuantityCase::Part& p) { return p.region == region; });
  std::vector<Mass> all;
  for (const SolidQuantityCase::Part& part : c.parts) {
    if (is_part && part.region != region) continue;
    const bool whole = is_part || region == "all" || part.region.empty();
    const auto share = [&]() -> ControlledValue {
      if (whole) return c.fixed(1);
      return {c.residual->add_control({"", "", ControlLayout::cells}, indicator(c.mesh(), part.region)), {}};
    };
    const ControlledValue density = part.density.control < 0 ? c.fixed(1) : part.density;
    all.push_back({c.cells(region == "all" ? part.region : region), c.dim(), density, share()});
  }
  return all;
}

Scalar make_centre_of_mass(const SolidQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  const int axis = v.integer("component");
  if (c.axisymmetric && axis == 0) {
    mistakes.add("component", "the centre of mass of an axisymmetric body is on its axis: only y is available");
    return nullptr;
  }
  std::vector<int> moments, totals;
  for (Mass& m : masses(c, v.text("region"))) {
    moments.push_back(c.residual->add_functional(make_mass_moment(axis, m.ref_dim, c.axisymmetric, m.domain), {m.density, m.share}));
    totals.push_back(c.residual->add_functional(make_mass_moment(-1, m.ref_dim, c.axisymmetric, std::move(m.domain)), {m.density, m.share}));
  }
  return make_quotient(c.sum_of(moments), c.sum_of(totals));
}

}  // namespace

void refuse_history(EntryMistakes& mistakes, const std::string& what) {
  mistakes.add("", "the " + what + " of a material with 'relaxation' or 'plasticity' depends on the history, and is not available as a quantity");
}

std::span<const QuantityEntry<SolidQuantityCase>> solid_quantities() {
  static const Entry entries[] = {
      load_quantity(),
      mean_displacement_quantity(),
      reaction_quantity(),
      {.name = "kinetic_energy", .doc = "∫ ρ/2 |v|², v the velocity; of solids in time. Loads of type mass and masses given to rigid parts do not count.", .make = &make_kinetic},
      {.name = "stored_energy", .doc = "Solid: elastic energy.", .make = &make_stored_energy},
      // The largest value of −2 × potential energy over all states, each a convex function of the density (Svanberg, On the convexity and
      // concavity of compliances, 1994).
      {.name = "compliance", .doc = "Solid: work of the dead loads.", .make = &make_compliance, .in_density = InDensity::convex},
      stress_norm_quantity(),
      stress_ks_quantity(),
      stress_limit_quantity(),
  };
  return entries;
}

std::span<const QuantityEntry<SolidQuantityCase>> body_quantities() {
  static const Entry entries[] = {stress_norm_quantity(), stress_ks_quantity()};
  return entries;
}

std::span<const ReportEntry<SolidQuantityCase>> body_reports() {
  static const ReportEntry<SolidQuantityCase> entries[] = {peak_stress_report()};
  return entries;
}

std::span<const DataEntry<QuantityCase>> solid_data() {
  static const DataEntry<QuantityCase> entries[] = {
      displacement_field_data(),
      image_data(),
  };
  return entries;
}

Entry centre_of_mass_quantity() {
  using enum EntryParameter::Kind;
  return {.name = "centroid",
          .doc = "A coordinate of the centre of mass of the deformed solid.",
          .parameters = {{.key = "component", .kind = axis, .doc = "which"},
                         {.key = "region", .kind = body_region, .doc = "cell or facet region, or 'all'", .default_text = "all"}},
          .make = &make_centre_of_mass};
}

std::shared_ptr<Observable> make_mean_square_displacement(const SolidQuantityCase& c) {
  const ControlledValue one = c.fixed(1);
  const int square = c.residual->add_functional(make_squared_displacement(c.kind, c.cells("all", 4)), {}),
            volume = c.residual->add_functional(make_mass_moment(-1, c.dim(), c.axisymmetric, c.cells("all", 4)), {one, one});
  return make_quotient(c.sum_of({square}), c.sum_of({volume}));
}

}  // namespace invar
