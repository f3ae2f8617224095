#include "apps/invar/problem/saved_state.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "apps/invar/problem/gathered_entries.hpp"
#include "libadjoint/number_text.hpp"
#include "libfem/io/folder_entries.hpp"
#include "libfem/mechanism/tied_equation.hpp"
#include "libfem/mesh/gmsh_text.hpp"

namespace invar {
namespace {

void append(std::string& text, double value) {
  char digits[32];
  const auto [end, code] = std::to_chars(digits, digits + sizeof digits, value);
  text.append(digits, end);
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

std::filesystem::path state_part(std::filesystem::path file, StatePart part) {
  return file.replace_extension(part == StatePart::mesh ? ".msh" : part == StatePart::numbers ? ".numbers" : ".history");
}

bool keeps_rates(const CaseModel& model) { return model.march && model.march->scheme.order() == 2; }

namespace {

void save_nodes(const CaseModel& model, const EvaluationPoint& u, SavedState& state) {
  Mesh mesh = *model.mesh;
  const std::vector<double> as_read = mesh.coordinates;
  const std::vector<double>& x = mesh.coordinates = model.residual->coordinates(u.given);
  int moved = x != as_read;
  MPI_Allreduce(MPI_IN_PLACE, &moved, 1, MPI_INT, MPI_MAX, model.dofs->comm());
  const LocalArray value(u.levels[Level::value] ? u.levels[Level::value] : u.unknown);
  const Vec rates = keeps_rates(model) ? u.levels[Level::rate] : nullptr;
  std::optional<LocalArray> rate;
  if (rates) rate.emplace(rates);
  const auto& components = model.dofs->components();
  const int n = static_cast<int>(components.size()), m = (moved ? 2 : 1) * mesh.dim + (rates ? 2 : 1) * n;
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
    if (moved) rows.insert(rows.end(), &as_read[std::size_t(node) * mesh.dim], &as_read[std::size_t(node) * mesh.dim] + mesh.dim);
  }
  std::string text = "# case '" + model.name + "' at t = " + number_text(model.times.back()) + "\n";
  for (int i = 0; i < mesh.dim; ++i) text += std::string(i ? "," : "") + "xyz"[i];
  for (const Component& c : components) text += "," + c.name;
  for (int c = 0; rates && c < n; ++c) text += "," + (rate_prefix + components[c].name);
  for (int i = 0; moved && i < mesh.dim; ++i) text += std::string(",") + read_prefix + "xyz"[i];
  for (const auto& [number, row] : gathered_entries(numbers, rows, m, model.dofs->comm()))
    for (std::size_t k = 0; k < row.size(); ++k) text += k ? ',' : '\n', append(text, row[k]);
  state.values = text + "\n";
  state.mesh = gmsh_text(mesh);
}

/// While it lives, the process shows its solved unknowns, not the nodal ones that follow from them.
class ShownAsSolved {
 public:
  explicit ShownAsSolved(Case& process) : process_(process), unfold_(std::exchange(process.unfold, nullptr)) {}
  ~ShownAsSolved() { process_.unfold = std::move(unfold_); }
  ShownAsSolved(const ShownAsSolved&) = delete;
  ShownAsSolved& operator=(const ShownAsSolved&) = delete;

 private:
  Case& process_;
  decltype(Case::unfold) unfold_;
};

}  // namespace

SavedState saved_state(CaseModel& model) {
  SavedState state;
  const auto save = [&](const EvaluationPoint& u) {
    save_nodes(model, u, state);
    state.history = saved_history(model, u);
  };
  const ShownAsSolved solved(*model.process);
  model.process->with_state(model.last_step(), [&](const EvaluationPoint& q) {
    if (!model.ties) return save(q);
    model.ties->unfold(q, save);
    state.numbers = saved_numbers(model, q);
  });
  return state;
}

}  // namespace invar
