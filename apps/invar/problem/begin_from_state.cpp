// Reads the initial state of a process and transfers it to the nodes of its mesh.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <optional>
#include <utility>

#include "apps/invar/problem/saved_state.hpp"
#include "apps/invar/spec/csv_reader.hpp"
#include "libadjoint/number_text.hpp"
#include "libadjoint/solve/scientific.hpp"
#include "libfem/mesh/field_interpolation.hpp"
#include "libfem/mesh/read_gmsh.hpp"
#include "libfem/space/ghost_values.hpp"

namespace invar {
namespace {

/// The file that holds the state of a case: what the spec names, or in a run's folder that of the same name, else the
/// only one. Empty, with an error message, if there is none.
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
                    files.empty() ? "'" + from.file().string() + "' is not the folder of a run that saved its state"
                                  : "the run has no state of a case '" + model.name + "'",
                    files.empty() ? "runs save it with 'output: {states: all}'" : "name one of its files: " + names);
  return {};
}

/// The state of a run in a case's components.
class StateTransfer {
 public:
  StateTransfer(CaseModel& model, const spec::Value& initial, Diagnostics& diagnostics)
      : model_(model), mesh_(*model.mesh), from_(initial[initial_from]), tolerance_(initial.find(initial_tolerance)), diagnostics_(diagnostics) {}

  void read() {
    file_ = state_file_of(model_, from_, diagnostics_);
    if (file_.empty() || !read_table()) return;
    model_.origin = StateOrigin{.file = file_.string(), .nodes = static_cast<long long>(table_->row_count())};
    const std::string difference = difference_of_meshes();
    model_.origin->interpolated = !difference.empty();
    if (model_.origin->interpolated && !read_mesh(difference)) return;
    add(Level::value, values_);
    if (rates_.size() == values_.size()) add(Level::rate, rates_);
  }

 private:
  void refuse(const std::string& what, const std::string& allowed) { diagnostics_.error(from_.position, from_.yaml_path, what, allowed); }
  std::string name() const { return "'" + file_.string() + "'"; }

  /// Columns by name. Those that are not required may all be missing.
  std::vector<std::size_t> columns(const std::string& prefix, const std::vector<std::string>& names, bool required) {
    std::vector<std::size_t> found;
    for (const std::string& n : names)
      if (required || std::ranges::count(table_->columns, prefix + n) > 0)
        if (const auto column = table_->find(prefix + n, from_.position, from_.yaml_path, diagnostics_)) found.push_back(*column);
    return found;
  }

  bool read_table() {
    table_ = read_csv(file_, diagnostics_, true);
    if (!table_) return false;
    const std::size_t before = diagnostics_.size();
    std::vector<std::string> components;
    for (const Component& c : model_.dofs->components()) components.push_back(c.name);
    const auto axes = mesh_.dim == 2 ? std::vector<std::string>{"x", "y"} : std::vector<std::string>{"x", "y", "z"};
    places_ = columns("", axes, true);
    places_as_read_ = columns(read_prefix, axes, false);
    if (places_as_read_.size() != places_.size()) places_as_read_ = places_;
    values_ = columns("", components, true);
    if (keeps_rates(model_)) rates_ = columns(rate_prefix, components, false);  // of a steady state: none
    return diagnostics_.size() == before;
  }

  /// Number of these nodes whose positions differ from these columns and rows of the table.
  long long misplaced(const std::vector<std::size_t>& places, const std::vector<double>& coordinates, const std::vector<long long>& rows) const {
    constexpr double same = 1e-9;  // of the mesh's size
    double size = 0;
    for (const std::size_t c : places) {
      const auto [low, high] = std::ranges::minmax(table_->data[c]);
      size = std::max(size, high - low);
    }
    long long count = 0;
    for (std::size_t node = 0; node < rows.size(); ++node) {
      bool there = true;
      for (int i = 0; i < mesh_.dim; ++i)
        there = there && std::abs(table_->data[places[i]][rows[node]] - coordinates[node * mesh_.dim + i]) <= same * size;
      count += !there;
    }
    return count;
  }

  /// Empty if the table is for this mesh, with a value wherever a component is defined. Collective.
  std::string difference_of_meshes() const {
    const long long nodes = mesh_.n_global_nodes, rows = static_cast<long long>(table_->row_count());
    if (rows != nodes) return "it has " + std::to_string(rows) + " nodes, and this one " + std::to_string(nodes);
    long long counts[] = {misplaced(places_as_read_, mesh_.coordinates, {mesh_.original_node.begin(), mesh_.original_node.begin() + mesh_.n_owned_nodes}), 0};
    for (int node = 0; node < mesh_.n_owned_nodes; ++node)
      for (std::size_t c = 0; c < values_.size(); ++c)
        counts[1] += model_.dofs->dof(node, static_cast<int>(c)) >= 0 && !std::isfinite(table_->data[values_[c]][mesh_.original_node[node]]);
    MPI_Allreduce(MPI_IN_PLACE, counts, 2, MPI_LONG_LONG, MPI_SUM, model_.dofs->comm());
    if (counts[0] > 0) return std::to_string(counts[0]) + " of its nodes lie elsewhere";
    return counts[1] > 0 ? std::to_string(counts[1]) + " of its values are missing" : "";
  }

