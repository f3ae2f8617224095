#include "apps/invar/spec/type.hpp"

#include <cassert>
#include <utility>

#include "apps/invar/spec/table.hpp"
#include "libadjoint/maps/number_range.hpp"

namespace invar::spec {
namespace {

Type of_kind(Type::Kind kind, std::string unit = "") {
  Type type;
  type.kind = kind;
  type.unit = std::move(unit);
  return type;
}

std::string plural(const Type& type) {
  switch (type.kind) {
    case Type::Kind::number: return "numbers";
    case Type::Kind::integer: return "integers";
    case Type::Kind::boolean: return "truth values";
    case Type::Kind::text: return "texts";
    case Type::Kind::choice: return "words";
    case Type::Kind::expression: return "expressions";
    case Type::Kind::path: return "files";
    case Type::Kind::list: return "lists";
    case Type::Kind::map: return "maps";
    case Type::Kind::record: return "records";
    case Type::Kind::either:
    case Type::Kind::any: return "values";
  }
  return "values";
}

std::string with_range(std::string words, const Type& type) {
  if (const std::string range = type.range(); !range.empty()) words += ' ' + range;
  if (!type.unit.empty() && type.unit != "1") words += " [" + type.unit + ']';
  return words;
}

}  // namespace

Type number(std::string unit) { return of_kind(Type::Kind::number, std::move(unit)); }
Type integer() { return of_kind(Type::Kind::integer); }
Type boolean() { return of_kind(Type::Kind::boolean); }
Type anything() { return of_kind(Type::Kind::any); }
Type text() { return of_kind(Type::Kind::text); }
Type path() { return of_kind(Type::Kind::path); }
Type expression(std::string unit) { return of_kind(Type::Kind::expression, std::move(unit)); }

Type choice(std::vector<Type::Choice> choices) {
  assert(!choices.empty());
  Type type = of_kind(Type::Kind::choice);
  type.choices = std::move(choices);
  return type;
}
Type list_of(Type element) {
  Type type = of_kind(Type::Kind::list);
  type.inner.push_back(std::move(element));
  type.min_size = 1;
  return type;
}
Type list_of(Type element, std::size_t size) {
  Type type = list_of(std::move(element));
  type.min_size = type.max_size = size;
  return type;
}
Type map_of(Type element, std::string key_name) {
  Type type = of_kind(Type::Kind::map);
  type.inner.push_back(std::move(element));
  type.min_size = 1;
  type.key_name = std::move(key_name);
  return type;
}
Type Type::besides(Table keys) const {
  Type type = *this;
  type.table = std::make_shared<const Table>(std::move(keys));
  return type;
}
Type record(Table table) {
  Type type = of_kind(Type::Kind::record);
  type.table = std::make_shared<const Table>(std::move(table));
  return type;
}
Type either(std::vector<Type> alternatives) {
  assert(alternatives.size() > 1);
  Type type = of_kind(Type::Kind::either);
  type.inner = std::move(alternatives);
  return type;
}

Type Type::with_lower(double bound, bool open) const {
  Type type = *this;
  type.lower = bound;
  type.lower_open = open;
  return type;
}
Type Type::with_upper(double bound, bool open) const {
  Type type = *this;
  type.upper = bound;
  type.upper_open = open;
  return type;
}
Type Type::or_infinite() const {
  Type type = *this;
  type.may_be_infinite = true;
  return type;
}
Type Type::sized(std::size_t least, std::size_t most) const {
  Type type = *this;
  type.min_size = least;
  type.max_size = most;
  return type;
}

bool Type::admits(double value) const {
  return (lower_open ? value > lower : value >= lower) &&
         (upper_open ? value < upper : value <= upper);
}

std::vector<std::string> Type::choice_names() const {
  std::vector<std::string> out;
  for (const Choice& c : choices) out.push_back(c.word);
  return out;
}

std::string Type::range() const { return range_text({lower, upper, lower_open, upper_open}); }

std::string Type::described() const {
  switch (kind) {
    case Kind::number: return with_range("a number", *this);
    case Kind::integer: return with_range("an integer", *this);
    case Kind::boolean: return "true or false";
    case Kind::text: return "text";
    case Kind::expression: return with_range("an expression", *this);
    case Kind::path: return "a file";
    case Kind::record: return "a map";
    case Kind::map: return "a map from " + key_name + " to " + inner[0].described();
    case Kind::any: return "a value";
    case Kind::choice: break;
    case Kind::list: {
      const std::string size = min_size == max_size ? std::to_string(min_size) + ' ' : "";
      return "a list of " + size + with_range(plural(inner[0]), inner[0]);
    }
    case Kind::either: {
      std::string out;
      for (const Type& t : inner) out += (out.empty() ? "" : ", or ") + t.described();
      return out;
    }
  }
  std::string out;
  for (const Choice& c : choices) out += (out.empty() ? "" : " | ") + c.word;
  return out;
}

}  // namespace invar::spec
