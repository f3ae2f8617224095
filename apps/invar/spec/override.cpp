#include "apps/invar/spec/override.hpp"

#include <charconv>

#include "apps/invar/spec/did_you_mean.hpp"

namespace invar::spec {
namespace {

using Kind = Type::Kind;

/// "a.b[0].c" -> a, b, 0, c.
std::vector<std::string> split(const std::string& path) {
  std::vector<std::string> parts(1);
  for (char c : path) {
    if (c == '.' || c == '[')
      parts.emplace_back();
    else if (c != ']')
      parts.back() += c;
  }
  return parts;
}

std::optional<std::size_t> index(const std::string& word) {
  std::size_t value = 0;
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (code != std::errc() || end != word.data() + word.size()) return {};
  return value;
}

/// The alternative that is a map, when there is one; the type itself otherwise.
const Type& map_like(const Type& type) {
  if (type.kind == Kind::either)
    for (const Type& t : type.inner)
      if (t.kind == Kind::map || t.kind == Kind::record) return t;
  return type;
}

class Override {
 public:
  Override(const Assignment& assignment, Diagnostics& diagnostics)
      : at_(assignment.value.key_position), path_(assignment.path), value_(assignment.value),
        leaves_out_(assignment.leaves_out), diagnostics_(diagnostics) {}

  void apply(Node& root, const Table& table) {
    const std::vector<std::string> parts = split(path_);
    inherit_section(root, parts);
    Node* node = &root;
    Node* parent = nullptr;
    Type type = record(table);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].empty()) return fail("'" + path_ + "' is not a path", "write a.b.c");
      const bool last = i + 1 == parts.size();
      if (node->form == Node::Form::null && i > 0) node->form = Node::Form::map;
      if (node->form == Node::Form::scalar)
        return fail("'" + node->path + "' is a single value, it has no '" + parts[i] + "'");
      parent = node;
      node = node->form == Node::Form::list ? in_list(*node, parts[i], last)
                                            : in_map(*node, parts[i], last, type);
      if (!node) return;
      type = below(type, parts[i]);
    }
    if (leaves_out_ && parent->form == Node::Form::map) {
      parent->children.erase(parent->children.begin() + (node - parent->children.data()));
      return;
    }
    Node fresh = value_;
    fresh.key = node->key;
    fresh.key_position = at_;
    *node = std::move(fresh);
  }

 private:
  /// A case without a section of that name has the one at the top: a value set there is set in a copy of it.
  static void inherit_section(Node& root, const std::vector<std::string>& parts) {
    if (parts.size() < 4 || parts[0] != "cases") return;
    Node* cases = root.find("cases");
    Node* one = cases ? cases->find(parts[1]) : nullptr;
    const Node* top = root.find(parts[2]);
    if (!one || !top || one->find(parts[2]) || (one->form != Node::Form::map && one->form != Node::Form::null)) return;
    one->form = Node::Form::map;
    one->children.push_back(*top);
  }
  void fail(const std::string& message, const std::string& allowed = {}) {
    diagnostics_.error(at_, "", message, allowed);
  }

  Node* in_list(Node& list, const std::string& word, bool last) {
    const std::optional<std::size_t> i = index(word);
    const std::size_t size = list.children.size();
    if (i && last && *i == size) list.children.emplace_back();  // one more
    if (i && *i < list.children.size()) return &list.children[*i];
    fail("'" + list.path + "' is a list, it has no '" + word + "'",
         size == 0 ? "it is empty" : "allowed: 0 to " + std::to_string(size - 1));
    return nullptr;
  }

  Node* in_map(Node& map, const std::string& word, bool last, const Type& type) {
    if (Node* child = map.find(word)) return child;
    if (!last && !may_create(map, word, type)) return nullptr;
    Node fresh;
    fresh.form = Node::Form::map;
    fresh.key = word;
    fresh.position = fresh.key_position = at_;
    fresh.path = map.path.empty() ? word : map.path + '.' + word;
    map.children.push_back(std::move(fresh));
    return &map.children.back();
  }

  bool may_create(const Node& map, const std::string& word, const Type& type) {
    const Type& here = map_like(type);
    std::vector<std::string> known = map.keys();
    if (here.kind == Kind::record) {
      if (const Table::Entry* entry = here.table->find_anywhere(word)) {
        const Kind kind = map_like(entry->type).kind;
        if (kind == Kind::record || kind == Kind::map) return true;
      }
      known = here.table->keys();
    }
    const std::string here_text = map.path.empty() ? "the spec" : "'" + map.path + "'";
    fail(here_text + " has no '" + word + "'" + did_you_mean(word, known),
         known.empty() ? "it is empty" : "allowed: " + comma_list(known));
    return false;
  }

  /// The type of what `word` names inside a value of `type`.
  static Type below(const Type& type, const std::string& word) {
    const Type& here = map_like(type);
    if (here.kind == Kind::map && here.table)
      if (const Table::Entry* named = here.table->find(word)) return named->type;
    if (here.kind == Kind::list || here.kind == Kind::map) return here.inner[0];
    if (here.kind == Kind::record)
      if (const Table::Entry* entry = here.table->find_anywhere(word)) return entry->type;
    return text();
  }

  SourcePosition at_;
  const std::string& path_;
  const Node& value_;
  bool leaves_out_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::optional<Assignment> read_assignment(const std::string& text, Diagnostics& diagnostics) {
  const std::size_t equals = text.find('=');
  const std::string path = text.substr(0, equals);
  const SourcePosition at = SourcePosition::whole("--set " + path);
  if (equals == std::string::npos || path.empty()) {
    diagnostics.error(at, "", "no value given", "write --set a.b=value");
    return {};
  }
  const std::string written = text.substr(equals + 1);
  std::optional<Node> value = parse_value(written, at, diagnostics);
  if (!value) return {};
  return Assignment{path, std::move(*value), written == "null"};
}

void apply_override(Node& root, const Assignment& assignment, const Table& table, Diagnostics& diagnostics) {
  Override(assignment, diagnostics).apply(root, table);
  assign_paths(root, "");
}

void apply_override(Node& root, const std::string& text, const Table& table, Diagnostics& diagnostics) {
  if (const std::optional<Assignment> a = read_assignment(text, diagnostics)) apply_override(root, *a, table, diagnostics);
}

}  // namespace invar::spec