  /// Reads the mesh of the state. False, with an error message, if it is missing.
  bool read_mesh(const std::string& difference) {
    const std::filesystem::path file = state_part(file_, StatePart::mesh);
    const std::string of_another = name() + " is the state of another mesh (" + difference + ")";
    std::error_code none;
    if (!std::filesystem::exists(file, none)) {
      refuse(of_another + ", and '" + file.string() + "', which is needed for the interpolation, is missing", "begin from a run on the same mesh, or repeat that run: it then saves its mesh");
      return false;
    }
    std::vector<int> kept;
    try {
      other_ = read_gmsh(file.string(), &kept);
    } catch (const MeshError& e) {
      refuse(of_another + ": " + e.what(), "");
      return false;
    }
    rows_.assign(kept.begin(), kept.end());
    if (other_->dim != mesh_.dim || rows_.empty() || static_cast<std::size_t>(rows_.back()) >= table_->row_count() || misplaced(places_, other_->coordinates, rows_) > 0) {
      refuse(of_another + ", and '" + file.string() + "' is not that mesh", "keep the two files of a state together");
      return false;
    }
    interpolation_.emplace(*other_, mesh_, tolerance_ ? std::optional(tolerance_->number()) : std::nullopt);
    return true;
  }

  /// The values of a column at this mesh's nodes.
  std::vector<double> at_nodes(std::size_t column, int component) {
    const std::vector<double>& data = table_->data[column];
    std::vector<double> values(mesh_.node_total(), 0.0);
    if (!interpolation_) {
      for (int node = 0; node < mesh_.node_total(); ++node)
        if (model_.dofs->dof(node, component) >= 0) values[node] = data[mesh_.original_node[node]];
      return values;
    }
    if (in_cells_.empty()) {  // nodes without cells are prescribed, including their initial values
      in_cells_.assign(mesh_.node_total(), 0);
      for (const CellBlock& block : mesh_.cells)
        for (const int node : block.nodes) in_cells_[node] = 1;
    }
    std::vector<char> wanted = in_cells_;
    for (int node = 0; node < mesh_.node_total(); ++node)
      if (model_.dofs->dof(node, component) < 0) wanted[node] = 0;
    std::vector<double> there;
    for (const long long row : rows_) there.push_back(data[row]);
    InterpolatedField field = interpolation_->at_nodes(there, wanted);
    model_.origin->outside = std::max(model_.origin->outside, field.outside.nearest);
    model_.origin->farthest = std::max(model_.origin->farthest, field.outside.farthest);
    if (field.outside.beyond > 0) too_far(model_.dofs->components()[component].name, field.outside);
    update_ghost_values(*model_.dofs, field.values);
    return std::move(field.values);
  }

  void too_far(const std::string& component, const NodesOutside& outside) {
    if (std::exchange(said_, true)) return;
    const NodesOutside::Worst& worst = outside.worst;
    std::string place;
    for (int i = 0; i < mesh_.dim; ++i) place += (i ? ", " : "") + short_number(worst.place[i], 6);
    const bool one = outside.beyond == 1;
    refuse(name() + " is the state of another mesh, and " + std::to_string(outside.beyond) + (one ? " node of this one lies" : " nodes of this one lie") + " too far outside of where that has '" +
               component + "': " + (one ? "" : "the worst is ") + "at (" + place + ")" + (worst.region.empty() ? "" : " in region '" + worst.region + "'") + ", " +
               (std::isfinite(worst.distance) ? short_number(worst.distance) + " m away" : "and no cell has it") + "; allowed are " + short_number(worst.tolerance) + " m",
           "'initial.tolerance' (m) allows more; nodes outside take the value at the nearest point");
  }

  /// A control with the columns as components of a nodal field, and the initial values of that level.
  void add(Level level, const std::vector<std::size_t>& columns) {
    const int n = static_cast<int>(columns.size());
    std::vector<double> values(static_cast<std::size_t>(mesh_.node_total()) * n);
    for (int c = 0; c < n; ++c) {
      const std::vector<double> of_component = at_nodes(columns[c], c);
      for (std::size_t node = 0; node < of_component.size(); ++node) values[node * n + c] = of_component[node];
    }
    const int control = model_.residual->add_control({.name = "", .layout = ControlLayout::nodes, .components = n}, std::move(values));
    for (int c = 0; c < n; ++c) model_.residual->add_initial({.level = level, .region = {}, .component = c, .value = {control, {}}, .part = c});
  }

  CaseModel& model_;
  const Mesh& mesh_;
  const spec::Value& from_;
  const spec::Value* tolerance_;
  Diagnostics& diagnostics_;
  std::filesystem::path file_;
  std::optional<CsvTable> table_;
  std::vector<std::size_t> places_, places_as_read_, values_, rates_;  // columns
  std::optional<Mesh> other_;                         // mesh of the state, if it differs
  std::vector<long long> rows_;                       // of its nodes in the table
  std::optional<FieldInterpolation> interpolation_;
  std::vector<char> in_cells_;
  bool said_ = false;
};

}  // namespace

void begin_from_state(CaseModel& model, const spec::Value& initial, Diagnostics& diagnostics) {
  if (initial.find(initial_from)) return StateTransfer(model, initial, diagnostics).read();
  if (const spec::Value* tolerance = initial.find(initial_tolerance))
    diagnostics.error(tolerance->key_position, tolerance->yaml_path, "'tolerance' is for the state of another run", "name the run in 'from'");
}

std::string words_of(const StateOrigin& origin) {
  std::string text = "from '" + origin.file + "'", first;
  std::ifstream file(origin.file);
  if (const std::size_t at = std::getline(file, first) && first.starts_with('#') ? first.rfind(" at t = ") : std::string::npos; at != std::string::npos) text += first.substr(at);
  if (!origin.interpolated) return text + ", on the same mesh";
  text += ", interpolated from the " + std::to_string(origin.nodes) + " nodes of another mesh";
  if (origin.outside == 0) return text + ", which contains all of this one's";
  return text + "; of this one's " + std::to_string(origin.outside) + (origin.outside == 1 ? " lies" : " lie") + " outside it, by " + short_number(origin.farthest) + " m at most";
}

}  // namespace invar
