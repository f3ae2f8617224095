#include <algorithm>
#include <cmath>
#include <optional>

#include "apps/invar/physics/physics.hpp"
#include "apps/invar/problem/problem.hpp"
#include "apps/invar/spec/csv_reader.hpp"

namespace invar {
namespace {

using spec::Value;

/// The table of a file that a key names. What is wrong with the file as a whole is said at the key.
std::optional<CsvTable> table_named(const Value& name, Diagnostics& diagnostics, bool may_be_missing = false) {
  Diagnostics own;
  std::optional<CsvTable> table = read_csv(name.file(), own, may_be_missing);
  for (const Diagnostic& d : own.sorted()) {
    if (d.position.line > 0) diagnostics.error(d.position, d.path, d.message, d.allowed);
    else diagnostics.error(name.position, name.yaml_path, name.file().string() + ": " + d.message, d.allowed);
  }
  return table;
}

/// The tables of an entry of a library of data, and when the data were measured.
void read_entry(TermData& d, Diagnostics& diagnostics) {
  const Value& term = *d.term;
  d.values = entry_values(d.entry->parameters, term);
  for (const EntryParameter& p : d.entry->parameters) {
    if (p.kind != EntryParameter::Kind::table_file || !term.has(p.key)) continue;
    std::optional<CsvTable> table = table_named(term[p.key], diagnostics, p.may_be_infinite);
    d.readable &= table.has_value();
    if (!table) continue;
    d.values.set_table(std::string(p.key), {table->columns, table->data});
    d.tables.emplace(p.key, std::move(*table));
  }
  if (!d.readable || !d.entry->times) return;
  d.times = d.entry->times(d.values);
  if (const Value* at = term.find("at"); at && !d.times.empty())
    diagnostics.error(at->key_position, at->yaml_path, "column t of the file gives the time of each row", "omit 'at', or the column");
}

/// The measured values of a quantity along t. Rows without a value are left out; cells of other columns may be empty.
void read_curve(TermData& d, Diagnostics& diagnostics) {
  const Value& term = *d.term;
  std::optional<CsvTable> table = table_named(term["file"], diagnostics, true);
  d.readable = table.has_value();
  if (!table) return;
  const auto t = table->find(term["t"].text(), term["t"].position, term["t"].yaml_path, diagnostics);
  const auto v = table->find(term["value"].text(), term["value"].position, term["value"].yaml_path, diagnostics);
  d.readable = t && v;
  if (!d.readable) return;
  for (std::size_t row = 0; row < table->row_count(); ++row) {
    const double at = table->data[*t][row], value = table->data[*v][row];
    if (std::isnan(value)) continue;
    if (std::isnan(at)) {
      diagnostics.error(table->positions[*t][row], term["t"].yaml_path, "a measured value without its t");
      d.readable = false;
      continue;
    }
    d.times.push_back(at);
    d.measured.push_back(value);
    d.rows.push_back(static_cast<int>(row));
  }
  if (d.readable && d.measured.empty()) diagnostics.error(term["value"].position, term["value"].yaml_path, "the column '" + term["value"].text() + "' has no value");
  d.readable &= !d.measured.empty();
  d.tables.emplace("file", std::move(*table));
}

}  // namespace

std::vector<TermData> read_term_data(const std::vector<const Value*>& terms, Diagnostics& diagnostics) {
  std::vector<TermData> out;
  for (const Value* term : terms) {
    TermData d;
    d.term = term;
    d.entry = data_named((*term)["type"].text());
    if (d.entry) read_entry(d, diagnostics);
    else if (term->has("file")) read_curve(d, diagnostics);
    if (const Value* at = term->find("at")) d.times = {at->number()};
    out.push_back(std::move(d));
  }
  return out;
}

std::vector<double> times_wanted(const std::vector<TermData>& terms, const CaseRecords& records) {
  std::vector<double> t;
  for (const TermData& d : terms) t.insert(t.end(), d.times.begin(), d.times.end());
  for (const auto* list : {&records.constraints, &records.quantities})
    for (const Value* record : *list)
      if (const Value* at = record->find("at")) t.push_back(at->number());
  std::sort(t.begin(), t.end());
  t.erase(std::unique(t.begin(), t.end()), t.end());
  return t;
}

}  // namespace invar
