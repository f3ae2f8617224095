#include "apps/invar/physics/solid_tables.hpp"

#include <algorithm>
#include <array>

#include "apps/invar/physics/examples.hpp"
#include "apps/invar/physics/physics.hpp"
#include "apps/invar/physics/shared_tables.hpp"
#include "apps/invar/physics/solid_builder.hpp"
#include "apps/invar/physics/term_table.hpp"
#include "apps/invar/problem/quantity_entries.hpp"
#include "libadjoint/number_text.hpp"
#include "libfem/contact/contact_parameters.hpp"
#include "libfem/contact/contact_quantities.hpp"
#include "libfem/solid/distributed_material.hpp"
#include "libfem/solid/integral_library.hpp"
#include "libfem/solid/load_library.hpp"
#include "libfem/solid/memory_forms.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/solid_device.hpp"
#include "libfem/solid/solid_quantities.hpp"
#include "libfem/solid/grown_material.hpp"
#include "libfem/solid/swollen_material.hpp"

namespace invar {

MaterialChoice law_of(const spec::Value& material, Formulation formulation) {
  MaterialChoice choice{.name = material["model"].text(), .formulation = formulation};
  if (material.has("terms")) choice.terms = static_cast<int>(material["terms"].integer());
  if (formulation == Formulation::compressible && material.has("volumetric"))
    for (const VolumetricLawName& v : volumetric_laws)
      if (v.name == material["volumetric"].text()) choice.volumetric = v.law;
  return choice;
}

std::span<const ParamSpec> plastic_parameters_of(std::string_view law) {
  const std::span<const ParamSpec> all(plastic_parameters);
  return plasticity_of(law) == PlasticStrain::finite ? all.first(all.size() - 1) : all;
}

namespace {

using namespace spec;

bool listed(std::span<const ParamSpec> specs, std::string_view key) {
  for (const ParamSpec& s : specs)
    if (s.key == key) return true;
  return false;
}

/// A law of solids: the constants of its compressible and of its incompressible form.
Table solid_law(std::string_view name) {
  const int terms = max_material_terms(name);
  Table law(std::string(name), std::string(material_doc(name)));
  if (terms > 1) law.defaulted("terms", integer().at_least(1).at_most(terms), "1", "number of terms");
  const auto compressible = material_parameters({name, Formulation::compressible, false, terms});
  const auto isochoric = material_parameters({name, Formulation::isochoric, false, terms});
  const Table all = parameters("", "", compressible), iso = parameters("", "", isochoric);
  for (const Table* t : {&all, &iso})
    for (const Table::Entry& e : t->entries()) {
      if (law.find(e.key)) continue;
      const bool in_both = listed(compressible, e.key) && listed(isochoric, e.key);
      std::string doc = e.doc;
      if (!in_both) doc += listed(compressible, e.key) ? " (compressible form)" : " (mixed formulation)";
      else if (const Table::Entry* other = iso.find(e.key); other->doc != e.doc) doc += "; in the mixed formulation: " + other->doc;
      if (e.default_text) law.defaulted(e.key, e.type, *e.default_text, doc);
      else law.optional(e.key, e.type, doc);
    }
  if (!law.find("bulk"))
    law.optional("bulk", number("Pa").above(0).or_infinite(), "bulk modulus (mixed formulation)");
  if (has_volumetric_law(name)) {
    std::vector<Type::Choice> laws;
    for (const VolumetricLawName& v : volumetric_laws) laws.push_back({std::string(v.name), std::string(v.doc)});
    law.defaulted("volumetric", choice(laws), std::string(volumetric_laws[0].name), "volumetric part of the energy (compressible form)");
  }
  const Table in_part = parameters("", "", std::array{swelling_parameter, material_share_parameter, finite_share_parameter});
  for (const Table::Entry& e : in_part.entries()) law.optional(e.key, e.type, e.doc);
  for (const ParamSpec& p : growth_parameters) {
    const Table one = parameters("", "", std::array{p});
    for (const Table::Entry& e : one.entries()) law.optional(e.key, e.type, e.doc + "; 0 if left out");
  }
  law.defaulted("incompressible", boolean(), "false", "exactly incompressible; needs the mixed formulation");
  const Table in_time = parameters("", "", dynamic_parameters);
  for (const Table::Entry& e : in_time.entries()) law.optional(e.key, e.type, e.doc + "; processes in time");
  law.optional("relaxation", map_of(record(parameters("branch", "A Maxwell element: a spring and a dashpot in series.", branch_parameters))),
               "Maxwell elements in parallel with the law (a Prony series), each under a name of your choice; processes in time");
  if (plasticity_of(name))
    law.optional("plasticity", record(parameters("plasticity", "Plastic flow of von Mises type.", plastic_parameters_of(name))),
                 "yield stress and hardening; processes in time");
  return law;
}

Table solid_options() {
  return Table("solid", "Deformation of an elastic body, at small or finite strains: static equilibrium along a load parameter, or "
                        "motion in time. Unknowns: displacement and, in the mixed formulation, pressure.")
          .defaulted("kind", choice({{"spatial", "three-dimensional mesh"},
                                     {"plane_strain", "no strain across the plane; forces per unit thickness"},
                                     {"plane_stress", "no stress across the plane; forces per unit thickness"},
                                     {"axisymmetric", "x is the radius, y the axis; forces over the full circle"}}),
                     "spatial", "dimension and symmetry")
          .defaulted("formulation",
                     choice({{"displacement", "compressible materials"},
                             {"mixed", "displacement and pressure (Taylor-Hood): nearly and exactly incompressible materials. The pressure is continuous: between materials of a mesh it cannot jump, which costs accuracy (an error of first order in the size of cells); layers that are bodies of their own (mesh.bodies), joined by ties of type surfaces, have a pressure each"}}),
                     "displacement", "formulation")
          .defaulted("order", integer().at_least(1).at_most(2), "2", "polynomial order of the displacement");
}

std::vector<Table> solid_materials() {
  std::vector<Table> laws;
  for (const std::string_view name : material_names()) laws.push_back(solid_law(name));
  return laws;
}

std::vector<Table::Entry> solid_initial() {
  std::vector<Table::Entry> entries = initial_vector();
  for (const char* axis : {"x", "y", "z"})
    entries.push_back({std::string("v_") + axis, value_or_formula("m/s"), std::string("solid, fsi: velocity along ") + axis});
  return entries;
}

std::vector<Table::Entry> solid_contact() {
  const auto& [stiffness, distance, friction, slip_speed] = contact_parameters;
  const auto or_auto = [](const ParamSpec& p, const char* doc) { return either({choice({{"auto", doc}}), number_of(p)}); };
  const auto entry = [](const ParamSpec& p, Type type, const std::string& more, std::optional<std::string> fallback, std::string_view beside = {}) {
    return Table::Entry{std::string(p.key), std::move(type), std::string(p.doc) + more, false, std::move(fallback), std::string(beside)};
  };
  return {{"between", list_of(text(), 2), "two regions of facets"},
          {"self", text(), "one region of facets, for self-contact"},
          entry(stiffness, or_auto(stiffness, "a tenth of the stiffness at rest of the softer body"), "", "auto"),
          entry(distance, or_auto(distance, "a thousandth of the surfaces' extent, at most half their smallest distance at rest"), "", "auto"),
          {"samples", either({choice({{"auto", "in 2-D 8, of second order 16; in 3-D 4 and 12"}}), integer().at_least(1).at_most(256)}), "sample points per edge of the finer surface, at which the pressure acts; rounded up to an even number at second order, and to 4 on its triangles in 3-D", false, "auto"},
          entry(friction, number_of(friction), "; processes in time", std::nullopt),
          entry(slip_speed, number_of(slip_speed), "", number_text(*slip_speed.default_value), friction.key)};
}

std::vector<Table> solid_scalars() {
  std::vector<Table> all = quantity_tables(solid_quantities());
  for (Table& of_contact : quantity_tables(contact_quantities())) all.push_back(std::move(of_contact));
  for (Table& integral : term_tables(solid_integrals())) all.push_back(std::move(integral));
  return all;
}

std::vector<Table> solid_report_tables() {
  std::vector<Table> all = quantity_tables(body_reports());
  for (Table& of_contact : quantity_tables(contact_reports())) all.push_back(std::move(of_contact));
  return all;
}

std::string solid_methods(const CaseSections& sections) {
  const Value &physics = *sections.find("physics"), *time = sections.find("time");
  const bool moves = time && (*time)["scheme"].text() != "static" && (*time)["inertia"].boolean();
  return (moves ? "The equations of motion of a solid (" : "Equilibrium of a solid (") + physics["kind"].text() + (moves ? ") were" : ") was") +
         " discretised by finite elements of order " + std::to_string(physics["order"].integer()) +
         (physics["formulation"].text() == "mixed" ? " with a mixed displacement–pressure formulation" : " in displacements");
}

}  // namespace

Physics solid_physics() {
  return {.options = solid_options(),
          .materials = solid_materials(),
          .loads = term_tables(solid_loads()),
          .boundary = prescribed_vector(),
          .contact = solid_contact(),
          .initial = solid_initial(),
          .components = [] {
            std::vector<ComponentSpec> all = vector_components("displacement");
            all.push_back(pressure_component());
            return all;
          }(),
          .scalars = solid_scalars(),
          .quantities = solid_report_tables(),
          .data = solid_data(),
          .linear_methods = {{"cg_two_level", {"displacements on elements of second order, without a pressure"}},
                             {"cg_p_multigrid", {"displacements on elements of second order, without a pressure"}},
                             {"cg_lattice", {"displacements at rest on congruent rectangles or boxes of first order, without contact"}}},
          .device_kinds = solid_device_forms(),
          .examples = solid_examples(),
          .methods = solid_methods,
          .sources = {{"finite elements", {"zienkiewicz2013"}}},
          .order = [](const Value& physics) { return static_cast<int>(physics["order"].integer()); },
          .second_order = "order=2",
          .time = {"inertia", "mass"},
          .time_order = [](const Value& time) { return time["inertia"].boolean() ? 2 : 1; },
          .finds_loads = true,
          .build = build_solid};
}

}  // namespace invar
