#include "apps/invar/physics/shared_tables.hpp"

namespace invar {

using namespace spec;

Type value_or_formula(std::string unit) { return either({number(unit), expression(unit)}); }

const std::string& growth_doc() {
  // CaseBuilder::bind does it.
  static const std::string doc =
      "Numbers of a static solid grow in proportion, from zero at the start of the load steps to their value at "
                           "the end; in flow, in processes in time, and where a formula in x, y, z, t is given, values hold as they are.";
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

std::vector<Type::Choice> vector_components() { return {{"u_x", ""}, {"u_y", ""}, {"u_z", ""}}; }

Table& add_case_and_name(Table& t) {
  return t.optional("case", text(), "which case; may be left out when there is one")
      .defaulted("name", text(), "\"\"", "for reports; default: the type");
}

Table squares_table(Table t) {
  return add_case_and_name(t)
      .defaulted("weight", number().above(0), "1", "multiplies the residuals")
      .optional("noise", number().above(0), "standard deviation of the data; left out: unknown, estimated");
}

Table field_misfit_table(const char* name, const char* doc, const char* unit, const char* what) {
  Table t(name, doc);
  t.required("region", text(), "cell or facet region");
  for (const char* axis : {"x", "y", "z"})
    t.optional(std::string("u_") + axis, value_or_formula(unit), std::string("wanted ") + what + " along " + axis);
  return squares_table(t.at_least_one_of({"u_x", "u_y", "u_z"})).optional("at", number(), "load parameter; default: the last");
}

}  // namespace invar
