#include "apps/invar/batch/over_option.hpp"

namespace invar {
namespace {

using spec::Node;

/// The map of that key, created if missing; nullptr if the value has another type, which validation reports.
Node* map_in(Node& parent, const std::string& key, const SourcePosition& at) {
  if (!parent.find(key)) {
    Node fresh;
    fresh.form = Node::Form::map;
    fresh.key = key;
    fresh.position = fresh.key_position = at;
    parent.children.push_back(std::move(fresh));
  }
  Node* child = parent.find(key);
  if (child->form == Node::Form::null) child->form = Node::Form::map;
  return child->form == Node::Form::map ? child : nullptr;
}

}  // namespace

void apply_over(Node& root, const std::vector<std::string>& overs, Diagnostics& diagnostics) {
  if (root.form != Node::Form::map) return;
  for (const std::string& text : overs) {
    const std::size_t equals = text.find('=');
    const std::string path = text.substr(0, equals), values = text.substr(equals + 1);
    const SourcePosition at = SourcePosition::whole("--over " + path);
    const bool range = values.starts_with('{');
    std::optional<Node> value = spec::parse_value(range ? values : '[' + values + ']', at, diagnostics);
    Node* sweep = map_in(root, "sweep", at);
    Node* over = sweep ? map_in(*sweep, "over", at) : nullptr;
    if (!value || !over) continue;
    value->key = path;
    if (Node* known = over->find(path)) *known = std::move(*value);
    else over->children.push_back(std::move(*value));
  }
  spec::assign_paths(root, "");
}

}  // namespace invar
