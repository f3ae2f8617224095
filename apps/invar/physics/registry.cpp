#include "apps/invar/physics/physics.hpp"

#include <algorithm>

#include "libfem/design/entry/quantity_library.hpp"

namespace invar {

std::vector<Physics>& all_physics() {
  static std::vector<Physics> all{
      solid_physics(),
      flow_physics(),
      fsi_physics(),
  };
  return all;
}

const Physics& physics_of(std::string_view word) {
  return *std::ranges::find_if(all_physics(), [&](const Physics& p) { return p.word() == word; });
}

const LinearMethodUse* use_of(std::string_view linear_method) {
  for (const Physics& p : all_physics())
    if (const auto use = p.linear_methods.find(linear_method); use != p.linear_methods.end()) return &use->second;
  return nullptr;
}

std::vector<spec::Table> tables_of(SomePhysics some, std::vector<spec::Table> Physics::*tables) {
  std::vector<spec::Table> all;
  for (const Physics& p : some)
    for (const spec::Table& t : p.*tables)
      if (std::ranges::none_of(all, [&](const spec::Table& known) { return known.name() == t.name(); })) all.push_back(t);
  return all;
}

std::vector<std::string> add_entries_of(SomePhysics some, spec::Table& table, std::vector<spec::Table::Entry> Physics::*entries) {
  std::vector<std::string> keys;
  for (const Physics& p : some)
    for (const spec::Table::Entry& e : p.*entries) {
      if (std::ranges::count(keys, e.key) > 0) continue;
      keys.push_back(e.key);
      if (e.default_text) table.defaulted(e.key, e.type, *e.default_text, e.doc);
      else table.optional(e.key, e.type, e.doc);
      if (!e.beside.empty()) table.beside(e.beside, {e.key});
    }
  return keys;
}

std::vector<ComponentSpec> components_of(SomePhysics some) {
  std::vector<ComponentSpec> all;
  for (const Physics& p : some)
    for (const ComponentSpec& c : p.components)
      if (std::ranges::none_of(all, [&](const ComponentSpec& known) { return known.word == c.word; })) all.push_back(c);
  return all;
}

std::vector<spec::Type::Choice> choices_of(const std::vector<ComponentSpec>& components) {
  std::vector<spec::Type::Choice> all;
  for (const ComponentSpec& c : components) all.push_back({c.word, c.doc});
  return all;
}

const DataEntry<QuantityCase>* data_named(std::string_view type) {
  const auto among = [&](std::span<const DataEntry<QuantityCase>> entries) {
    const auto at = std::ranges::find(entries, type, &DataEntry<QuantityCase>::name);
    return at == entries.end() ? nullptr : &*at;
  };
  if (const auto* common = among(common_data())) return common;
  for (const Physics& p : all_physics())
    if (const auto* own = among(p.data)) return own;
  return nullptr;
}

}  // namespace invar
