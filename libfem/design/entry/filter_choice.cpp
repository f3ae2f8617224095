#include "libfem/design/entry/filter_choice.hpp"

#include <cmath>

#include "libadjoint/solve/scientific.hpp"
#include "libfem/design/field/cone_filter.hpp"
#include "libfem/design/field/helmholtz_filter.hpp"

namespace invar {

std::vector<EntryParameter> filter_parameters(bool or_none) {
  using enum EntryParameter::Kind;
  EntryParameter radius{.key = "radius", .unit = "m", .doc = or_none ? "radius of the filter, at least two cells; 0: none" : "radius of the filter; at least two cells", .lower = 0, .lower_open = !or_none};
  if (or_none) radius.default_value = std::vector{0.0};
  return {std::move(radius),
          {.key = "filter",
           .kind = word,
           .doc = "kind of filter; a cone of the same radius has about the same smoothing length as the equation",
           .default_text = "helmholtz",
           .words = {{"helmholtz", "by the equation −R²/12 Δφ + φ = ρ (Lazarov and Sigmund 2011, Filters in topology optimization based on Helmholtz-type differential equations): preserves the amount of material, and needs no memory for large R"},
                     {"cone", "by the mean of all cells within R, with weights (R − distance of the centres) times the volume (Bruns and Tortorelli 2001, Topology optimization "
                              "of non-linear elastic structures and compliant mechanisms); there are no cells outside the mesh"}}},
          {.key = "mass",
           .kind = word,
           .doc = "mass matrix of φ in the filter's equation",
           .default_text = "lumped",
           .words = {{"lumped", "filtered values stay between the extremes, as densities between 0 and 1"},
                     {"consistent", "consistent, as in Lazarov and Sigmund: sharper, but overshoots for a radius below two cells"}}}};
}

bool reaches_neighbours(const std::shared_ptr<const Mesh>& mesh, const char* key, const std::string& name, double length, bool strictly, const char* right,
                        EntryMistakes& mistakes) {
  const NoFilter cells(mesh, false);
  double smallest = INFINITY;
  for (int k = 0; k < cells.cell_count(); ++k)
    if (cells.owned()[k]) smallest = std::min(smallest, std::pow(cells.volumes()[k], 1.0 / mesh->dim));
  MPI_Allreduce(MPI_IN_PLACE, &smallest, 1, MPI_DOUBLE, MPI_MIN, mesh->comm);
  if (strictly ? length > smallest : length >= smallest) return true;
  mistakes.add(key, name + " of " + plain_number(length) + " m is smaller than every cell: the smallest is " + plain_number(smallest) + " m wide", right);
  return false;
}

bool filter_reaches_neighbours(const std::shared_ptr<const Mesh>& mesh, double radius, bool strictly, EntryMistakes& mistakes) {
  return reaches_neighbours(mesh, "radius", "the filter's radius", radius, strictly, "at least two cells", mistakes);
}

std::shared_ptr<CellFilter> filter_of(const DesignCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  const bool cone = v.text("filter") == "cone", consistent = v.text("mass") == "consistent";
  const double radius = v.number("radius");
  if (cone && consistent) mistakes.add("mass", "a cone filter has no mass matrix", "remove it, or use 'filter: helmholtz'");
  if (radius == 0 && (cone || consistent)) mistakes.add(cone ? "filter" : "mass", "there is no filter, as its radius is 0", "give a 'radius'");
  if (mistakes.any()) return nullptr;
  if (radius == 0) return std::make_shared<NoFilter>(c.mesh, c.axisymmetric);
  if (!filter_reaches_neighbours(c.mesh, radius, cone, mistakes)) return nullptr;
  if (cone) return std::make_shared<ConeFilter>(c.mesh, radius, c.axisymmetric);
  return std::make_shared<HelmholtzFilter>(c.mesh, radius, c.axisymmetric, consistent ? HelmholtzFilter::Mass::consistent : HelmholtzFilter::Mass::lumped);
}

}  // namespace invar
