// The unknowns of ties and rigid parts in a saved state, and a process that begins with them.
#include <algorithm>
#include <map>

#include "apps/invar/problem/saved_state.hpp"
#include "apps/invar/spec/csv_reader.hpp"
#include "libadjoint/number_text.hpp"
#include "libfem/mechanism/mechanism.hpp"
#include "libfem/mechanism/tied_equation.hpp"

namespace invar {
namespace {

using spec::Value;

/// Names of the unknowns of a mechanism as columns; a name that occurs again gets a mark.
std::vector<std::string> columns_of_numbers(const Mechanism& mechanism) {
  std::vector<std::string> names;
  std::map<std::string, int> uses;
  for (int k = 0; k < mechanism.size(); ++k) {
    const int before = uses[mechanism.name(k)]++;
    names.push_back(mechanism.name(k) + (before > 0 ? " (" + std::to_string(before + 1) + ")" : ""));
  }
  return names;
}

/// Velocities that the spec gives to rigid parts, which the state also contains.
void refuse_given_velocities(const Value& rigid, const Value& from, Diagnostics& diagnostics) {
  for (const Value& record : rigid)
    for (const char* key : {"velocity_x", "velocity_y", "velocity_z", "spin_x", "spin_y", "spin_z"})
      if (const Value* given = record.find(key); given && !given->defaulted)
        diagnostics.error(given->key_position, given->yaml_path, "'" + record.key + "' begins with the velocities of the saved state '" + from.text() + "'",
                          "leave out '" + std::string(key) + "', or 'initial.from'");
}

}  // namespace

std::string saved_numbers(const CaseModel& model, const EvaluationPoint& q) {
  const Mechanism& mechanism = model.ties->mechanism();
  if (mechanism.size() == 0) return {};
  std::string names, values;
  for (const Level level : {Level::value, Level::rate}) {
    if (level == Level::rate && !keeps_rates(model)) continue;
    const std::vector<double> numbers = model.ties->numbers(q, level);
    const std::vector<std::string> columns = columns_of_numbers(mechanism);
    for (int k = 0; k < mechanism.size(); ++k) {
      if (level == Level::rate && mechanism.is_multiplier(k)) continue;
      const char* const comma = names.empty() ? "" : ",";
      names += comma + ("\"" + std::string(level == Level::rate ? rate_prefix : "") + columns[k] + "\"");
      values += comma + number_text(numbers[k]);
    }
  }
  return "# ties and rigid parts of case '" + model.name + "' at t = " + number_text(model.times.back()) + "\n" + names + "\n" + values + "\n";
}

void begin_numbers_from_state(const CaseModel& model, const CaseSections& sections, Mechanism& mechanism, const std::set<int>& follows, Diagnostics& diagnostics) {
  const Value* initial = sections.find("initial");
  const Value* from = initial ? initial->find(initial_from) : nullptr;
  if (!from || !model.origin) return;
  if (const Value* rigid = sections.find("rigid")) refuse_given_velocities(*rigid, *from, diagnostics);
  const auto is_free = [&](int k) { return !mechanism.is_held(k) && !follows.contains(k); };
  const std::vector<std::string> names = columns_of_numbers(mechanism);
  std::vector<int> wanted;
  for (int k = 0; k < mechanism.size(); ++k)
    if (is_free(k)) wanted.push_back(k);
  if (std::ranges::all_of(wanted, [&](int k) { return mechanism.is_multiplier(k); })) return;
  const std::filesystem::path file = state_part(model.origin->file, StatePart::numbers);
  const std::string same = "begin from a run with the same sections 'ties', 'rigid', 'joints' and 'tendons'";
  std::error_code none;
  if (!std::filesystem::exists(file, none)) {
    diagnostics.error(from->position, from->yaml_path, "the run has no state of ties and rigid parts: '" + file.string() + "' is missing", same);
    return;
  }
  const std::optional<CsvTable> table = read_csv(file, diagnostics);
  if (!table) return;
  const auto column = [&](const std::string& name) {
    const auto at = std::ranges::find(table->columns, name);
    return at == table->columns.end() ? nullptr : &table->data[at - table->columns.begin()].front();
  };
  const int one = model.residual->add_control({"", ""}, {1.0});
  const auto begin = [&](Level level, int unknown, const double* value) {
    if (value) mechanism.add_initial(level, unknown, {one, [v = *value](double) { return v; }});
  };
  std::string missing;
  for (const int k : wanted) {
    const double* const value = column(names[k]);
    if (!value && !mechanism.is_multiplier(k)) missing += (missing.empty() ? "'" : ", '") + names[k] + "'";
    begin(Level::value, k, value);
    if (keeps_rates(model) && !mechanism.is_multiplier(k)) begin(Level::rate, k, column(rate_prefix + names[k]));  // at rest: none
  }
  if (!missing.empty()) diagnostics.error(from->position, from->yaml_path, "the state '" + file.string() + "' has no " + missing, same);
}

}  // namespace invar
