#include "apps/invar/verbs/spec_paths.hpp"

#include <set>

#include "apps/invar/problem/spec_table.hpp"

namespace invar {
namespace {

void collect(const spec::Table& table, const std::string& prefix, std::set<std::string>& paths) {
  if (!table.tag().empty()) paths.insert(prefix + table.tag());
  for (const spec::Table::Entry& e : table.entries()) {
    if (e.type.kind == spec::Type::Kind::record) collect(*e.type.table, prefix + e.key + '.', paths);
    else if (e.type.kind != spec::Type::Kind::map) paths.insert(prefix + e.key);
  }
  for (const spec::Table& variant : table.variants()) collect(variant, prefix, paths);
}

}  // namespace

std::vector<std::string> spec_paths() {
  std::set<std::string> paths;
  collect(spec_table(), "", paths);
  return {paths.begin(), paths.end()};
}

}  // namespace invar
