#include "apps/invar/spec/page_outline.hpp"

#include <algorithm>
#include <tuple>

#include "apps/invar/spec/same.hpp"

namespace invar::spec {
namespace {

template <class Item>
bool includes(const std::vector<const Item*>& all, const std::vector<const Item*>& some) {
  return std::ranges::all_of(some, [&](const Item* s) {
    return std::ranges::any_of(all, [&](const Item* a) { return same(*a, *s); });
  });
}

template <class Item>
std::vector<const Item*> without(std::vector<const Item*> all, const std::vector<const Item*>& some) {
  std::erase_if(all, [&](const Item* a) {
    return std::ranges::any_of(some, [&](const Item* s) { return same(*a, *s); });
  });
  return all;
}

/// As GitHub does it: lower case, letters, digits, '_' and '-' stay, spaces become '-'.
std::string slug(const std::string& heading) {
  std::string out;
  for (const char c : heading) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == ' ') out += '-';
    else if (byte >= 128 || c == '_' || c == '-' || std::isalnum(byte)) out += static_cast<char>(std::tolower(byte));
  }
  return out;
}

}  // namespace

PageOutline::PageOutline(const Table& table) {
  add(table, "");
  find_homes();
  name_sections();
}

const std::string& PageOutline::anchor_of(const Table& table) const {
  return std::ranges::find_if(records_, [&](const Record& r) { return same(*r.table, table); })->anchor;
}

void PageOutline::add(const Table& table, const std::string& place) {
  if (std::ranges::any_of(records_, [&](const Record& r) { return same(*r.table, table); })) return;
  const std::size_t index = records_.size();
  records_.push_back({place, place.empty() ? table.name() : '`' + place + '`', "", &table, key_groups(table), {}});
  const KeyGroups groups = records_[index].groups;  // what is added below moves the records
  add_below(groups.common, place);
  for (const KeyGroups::Shared& s : groups.shared) add_below(s.group, place);
  for (const KeyGroup& own : groups.own) add_below(own, place);
}

void PageOutline::add_below(const KeyGroup& group, const std::string& place) {
  for (const Table::Entry* e : group.entries) add_below(e->type, place.empty() ? e->key : place + '.' + e->key);
}

void PageOutline::add_below(const Type& type, const std::string& place) {
  switch (type.kind) {
    case Type::Kind::record: return add(*type.table, place);
    case Type::Kind::list: return add_below(type.inner[0], place + "[]");
    case Type::Kind::map: return add_below(type.inner[0], place + ".<" + type.key_name + '>');
    case Type::Kind::either:
      for (const Type& t : type.inner) add_below(t, place);
      return;
    default: return;
  }
}

/// Of the places whose own keys of a variant are a part of its keys here, the home is the one with the fewest, and
/// among those the one with most variants. Then it is a home itself.
void PageOutline::find_homes() {
  for (Record& r : records_)
    for (std::size_t v = 0; v < r.table->variants().size(); ++v) {
      const Table& variant = r.table->variants()[v];
      const KeyGroup& here = r.groups.own[v];
      const Record* best = nullptr;
      std::size_t best_v = 0;
      const auto rank = [](const Record& of, std::size_t i) {
        const KeyGroup& g = of.groups.own[i];
        return std::tuple(g.entries.size() + g.rules.size(), -static_cast<long>(of.table->variants().size()));
      };
      for (const Record& other : records_)
        for (std::size_t w = 0; w < other.table->variants().size(); ++w) {
          const Table& candidate = other.table->variants()[w];
          const KeyGroup& there = other.groups.own[w];
          if (candidate.name() != variant.name() || candidate.doc() != variant.doc()) continue;
          if (!includes(here.entries, there.entries) || !includes(here.rules, there.rules)) continue;
          if (!best || rank(other, w) < rank(*best, best_v)) best = &other, best_v = w;
        }
      const bool is_here = best == &r;
      const KeyGroup& there = best->groups.own[best_v];
      Variant out;
      out.more = is_here ? here : KeyGroup{without(here.entries, there.entries), without(here.rules, there.rules)};
      const auto heading = [](const Record& of, const Table& t) {
        return '`' + (of.place.empty() ? "" : of.place + ", ") + of.table->tag() + ": " + t.name() + '`';
      };
      if (is_here || !out.more.entries.empty() || !out.more.rules.empty()) out.heading = heading(r, variant);
      out.home_heading = heading(*best, variant);
      r.variants.push_back(std::move(out));
    }
}

void PageOutline::name_sections() {
  std::map<std::string, std::string> anchors;  // by heading, which is the only one of its kind
  for (Record& r : records_) {
    r.anchor = anchor(r.heading);
    for (Variant& v : r.variants)
      if (!v.heading.empty()) anchors[v.heading] = v.anchor = anchor(v.heading);
  }
  for (Record& r : records_)
    for (Variant& v : r.variants) v.home = anchors.at(v.home_heading);
}

std::string PageOutline::anchor(const std::string& heading) {
  const std::string base = slug(heading);
  const int before = used_[base]++;
  return before == 0 ? base : base + '-' + std::to_string(before);
}

}  // namespace invar::spec
