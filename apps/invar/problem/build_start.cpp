#include "apps/invar/problem/build_start.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

#include "apps/invar/problem/design_parts.hpp"
#include "apps/invar/problem/gathered_entries.hpp"
#include "apps/invar/spec/source_text.hpp"
#include "libadjoint/number_text.hpp"
#include "libfem/mesh/cell_centres.hpp"
#include "libfem/space/expression.hpp"

namespace invar {
namespace {

using nlohmann::ordered_json;
using spec::Value;

/// Places of the rank's cells (means of their vertices) or nodes, [n × 3].
std::vector<std::array<double, 3>> places_of(const Mesh& mesh, ControlLayout of) {
  std::vector<std::array<double, 3>> places;
  const auto node_at = [&](int node, int i) { return mesh.coordinates[std::size_t(node) * mesh.dim + i]; };
  if (of == ControlLayout::nodes) {
    places.resize(mesh.node_total());
    for (int node = 0; node < mesh.node_total(); ++node)
      for (int i = 0; i < mesh.dim; ++i) places[node][i] = node_at(node, i);
    return places;
  }
  const std::vector<double> centres = cell_centres(mesh);
  for (std::size_t c = 0; c < centres.size() / 3; ++c) places.push_back({centres[3 * c], centres[3 * c + 1], centres[3 * c + 2]});
  return places;
}

/// A value of a start given in the spec or a file, in the optimiser's coordinate; NaN after recording that it does not fit.
class Setter {
 public:
  Setter(const Problem& problem, DesignVector& start, Diagnostics& diagnostics)
      : start_(start), lower_(problem.functional->lower()), upper_(problem.functional->upper()), diagnostics_(diagnostics) {}

  void shared(std::size_t k, const VariableTransform& t, double value, const Value& at, const std::string& name) {
    set(start_.shared[k], t, value, lower_.shared[k], upper_.shared[k], at, "of '" + name + "'");
  }
  void local(std::size_t k, const VariableTransform& t, double value, const Value& at, const std::array<double, 3>& x) {
    set(start_.local[k], t, value, lower_.local[k], upper_.local[k], at,
        "at (" + number_text(x[0]) + ", " + number_text(x[1]) + ", " + number_text(x[2]) + ")");
  }

 private:
  void set(double& theta, const VariableTransform& t, double value, double lower, double upper, const Value& at, const std::string& where) {
    // Clamped to bounds, which rounding of physical values may exceed.
    const auto clamped = [&](double x) {
      const double slack = 1e-12 * std::max(1.0, std::abs(x));
      return x < lower && x >= lower - slack ? lower : x > upper && x <= upper + slack ? upper : x;
    };
    try {
      const double x = std::isfinite(value) ? clamped(t.coordinate(value)) : value;
      if (lower <= x && x <= upper) {
        theta = x;
        return;
      }
      if (said_) return;
      said_ = true;
      diagnostics_.error(at.position, at.yaml_path,
                         "the start " + number_text(value) + " " + where + " is outside the bounds [" + number_text(t.physical(lower)) +
                             ", " + number_text(t.physical(upper)) + "]");
    } catch (const std::invalid_argument& e) {
      if (!std::exchange(said_, true)) diagnostics_.error(at.position, at.yaml_path, e.what());
    }
  }

