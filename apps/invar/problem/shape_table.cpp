#include "apps/invar/problem/shape_table.hpp"

#include "apps/invar/physics/shared_tables.hpp"
#include "apps/invar/problem/entry_table.hpp"

namespace invar {

using namespace spec;

Table shape_table(const ShapeEntry& shape) {
  Table t{std::string(shape.name), std::string(shape.doc)};
  t.required("region", text(), "facet region that moves; the rest of the boundary is fixed");
  add_parameters(t, shape_parameters(shape));
  if (shape.by_numbers())
    t.optional("start", list_of(number()), "initial values, in the order of history.csv; default: zero, the undesigned shape");
  else
    t.optional("start", value_or_formula(std::string(shape.unit)),
               "initial design field before smoothing: a number, or a formula in x, y, z; default: zero");
  return t;
}

EntryValues shape_values(const ShapeEntry& shape, const Value& record) { return entry_values(shape_parameters(shape), record); }

}  // namespace invar
