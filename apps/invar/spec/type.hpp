#pragma once
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace invar::spec {

class Table;

/// What a value of the spec may be. Made by the functions below the class and narrowed by its
/// members: `number("Pa").above(0)`, `list_of(integer().at_least(1), 3)`.
struct Type {
  enum class Kind {
    number, integer, boolean, text, choice, expression, path,  // scalars
    list, map, record,
    either,
    any,                                                       // whatever may be written in YAML
  };
  struct Choice {
    std::string word, doc;
  };
  static constexpr std::size_t any_size = std::numeric_limits<std::size_t>::max();

  Kind kind = Kind::text;
  std::string unit;                                           // SI; "1" or empty: dimensionless
  double lower = -std::numeric_limits<double>::infinity();    // range of a number or integer
  double upper = std::numeric_limits<double>::infinity();
  bool lower_open = false, upper_open = false;                // the bound itself is not admissible
  bool may_be_infinite = false;
  std::vector<Choice> choices;
  std::vector<Type> inner;               // of list and map: the element; of either: alternatives
  std::size_t min_size = 0, max_size = any_size;              // of list and map
  std::string key_name = "name";         // of map: what its keys are, e.g. "region"
  std::shared_ptr<const Table> table;    // of record; of map: keys with a meaning of their own, null: none

  Type at_least(double bound) const { return with_lower(bound, false); }
  Type above(double bound) const { return with_lower(bound, true); }
  Type at_most(double bound) const { return with_upper(bound, false); }
  Type below(double bound) const { return with_upper(bound, true); }
  Type or_infinite() const;
  /// Of map: with keys besides the free ones, which they may not be.
  Type besides(Table keys) const;
  /// Of list and map: at least and at most so many entries.
  Type sized(std::size_t least, std::size_t most = any_size) const;

  bool admits(double value) const;
  std::vector<std::string> choice_names() const;
  /// "a number > 0", "a list of 3 integers >= 1": for messages and the manual.
  std::string described() const;
  /// "> 0", "0 <= value < 0.5", or empty.
  std::string range() const;

 private:
  Type with_lower(double bound, bool open) const;
  Type with_upper(double bound, bool open) const;
};

Type number(std::string unit = "");
Type integer();
Type boolean();
Type text();
/// One of some words, each with a line of explanation.
Type choice(std::vector<Type::Choice> choices);
/// A formula in space, time or load parameter: kept as text with its position.
Type expression(std::string unit = "");
/// A file; relative ones are relative to the folder of the spec.
Type path();
/// `size` elements, or any number of them, at least one.
Type list_of(Type element);
Type list_of(Type element, std::size_t size);
/// Free keys, at least one; `key_name` says what they are, e.g. "region".
Type map_of(Type element, std::string key_name = "name");
Type record(Table table);
/// Any value: of a key that the spec names, to be held against the table of that key.
Type anything();
/// The first alternative whose form fits: `either({number("m"), expression("m")})`.
Type either(std::vector<Type> alternatives);

}  // namespace invar::spec
