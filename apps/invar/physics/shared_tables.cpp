#include "apps/invar/physics/shared_tables.hpp"

namespace invar {

using namespace spec;

Type value_or_formula(std::string unit, double least) { return either({number(unit).at_least(least), expression(unit)}); }

const std::string& growth_doc() {
  // CaseBuilder::bind does it.
  static const std::string doc =
      "Numbers of a static solid grow in proportion, from zero at the start of the load steps to their value at "
                           "the end; in flow, in processes in time, and where a formula in x, y, z, t is given, values are constant.";
  return doc;
}

std::vector<Table::Entry> prescribed_vector() {
  std::vector<Table::Entry> entries;
  for (const char* axis : {"x", "y", "z"})
    entries.push_back({std::string("u_") + axis, value_or_formula("m or m/s"), std::string("displacement or velocity along ") + axis});
  return entries;
}

std::vector<Table::Entry> initial_vector() {
  std::vector<Table::Entry> entries;
  for (const char* axis : {"x", "y", "z"})
    entries.push_back({std::string("u_") + axis, value_or_formula("m or m/s"),
                       std::string("displacement (solid) or velocity (flow) along ") + axis});
  return entries;
}

std::vector<ComponentSpec> vector_components(const std::string& norm) {
  std::vector<ComponentSpec> all;
  for (int i = 0; i < 3; ++i) {
    const std::string axis(1, "xyz"[i]);
    all.push_back({.word = "u_" + axis, .doc = "component along " + axis, .unit = "m or m/s", .axis = i, .norm = norm});
  }
  return all;
}

ComponentSpec pressure_component() {
  return {.word = "p", .doc = "pressure", .unit = "Pa", .norm = "pressure", .is_pressure = true};
}

Table& add_case_and_name(Table& t) {
  return t.optional("case", text(), "name of the case; optional if there is only one")
      .defaulted("name", text(), "\"\"", "for reports; default: the type");
}

Table& squares_table(Table& t) {
  return add_case_and_name(t)
      .defaulted("weight", number().above(0), "1", "factor of the residuals")
      .optional("noise", number().above(0), "standard deviation of the data; left out: unknown, estimated");
}

}  // namespace invar
