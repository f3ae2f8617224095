#include "apps/invar/spec/reference_page.hpp"

namespace invar::spec {
namespace {

using Kind = Type::Kind;

/// Text of a table cell.
std::string cell(const std::string& text) {
  std::string out;
  for (char c : text) out += c == '|' ? std::string("\\|") : c == '\n' ? " " : std::string(1, c);
  return out;
}

/// Writes a record that stands at `place` of the spec, "" being the whole.
void write_record(const Table& table, const std::string& place, std::string& out);

void write_below(const Type& type, const std::string& place, std::string& out) {
  switch (type.kind) {
    case Kind::record: write_record(*type.table, place, out); break;
    case Kind::list: write_below(type.inner[0], place + "[]", out); break;
    case Kind::map: write_below(type.inner[0], place + ".<" + type.key_name + '>', out); break;
    case Kind::either:
      for (const Type& t : type.inner) write_below(t, place, out);
      break;
    default: break;
  }
}

void write_entries(const Table& table, std::string& out) {
  if (table.entries().empty()) return;
  out += "| key | value | default | meaning |\n|---|---|---|---|\n";
  for (const Table::Entry& e : table.entries()) {
    const std::string missing = e.required ? "required" : "";
    out += "| `" + e.key + "` | " + cell(e.type.described()) + " | " +
           (e.default_text ? '`' + cell(*e.default_text) + '`' : missing) + " | " + cell(e.doc) +
           " |\n";
  }
  out += '\n';
}

void write_choices(const Table& table, std::string& out) {
  for (const Table::Entry& e : table.entries()) {
    if (e.type.kind != Kind::choice || e.key == table.tag()) continue;
    out += "`" + e.key + "`:\n\n";
    for (const Type::Choice& c : e.type.choices) out += "- `" + c.word + "`: " + c.doc + '\n';
    out += '\n';
  }
}

void write_rules(const Table& table, std::string& out) {
  for (const Table::Rule& rule : table.rules()) {
    std::string keys;
    for (const std::string& key : rule.keys) keys += (keys.empty() ? "`" : ", `") + key + '`';
    const char* many = rule.least == 0 ? "At most one of "
                       : rule.most == 1 ? "Exactly one of "
                                        : "At least one of ";
    out += many + keys + ".\n\n";
  }
}

void write_body(const Table& table, const std::string& place, std::string& out) {
  out += table.doc() + "\n\n";
  write_entries(table, out);
  write_rules(table, out);
  write_choices(table, out);
  for (const Table::Entry& e : table.entries())
    write_below(e.type, place.empty() ? e.key : place + '.' + e.key, out);
}

void write_record(const Table& table, const std::string& place, std::string& out) {
  out += place.empty() ? "# " + table.name() + "\n\n" : "## `" + place + "`\n\n";
  write_body(table, place, out);
  for (const Table& v : table.variants()) {
    out += "### `" + (place.empty() ? "" : place + ", ") + table.tag() + ": " + v.name() + "`\n\n";
    write_body(v, place, out);
  }
}

}  // namespace

std::string reference_page(const Table& table) {
  std::string out;
  write_record(table, "", out);
  return out;
}

}  // namespace invar::spec
