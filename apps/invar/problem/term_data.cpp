#include <algorithm>
#include <limits>

#include "apps/invar/problem/problem.hpp"
#include "apps/invar/spec/csv_reader.hpp"

namespace invar {
namespace {

using spec::Value;

/// The table of a file that a key names. What is wrong with the file as a whole is said at the key.
std::optional<CsvTable> table_named(const Value& name, Diagnostics& diagnostics) {
  Diagnostics own;
  std::optional<CsvTable> table = read_csv(name.file(), own);
  for (const Diagnostic& d : own.sorted()) {
    if (d.position.line > 0) diagnostics.error(d.position, d.path, d.message, d.allowed);
    else diagnostics.error(name.position, name.yaml_path, name.file().string() + ": " + d.message, d.allowed);
  }
  return table;
}

void read_curve(TermData& d, Diagnostics& diagnostics) {
  const Value& term = *d.term;
  const auto table = table_named(term["file"], diagnostics);
  if (!table) return;
  const auto t = table->find(term["t"].text(), term["t"].position, term["t"].yaml_path, diagnostics);
  const auto v = table->find(term["value"].text(), term["value"].position, term["value"].yaml_path, diagnostics);
  if (!t || !v) return;
  d.t = table->data[*t];
  d.values = table->data[*v];
}

void read_markers(TermData& d, Diagnostics& diagnostics) {
  const Value& term = *d.term;
  const auto table = table_named(term["file"], diagnostics);
  if (!table) return;
  const auto column = [&](const char* name) {
    const auto it = std::find(table->columns.begin(), table->columns.end(), name);
    return it == table->columns.end() ? -1 : static_cast<int>(it - table->columns.begin());
  };
  const int position[3] = {column("x"), column("y"), column("z")};
  const int time = column("t");
  if (const Value* at = term.find("at"); at && time >= 0)
    diagnostics.error(at->key_position, at->yaml_path, "the file says by its column t when each marker was measured", "leave out 'at', or the column");
  const int measured[4] = {column("u_x"), column("u_y"), column("u_z"), column("p")};
  if (position[0] < 0 || position[1] < 0 || std::all_of(measured, measured + 4, [](int c) { return c < 0; })) {
    diagnostics.error(table->file, term.yaml_path,
                      "a marker file needs columns x, y, (z) and at least one of u_x, u_y, u_z, p named in its first line");
    return;
  }
  for (std::size_t row = 0; row < table->row_count(); ++row) {
    std::vector<double> x;
    std::array<double, 4> u;
    for (int i = 0; i < 3; ++i)
      if (position[i] >= 0) x.push_back(table->data[position[i]][row]);
    for (int i = 0; i < 4; ++i)
      u[i] = measured[i] >= 0 ? table->data[measured[i]][row] : std::numeric_limits<double>::quiet_NaN();
    d.points.push_back(std::move(x));
    d.places.push_back(table->positions[position[0]][row]);
    d.measured.push_back(u);
    if (time >= 0) d.t.push_back(table->data[time][row]);
  }
}

}  // namespace

std::vector<TermData> read_term_data(const std::vector<const Value*>& terms, Diagnostics& diagnostics) {
  std::vector<TermData> out;
  for (const Value* term : terms) {
    TermData d;
    d.term = term;
    const std::string type = (*term)["type"].text();
    if (type == "markers") read_markers(d, diagnostics);
    else if (term->has("file")) read_curve(d, diagnostics);
    if (const Value* at = term->find("at")) d.t = {at->number()};
    out.push_back(std::move(d));
  }
  return out;
}

std::vector<double> times_wanted(const std::vector<TermData>& terms, const CaseRecords& records) {
  std::vector<double> t;
  for (const TermData& d : terms) t.insert(t.end(), d.t.begin(), d.t.end());
  for (const auto* list : {&records.constraints, &records.quantities})
    for (const Value* record : *list)
      if (const Value* at = record->find("at")) t.push_back(at->number());
  std::sort(t.begin(), t.end());
  t.erase(std::unique(t.begin(), t.end()), t.end());
  return t;
}

}  // namespace invar
