#include "apps/invar/problem/saved_state.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "apps/invar/problem/gathered_entries.hpp"
#include "apps/invar/spec/csv_reader.hpp"
#include "libadjoint/number_text.hpp"
#include "libfem/io/folder_entries.hpp"

namespace invar {
namespace {

constexpr const char* axes = "xyz";

std::string rate_of(const std::string& component) { return "rate_" + component; }

bool keeps_rates(const CaseModel& model) { return model.march && model.march->scheme.order() == 2; }

void append(std::string& text, double value) {
  char digits[32];
  const auto [end, code] = std::to_chars(digits, digits + sizeof digits, value);
  text.append(digits, end);
}

/// The file that holds the state of a case: what the spec names, or in a run's folder that of the same name, else the
/// only one. Empty after recording that there is none.
std::filesystem::path state_file_of(const CaseModel& model, const spec::Value& from, Diagnostics& diagnostics) {
  std::error_code none;
  if (!std::filesystem::exists(from.file(), none)) {
    diagnostics.error(from.position, from.yaml_path, "'" + from.file().string() + "': no such file or folder", "name the folder of a run, or a file of its states/");
    return {};
  }
  if (!std::filesystem::is_directory(from.file(), none)) return from.file();
  const std::vector<std::filesystem::path> files = state_files(from.file());
  for (const auto& file : files)
    if (file.stem() == model.name) return file;
  if (files.size() == 1) return files.front();
  std::string names;
  for (const auto& file : files) names += (names.empty() ? "" : ", ") + file.string();
  diagnostics.error(from.position, from.yaml_path,
                    files.empty() ? "'" + from.file().string() + "' is not the folder of a run that kept its state"
                                  : "the run has no state of a case '" + model.name + "'",
                    files.empty() ? "the run writes it with 'output: {states: all}'" : "name one of its files: " + names);
  return {};
}

/// Nodes of this rank that are elsewhere than the table says.
long long misplaced(const CaseModel& model, const CsvTable& table, const std::vector<std::size_t>& columns) {
  constexpr double tolerance = 1e-9;  // of the mesh's size
  const Mesh& mesh = *model.mesh;
  double size = 0;
  for (const std::size_t c : columns) {
    const auto [low, high] = std::ranges::minmax(table.data[c]);
    size = std::max(size, high - low);
  }
  long long count = 0;
  for (int node = 0; node < mesh.n_owned_nodes; ++node)
    for (int i = 0; i < mesh.dim; ++i)
      if (!(std::abs(table.data[columns[i]][mesh.original_node[node]] - mesh.coordinates[std::size_t(node) * mesh.dim + i]) <= tolerance * size)) {
        ++count;
        break;
      }
  MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_LONG_LONG, MPI_SUM, model.dofs->comm());
  return count;
}

/// A control with the columns as components of a nodal field, and the initial values of that level.
void add_level(CaseModel& model, Level level, const CsvTable& table, const std::vector<std::size_t>& columns) {
  const Mesh& mesh = *model.mesh;
  std::vector<double> values;
  for (int node = 0; node < mesh.node_total(); ++node)
    for (const std::size_t c : columns) {
      const double value = table.data[c][mesh.original_node[node]];
      values.push_back(std::isfinite(value) ? value : 0.0);
    }
  const int n = static_cast<int>(columns.size());
  const int control = model.residual->add_control({.name = "", .layout = ControlLayout::nodes, .components = n}, std::move(values));
  for (int c = 0; c < n; ++c) model.residual->add_initial({.level = level, .region = {}, .component = c, .value = {control, {}}, .part = c});
}

}  // namespace

std::vector<std::filesystem::path> state_files(const std::filesystem::path& run) {
  std::vector<std::filesystem::path> files;
  std::error_code none;
  for (const std::filesystem::path& file : entries_of(run / states_folder, none))
    if (file.extension() == ".csv") files.push_back(file);
  std::ranges::sort(files);
  return files;
}

