// Data: values of the unknown measured at points.
#include <algorithm>
#include <map>

#include "libadjoint/number_text.hpp"
#include "libfem/objective/quantity_entry.hpp"
#include "libfem/objective/sampled_displacement.hpp"

namespace invar {
namespace {

constexpr const char* file = "file";
constexpr const char* axes_of[] = {"x", "y", "z"};

std::vector<double> marker_times(const EntryValues& v) {
  const std::vector<double>* t = v.table(file).find("t");
  return t ? *t : std::vector<double>();
}

/// A compared component and the column with its measured values.
struct MeasuredComponent {
  int component;
  const std::vector<double>* values;
};

/// Empty, with an error message, if a column is missing or has no counterpart in the unknown.
std::vector<MeasuredComponent> measured_components(const QuantityCase& c, const DataTable& table, EntryMistakes& mistakes) {
  std::vector<MeasuredComponent> found;
  std::string names;
  for (int k = 0; k < c.dofs->n_components(); ++k) {
    const std::string& name = c.dofs->components()[k].name;
    names += (names.empty() ? "" : ", ") + name;
    if (const auto* values = table.find(name)) found.push_back({k, values});
  }
  for (const std::string& name : c.absent)
    if (table.find(name)) mistakes.add_in_row(file, 0, "the case has no '" + name + "' that a column " + name + " could be compared with", "its unknown: " + names);
  if (c.dim() == 3 && !table.find("z")) mistakes.add(file, "markers of a three-dimensional mesh need a column z");
  if (!table.find("x") || !table.find("y") || (found.empty() && !mistakes.any()))
    mistakes.add(file, "a marker file needs columns x, y, (z) and at least one of " + names + " named in its first line");
  return mistakes.any() ? std::vector<MeasuredComponent>() : found;
}

/// Markers of one time.
struct MarkerSet {
  std::vector<Sample> samples;
  std::vector<double> targets, deviations;
  std::vector<int> rows;  // of each sample
};

std::vector<MeasuredSet> make_markers(const QuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  const DataTable& table = v.table(file);
  const std::vector<MeasuredComponent> measured = measured_components(c, table, mistakes);
  if (measured.empty()) return {};
  const std::vector<double>*times = table.find("t"), *deviations = table.find("noise");
  std::map<double, MarkerSet> sets;
  for (int row = 0; row < table.row_count(); ++row) {
    if (deviations && (*deviations)[row] <= 0) mistakes.add_in_row(file, row, "a standard deviation in column 'noise' must be > 0");
    MarkerSet& set = sets[times ? (*times)[row] : c.time];
    std::vector<double> point;
    for (int axis = 0; axis < c.dim(); ++axis) point.push_back((*table.find(axes_of[axis]))[row]);
    for (const MeasuredComponent& m : measured) {
      set.samples.push_back({point, m.component});
      set.targets.push_back((*m.values)[row]);
      if (deviations) set.deviations.push_back((*deviations)[row]);
      set.rows.push_back(row);
    }
  }
  std::vector<MeasuredSet> out;
  for (auto& [t, set] : sets) {
    std::vector<double> distance;
    MeasuredSet& made = out.emplace_back(MeasuredSet{.observable = make_point_samples(c.dofs, set.samples, distance),
                                                     .targets = std::move(set.targets),
                                                     .deviations = std::move(set.deviations),
                                                     .rows = {set.rows.front()},
                                                     .sample_rows = set.rows});
    if (times) made.times = {t};
    tell_places(set.samples, made.places, made.components);
    for (std::size_t i = 0; i < distance.size(); ++i)
      if (distance[i] > 0 && (i == 0 || set.rows[i] != set.rows[i - 1] || distance[i - 1] == 0))
        mistakes.add_in_row(file, set.rows[i], "this marker lies outside the mesh, by " + number_text(distance[i]) + " m");
  }
  return out;
}

}  // namespace

DataEntry<QuantityCase> markers_data() {
  return {.name = "markers",
          .doc = "Displacements of points, or velocities and pressures at points, against measured ones.",
          .parameters = {{.key = file,
                          .kind = EntryParameter::Kind::table_file,
                          .doc = "CSV with columns x, y, (z) and any of u_x, u_y, u_z, p, c; with a column t each row at its own load parameter "
                                 "or time, in any order; with a column noise each row with its own standard deviation"}},
          .times = &marker_times,
          .make = &make_markers};
}

}  // namespace invar
