#include <stdexcept>
#include <string>
#include <vector>

#include "apps/invar/spec/override.hpp"
#include "apps/invar/spec/spec_error.hpp"
#include "apps/invar/spec/table.hpp"
#include "apps/invar/spec/validate.hpp"
#include "tests/fuzz/readers.hpp"

namespace invar {
spec::Table spec_table();  // declared in spec_table.hpp, whose other headers clang 14 cannot read: it has no source_location
}

namespace invar::fuzz {
namespace {

const spec::Table& table() {
  static const spec::Table whole = spec_table();
  return whole;
}

std::vector<std::string> sets_in(std::string_view text) {
  constexpr std::string_view mark = "#set ";
  std::vector<std::string> sets;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    if (line.starts_with(mark)) sets.emplace_back(line.substr(mark.size()));
    at = end + 1;
  }
  return sets;
}

spec::Value validated(std::string_view text, const std::vector<std::string>& sets) {
  Diagnostics diagnostics;
  std::optional<spec::Node> root = spec::parse(text, "spec.yaml", diagnostics);
  if (!root && diagnostics.empty()) throw std::logic_error("no tree and no mistake");
  if (!root) diagnostics.throw_if_any();
  for (const std::string& set : sets) spec::apply_override(*root, set, table(), diagnostics);
  spec::Value value = spec::validate(*root, table(), "/folder", diagnostics);
  diagnostics.throw_if_any();
  return value;
}

}  // namespace

bool read_spec(std::string_view bytes) {
  std::string resolved;
  try {
    resolved = validated(bytes, sets_in(bytes)).yaml();
  } catch (const SpecError& e) {
    for (const Diagnostic& d : e.diagnostics())
      if (!d.position.file || d.message.empty()) throw std::logic_error("a mistake without its place");
    return false;
  }
  if (validated(resolved, {}).yaml() != resolved) throw std::logic_error("the resolved spec reads otherwise");
  return true;
}

}  // namespace invar::fuzz
