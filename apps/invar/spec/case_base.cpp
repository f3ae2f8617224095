#include "apps/invar/spec/case_base.hpp"

#include <algorithm>
#include <set>

#include "apps/invar/spec/did_you_mean.hpp"
#include "apps/invar/spec/override.hpp"

namespace invar::spec {
namespace {

/// "cases.NAME.", of an assignment to something in that case; else empty.
std::string case_prefix(const std::string& path) {
  constexpr std::string_view cases = "cases.";
  if (!path.starts_with(cases)) return {};
  const std::size_t end = path.find('.', cases.size());
  return end == std::string::npos ? std::string() : path.substr(0, end + 1);
}

bool has_point(const Node& child) { return child.key.find('.') != std::string::npos; }

class CaseWriter {
 public:
  CaseWriter(Node& root, const std::vector<Assignment>& assignments, const Table& table, Diagnostics& diagnostics)
      : root_(root), assignments_(assignments), table_(table), diagnostics_(diagnostics) {}

  void write(const std::string& name) {
    if (done_.contains(name)) return;
    done_.insert(name);
    take_from_base(name);
    std::vector<Assignment> own;
    Node& one = the_case(name);
    for (const Node& child : one.children)
      if (has_point(child)) own.push_back({"cases." + name + '.' + child.key, child});
    std::erase_if(one.children, has_point);
    for (const Assignment& a : own) apply_override(root_, a, table_, diagnostics_);
    for (const Assignment& a : assignments_)
      if (case_prefix(a.path) == "cases." + name + '.') apply_override(root_, a, table_, diagnostics_);
  }

 private:
  Node& the_case(const std::string& name) { return *root_.find("cases")->find(name); }

  void take_from_base(const std::string& name) {
    Node& one = the_case(name);
    const Node* base = one.find("base");
    if (!base) return;
    const Node named = *base;
    std::erase_if(one.children, [](const Node& child) { return child.key == "base"; });
    const std::optional<std::string> word = named.string(diagnostics_);
    if (!word) return;
    const Node* other = root_.find("cases")->find(*word);
    const bool itself = *word == name || std::ranges::count(open_, *word) > 0;
    if (!other || itself) {
      std::vector<std::string> names = root_.find("cases")->keys();
      std::erase(names, name);
      diagnostics_.error(named.position, named.path,
                         itself && other ? "case '" + name + "' is its own base, through '" + *word + "'"
                                         : "there is no case '" + *word + "'" + did_you_mean(*word, names),
                         names.empty() ? "" : "allowed: " + comma_list(names));
      return;
    }
    open_.push_back(name);
    write(*word);
    open_.pop_back();
    const std::vector<Node> inherited = the_case(*word).children;
    for (const Node& section : inherited)
      if (!the_case(name).find(section.key)) the_case(name).children.push_back(section);
  }

  Node& root_;
  const std::vector<Assignment>& assignments_;
  const Table& table_;
  Diagnostics& diagnostics_;
  std::set<std::string> done_;
  std::vector<std::string> open_;  // cases whose base is being written
};

}  // namespace

void assign(Node& root, const std::vector<Assignment>& assignments, const Table& table, Diagnostics& diagnostics) {
  const auto of_a_case = [&](const Assignment& a) {
    const std::string prefix = case_prefix(a.path);
    const Node* cases = root.find("cases");
    return !prefix.empty() && cases && cases->find(prefix.substr(6, prefix.size() - 7));
  };
  for (const Assignment& a : assignments)
    if (!of_a_case(a)) apply_override(root, a, table, diagnostics);
  const Node* cases = root.find("cases");
  if (!cases || cases->form != Node::Form::map) return;
  CaseWriter writer(root, assignments, table, diagnostics);
  for (const std::string& name : cases->keys())
    if (const Node::Form form = root.find("cases")->find(name)->form; form == Node::Form::map || form == Node::Form::null) writer.write(name);
  assign_paths(root, "");
}

}  // namespace invar::spec
