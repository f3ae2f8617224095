#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/invar/spec/diagnostics.hpp"

namespace invar::spec {

/// A YAML tree as written: every node has its position and its path. Values are converted on access; an access with the wrong type
/// records a mistake and returns nothing, so that reading can continue.
struct Node {
  enum class Form { null, scalar, list, map };

  Form form = Form::null;
  std::string text;               // of a scalar
  bool quoted = false;            // a quoted scalar is text, never a number or a truth value
  SourcePosition position;        // of the value
  std::string key;                // under which a map holds it
  SourcePosition key_position;    // of the key; of the value where there is no key
  std::string path;               // "cases.uniaxial.data[0]"
  std::vector<Node> children;     // of a list or a map, in order

  const Node* find(std::string_view wanted) const;
  Node* find(std::string_view wanted);
  /// This node and all below it stand at `at`.
  void place(const SourcePosition& at);
  std::vector<std::string> keys() const;

  /// Decimal numbers; `1e5` and `5` are numbers, `010`, `0x1f`, `1_000`, `'5'` and `yes` are not.
  /// Infinite and undefined numbers only when `may_be_infinite` (then .inf and -.inf).
  std::optional<double> number(Diagnostics&, bool may_be_infinite = false) const;
  /// A number without fraction, |value| < 2^53; `1e5` is one.
  std::optional<long long> integer(Diagnostics&) const;
  /// `true` or `false`, nothing else.
  std::optional<bool> boolean(Diagnostics&) const;
  /// Any scalar, as written.
  std::optional<std::string> string(Diagnostics&) const;
  /// One of `words`.
  std::optional<std::string> choice(const std::vector<std::string>& words, Diagnostics&) const;

  /// Whether an unquoted scalar was meant as a number (even a wrong one like `010`).
  bool looks_like_number() const;
  /// "the text 'abc'", "a list", "a map", "nothing": for messages.
  std::string described() const;
};

/// Reads the one document of `text`; `name` is shown in messages. Duplicate keys, `<<` merges, tags
/// and further documents are mistakes, and reading goes on. Nothing when the text cannot be read at
/// all: malformed or empty YAML, anything but UTF-8, tabs in the indentation.
std::optional<Node> parse(std::string_view text, const std::string& name, Diagnostics&);

/// Reads a file. A missing file or a folder is a mistake.
std::optional<Node> parse_file(const std::filesystem::path& file, Diagnostics&);

/// Reads `text` as a value that has no lines of its own: a default or a `--set` argument. Every
/// node gets the position `at`.
std::optional<Node> parse_value(std::string_view text, const SourcePosition& at, Diagnostics&);

/// Writes the paths of all nodes below, `path` being that of `node`.
void assign_paths(Node& node, const std::string& path);

}  // namespace invar::spec
