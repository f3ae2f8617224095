#include "apps/invar/spec/validate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

#include "apps/invar/spec/did_you_mean.hpp"
#include "apps/invar/spec/case_base.hpp"
#include "apps/invar/spec/override.hpp"
#include "apps/invar/spec/shortened.hpp"
#include "libadjoint/number_text.hpp"

namespace invar::spec {
namespace {

using Kind = Type::Kind;

std::string quoted(const std::string& word) { return '\'' + shortened(word) + '\''; }

/// Whether the written form of a node is that of a type; says nothing of its value.
bool fits(const Node& node, const Type& type) {
  const bool scalar = node.form == Node::Form::scalar;
  switch (type.kind) {
    case Kind::number:
    case Kind::integer: return node.looks_like_number();
    case Kind::boolean:
      return scalar && !node.quoted && (node.text == "true" || node.text == "false");
    case Kind::choice: {
      const std::vector<std::string> words = type.choice_names();
      return scalar && std::find(words.begin(), words.end(), node.text) != words.end();
    }
    case Kind::text:
    case Kind::expression:
    case Kind::path: return scalar;
    case Kind::list: return node.form == Node::Form::list;
    case Kind::map:
    case Kind::record: return node.form == Node::Form::map;
    case Kind::any: return node.form != Node::Form::null;
    case Kind::either:
      return std::any_of(type.inner.begin(), type.inner.end(),
                         [&](const Type& t) { return fits(node, t); });
  }
  return false;
}

/// In braces a decimal comma ends a number: `poisson: 0,35` has the keys poisson and 35. What is meant by such a key; empty: it is none.
std::string meant_decimal(const Node& map, const Node& key) {
  const auto k = &key - map.children.data();
  const bool is_fraction = k > 0 && key.form == Node::Form::null && std::ranges::all_of(key.key, [](char c) { return c >= '0' && c <= '9'; });
  if (!is_fraction || !map.children[k - 1].looks_like_number()) return {};
  return map.children[k - 1].key + ": " + map.children[k - 1].text + "." + key.key;
}

/// A default as `parse_value` reads it. A table says the same few hundreds of texts again and again: each is parsed once.
std::optional<Node> parsed_default(const std::string& text, const SourcePosition& at, Diagnostics& diagnostics) {
  thread_local std::map<std::string, Node> parsed;
  auto known = parsed.find(text);
  if (known == parsed.end()) {
    std::optional<Node> node = parse_value(text, {}, diagnostics);
    if (!node || !diagnostics.empty()) return node;
    known = parsed.emplace(text, std::move(*node)).first;
  }
  Node node = known->second;
  node.place(at);
  return node;
}

class Validator {
 public:
  Validator(const std::filesystem::path& folder, Diagnostics& diagnostics)
      : folder_(folder), diagnostics_(diagnostics) {}

  Value read(const Node& node, const Type& type) {
    if (node.form == Node::Form::null) {
      const std::string what = node.key.empty() ? "the entry" : quoted(node.key);
      error(node, what + " has no value", "expected " + type.described());
      return placed(node, Value::Kind::invalid);
    }
    switch (type.kind) {
      case Kind::number:
        return read_number(node, type, node.number(diagnostics_, type.may_be_infinite),
                           Value::Kind::number);
      case Kind::integer: return read_integer(node, type);
      case Kind::boolean: return read_boolean(node);
      case Kind::text: return read_text(node, node.string(diagnostics_), Value::Kind::text);
      case Kind::choice:
        return read_text(node, node.choice(type.choice_names(), diagnostics_), Value::Kind::text);
      case Kind::expression: return read_words(node, "an expression", Value::Kind::expression);
      case Kind::path: return read_words(node, "a file", Value::Kind::path);
      case Kind::list: return read_list(node, type);
      case Kind::map: return read_map(node, type);
      case Kind::record: return read_record(node, *type.table);
      case Kind::either: return read_either(node, type);
      case Kind::any: return read_any(node, type);
    }
    return placed(node, Value::Kind::invalid);
  }