  DesignVector& start_;
  DesignVector lower_, upper_;
  Diagnostics& diagnostics_;
  bool said_ = false;  // a single message for many entries
};

void from_formula(const Problem& problem, std::size_t block, const DesignPart& part, const Value& formula, DesignVector& start,
                  Diagnostics& diagnostics) {
  try {
    const Expression f(formula.is_number() ? number_text(formula.number()) : formula.text());
    const auto places = places_of(mesh_of(problem, block), part.of.of);
    Setter setter(problem, start, diagnostics);
    for (std::size_t i = 0; i < part.of.positions.size(); ++i) {
      const auto& x = places[part.of.positions[i]];
      setter.local(part.local + i, part.of.transform, f(x[0], x[1], x[2], 0), formula, x);
    }
  } catch (const ExpressionError& e) {
    diagnostics.error(formula.position, formula.yaml_path, e.what());
  }
}

void from_list(const Problem& problem, const DesignPart& part, const Value& list, DesignVector& start, Diagnostics& diagnostics) {
  const std::vector<DesignVariable>& variables = part.variables;
  if (list.size() != variables.size()) {
    diagnostics.error(list.position, list.yaml_path, "there are " + std::to_string(variables.size()) + " initial values, and the list has " +
                                                         std::to_string(list.size()),
                      variables.empty() ? "" : "from '" + variables.front().name + "' to '" + variables.back().name + "'");
    return;
  }
  for (std::size_t k = 0; k < variables.size(); ++k) {
    Setter setter(problem, start, diagnostics);
    setter.shared(part.shared + k, variables[k].transform, list[k].number(), list[k], variables[k].name);
  }
}

/// The entries of a field by their numbers in the mesh's file. False: it belongs to another mesh or region.
bool from_field(const Problem& problem, std::size_t block, const DesignPart& part, const ordered_json& field, const Value& at, DesignVector& start,
                Diagnostics& diagnostics) {
  std::map<long long, std::size_t> place;
  const auto positions = field.at("positions").get<std::vector<long long>>();
  const auto values = field.at("values").get<std::vector<double>>();
  const std::size_t m = static_cast<std::size_t>(part.of.components);
  if (field.at("components") != part.of.components || values.size() != m * positions.size()) return false;
  for (std::size_t i = 0; i < positions.size(); ++i) place[positions[i]] = i;
  const Mesh& mesh = mesh_of(problem, block);
  const std::vector<long long> numbers = numbers_of(mesh, part.of.of);
  const auto places = places_of(mesh, part.of.of);
  long long entries = static_cast<long long>(part.of.positions.size());
  MPI_Allreduce(MPI_IN_PLACE, &entries, 1, MPI_LONG_LONG, MPI_SUM, problem.functional->comm());
  if (entries != static_cast<long long>(positions.size())) return false;
  Setter setter(problem, start, diagnostics);
  for (std::size_t i = 0; i < part.of.positions.size(); ++i) {
    const auto found = place.find(numbers[part.of.positions[i]]);
    if (found == place.end()) return false;
    for (std::size_t c = 0; c < m; ++c)
      setter.local(part.local + m * i + c, part.of.transform, values[m * found->second + c], at, places[part.of.positions[i]]);
  }
  return true;
}

/// The design.json of an earlier run; null where there is none or it is damaged.
ordered_json design_in(const std::filesystem::path& file) {
  constexpr std::size_t largest_design = std::size_t(4) << 30;
  Diagnostics own;
  const std::optional<std::string> text = spec::read_text_file(file.string(), "design", largest_design, own);
  ordered_json design = text ? ordered_json::parse(*text, nullptr, false) : ordered_json();
  const auto numbers_in = [](const ordered_json& list) {
    return list.is_array() && std::all_of(list.begin(), list.end(), [](const ordered_json& v) { return v.is_number(); });
  };
  const auto object = [&](const char* name) { return design.is_object() && design.contains(name) && design[name].is_object(); };
  if (!object("numbers") || !object("fields")) return {};
  for (const ordered_json& number : design["numbers"])
    if (!number.is_number()) return {};
  for (const ordered_json& field : design["fields"]) {
    if (!field.is_object() || !field.contains("components")) return {};
    for (const char* name : {"positions", "values"})
      if (!field.contains(name) || !numbers_in(field[name])) return {};
    for (const ordered_json& position : field["positions"])
      if (!position.is_number_integer()) return {};
  }
  return design;
}

void from_run(const Problem& problem, const std::vector<DesignPart>& parts, const Value& from, DesignVector& start, Diagnostics& diagnostics) {
  const std::filesystem::path file = from.file() / design_file;
  const ordered_json design = design_in(file);
  if (design.is_null()) {
    diagnostics.error(from.position, from.yaml_path, "'" + file.string() + "' is not the design of an earlier run");
    return;
  }
  bool any = false;
  for (std::size_t b = 0; b < parts.size(); ++b) {
    for (std::size_t k = 0; k < parts[b].variables.size(); ++k) {
      const DesignVariable& v = parts[b].variables[k];
      if (!design["numbers"].contains(v.name)) continue;
      Setter(problem, start, diagnostics).shared(parts[b].shared + k, v.transform, design["numbers"][v.name].get<double>(), from, v.name);
      any = true;
    }
    const std::string& name = problem.blocks[b].name;
    if (!design["fields"].contains(name)) continue;
    any = true;
    int fits = from_field(problem, b, parts[b], design["fields"][name], from, start, diagnostics);
    MPI_Allreduce(MPI_IN_PLACE, &fits, 1, MPI_INT, MPI_MIN, problem.functional->comm());
    if (!fits)
      diagnostics.error(from.position, from.yaml_path, "the run designed '" + name + "' on another mesh or another region",
                        "start from a formula in 'start' of that entry of 'design'");
  }
  if (!any) diagnostics.error(from.position, from.yaml_path, "none of the design variables of that run occurs in this spec");
}

}  // namespace

void build_start(Problem& problem, Diagnostics& diagnostics) {
  const Value* design = problem.spec.find("design");
  if (!design) return;
  const std::size_t before = diagnostics.size();
  const std::vector<DesignPart> parts = parts_of(*problem.functional);
  DesignVector start = problem.functional->start();
  for (std::size_t b = 0; b < parts.size(); ++b) {
    const Value* entry = problem.blocks[b].entry;
    const Value* given = entry ? entry->find("start") : nullptr;
    if (!given || given->defaulted) continue;
    if (given->is_list()) from_list(problem, parts[b], *given, start, diagnostics);
    else if (parts[b].variables.empty() && !(given->is_number() && entry->operator[]("kind").text() == "field"))
      from_formula(problem, b, parts[b], *given, start, diagnostics);
  }
  if (const Value* from = problem.spec["optimizer"].find("start")) from_run(problem, parts, (*from)["from"], start, diagnostics);
  int wrong = diagnostics.size() != before;  // possibly for cells of another rank only
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, problem.functional->comm());
  if (wrong && diagnostics.size() == before)
    diagnostics.error(design->key_position, "design", "the start of a field is invalid in cells of another process",
                      "validate the spec on one process");
  problem.functional->set_start(std::move(start));
}

