#include "apps/invar/problem/entry_table.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>

#include "apps/invar/physics/physics.hpp"
#include "apps/invar/physics/shared_tables.hpp"
#include "libadjoint/number_text.hpp"

namespace invar {
namespace {

using namespace spec;

/// A default as one would write it in the spec.
std::string default_text(const EntryParameter& p) {
  using enum EntryParameter::Kind;
  if (!p.default_value) return std::string(p.default_text);
  const std::vector<double>& given = *p.default_value;
  if (p.kind == groups) return "[{}]";
  if (p.kind == flag) return given[0] != 0 ? "true" : "false";
  const auto text_of = [&](double v) { return p.kind == axis || p.kind == axes ? std::string(1, "xyz"[static_cast<int>(v)]) : number_text(v); };
  if (p.kind != numbers && p.kind != integers && p.kind != axes && p.kind != point && p.kind != direction) return text_of(given[0]);
  std::string list;
  for (const double v : given) list += (list.empty() ? "" : ", ") + text_of(v);
  return "[" + list + "]";
}

std::string sentence(std::string_view doc) {
  std::string text = std::string(doc) + ".";
  text[0] = static_cast<char>(std::toupper(text[0]));
  return text;
}

/// unknown: the components that one of that kind may name.
Type type_of(const EntryParameter& p, const std::vector<ComponentSpec>& unknown) {
  using enum EntryParameter::Kind;
  const auto bounded = [&](Type t) {
    if (std::isfinite(p.lower)) t = p.lower_open ? t.above(p.lower) : t.at_least(p.lower);
    if (std::isfinite(p.upper)) t = p.upper_open ? t.below(p.upper) : t.at_most(p.upper);
    return p.may_be_infinite ? t.or_infinite() : t;
  };
  const std::string unit(p.unit);
  const Type of_axis = choice({{"x", ""}, {"y", ""}, {"z", ""}});
  switch (p.kind) {
    case number: return bounded(spec::number(unit));
    case integer: return bounded(spec::integer());
    case flag: return boolean();
    case axis: return of_axis;
    case numbers:
    case point:
    case direction: return list_of(bounded(spec::number(unit))).sized(p.least, p.most);
    case component: return choice(choices_of(unknown));
    case table_file: return path();
    case integers: return list_of(bounded(spec::integer())).sized(p.least, p.most);
    case axes: return list_of(of_axis).sized(p.least, p.most);
    case number_or_numbers: return either({bounded(spec::number(unit)), list_of(bounded(spec::number(unit))).sized(p.least, p.most)});
    case number_or_formula: return either({bounded(spec::number(unit)), expression(unit)});
    case word: {
      std::vector<Type::Choice> words;
      for (const EntryParameter::Word& w : p.words) words.push_back({std::string(w.word), std::string(w.doc)});
      return choice(std::move(words));
    }
    case EntryParameter::Kind::text:
    case variable:
    case constant:
    case cell_region:
    case case_name:
    case facet_region:
    case any_region:
    case region_or_all:
    case body_region:
    case designed_field: return spec::text();
    case EntryParameter::Kind::components:
    case group:
    case groups: break;
  }
  Table inner{std::string(p.key), sentence(p.doc)};
  const Type one = record(add_parameters(inner, p.inner, unknown));
  return p.kind == group ? one : list_of(one);
}

std::vector<double> numbers_in(const Value& v, const EntryParameter& p) {
  using enum EntryParameter::Kind;
  const auto place = [](const Value& word) { return static_cast<double>(word.text()[0] - 'x'); };
  if (p.kind == flag) return {v.boolean() ? 1.0 : 0.0};
  if (p.kind == axis) return {place(v)};
  if (v.is_number()) return {v.number()};
  if (p.kind != axes) return v.numbers();
  std::vector<double> places;
  for (const Value& letter : v) places.push_back(place(letter));
  return places;
}

void read_components(const Value& record, EntryValues& values) {
  for (const ComponentSpec& c : components_of(all_physics()))
    if (const Value* given = record.find(c.word)) {
      if (given->is_number()) values.set(c.word, {given->number()});
      else values.set_text(c.word, given->text());
    }
}

void read_record(const Value& record, const std::vector<EntryParameter>& parameters, const std::string& prefix, EntryValues& values) {
  using enum EntryParameter::Kind;
  for (const EntryParameter& p : parameters) {
    if (p.kind == EntryParameter::Kind::components) {
      read_components(record, values);
      continue;
    }
    const Value* given = record.find(p.key);
    if (!given || p.kind == table_file) continue;  // tables are read from files
    const std::string key = prefix + std::string(p.key);
    if (p.kind == group) {
      values.set(key, {});
      read_record(*given, p.inner, key + ".", values);
    } else if (p.kind == groups) {
      std::vector<EntryValues> all;
      for (const Value& one : *given) all.push_back(entry_values(p.inner, one));
      values.set_groups(key, std::move(all));
    } else if ((given->is_text() || given->is_expression()) && p.kind != axis) {
      values.set_text(key, given->text());
    } else {
      values.set(key, numbers_in(*given, p));
    }
  }
}

/// The value under "key" or "group.key".
const Value& value_under(const Value& record, std::string_view key) {
  const std::size_t dot = key.find('.');
  return dot == std::string_view::npos ? record[key] : value_under(record[key.substr(0, dot)], key.substr(dot + 1));
}

}  // namespace

std::vector<std::string> add_components(Table& table, const std::string& doc, const std::vector<ComponentSpec>& components) {
  std::vector<std::string> keys;
  for (const ComponentSpec& c : components) {
    table.optional(c.word, value_or_formula(c.unit), doc + " " + c.doc);
    keys.push_back(c.word);
  }
  return keys;
}

Table& add_parameters(Table& table, const std::vector<EntryParameter>& parameters, const std::vector<ComponentSpec>& components) {
  for (const EntryParameter& p : parameters) {
    const std::string key(p.key), doc(p.doc);
    if (p.kind == EntryParameter::Kind::components) {
      std::vector<ComponentSpec> compared;
      std::ranges::copy_if(components, std::back_inserter(compared), [](const ComponentSpec& c) { return !c.is_pressure; });
      table.at_least_one_of(add_components(table, doc, compared));
      continue;
    }
    if (p.may_be_left_out) table.optional(key, type_of(p, components), doc);
    else if (p.default_value || !p.default_text.empty()) table.defaulted(key, type_of(p, components), default_text(p), doc);
    else table.required(key, type_of(p, components), doc);
  }
  return table;
}

EntryValues entry_values(const std::vector<EntryParameter>& parameters, const Value& record) {
  EntryValues values;
  read_record(record, parameters, "", values);
  return values;
}

void report(const EntryMistakes& mistakes, const Value& entry, Diagnostics& diagnostics, const EntryTables& tables) {
  for (const EntryMistakes::Mistake& m : mistakes.all()) {
    const Value& at = m.key.empty() ? entry : value_under(entry, m.key);
    const auto table = m.row < 0 ? tables.end() : tables.find(m.key);
    diagnostics.error(table == tables.end() ? at.position : table->second.positions[0][m.row], at.yaml_path, m.what, m.hint);
  }
}

}  // namespace invar
