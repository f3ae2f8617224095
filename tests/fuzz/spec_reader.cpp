#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "apps/invar/spec/override.hpp"
#include "apps/invar/spec/spec_error.hpp"
#include "apps/invar/spec/table.hpp"
#include "apps/invar/spec/validate.hpp"
#include "tests/fuzz/readers.hpp"
#include "tests/fuzz/scratch_file.hpp"

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

/// Each type once, also those that no section has in this place: what a table may say, inputs may meet.
const spec::Table& every_type() {
  using namespace spec;
  static const Table all = Table("types", "one key for each type")
    .optional("number", number("m").above(0).below(1), "").optional("many", number().or_infinite(), "")
    .optional("whole", integer().at_least(-3).at_most(1000), "").optional("truth", boolean(), "").optional("text", text(), "")
    .optional("word", choice({{"one", "1"}, {"two", "2"}}), "").optional("formula", expression(), "").optional("file", path(), "")
    .optional("list", list_of(list_of(integer(), 2)).sized(1, 3), "").optional("map", map_of(map_of(boolean(), "b").sized(1, 2), "a"), "")
    .optional("lists", list_of(either({boolean(), map_of(text()), list_of(path())})), "")
    .optional("truths", list_of(boolean(), 2), "").optional("formulas", list_of(expression()), "").optional("files", list_of(path()), "")
    .optional("maps", list_of(map_of(text())), "").optional("record", record(Table("inner", "").required("x", number(), "").paths("")), "")
    .optional("any", anything(), "").optional("anys", list_of(anything()), "")
    .optional("either", either({boolean(), choice({{"auto", ""}}), number(), list_of(text()), map_of(anything()), path()}), "")
    .optional("nested", either({either({integer(), boolean()}), list_of(expression()), anything()}), "");
  return all;
}

/// As the program does it, from the tree on.
spec::Value validated(std::string_view text, const std::vector<std::string>& sets, const spec::Table& by) {
  Diagnostics diagnostics;
  std::optional<spec::Node> root = spec::parse(text, "spec.yaml", diagnostics);
  if (!root && diagnostics.empty()) throw std::logic_error("no tree and no mistake");
  if (!root) diagnostics.throw_if_any();
  spec::Value value = spec::read_spec(std::move(*root), "/folder/spec.yaml", sets, by, diagnostics);
  diagnostics.throw_if_any();
  return value;
}

/// Reads all values, as builders do: what was accepted can be read as what its table says.
double visited(const spec::Value& value) {
  using Kind = spec::Value::Kind;
  switch (value.kind) {
    case Kind::number: return value.number();
    case Kind::integer: return static_cast<double>(value.integer());
    case Kind::boolean: return value.boolean();
    case Kind::text:
    case Kind::expression: return static_cast<double>(value.text().size());
    case Kind::path: return static_cast<double>(value.file().native().size());
    case Kind::invalid: throw std::logic_error("a value that is wrong was accepted");
    case Kind::list:
    case Kind::map: break;
  }
  double sum = 0;
  for (std::size_t k = 0; value.is_list() && k < value.size(); ++k) sum += visited(value[k]);
  for (const spec::Value& v : value)
    if (value.is_map()) sum += value.has(v.key) ? visited(value[v.key]) : 0;
  const auto all = [&](auto of) { return value.is_list() && std::ranges::all_of(value, of); };
  if (all(&spec::Value::is_number) && value.numbers().size() != value.size()) throw std::logic_error("numbers that are lost");
  if (all(&spec::Value::is_text) && value.texts().size() != value.size()) throw std::logic_error("texts that are lost");
  return sum;
}

/// A mistake names its place.
void check(const SpecError& e) {
  for (const Diagnostic& d : e.diagnostics())
    if (!d.position.file || d.message.empty()) throw std::logic_error("a mistake without its place");
}

/// Accepted or refused; what is accepted is written resolved and read again.
bool read_by(const spec::Table& by, std::string_view bytes) {
  std::string resolved;
  try {
    const spec::Value value = validated(bytes, sets_in(bytes), by);
    visited(value);
    resolved = value.yaml();
  } catch (const SpecError& e) {
    check(e);
    return false;
  }
  if (validated(resolved, {}, by).yaml() != resolved) throw std::logic_error("the resolved spec reads otherwise");
  return true;
}

/// A file reads as its bytes do.
void read_as_file(std::string_view bytes, bool accepted) {
  static const ScratchFolder folder;
  try {
    Diagnostics diagnostics;
    spec::read_spec(folder.write("spec.yaml", bytes), sets_in(bytes), table(), diagnostics);
    diagnostics.throw_if_any();
    if (!accepted) throw std::logic_error("a file is accepted, its bytes are not");
  } catch (const SpecError& e) {
    check(e);
    if (accepted) throw std::logic_error("a file is refused, its bytes are not");
  }
}

/// What is no spec at all.
bool refuses_what_is_no_file() {
  spec::check_defaults(table());
  for (const char* no_file : {"/", "/dev/null", "/nowhere/at/all.yaml"}) {
    Diagnostics diagnostics;
    if (spec::parse_file(no_file, diagnostics) || diagnostics.empty()) throw std::logic_error("what is no file was read");
  }
  return true;
}

}  // namespace

bool read_spec(std::string_view bytes) {
  static const bool once = refuses_what_is_no_file();
  const bool accepted = read_by(table(), bytes);
  read_as_file(bytes, accepted);
  return read_by(every_type(), bytes) || (once && accepted);
}

}  // namespace invar::fuzz
