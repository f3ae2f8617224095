#include <array>
#include <string>
#include <vector>

#include "apps/invar/problem/flow_builder.hpp"
#include "apps/invar/problem/solid_builder.hpp"
#include "apps/invar/problem/spec_sections.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfluid/flow/flow_law_library.hpp"

namespace invar {
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
      if (e.default_text) law.defaulted(e.key, e.type, *e.default_text, doc);
      else law.optional(e.key, e.type, doc);
    }
  if (!law.find("bulk"))
    law.optional("bulk", number("Pa").above(0).or_infinite(), "bulk modulus (mixed formulation)");
  law.defaulted("incompressible", boolean(), "false", "exactly incompressible; needs the mixed formulation");
  const Table in_time = parameters("", "", dynamic_parameters);
  for (const Table::Entry& e : in_time.entries()) law.optional(e.key, e.type, e.doc + "; processes in time");
  law.optional("relaxation", map_of(record(parameters("branch", "A Maxwell element: a spring and a dashpot in a row.", branch_parameters))),
               "Maxwell elements beside the law, by names of your own (a Prony series); processes in time");
  if (name == "linear_elastic")
    law.optional("plasticity", record(parameters("plasticity", "Plastic flow of von Mises type.", plastic_parameters)),
                 "where the law ends: yield and hardening; processes in time");
  return law;
}

Table fluid_law(std::string_view name) {
  std::vector<ParamSpec> specs(flow_law_parameters(name).begin(), flow_law_parameters(name).end());
  specs.push_back(resistance_parameter);
  Table law = parameters(std::string(name), std::string(flow_law_doc(name)), specs);
  const Table of_scalar = parameters("", "", std::array{diffusivity_parameter});
  for (const Table::Entry& e : of_scalar.entries()) law.optional(e.key, e.type, e.doc);
  return law;
}

}  // namespace

Table material_table() {
  std::vector<Table> laws;
  for (const std::string_view name : material_names()) laws.push_back(solid_law(name));
  for (const std::string_view name : flow_law_names()) laws.push_back(fluid_law(name));
  return Table("material", "What a part of the body is made of, or which fluid flows there.")
      .defaulted("region", text(), "all", "cell region, or 'all'")
      .tagged("model", "the law", std::move(laws));
}

}  // namespace invar
