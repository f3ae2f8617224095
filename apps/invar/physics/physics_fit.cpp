#include "apps/invar/physics/physics_fit.hpp"

#include <algorithm>
#include <functional>

#include "apps/invar/physics/physics.hpp"
#include "libfem/design/entry/quantity_library.hpp"

namespace invar {
namespace {

using spec::Value;
using Words = std::vector<std::string>;

std::string word_list(const Words& words) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "" : ", ") + word;
  return list;
}

bool check_word(const Value& value, const char* what, const std::string& physics, const Words& known,
                Diagnostics& diagnostics) {
  if (std::find(known.begin(), known.end(), value.text()) != known.end()) return true;
  diagnostics.error(value.position, value.yaml_path,
                    "the physics is '" + physics + "', which has no " + what + " '" + value.text() + "'",
                    "allowed: " + word_list(known));
  return false;
}

Words table_names(const std::vector<spec::Table>& tables) {
  Words names;
  for (const spec::Table& t : tables) names.push_back(t.name());
  return names;
}

/// A key for some physics, and the given one is another.
void report_other(const Value& v, const Physics& physics, const std::function<bool(const Physics&)>& has, const std::string& hint, Diagnostics& diagnostics) {
  std::string others;
  for (const Physics& p : all_physics())
    if (has(p)) others += (others.empty() ? "" : ", ") + p.word();
  diagnostics.error(v.key_position, v.yaml_path, "'" + v.key + "' is for " + others + ", and the physics is '" + physics.word() + "'", hint);
}

/// Keys of records that belong to another physics.
void check_keys(const Value& records, const Physics& physics, std::vector<spec::Table::Entry> Physics::*entries, Words known,
                Diagnostics& diagnostics) {
  const auto common = known.begin();
  std::vector<std::string> own;
  for (const spec::Table::Entry& e : physics.*entries) own.push_back(e.key);
  known.insert(common, own.begin(), own.end());
  for (const Value& record : records)
    for (const Value& v : record) {
      if (v.defaulted || std::ranges::count(known, v.key) > 0) continue;
      const auto has = [&](const Physics& p) { return std::ranges::any_of(p.*entries, [&](const spec::Table::Entry& e) { return e.key == v.key; }); };
      report_other(v, physics, has, "allowed: " + word_list(known), diagnostics);
    }
}

/// Keys of a process in time that only other physics use.
void check_time(const Value& time, const Physics& physics, Diagnostics& diagnostics) {
  for (const Value& v : time) {
    const auto uses = [&](const Physics& p) { return std::ranges::count(p.time, v.key) > 0; };
    if (!v.defaulted && !uses(physics) && std::ranges::any_of(all_physics(), uses)) report_other(v, physics, uses, "leave it out", diagnostics);
  }
}

}  // namespace

void check_fits_physics(const CaseSections& sections, Diagnostics& diagnostics) {
  const Physics& physics = physics_of((*sections.find("physics"))["type"].text());
  for (const Value& m : *sections.find("materials"))
    check_word(m["model"], "material", physics.word(), table_names(physics.materials), diagnostics);
  if (const Value* loads = sections.find("loads"))
    for (const Value& l : *loads) check_word(l["type"], "load", physics.word(), table_names(physics.loads), diagnostics);
  if (const Value* boundary = sections.find("boundary"))
    check_keys(*boundary, physics, &Physics::boundary, {"factor", "adds"}, diagnostics);
  if (const Value* contact = sections.find("contact"); contact && physics.contact.empty())
    diagnostics.error(contact->key_position, contact->yaml_path, "the physics is '" + physics.word() + "', which has no contact");
  if (const Value* initial = sections.find("initial")) check_keys(*initial, physics, &Physics::initial, {"factor"}, diagnostics);
  if (const Value* time = sections.find("time"); time && (*time)["scheme"].text() != "static") check_time(*time, physics, diagnostics);
}

bool is_report(const std::string& type) {
  const auto among = [&](const auto& names) { return std::ranges::count(names, type) > 0; };
  if (std::ranges::any_of(common_reports(), [&](const auto& entry) { return entry.name == type; })) return true;
  return std::ranges::any_of(all_physics(), [&](const Physics& p) { return among(table_names(p.quantities)); });
}

bool check_term_fits(const Value& term, const CaseModel& model, Diagnostics& diagnostics) {
  const std::string& type = term["type"].text();
  Words own, others;
  for (const Physics& p : all_physics()) {
    Words& names = p.word() == model.physics_word ? own : others;
    for (const auto tables : {&Physics::scalars, &Physics::quantities})
      for (std::string& name : table_names(p.*tables)) names.push_back(std::move(name));
    for (const auto& entry : p.data) names.emplace_back(entry.name);
  }
  // Quantities that no physics lists are available for all.
  if (std::ranges::count(own, type) > 0 || std::ranges::count(others, type) == 0) return true;
  const std::map<std::string, std::string>& instead = physics_of(model.physics_word).instead;
  if (const auto hint = instead.find(type); hint != instead.end()) {
    diagnostics.error(term["type"].position, term["type"].yaml_path,
                      "the physics is '" + model.physics_word + "', which has no quantity '" + type + "'", hint->second);
    return false;
  }
  for (const auto& common : common_quantities()) own.emplace_back(common.name);
  return check_word(term["type"], "quantity", model.physics_word, own, diagnostics);
}

}  // namespace invar
