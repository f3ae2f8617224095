#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "apps/invar/spec/source_position.hpp"
#include "libadjoint/maps/number_range.hpp"

namespace invar::spec {

/// The validated spec: a tree with every default filled in, each node with its place. A default
/// has the place of the record that lacks it. Reading a value as something that its table does not
/// say is a programmer's mistake: std::logic_error naming the path.
class Value {
 public:
  enum class Kind { number, integer, boolean, text, expression, path, list, map, invalid };

  Kind kind = Kind::invalid;
  SourcePosition position;       // of the value
  SourcePosition key_position;   // of its key: where to complain about a name
  std::string yaml_path;         // "materials.rubber.c1"
  std::string key;               // under which its map holds it
  bool defaulted = false;        // not written by the user, or the default written out
  double scalar = 0;             // of a number, an integer or a boolean
  NumberRange range;             // of a number: what its table admits
  std::string scalar_text;       // of text, choice, expression or path, as written
  std::filesystem::path folder;  // of a path: what it is relative to
  std::vector<Value> children;   // of a list or a map; a map in the order of its table

  bool is_number() const { return kind == Kind::number || kind == Kind::integer; }
  bool is_text() const { return kind == Kind::text; }
  bool is_expression() const { return kind == Kind::expression; }
  bool is_list() const { return kind == Kind::list; }
  bool is_map() const { return kind == Kind::map; }

  double number() const;
  long long integer() const;
  bool boolean() const;
  /// Of text, a choice, an expression or a path; a number where an expression may stand.
  const std::string& text() const;
  /// A path, made relative to the folder of the spec.
  std::filesystem::path file() const;
  std::vector<double> numbers() const;
  std::vector<std::string> texts() const;

  std::size_t size() const { return children.size(); }
  auto begin() const { return children.begin(); }
  auto end() const { return children.end(); }
  /// Nothing when absent or when it was wrong.
  const Value* find(std::string_view wanted) const;
  bool has(std::string_view wanted) const { return find(wanted) != nullptr; }
  const Value& operator[](std::string_view wanted) const;
  const Value& operator[](std::size_t index) const;

  /// YAML text that validates and resolves to itself; files as absolute paths.
  std::string yaml() const;

 private:
  [[noreturn]] void wrong_kind(const char* wanted) const;
};

}  // namespace invar::spec
