#include "apps/invar/problem/entry_table.hpp"

#include <cctype>
#include <cmath>

#include "libadjoint/number_text.hpp"

namespace invar {
namespace {

using namespace spec;

/// A default as one would write it in the spec.
std::string default_text(const EntryParameter& p) {
  using enum EntryParameter::Kind;  // here, not above: files are compiled together, and `text` is a type of the spec, too
  if (!p.default_value) return std::string(p.default_text);
  const std::vector<double>& given = *p.default_value;
  if (p.kind == groups) return "[{}]";
  if (p.kind == flag) return given[0] != 0 ? "true" : "false";
  const auto text_of = [&](double v) { return p.kind == axis || p.kind == axes ? std::string(1, "xyz"[static_cast<int>(v)]) : number_text(v); };
  if (p.kind != numbers && p.kind != integers && p.kind != axes) return text_of(given[0]);
  std::string list;
  for (const double v : given) list += (list.empty() ? "" : ", ") + text_of(v);
  return "[" + list + "]";
}

std::string sentence(std::string_view doc) {
  std::string text = std::string(doc) + ".";
  text[0] = static_cast<char>(std::toupper(text[0]));
  return text;
}

Type type_of(const EntryParameter& p) {
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
    case numbers: return list_of(bounded(spec::number(unit))).sized(p.least, p.most);
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
    case case_name: return spec::text();
    case group:
    case groups: break;
  }
  Table inner{std::string(p.key), sentence(p.doc)};
  const Type one = record(add_parameters(inner, p.inner));
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

void read_record(const Value& record, const std::vector<EntryParameter>& parameters, const std::string& prefix, EntryValues& values) {
  using enum EntryParameter::Kind;
  for (const EntryParameter& p : parameters) {
    const Value* given = record.find(p.key);
    if (!given) continue;
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

}  // namespace

Table& add_parameters(Table& table, const std::vector<EntryParameter>& parameters) {
  for (const EntryParameter& p : parameters) {
    const std::string key(p.key), doc(p.doc);
    if (p.may_be_left_out) table.optional(key, type_of(p), doc);
    else if (p.default_value || !p.default_text.empty()) table.defaulted(key, type_of(p), default_text(p), doc);
    else table.required(key, type_of(p), doc);
  }
  return table;
}

EntryValues entry_values(const std::vector<EntryParameter>& parameters, const Value& record) {
  EntryValues values;
  read_record(record, parameters, "", values);
  return values;
}

void report(const EntryMistakes& mistakes, const Value& entry, Diagnostics& diagnostics) {
  for (const EntryMistakes::Mistake& m : mistakes.all()) {
    const Value& at = m.key.empty() ? entry : entry[m.key];
    diagnostics.error(at.position, at.yaml_path, m.what, m.hint);
  }
}

}  // namespace invar
