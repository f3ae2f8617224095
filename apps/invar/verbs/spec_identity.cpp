#include "apps/invar/verbs/spec_identity.hpp"

#include <algorithm>

#include "apps/invar/problem/weight_spec.hpp"
#include "apps/invar/spec/diagnostics.hpp"

namespace invar {
namespace {

constexpr const char* free_paths[] = {"title", "sweep", "expect", "verify", "output.fields", "output.states", "output.pictures"};
/// May change for a single search only: finished searches of several would not use the new values.
constexpr const char* free_of_one_search[] = {"optimizer.max_iterations", "optimizer.gradient_tolerance"};
constexpr const char* petsc = "-- (PETSc's options)";

bool is_free(const std::string& path, bool one_search) {
  const auto below = [&](const std::string& free) {
    return path.starts_with(free) && (path.size() == free.size() || path[free.size()] == '.' || path[free.size()] == '[');
  };
  return std::any_of(std::begin(free_paths), std::end(free_paths), below) ||
         (one_search && std::any_of(std::begin(free_of_one_search), std::end(free_of_one_search), below));
}

/// Calls visit(path, leaf) for every value without children.
template <class Visit>
void walk_all(const spec::Value& value, const std::string& path, const Visit& visit) {
  if (value.size() == 0) return visit(path, value);
  for (std::size_t i = 0; i < value.size(); ++i) {
    const spec::Value& child = value.children[i];
    walk_all(child, value.is_list() ? path + '[' + std::to_string(i) + ']' : path + (path.empty() ? "" : ".") + child.key, visit);
  }
}

/// The same for those that belong to the run's identity.
template <class Visit>
void walk(const spec::Value& spec, const Visit& visit) {
  const bool one_search = spec["optimizer"]["starts"].integer() == 1 && !seeks_weight(spec);
  walk_all(spec, "", [&](const std::string& path, const spec::Value& leaf) {
    if (!is_free(path, one_search)) visit(path, leaf);
  });
}

std::string text_of(const spec::Value& leaf) {
  std::string text = leaf.yaml();
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& w : words) out += (out.empty() ? "" : " ") + w;
  return out;
}

std::string shown(const std::string& text) { return text.empty() ? "not given" : text; }

}  // namespace

SpecIdentity identity_of(const spec::Value& spec, const std::vector<std::string>& petsc_options) {
  SpecIdentity identity{{petsc, joined(petsc_options)}};
  walk(spec, [&](const std::string& path, const spec::Value& leaf) { identity[path] = text_of(leaf); });
  return identity;
}

void require_same(const spec::Value& spec, const std::vector<std::string>& petsc_options, const SpecIdentity& begun) {
  const SpecIdentity now = identity_of(spec, petsc_options);
  const std::string other = "a run must be continued with the spec with which it began";
  const std::string remedy = "begin another run with 'invar run'; only limits and tolerances of the iterations, pictures and expectations may change";
  Diagnostics diagnostics;
  const auto complain = [&](const SourcePosition& at, const std::string& path, const std::string& value,
                            const std::string& before) {
    diagnostics.error(at, path, "'" + path + "' is " + shown(value) + " and was " + shown(before) +
                                    " when the run began; " + other, remedy);
  };
  walk(spec, [&](const std::string& path, const spec::Value& leaf) {
    const auto before = begun.find(path);
    const std::string value = text_of(leaf);
    if (before == begun.end() || before->second != value)
      complain(leaf.position, path, value, before == begun.end() ? "" : before->second);
  });
  for (const auto& [path, before] : begun) {
    const auto here = now.find(path);
    if (here == now.end() || (path == petsc && here->second != before))
      complain(spec.position, path, here == now.end() ? "" : here->second, before);
  }
  diagnostics.throw_if_any();
}

}  // namespace invar
