// The history variables in a saved state, and a process that begins with them.
#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

#include "apps/invar/problem/design_parts.hpp"
#include "apps/invar/problem/gathered_entries.hpp"
#include "apps/invar/problem/saved_state.hpp"
#include "apps/invar/spec/csv_reader.hpp"
#include "libadjoint/number_text.hpp"
#include "libadjoint/time/transient_case.hpp"
#include "libfem/form/history_places.hpp"

namespace invar {
namespace {

using spec::Value;

/// Columns of the history variables of forms: "NAME OF THE FORM k".
std::string history_column(const std::string& form, int k) { return form + " " + std::to_string(k + 1); }

/// A form's history variables at points, read from a state.
class HistoryTable {
 public:
  /// False, with an error message, if the table does not have them.
  bool open(const CsvTable& table, const HistoryPlaces& places, int dim, const Value& from, Diagnostics& diagnostics) {
    table_ = &table;
    const auto column = [&](const std::string& name) { return table.find(name, from.position, from.yaml_path, diagnostics); };
    const std::optional<std::size_t> cell = column("cell");
    if (!cell) return false;
    for (int i = 0; i < dim; ++i)
      if (const auto at = column(std::string(1, "xyz"[i]))) places_.push_back(*at);
    if (std::ranges::find(table.columns, history_column(places.form, 0)) == table.columns.end()) {
      diagnostics.error(from.position, from.yaml_path, "the run kept no history variables for " + places.form, "begin from a run with the same materials");
      return false;
    }
    for (int k = 0; k < places.per_point; ++k)
      if (const auto at = column(history_column(places.form, k))) values_.push_back(*at);
    if (static_cast<int>(places_.size()) != dim || static_cast<int>(values_.size()) != places.per_point) return false;
    for (std::size_t row = 0; row < table.row_count(); ++row)
      if (std::ranges::all_of(values_, [&](std::size_t c) { return std::isfinite(table.data[c][row]); }))
        rows_.emplace(static_cast<long long>(table.data[*cell][row]), row);
    for (const std::size_t c : places_) {
      const auto [low, high] = std::ranges::minmax(table.data[c]);
      same_ = std::max(same_, 1e-9 * (high - low));
    }
    return true;
  }

  /// Writes those at a point of a cell, `stride` apart; false: there are none.
  bool read(long long cell, const std::array<double, 3>& x, double* to) const {
    const auto [begin, end] = rows_.equal_range(cell);
    for (auto at = begin; at != end; ++at) {
      bool there = true;
      for (std::size_t i = 0; i < places_.size(); ++i) there = there && std::abs(table_->data[places_[i]][at->second] - x[i]) <= same_;
      if (!there) continue;
      for (std::size_t k = 0; k < values_.size(); ++k) to[k * HistoryPlaces::stride] = table_->data[values_[k]][at->second];
      return true;
    }
    return false;
  }

 private:
  const CsvTable* table_ = nullptr;
  std::vector<std::size_t> places_, values_;             // columns
  std::unordered_multimap<long long, std::size_t> rows_; // by cell
  double same_ = 0;                                      // m
};

}  // namespace

std::string saved_history(const CaseModel& model, const EvaluationPoint& u) {
  const VecHandle after = model.residual->create_memory();
  if (!after) return {};
  model.residual->update_memory(u, after);
  const std::vector<HistoryPlaces> all = history_places(*model.residual);
  const std::vector<long long> numbers = numbers_of(*model.mesh, ControlLayout::cells);
  const int dim = model.mesh->dim;
  std::map<std::string, std::size_t> first;  // column after the place, by form
  std::string text = "# history variables of case '" + model.name + "' at t = " + number_text(model.times.back()) + "\ncell";
  for (int i = 0; i < dim; ++i) text += std::string(",") + "xyz"[i];
  std::size_t width = 0;
  for (const HistoryPlaces& places : all) {
    if (!first.emplace(places.form, width).second) continue;
    width += places.per_point;
    for (int k = 0; k < places.per_point; ++k) text += ",\"" + history_column(places.form, k) + "\"";
  }
  const double* values = nullptr;
  check(VecGetArrayRead(after, &values));
  for (const HistoryPlaces& places : all) {
    constexpr long long most_points = 4096;  // of a cell
    std::unordered_map<int, long long> count;
    std::vector<long long> keys;
    std::vector<double> rows;
    for (const HistoryPlaces::Point& point : places.points) {
      if (!point.owned) continue;
      keys.push_back(numbers[point.cell] * most_points + count[point.cell]++);
      rows.insert(rows.end(), point.x.begin(), point.x.begin() + dim);
      for (int k = 0; k < places.per_point; ++k) rows.push_back(values[point.first + k * HistoryPlaces::stride]);
    }
    for (const auto& [key, row] : gathered_entries(keys, rows, dim + places.per_point, model.dofs->comm())) {
      text += "\n" + std::to_string(key / most_points);
      for (int i = 0; i < dim; ++i) text += "," + number_text(row[i]);
      std::vector<std::string> entries(width);
      for (int k = 0; k < places.per_point; ++k) entries[first[places.form] + k] = number_text(row[dim + k]);
      for (const std::string& entry : entries) text += "," + entry;
    }
  }
  check(VecRestoreArrayRead(after, &values));
  return text + "\n";
}

void begin_history_from_state(const CaseModel& model, const CaseSections& sections, Diagnostics& diagnostics) {
  VecHandle start = model.residual ? model.residual->create_memory() : VecHandle();
  auto* const process = dynamic_cast<TransientCase*>(model.process.get());
  if (!start || !process || !model.origin) return;
  const Value& from = (*sections.find("initial"))[initial_from];
  const std::filesystem::path file = state_part(model.origin->file, StatePart::history);
  const std::string of_case = "a material of case '" + model.name + "' has history variables at the integration points of its cells, ";
  const auto refuse = [&](const std::string& what, const std::string& allowed) { diagnostics.error(from.position, from.yaml_path, of_case + what, allowed); };
  if (model.origin->interpolated)
    return refuse("and '" + model.origin->file + "' is the state of another mesh: between points they have no values, and means of plastic strains violate the yield condition",
                  "begin from a run on the same mesh");
  std::error_code none;
  if (!std::filesystem::exists(file, none)) return refuse("and '" + file.string() + "' is missing", "begin from a run with the same materials");
  const std::optional<CsvTable> table = read_csv(file, diagnostics, true);
  if (!table) return;
  const std::vector<long long> numbers = numbers_of(*model.mesh, ControlLayout::cells);
  for (const HistoryPlaces& places : history_places(*model.residual)) {
    HistoryTable history;
    if (!history.open(*table, places, model.mesh->dim, from, diagnostics)) return;
    long long missing = 0;
    double* values = nullptr;
    check(VecGetArray(start, &values));
    for (const HistoryPlaces::Point& point : places.points) missing += !history.read(numbers[point.cell], point.x, values + point.first);
    check(VecRestoreArray(start, &values));
    MPI_Allreduce(MPI_IN_PLACE, &missing, 1, MPI_LONG_LONG, MPI_SUM, model.dofs->comm());
    if (missing > 0)
      return refuse("and '" + file.string() + "' has none for " + places.form + " at " + std::to_string(missing) +
                        " points: where forces on parts of a boundary are divided between them, also facets have such points, of the quantities of that run",
                    "begin from a run with the same materials and the same forces among its quantities");
  }
  process->begin_with_memory(std::move(start));
}

}  // namespace invar
