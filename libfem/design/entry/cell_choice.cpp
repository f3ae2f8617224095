#include "libfem/design/entry/cell_choice.hpp"

#include <string>
#include <string_view>

namespace invar {

std::vector<EntryParameter> orbit_parameters() {
  using enum EntryParameter::Kind;
  return {{.key = "symmetry",
           .kind = groups,
           .doc = "planes of symmetry of the field; the mesh must be symmetric, loads and supports need not be",
           .may_be_left_out = true,
           .inner = {{.key = "normal", .kind = axis, .doc = "of the plane: x, y or z"}, {.key = "at", .unit = "m", .doc = "coordinate of the plane on that axis", .default_value = std::vector{0.0}}}},
          {.key = "extrude", .kind = axis, .doc = "direction along which the field is constant; the mesh must consist of equal layers", .may_be_left_out = true}};
}

std::shared_ptr<const CellOrbits> orbits_of(const Mesh& mesh, const std::vector<int>& cells, const EntryValues& v, EntryMistakes& mistakes) {
  constexpr std::string_view names = "xyz";
  std::vector<CellOrbits::MirrorPlane> planes;
  if (v.has("symmetry"))
    for (const EntryValues& s : v.groups("symmetry")) planes.push_back({s.integer("normal"), s.number("at")});
  const int along = v.has("extrude") ? v.integer("extrude") : -1;
  for (const CellOrbits::MirrorPlane& p : planes)
    if (p.axis >= mesh.dim) mistakes.add("symmetry", "the mesh has no z");
    else if (p.axis == along) mistakes.add("symmetry", std::string("an extrusion along ") + names[along] + " is symmetric in that direction already");
  if (along >= mesh.dim) mistakes.add("extrude", "the mesh has no z");
  if (mistakes.any() || (planes.empty() && along < 0)) return nullptr;
  return std::make_shared<CellOrbits>(mesh, cells, planes, along);
}

std::vector<EntryParameter> stage_parameters() {
  using enum EntryParameter::Kind;
  return {{.key = "steepness", .doc = "steepness of the projection; 0: none", .default_value = std::vector{0.0}, .lower = 0},
          {.key = "iterations", .kind = integer, .doc = "largest number of accepted steps", .default_value = std::vector{100.0}, .lower = 1},
          {.key = "rounds",
           .kind = integer,
           .doc = "number of runs of the stage, each from the result of the previous one; in between, multipliers of limits and scales of norms (stress_limit, stress_norm, stress_ks) are updated",
           .default_value = std::vector{1.0},
           .lower = 1,
           .upper = 10000}};
}

EntryParameter threshold_parameter(std::string_view doc, std::optional<double> default_value, bool may_be_left_out) {
  EntryParameter p{.key = "threshold", .doc = doc, .may_be_left_out = may_be_left_out, .lower = 0, .upper = 1, .lower_open = true, .upper_open = true};
  if (default_value) p.default_value = std::vector{*default_value};
  return p;
}

}  // namespace invar