std::string saved_state(const CaseModel& model, const EvaluationPoint& u) {
  const Mesh& mesh = *model.mesh;
  const std::vector<double>& x = model.residual->coordinates(u.given);
  const LocalArray value(u.levels[Level::value] ? u.levels[Level::value] : u.unknown);
  const Vec rates = keeps_rates(model) ? u.levels[Level::rate] : nullptr;
  std::optional<LocalArray> rate;
  if (rates) rate.emplace(rates);
  const auto& components = model.dofs->components();
  const int n = static_cast<int>(components.size()), m = mesh.dim + (rates ? 2 : 1) * n;
  std::vector<long long> numbers;
  std::vector<double> rows;
  for (int node = 0; node < mesh.n_owned_nodes; ++node) {
    numbers.push_back(mesh.original_node[node]);
    rows.insert(rows.end(), &x[std::size_t(node) * mesh.dim], &x[std::size_t(node) * mesh.dim] + mesh.dim);
    for (const LocalArray* level : {&value, rate ? static_cast<const LocalArray*>(&*rate) : nullptr})
      for (int c = 0; level && c < n; ++c) {
        const int dof = model.dofs->dof(node, c);
        rows.push_back(dof >= 0 ? level->data()[dof] : std::numeric_limits<double>::quiet_NaN());
      }
  }
  std::string text = "# case '" + model.name + "' at t = " + number_text(model.times.back()) + "\n";
  for (int i = 0; i < mesh.dim; ++i) text += std::string(i ? "," : "") + axes[i];
  for (const Component& c : components) text += "," + c.name;
  for (int c = 0; rates && c < n; ++c) text += "," + rate_of(components[c].name);
  for (const auto& [number, row] : gathered_entries(numbers, rows, m, model.dofs->comm()))
    for (std::size_t k = 0; k < row.size(); ++k) text += k ? ',' : '\n', append(text, row[k]);
  return text + "\n";
}

void begin_from_state(CaseModel& model, const spec::Value& from, Diagnostics& diagnostics) {
  const std::filesystem::path file = state_file_of(model, from, diagnostics);
  if (file.empty()) return;
  const std::optional<CsvTable> table = read_csv(file, diagnostics, true);
  if (!table) return;
  const std::size_t before = diagnostics.size();
  const std::string name = "'" + file.string() + "'";
  const auto columns = [&](const std::string& prefix, const std::vector<std::string>& names, bool required) {
    std::vector<std::size_t> found;
    for (const std::string& n : names)
      if (required || std::ranges::count(table->columns, prefix + n) > 0)
        if (const auto column = table->find(prefix + n, from.position, from.yaml_path, diagnostics)) found.push_back(*column);
    return found;
  };
  std::vector<std::string> places, components;
  for (int i = 0; i < model.mesh->dim; ++i) places.push_back(std::string(1, axes[i]));
  for (const Component& c : model.dofs->components()) components.push_back(c.name);
  const std::vector<std::size_t> x = columns("", places, true), u = columns("", components, true);
  if (diagnostics.size() != before) return;
  const long long nodes = model.mesh->n_global_nodes, rows = static_cast<long long>(table->row_count());
  const auto other_mesh = [&](const std::string& how) {
    diagnostics.error(from.position, from.yaml_path, name + " is the state of another mesh: " + how, "begin from a run on the same mesh");
  };
  if (rows != nodes) return other_mesh("it has " + std::to_string(rows) + " nodes, and this one " + std::to_string(nodes));
  if (const long long count = misplaced(model, *table, x)) return other_mesh(std::to_string(count) + " of its nodes lie elsewhere");
  add_level(model, Level::value, *table, u);
  if (!keeps_rates(model)) return;
  const std::vector<std::size_t> rates = columns("rate_", components, false);  // of a steady state: none
  if (rates.size() == components.size()) add_level(model, Level::rate, *table, rates);
}

}  // namespace invar