ordered_json design_json(const Problem& problem, const DesignVector& theta) {
  ordered_json j = {{"numbers", ordered_json::object()}, {"fields", ordered_json::object()}};
  const std::vector<DesignPart> parts = parts_of(*problem.functional);
  for (std::size_t b = 0; b < parts.size(); ++b) {
    const DesignPart& part = parts[b];
    for (std::size_t k = 0; k < part.variables.size(); ++k)
      j["numbers"][part.variables[k].name] = part.variables[k].transform.physical(theta.shared[part.shared + k]);
    const int m = part.of.components;
    std::vector<long long> numbers;
    std::vector<double> values;
    if (!part.of.positions.empty()) {
      const std::vector<long long> all = numbers_of(mesh_of(problem, b), part.of.of);
      for (const int position : part.of.positions) numbers.push_back(all[position]);
    }
    for (std::size_t i = 0; i < m * part.of.positions.size(); ++i) values.push_back(part.of.transform.physical(theta.local[part.local + i]));
    const auto entries = gathered_entries(numbers, values, m, problem.functional->comm());
    if (entries.empty()) continue;
    ordered_json& field = j["fields"][problem.blocks[b].name];
    field = {{"of", part.of.of == ControlLayout::cells ? "cells" : "nodes"}, {"components", m}};
    for (const auto& [number, of] : entries) {
      field["positions"].push_back(number);
      for (const double v : of) field["values"].push_back(v);
    }
  }
  return j;
}

}  // namespace invar
