#include "apps/invar/spec/key_groups.hpp"

#include <algorithm>

#include "apps/invar/spec/same.hpp"

namespace invar::spec {
namespace {

const std::vector<Table::Entry>& items(const Table& t, const Table::Entry*) { return t.entries(); }
const std::vector<Table::Rule>& items(const Table& t, const Table::Rule*) { return t.rules(); }
std::vector<const Table::Entry*>& items(KeyGroup& g, const Table::Entry*) { return g.entries; }
std::vector<const Table::Rule*>& items(KeyGroup& g, const Table::Rule*) { return g.rules; }

template <class Item>
bool holds(const Table& table, const Item& item) {
  return std::ranges::any_of(items(table, &item), [&](const Item& other) { return same(item, other); });
}

KeyGroup& shared_by(const KeyGroups::Shared& who, KeyGroups& groups) {
  for (KeyGroups::Shared& s : groups.shared)
    if (s.of == who.of) return s.group;
  return groups.shared.emplace_back(who).group;
}

/// Gathers the keys, or the rules, by the variants that have them.
template <class Item>
void gather(const Table& table, KeyGroups& groups) {
  constexpr const Item* kind = nullptr;
  std::vector<const Item*> met;
  for (const Table& variant : table.variants())
    for (const Item& item : items(variant, kind)) {
      if (std::ranges::any_of(met, [&](const Item* known) { return same(*known, item); })) continue;
      met.push_back(&item);
      KeyGroups::Shared who;
      for (const Table& other : table.variants()) (holds(other, item) ? who.of : who.but).push_back(other.name());
      items(shared_by(who, groups), kind).push_back(&item);
    }
}

/// What of a variant's stands neither in the common nor in a shared group.
template <class Item>
void keep_own(const Table& variant, KeyGroups& groups, KeyGroup& own) {
  constexpr const Item* kind = nullptr;
  const auto stands = [](const std::vector<const Item*>& in, const Item& item) {
    return std::ranges::any_of(in, [&](const Item* other) { return same(*other, item); });
  };
  for (const Item& item : items(variant, kind))
    if (!stands(items(groups.common, kind), item) && std::ranges::none_of(groups.shared, [&](KeyGroups::Shared& s) {
          return stands(items(s.group, kind), item);
        }))
      items(own, kind).push_back(&item);
}

}  // namespace

KeyGroups key_groups(const Table& table) {
  KeyGroups groups;
  for (const Table::Entry& e : table.entries()) groups.common.entries.push_back(&e);
  for (const Table::Rule& r : table.rules()) groups.common.rules.push_back(&r);
  gather<Table::Entry>(table, groups);
  gather<Table::Rule>(table, groups);
  std::erase_if(groups.shared, [&](const KeyGroups::Shared& s) {
    const bool most = s.of.size() >= 2 && s.of.size() >= s.but.size();
    const bool many = s.of.size() >= 3 && s.group.entries.size() >= 3;
    if (most && s.but.empty()) {
      groups.common.entries.insert(groups.common.entries.end(), s.group.entries.begin(), s.group.entries.end());
      groups.common.rules.insert(groups.common.rules.end(), s.group.rules.begin(), s.group.rules.end());
    }
    return s.but.empty() || !(most || many);
  });
  for (const Table& v : table.variants()) {
    KeyGroup own;
    keep_own<Table::Entry>(v, groups, own);
    keep_own<Table::Rule>(v, groups, own);
    groups.own.push_back(std::move(own));
  }
  return groups;
}

}  // namespace invar::spec
