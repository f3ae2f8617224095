#include "libfem/objective/image_data.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <map>
#include <numeric>
#include <optional>

#include "libadjoint/number_text.hpp"
#include "libadjoint/solve/scientific.hpp"
#include "libfem/objective/sampled_displacement.hpp"
#include "libfem/objective/without_modes.hpp"
#include "libfem/space/expression.hpp"

namespace invar {
namespace {

constexpr const char *points_file = "file", *frames_file = "frames";
constexpr int named_points = 5;  // in a note

std::string letter(int axis) { return std::string(1, "xyz"[axis]); }

/// The name of the column for a key: from the spec, else the key itself.
std::string column_name(const EntryValues& v, const std::string& what) {
  const std::string key = "columns." + what;
  return v.has(key) ? v.text(key) : what;
}
const std::vector<double>* column(const EntryValues& v, const std::string& what) { return v.table(points_file).find(column_name(v, what)); }

/// Times by frame, from the table of frames.
std::map<double, double> times_of_frames(const EntryValues& v) {
  std::map<double, double> times;
  if (!v.has_table(frames_file)) return times;
  const std::vector<double>*frame = v.table(frames_file).find(column_name(v, "frame")), *t = v.table(frames_file).find(column_name(v, "t"));
  if (frame && t)
    for (std::size_t k = 0; k < frame->size(); ++k) times[(*frame)[k]] = (*t)[k];
  return times;
}

/// The load parameter or time of a row; nothing if it is not given and its frame is in no table.
std::optional<double> time_of(const EntryValues& v, const std::map<double, double>& frames, int row) {
  if (const auto* t = column(v, "t")) return (*t)[row];
  const auto* frame = column(v, "frame");
  const auto found = frame ? frames.find((*frame)[row]) : frames.end();
  return found == frames.end() ? std::nullopt : std::optional(found->second);
}

std::vector<double> image_times(const EntryValues& v) {
  const std::map<double, double> frames = times_of_frames(v);
  std::vector<double> times;
  for (int row = 0; row < v.table(points_file).row_count(); ++row)
    if (const std::optional<double> t = time_of(v, frames, row); t && std::isfinite(*t)) times.push_back(*t);
  std::ranges::sort(times);
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

bool moves_rigidly(const EntryValues& v) { return v.text("rigid_motion") == "fitted"; }

/// One frame: measured values in units and axes of the mesh.
struct Frame {
  std::vector<Sample> samples;
  std::vector<std::array<double, 3>> seen;  // of each sample: where its point is in the image
  std::vector<double> targets, deviations;
  std::vector<int> rows;  // of each sample
};

struct FrameKey {
  double t = 0, number = 0;
  auto operator<=>(const FrameKey&) const = default;
};

EntryParameter columns_group() {
  EntryParameter columns{.key = "columns", .kind = EntryParameter::Kind::group, .doc = "names of the columns, if they differ from these keys; the file must have the columns named here", .may_be_left_out = true};
  const auto add = [&](std::string_view key, std::string_view doc) { columns.inner.push_back({.key = key, .kind = EntryParameter::Kind::text, .doc = doc, .may_be_left_out = true}); };
  add("x", "coordinate of a point"), add("y", "likewise"), add("z", "likewise");
  add("u_x", "displacement"), add("u_y", "likewise"), add("u_z", "likewise");
  add("noise", "standard deviation of all displacements of a row");
  add("noise_x", "of one of them"), add("noise_y", "likewise"), add("noise_z", "likewise");
  add("frame", "number of the image, in both files");
  add("t", "load parameter or time: of each row, or of each frame in `frames`");
  add("status", "rows with a negative number are left out");
  return columns;
}

std::string listed(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  return all;
}

/// Reads the rows of a table of points.
class ImageReader {
 public:
  ImageReader(const QuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) : c_(c), v_(v), mistakes_(mistakes), frames_(times_of_frames(v)) {}

  std::map<FrameKey, Frame> read() {
    find_columns();
    if (mistakes_.any()) return {};
    const int rows = v_.table(points_file).row_count();
    for (int row = 0; row < rows; ++row) read_row(row);
    if (mistakes_.any()) return {};
    leave_out_what_lies_outside();
    return std::move(read_);
  }
  std::vector<std::string> notes() const {
    std::vector<std::string> all;
    const auto say = [&](int n, const std::string& what) {
      if (n > 0) all.push_back(std::to_string(n) + what);
    };
    say(masked_, " points lie where the mask is not positive, and are left out");
    say(missing_, " displacements are missing or have a negative status, and are left out");
    say(alone_, " displacements lack another component of their row, without which the turn of the image at their point is unknown, and are left out");
    if (!outside_.empty()) {
      std::string some;
      for (std::size_t k = 0; k < outside_.size() && k < named_points; ++k)
        some += (k ? ", " : "") + std::string("row ") + std::to_string(outside_[k].first + 1) + " by " + short_number(outside_[k].second) + " m";
      all.push_back(std::to_string(outside_.size()) + " points lie outside the mesh, and are left out: " + some + (outside_.size() > named_points ? ", …" : ""));
    }
    return all;
  }
  bool knows_deviations() const { return knows_deviations_; }

 private:
  const std::vector<double>* required(const std::string& what) {
    const auto* found = column(v_, what);
    if (!found)
      mistakes_.add(points_file, "the file has no column '" + column_name(v_, what) + "' for " + what, "name it under 'columns', e.g. columns: {" + what + ": NAME}");
    return found;
  }

  /// Whether the file under that key has the column; else records a mistake.
  bool has_named(const std::string& what, const char* file) {
    const DataTable& table = v_.table(file);
    const std::string name = column_name(v_, what);
    if (table.find(name)) return true;
    mistakes_.add("columns." + what, std::string("the file under '") + file + "' has no column '" + name + "'", "its columns: " + listed(table.names));
    return false;
  }

  /// A column that the spec names would be missed silently if it were looked up like one with the usual name.
  void check_named_columns() {
    const bool frames = v_.has_table(frames_file);
    for (const EntryParameter& p : columns_group().inner) {
      const std::string what(p.key), key = "columns." + what;
      if (!v_.has(key)) continue;
      if (what.ends_with('z') && c_.dim() < 3) {
        mistakes_.add(key, "the mesh is two-dimensional", "remove it");
        continue;
      }
      const bool of_frames = frames && (what == "t" || what == "frame"), of_points = !of_frames || what == "frame";
      if ((!of_points || has_named(what, points_file)) && of_frames) has_named(what, frames_file);
    }
    for (int i = 0; i < c_.dim(); ++i)
      if (v_.has("columns.noise_" + letter(i)) && !v_.has("columns.u_" + letter(i)) && !column(v_, "u_" + letter(i)))
        mistakes_.add("columns.noise_" + letter(i), "the file has no column '" + column_name(v_, "u_" + letter(i)) + "' of displacements with this deviation", "name it: u_" + letter(i));
  }

  /// Each frame has one load parameter or time: all rows of a frame with several are named.
  void check_frames() {
    if (!v_.has_table(frames_file)) return;
    const std::string name = column_name(v_, "t");
    const std::vector<double>*frame = v_.table(frames_file).find(column_name(v_, "frame")), *t = v_.table(frames_file).find(name);
    if (!frame || !t) return;
    std::map<double, std::vector<int>> rows;
    for (std::size_t k = 0; k < frame->size(); ++k) rows[(*frame)[k]].push_back(static_cast<int>(k));
    for (const auto& [number, same] : rows)
      if (std::ranges::any_of(same, [&](int k) { return (*t)[k] != (*t)[same.front()]; }))
        for (const int k : same)
          mistakes_.add_in_row(frames_file, k, "frame " + short_number(number) + " is listed " + std::to_string(same.size()) + " times, here with " + name + " = " + short_number((*t)[k]),
                               "each frame has one load parameter or time");
  }

  void find_columns() {
    check_named_columns();
    check_frames();
    if (mistakes_.any()) return;
    for (int i = 0; i < c_.dim(); ++i) {
      places_.push_back(required(letter(i)));
      const auto component = std::ranges::find(c_.dofs->components(), "u_" + letter(i), &Component::name);
      const auto* values = column(v_, "u_" + letter(i));
      if (!values || component == c_.dofs->components().end()) continue;
      const auto *own = column(v_, "noise_" + letter(i)), *of_all = column(v_, "noise");
      measured_.push_back({static_cast<int>(component - c_.dofs->components().begin()), i, values, own ? own : of_all, column_name(v_, own ? "noise_" + letter(i) : "noise")});
    }
    if (measured_.empty()) mistakes_.add(points_file, "the file has no column of displacements", "name them under 'columns', e.g. columns: {u_x: U, u_y: V}");
    const bool some = std::ranges::any_of(measured_, [](const Measured& m) { return m.noise != nullptr; });
    const bool every = std::ranges::all_of(measured_, [](const Measured& m) { return m.noise != nullptr; });
    if (some && !every) mistakes_.add(points_file, "some displacements have a column of standard deviations and others have none");
    if (v_.has("deviations")) {
      if (some) mistakes_.add("deviations", "the file has a column of standard deviations", "leave one of the two out");
      if (static_cast<int>(v_.numbers("deviations").size()) != c_.dim())
        mistakes_.add("deviations", "one standard deviation per axis is required: " + std::to_string(c_.dim()));
    }
    knows_deviations_ = some || v_.has("deviations");
    if (!v_.has_table(frames_file) && column(v_, "frame") && !column(v_, "t"))
      mistakes_.add(points_file, "the file has frames, and their load parameters or times are not given",
                    "give 'frames', a CSV file with the columns " + column_name(v_, "frame") + " and " + column_name(v_, "t"));
    if (v_.has_table(frames_file)) {
      for (const char* what : {"frame", "t"})
        if (!v_.table(frames_file).find(column_name(v_, what))) mistakes_.add(frames_file, "the file has no column '" + column_name(v_, what) + "'");
      if (!column(v_, "frame")) mistakes_.add(points_file, "the file has no column '" + column_name(v_, "frame") + "' with the frame of each row");
    }
    if (v_.has("mask")) {
      try {
        mask_.emplace(v_.text("mask"));
      } catch (const ExpressionError& e) {
        mistakes_.add("mask", e.what());
      }
    }
  }

  void read_row(int row) {
    const double size = v_.number("scale");
    const std::vector<double> origin = v_.has("origin") ? v_.numbers("origin") : std::vector<double>(c_.dim(), 0.0);
    std::optional<double> t = c_.time;
    if (column(v_, "t") || column(v_, "frame")) {
      t = time_of(v_, frames_, row);
      if (!t || !std::isfinite(*t)) return mistakes_.add_in_row(points_file, row, "the frame of this row has no load parameter or time");
    }
    std::vector<double> x;
    bool complete = true;
    for (int i = 0; i < c_.dim(); ++i) {
      x.push_back(sign(i) * size * ((*places_[i])[row] - origin[i]));
      complete &= std::isfinite(x.back());
    }
    const auto* status = column(v_, "status");
    if (!complete || (status && !((*status)[row] >= 0))) {
      missing_ += static_cast<int>(measured_.size());
      return;
    }
    if (mask_ && !((*mask_)(x[0], x[1], c_.dim() == 3 ? x[2] : 0, *t) > 0)) {
      ++masked_;
      return;
    }
    // An image turns points from where it sees them, which needs every component.
    std::array<double, 3> seen{};
    std::ranges::copy(x, seen.begin());
    int known = 0;
    for (const Measured& m : measured_)
      if (const double value = (*m.values)[row]; std::isfinite(value)) {
        seen[m.axis] += sign(m.axis) * size * value;
        ++known;
      }
    missing_ += static_cast<int>(measured_.size()) - known;
    if (turns_ && known < static_cast<int>(measured_.size())) {
      alone_ += known;
      return;
    }
    const auto* number = column(v_, "frame");
    Frame& frame = read_[{*t, turns_ && number && std::isfinite((*number)[row]) ? (*number)[row] : 0.0}];  // several images of one time move apart
    for (const Measured& m : measured_) {
      const double value = (*m.values)[row];
      if (!std::isfinite(value)) continue;
      frame.samples.push_back({x, m.component});
      frame.seen.push_back(seen);
      frame.targets.push_back(sign(m.axis) * size * value);
      frame.rows.push_back(row);
      if (!knows_deviations_) continue;
      const double deviation = m.noise ? (*m.noise)[row] : v_.numbers("deviations")[m.axis];
      if (!(deviation > 0) && (mistakes_.all().empty() || mistakes_.all().back().row != row))
        mistakes_.add_in_row(points_file, row, std::isnan(deviation) ? "the cell in column '" + m.noise_name + "' is empty, and each measured displacement needs a standard deviation"
                                                                     : "a standard deviation must be > 0, got " + number_text(deviation));
      frame.deviations.push_back(size * deviation);
    }
  }

  void leave_out_what_lies_outside() {
    int inside = 0;
    for (auto& [key, frame] : read_) {
      std::vector<double> distance;
      make_point_samples(c_.dofs, frame.samples, distance);
      Frame kept;
      for (std::size_t i = 0; i < distance.size(); ++i) {
        if (distance[i] > 0) {
          if (outside_.empty() || outside_.back().first != frame.rows[i]) outside_.push_back({frame.rows[i], distance[i]});
          continue;
        }
        kept.samples.push_back(frame.samples[i]);
        kept.seen.push_back(frame.seen[i]);
        kept.targets.push_back(frame.targets[i]);
        kept.rows.push_back(frame.rows[i]);
        if (knows_deviations_) kept.deviations.push_back(frame.deviations[i]);
      }
      inside += static_cast<int>(kept.rows.size());
      frame = std::move(kept);
    }
    std::erase_if(read_, [](const auto& frame) { return frame.second.rows.empty(); });
    if (inside == 0) mistakes_.add(points_file, outside_.empty() ? "no point is left" : "no point of the file lies in the mesh", "check scale, origin, downward and mask; 'invar show' draws the mesh and the points");
  }

  double sign(int axis) const { return axis == 1 && v_.flag("downward") ? -1 : 1; }

  /// A component and its columns.
  struct Measured {
    int component, axis;
    const std::vector<double>*values, *noise;
    std::string noise_name;
  };
  const QuantityCase& c_;
  const EntryValues& v_;
  EntryMistakes& mistakes_;
  std::map<double, double> frames_;
  std::vector<const std::vector<double>*> places_;
  std::vector<Measured> measured_;
  std::optional<Expression> mask_;
  std::map<FrameKey, Frame> read_;
  bool knows_deviations_ = false;
  const bool turns_ = moves_rigidly(v_);
  int masked_ = 0, missing_ = 0, alone_ = 0;
  std::vector<std::pair<int, double>> outside_;  // row, distance
};

/// Small rigid motions at the samples: translations along the axes, rotations about the centre of the points.
std::vector<std::vector<double>> rigid_modes(const Frame& f, int dim) {
  std::array<double, 3> middle{};
  for (const auto& place : f.seen)
    for (int i = 0; i < dim; ++i) middle[i] += place[i] / static_cast<double>(f.seen.size());
  std::vector<std::vector<double>> modes;
  const auto add = [&](auto value) {
    std::vector<double>& mode = modes.emplace_back();
    for (std::size_t k = 0; k < f.samples.size(); ++k) mode.push_back(value(f.samples[k].component, f.seen[k]));
  };
  const auto is_seen = [&](int i) { return std::ranges::any_of(f.samples, [i](const Sample& s) { return s.component == i; }); };
  for (int i = 0; i < dim; ++i)
    if (is_seen(i)) add([i](int component, const auto&) { return component == i ? 1.0 : 0.0; });
  for (int i = 0; i < dim; ++i)
    for (int j = i + 1; j < dim; ++j)
      if (is_seen(i) || is_seen(j))
        add([&, i, j](int component, const auto& at) { return component == i ? -(at[j] - middle[j]) : component == j ? at[i] - middle[i] : 0.0; });
  return modes;
}

std::vector<MeasuredSet> make_image(const QuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  ImageReader reader(c, v, mistakes);
  std::vector<MeasuredSet> sets;
  const bool own_times = column(v, "t") || column(v, "frame");
  for (auto& [key, frame] : reader.read()) {
    std::vector<double> distance;
    MeasuredSet set{.observable = make_point_samples(c.dofs, frame.samples, distance), .rows = {frame.rows.front()}};
    if (own_times) set.times = {key.t};
    tell_places(frame.samples, set.places, set.components);
    if (moves_rigidly(v)) {
      const std::vector<double> deviations = reader.knows_deviations() ? frame.deviations : std::vector<double>(frame.targets.size(), 1.0);
      try {
        const auto left = std::make_shared<WithoutModes>(std::move(set.observable), rigid_modes(frame, c.dim()), deviations);
        set.targets = left->reduced(frame.targets);
        if (reader.knows_deviations()) set.deviations.assign(set.targets.size(), 1.0);
        set.observable = left;
        set.removed = left->removed();
        set.at_samples = [left](const std::vector<double>& off) { return left->at_numbers(off); };
      } catch (const std::invalid_argument&) {
        mistakes.add_in_row(points_file, frame.rows.front(), "the frame of this row has too few points to separate a rigid motion from a deformation");
        continue;
      }
    } else {
      set.targets = std::move(frame.targets);
      set.deviations = std::move(frame.deviations);
    }
    set.sample_rows = std::move(frame.rows);
    sets.push_back(std::move(set));
  }
  if (!sets.empty()) sets.front().notes = reader.notes();
  return sets;
}

}  // namespace

DataEntry<QuantityCase> image_data() {
  using enum EntryParameter::Kind;
  return {.name = "image_correlation",
          .doc = "Displacements measured by cameras at many points, in frames (digital image correlation). Points need not be nodes; those outside the mesh are omitted and reported. Errors that depend on each other between points or frames are found from the residuals, and intervals are corrected for them. The force of each frame is a separate term: `reaction` with `file` and `t`.",
          .parameters = {{.key = points_file, .kind = table_file, .doc = "CSV with a row for each point and frame; empty cells and nan are missing values", .may_be_infinite = true},
                         {.key = frames_file, .kind = table_file, .doc = "CSV with a row for each frame: its number and its only load parameter or time", .may_be_left_out = true},
                         columns_group(),
                         {.key = "rigid_motion",
                          .kind = word,
                          .doc = "rigid motion of the camera or the specimen between frames",
                          .words = {{"none", "none: displacements are those of the body"},
                                    {"fitted", "a translation and a small rotation of each frame are fitted, and count as fitted numbers; data are then in units of the standard deviation. The rotation θ (rad) is linearised: the error is θ²/2 times the distance from the centre. It acts on the measured deformed positions, in which a component without a column is 0"}}},
                         {.key = "deviations", .kind = numbers, .doc = "standard deviation of the displacements along each axis, in the file's unit", .may_be_left_out = true, .lower = 0, .lower_open = true},
                         {.key = "scale", .kind = number, .doc = "length of the file's unit, for positions and displacements, e.g. of a pixel in m", .default_value = std::vector{1.0}, .lower = 0, .lower_open = true},
                         {.key = "origin", .kind = numbers, .doc = "of the mesh, in the file's unit; default: 0", .may_be_left_out = true, .least = 2, .most = 3},
                         {.key = "downward", .kind = flag, .doc = "the file's y points down, as in images", .default_value = std::vector{0.0}},
                         {.key = "mask", .kind = text, .doc = "formula in x, y, z: points of the mesh where it is not positive are left out", .may_be_left_out = true}},
          .times = &image_times,
          .make = &make_image};
}

}  // namespace invar