  Value read_record(const Node& node, const Table& table) {
    if (node.form != Node::Form::map) {
      error(node, "expected a map, got " + node.described(),
            "allowed: " + comma_list(table.keys()));
      return placed(node, Value::Kind::invalid);
    }
    Value value = placed(node, Value::Kind::map);
    const Table* variant = chosen_variant(node, table);
    const std::vector<std::string> meant = report_unknown_keys(node, table, variant);
    read_entries(node, table, meant, value);
    if (variant) read_entries(node, *variant, meant, value);
    check_rules(node, table);
    if (variant) check_rules(node, *variant);
    return value;
  }

 private:
  void error(const Node& node, std::string message, std::string allowed = {}) {
    diagnostics_.error(node.position, node.path, std::move(message), std::move(allowed));
  }
  /// About the node as a whole: shown at its key.
  void error_at_key(const Node& node, std::string message, std::string allowed = {}) {
    diagnostics_.error(node.key_position, node.path, std::move(message), std::move(allowed));
  }

  Value placed(const Node& node, Value::Kind kind) const {
    Value value;
    value.kind = kind;
    value.position = node.position;
    value.key_position = node.key_position;
    value.yaml_path = node.path;
    value.key = node.key;
    return value;
  }

  Value wrong_form(const Node& node, const std::string& expected) {
    error(node, "expected " + expected + ", got " + node.described());
    return placed(node, Value::Kind::invalid);
  }

  template <class Number>
  Value read_number(const Node& node, const Type& type, std::optional<Number> number,
                    Value::Kind kind) {
    if (!number) return placed(node, Value::Kind::invalid);
    if (!type.admits(static_cast<double>(*number))) {
      error(node, "value " + shortened(node.text) + " is out of range, expected " + type.described());
      return placed(node, Value::Kind::invalid);
    }
    Value value = placed(node, kind);
    value.scalar = static_cast<double>(*number);
    value.range = {type.lower, type.upper, type.lower_open, type.upper_open};
    return value;
  }

  /// Integers must fit into the int of the libraries.
  Value read_integer(const Node& node, const Type& type) {
    constexpr long long largest = std::numeric_limits<int>::max();
    const std::optional<long long> number = node.integer(diagnostics_);
    if (!number || (*number >= -largest && *number <= largest) || !type.admits(static_cast<double>(*number)))
      return read_number(node, type, number, Value::Kind::integer);
    error(node, "the integer " + shortened(node.text) + " is too large", "at most " + std::to_string(largest) + " in size");
    return placed(node, Value::Kind::invalid);
  }

  Value read_boolean(const Node& node) {
    const std::optional<bool> truth = node.boolean(diagnostics_);
    Value value = placed(node, truth ? Value::Kind::boolean : Value::Kind::invalid);
    value.scalar = truth.value_or(false);
    return value;
  }

  Value read_text(const Node& node, std::optional<std::string> text, Value::Kind kind) {
    Value value = placed(node, text ? kind : Value::Kind::invalid);
    value.scalar_text = std::move(text).value_or("");
    value.folder = kind == Value::Kind::path ? folder_ : std::filesystem::path();
    return value;
  }

  Value read_words(const Node& node, const std::string& what, Value::Kind kind) {
    if (node.form != Node::Form::scalar) return wrong_form(node, what);
    if (node.text.find_first_not_of(" \t\r\n") != std::string::npos)
      return read_text(node, node.text, kind);
    error(node, "expected " + what + ", got an empty text");
    return placed(node, Value::Kind::invalid);
  }

  bool size_is_right(const Node& node, const Type& type) {
    const std::size_t size = node.children.size();
    if (size >= type.min_size && size <= type.max_size) return true;
    const std::string what = type.kind == Kind::list ? "the list has " : "the map has ";
    error(node, what + std::to_string(size) + (size == 1 ? " entry" : " entries") + ", expected " +
                    (type.min_size == type.max_size ? std::to_string(type.min_size)
                     : size < type.min_size ? "at least " + std::to_string(type.min_size)
                                            : "at most " + std::to_string(type.max_size)));
    return false;
  }

  Value read_list(const Node& node, const Type& type) {
    if (node.form != Node::Form::list) return wrong_form(node, type.described());
    Value value = placed(node, Value::Kind::list);
    bool right = size_is_right(node, type);
    for (const Node& child : node.children) {
      value.children.push_back(read(child, type.inner[0]));
      right = right && value.children.back().kind != Value::Kind::invalid;
    }
    if (!right) value.kind = Value::Kind::invalid;
    return value;
  }

