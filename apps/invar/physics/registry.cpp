#include "apps/invar/physics/physics.hpp"

#include <algorithm>

namespace invar {

std::vector<Physics>& all_physics() {
  static std::vector<Physics> all{
      solid_physics(),
      flow_physics(),
  };
  return all;
}

const Physics& physics_of(std::string_view word) {
  return *std::ranges::find_if(all_physics(), [&](const Physics& p) { return p.word() == word; });
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
      table.optional(e.key, e.type, e.doc);
    }
  return keys;
}

std::vector<spec::Type::Choice> components_of(SomePhysics some) {
  std::vector<spec::Type::Choice> all;
  for (const Physics& p : some)
    for (const spec::Type::Choice& c : p.components)
      if (std::ranges::none_of(all, [&](const spec::Type::Choice& known) { return known.word == c.word; })) all.push_back(c);
  return all;
}

}  // namespace invar
