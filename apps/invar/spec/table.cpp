#include "apps/invar/spec/table.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "libadjoint/number_text.hpp"

namespace invar::spec {

Table& Table::add(Entry entry) {
  assert(find_anywhere(entry.key) == nullptr && "two entries of one key");
  entries_.push_back(std::move(entry));
  return *this;
}

Table& Table::required(std::string key, Type type, std::string doc) {
  return add({std::move(key), std::move(type), std::move(doc), true, {}});
}
Table& Table::optional(std::string key, Type type, std::string doc) {
  return add({std::move(key), std::move(type), std::move(doc), false, {}});
}
Table& Table::defaulted(std::string key, Type type, std::string default_text, std::string doc) {
  return add({std::move(key), std::move(type), std::move(doc), false, std::move(default_text)});
}

Table& Table::tagged(std::string key, std::string doc, std::vector<Table> variants,
                     std::optional<std::string> default_word) {
  assert(tag_.empty() && !variants.empty());
  tag_ = key;
  std::vector<Type::Choice> words;
  for (const Table& v : variants) words.push_back({v.name(), v.doc()});
  const bool needed = !default_word;
  add({std::move(key), choice(std::move(words)), std::move(doc), needed, std::move(default_word)});
  variants_ = std::move(variants);
  return *this;
}

Table& Table::paths(std::string doc) {
  path_doc_ = std::move(doc);
  return *this;
}

Table& Table::beside(const std::string& other, const std::vector<std::string>& keys) {
  assert(find(other));
  for (Entry& e : entries_)
    if (std::ranges::count(keys, e.key)) e.beside = other;
  return *this;
}

Table& Table::exactly_one_of(std::vector<std::string> keys) {
  rules_.push_back({std::move(keys), 1, 1});
  return *this;
}
Table& Table::at_least_one_of(std::vector<std::string> keys) {
  const std::size_t all = keys.size();
  rules_.push_back({std::move(keys), 1, all});
  return *this;
}
Table& Table::at_most_one_of(std::vector<std::string> keys) {
  rules_.push_back({std::move(keys), 0, 1});
  return *this;
}

const Table::Entry* Table::find(std::string_view key) const {
  for (const Entry& e : entries_)
    if (e.key == key) return &e;
  return nullptr;
}

const Table* Table::variant(std::string_view word) const {
  for (const Table& v : variants_)
    if (v.name() == word) return &v;
  return nullptr;
}

const Table::Entry* Table::find_anywhere(std::string_view key) const {
  if (const Entry* e = find(key)) return e;
  for (const Table& v : variants_)
    if (const Entry* e = v.find(key)) return e;
  return nullptr;
}

std::vector<std::string> Table::keys() const {
  std::vector<std::string> out;
  for (const Entry& e : entries_) out.push_back(e.key);
  return out;
}

Type number_of(const ParamSpec& p) {
  Type type = number(std::string(p.unit));
  type.lower = p.lower;
  type.upper = p.upper;
  type.lower_open = p.lower_open;
  type.upper_open = p.upper_open;
  return type;
}

Table parameters(std::string name, std::string doc, std::span<const ParamSpec> specs) {
  Table table(std::move(name), std::move(doc));
  for (const ParamSpec& p : specs) {
    const Type type = number_of(p);
    if (p.default_value)
      table.defaulted(std::string(p.key), type, number_text(*p.default_value), std::string(p.doc));
    else
      table.required(std::string(p.key), type, std::string(p.doc));
  }
  return table;
}

}  // namespace invar::spec