  Value read_map(const Node& node, const Type& type) {
    if (node.form != Node::Form::map) return wrong_form(node, type.described());
    Value value = placed(node, Value::Kind::map);
    size_is_right(node, type);
    for (const Node& child : node.children) {
      const Table::Entry* named = type.table ? type.table->find(child.key) : nullptr;
      value.children.push_back(read(child, named ? named->type : type.inner[0]));
    }
    return value;
  }

  /// By its form: a number, a truth value, a text, a list or a map of such.
  Value read_any(const Node& node, const Type& type) {
    if (node.form == Node::Form::list) return read_list(node, list_of(type).sized(0));
    if (node.form == Node::Form::map) return read_map(node, map_of(type).sized(0));
    if (fits(node, boolean())) return read_boolean(node);
    if (!node.looks_like_number()) return read_text(node, node.text, Value::Kind::text);
    // An integer that doubles do not hold exactly is a number: numbers of that size are written so.
    constexpr double exact = 9007199254740992.0;
    Diagnostics unused;
    const std::optional<double> value = node.number(unused, true);
    const bool whole = node.text.find_first_of(".eE") == std::string::npos && value && std::abs(*value) < exact;
    return whole ? read_number(node, integer(), node.integer(diagnostics_), Value::Kind::integer) : read(node, number().or_infinite());
  }

  Value read_either(const Node& node, const Type& type) {
    for (const Type& alternative : type.inner)
      if (fits(node, alternative)) return read(node, alternative);
    std::vector<std::string> words;
    for (const Type& alternative : type.inner)
      for (const std::string& word : alternative.choice_names()) words.push_back(word);
    const std::string hint =
        node.form == Node::Form::scalar ? did_you_mean(node.text, words) : std::string();
    error(node, "expected " + type.described() + ", got " + node.described() + hint);
    return placed(node, Value::Kind::invalid);
  }

  /// Nothing when the table has no tag, or the tag is missing or wrong (reported by its entry).
  const Table* chosen_variant(const Node& node, const Table& table) {
    if (table.tag().empty()) return nullptr;
    const Node* tag = node.find(table.tag());
    if (tag) return tag->form == Node::Form::scalar ? table.variant(tag->text) : nullptr;
    const auto& word = table.find(table.tag())->default_text;
    return word ? table.variant(*word) : nullptr;
  }

  /// The keys that were meant by misspelt ones.
  std::vector<std::string> report_unknown_keys(const Node& node, const Table& table,
                                               const Table* variant) {
    std::vector<std::string> meant;
    std::vector<std::string> known = table.keys();
    const std::vector<Table>& all = table.variants();
    for (const Table& v : all)
      if (!variant || variant == &v)
        for (const std::string& key : v.keys())
          if (std::find(known.begin(), known.end(), key) == known.end()) known.push_back(key);
    for (const Node& child : node.children) {
      if (std::find(known.begin(), known.end(), child.key) != known.end()) continue;
      meant.push_back(nearest(child.key, known));
      std::vector<std::string> owners;
      for (const Table& v : all)
        if (v.find(child.key)) owners.push_back(v.name());
      const std::string message =
          owners.empty() ? "unknown key " + quoted(child.key) + did_you_mean(child.key, known)
                         : "key " + quoted(child.key) + " does not belong to " + table.tag() +
                               ": " + variant->name() + ", but to " + comma_list(owners);
      // For a record without its tag the keys of all variants would be too many.
      constexpr std::size_t most_listed = 40;
      const bool listed = variant || all.empty() || known.size() <= most_listed;
      const std::string decimal = meant_decimal(node, child);
      diagnostics_.error(child.key_position, node.path, message,
                         !decimal.empty() ? "numbers have a decimal point: " + decimal
                         : listed ? "allowed: " + comma_list(known)
                                : std::to_string(known.size()) + " keys are allowed, by the value of " + quoted(table.tag()) + ", which is missing; `invar schema` lists them");
    }
    return meant;
  }

