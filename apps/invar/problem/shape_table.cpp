#include "apps/invar/problem/shape_table.hpp"

#include <cctype>
#include <cmath>

#include "apps/invar/physics/shared_tables.hpp"
#include "apps/invar/spec/number_text.hpp"

namespace invar {
namespace {

using namespace spec;

/// A default as one would write it in the spec.
std::string default_text(const ShapeParameter& p) {
  const std::vector<double>& given = *p.default_value;
  using enum ShapeParameter::Kind;
  if (p.kind == flag) return given[0] != 0 ? "true" : "false";
  const auto word = [&](double v) { return p.kind == axis || p.kind == axes ? std::string(1, "xyz"[static_cast<int>(v)]) : number_text(v); };
  if (p.kind == number || p.kind == integer || p.kind == axis) return word(given[0]);
  std::string list;
  for (const double v : given) list += (list.empty() ? "" : ", ") + word(v);
  return "[" + list + "]";
}

Table& add_parameters(Table& table, const std::vector<ShapeParameter>& parameters);

Type type_of(const ShapeParameter& p) {
  using enum ShapeParameter::Kind;
  const auto bounded = [&](Type t) { return !std::isfinite(p.lower) ? t : p.lower_open ? t.above(p.lower) : t.at_least(p.lower); };
  const Type of_axis = choice({{"x", ""}, {"y", ""}, {"z", ""}});
  switch (p.kind) {
    case number: return bounded(spec::number(std::string(p.unit)));
    case integer: return bounded(spec::integer());
    case flag: return boolean();
    case axis: return of_axis;
    case numbers: return list_of(bounded(spec::number(std::string(p.unit)))).sized(p.least, p.most);
    case integers: return list_of(bounded(spec::integer())).sized(p.least, p.most);
    case axes: return list_of(of_axis).sized(p.least, p.most);
    case group: break;
  }
  std::string sentence = std::string(p.doc) + ".";
  sentence[0] = static_cast<char>(std::toupper(sentence[0]));
  Table inner{std::string(p.key), std::move(sentence)};
  return record(add_parameters(inner, p.inner));
}

Table& add_parameters(Table& table, const std::vector<ShapeParameter>& parameters) {
  for (const ShapeParameter& p : parameters) {
    const std::string key(p.key), doc(p.doc);
    if (p.may_be_left_out) table.optional(key, type_of(p), doc);
    else if (p.default_value) table.defaulted(key, type_of(p), default_text(p), doc);
    else table.required(key, type_of(p), doc);
  }
  return table;
}

std::vector<double> numbers_in(const Value& v, const ShapeParameter& p) {
  using enum ShapeParameter::Kind;
  const auto place = [](const Value& word) { return static_cast<double>(word.text()[0] - 'x'); };
  if (p.kind == flag) return {v.boolean() ? 1.0 : 0.0};
  if (p.kind == axis) return {place(v)};
  if (p.kind == number || p.kind == integer) return {v.number()};
  if (p.kind != axes) return v.numbers();
  std::vector<double> places;
  for (const Value& word : v) places.push_back(place(word));
  return places;
}

void read_record(const Value& record, const std::vector<ShapeParameter>& parameters, const std::string& group, ShapeValues& values) {
  for (const ShapeParameter& p : parameters) {
    const Value* given = record.find(p.key);
    if (!given) continue;
    const std::string key = group + std::string(p.key);
    if (p.kind == ShapeParameter::Kind::group) {
      values.set(key, {});
      read_record(*given, p.inner, key + ".", values);
    } else {
      values.set(key, numbers_in(*given, p));
    }
  }
}

}  // namespace

Table shape_table(const ShapeEntry& shape) {
  Table t{std::string(shape.name), std::string(shape.doc)};
  t.required("region", text(), "facet region that moves; the rest of the boundary stays");
  add_parameters(t, shape_parameters(shape));
  if (shape.by_numbers())
    t.optional("start", list_of(spec::number()), "the numbers at the start, in the order of history.csv; default: zero, the shape as it is");
  else
    t.optional("start", value_or_formula(std::string(shape.unit)),
               "the design field at the start, before it is smoothed: a number, or a formula in x, y, z; default: zero");
  return t;
}

ShapeValues shape_values(const ShapeEntry& shape, const Value& record) {
  ShapeValues values;
  read_record(record, shape_parameters(shape), "", values);
  return values;
}

}  // namespace invar