  void read_entries(const Node& node, const Table& table, const std::vector<std::string>& meant,
                    Value& value) {
    for (const Table::Entry& entry : table.entries()) {
      const bool has_effect = entry.beside.empty() || node.find(entry.beside);
      if (const Node* child = node.find(entry.key)) {
        if (!has_effect)
          error_at_key(*child, quoted(entry.key) + " has no effect without " + quoted(entry.beside), "give both, or leave " + quoted(entry.key) + " out");
        value.children.push_back(read(*child, entry.type));
        if (entry.default_text) value.children.back().defaulted = same(value.children.back(), read_default(node, table, entry));
      } else if (entry.default_text && has_effect)
        value.children.push_back(read_default(node, table, entry));
      else if (entry.required && std::find(meant.begin(), meant.end(), entry.key) == meant.end())
        error_at_key(node, "missing key " + quoted(entry.key),
                     "expected " + entry.type.described() + ": " + entry.doc);
    }
  }

  /// One value for the other: a default that is written out says no more than one that is left out.
  static bool same(const Value& a, const Value& b) {
    const auto equal = [](const Value& v, const Value& w) { return same(v, w); };
    return a.kind == b.kind && a.scalar == b.scalar && a.scalar_text == b.scalar_text &&
           std::equal(a.children.begin(), a.children.end(), b.children.begin(), b.children.end(), equal);
  }

  Value read_default(const Node& node, const Table& table, const Table::Entry& entry) {
    Diagnostics own;
    std::optional<Node> written = parsed_default(*entry.default_text, node.key_position, own);
    Value value;
    if (written) {
      written->key = entry.key;
      assign_paths(*written, node.path.empty() ? entry.key : node.path + '.' + entry.key);
      value = Validator(folder_, own).read(*written, entry.type);
    }
    if (!own.empty())
      throw std::logic_error("default of '" + entry.key + "' in table '" + table.name() +
                             "': " + own.text());
    const auto mark = [](Value& v, const auto& self) -> void {
      v.defaulted = true;
      for (Value& child : v.children) self(child, self);
    };
    mark(value, mark);
    return value;
  }

  void check_rules(const Node& node, const Table& table) {
    for (const Table::Rule& rule : table.rules()) {
      std::vector<std::string> given;
      for (const std::string& key : rule.keys)
        if (node.find(key)) given.push_back(key);
      const std::string all = comma_list(rule.keys);
      if (given.size() < rule.least)
        error_at_key(node, (rule.most == 1 ? "exactly one of " : "at least one of ") + all +
                               " is needed");
      if (given.size() > rule.most)
        diagnostics_.error(node.find(given[1])->key_position, node.path,
                           "only one of " + all + " may be given", "given: " + comma_list(given));
    }
  }

  const std::filesystem::path& folder_;
  Diagnostics& diagnostics_;
};

void check_defaults_of(const Type& type) {
  for (const Type& inner : type.inner) check_defaults_of(inner);
  if (type.table) check_defaults(*type.table);
}

}  // namespace

Value validate(const Node& root, const Table& table, const std::filesystem::path& folder,
               Diagnostics& diagnostics) {
  return Validator(folder, diagnostics).read_record(root, table);
}

Value read_spec(const std::filesystem::path& file, const std::vector<std::string>& sets,
                const Table& table, Diagnostics& diagnostics) {
  std::optional<Node> root = parse_file(file, diagnostics);
  if (!root) diagnostics.throw_if_any();
  return read_spec(*root, file, sets, table, diagnostics);
}

Value read_spec(Node root, const std::filesystem::path& file, const std::vector<std::string>& sets, const Table& table,
                Diagnostics& diagnostics) {
  std::vector<Assignment> assignments;
  for (const std::string& set : sets)
    if (std::optional<Assignment> a = read_assignment(set, diagnostics)) assignments.push_back(std::move(*a));
  return read_spec(std::move(root), file, assignments, table, diagnostics);
}

Value read_spec(Node root, const std::filesystem::path& file, const std::vector<Assignment>& assignments, const Table& table,
                Diagnostics& diagnostics) {
  assign(root, assignments, table, diagnostics);
  const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
  return validate(root, table, folder, diagnostics);
}

void check_defaults(const Table& table) {
  for (const Table::Entry& entry : table.entries()) {
    check_defaults_of(entry.type);
    if (!entry.default_text) continue;
    Node empty;
    empty.form = Node::Form::map;
    Diagnostics ignored;
    Table alone(table.name(), table.doc());
    alone.defaulted(entry.key, entry.type, *entry.default_text, entry.doc);
    validate(empty, alone, {}, ignored);
  }
  for (const Table& variant : table.variants()) check_defaults(variant);
}

}  // namespace invar::spec
