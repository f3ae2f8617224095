#include "libfem/solid/stress_quantities.hpp"

#include <algorithm>
#include <iterator>

#include "libfem/solid/stress_limit.hpp"
#include "libfem/solid/stress_norm.hpp"

namespace invar {
namespace {

/// Checks that the stress is determined by the law and the displacement.
void check_stress(const SolidQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  if (v.has("relaxation") && std::ranges::none_of(c.parts, [](const SolidQuantityCase::Part& part) { return part.distributed.constant >= 0; }))
    mistakes.add("relaxation", "there is no density, so the stress cannot be relaxed", "leave it out, or design a 'solid_density'");
  for (const SolidQuantityCase::Part& part : c.parts) {
    if (part.material->finite_strain() && !part.material->keeps_orientation())
      mistakes.add("", "with 'material_share' at finite strain the stress is undefined in inverted cells of void", "use a small-strain law");
    else if (part.has_history)
      refuse_history(mistakes, "stress");
    else if (!StressOf{part.material, c.kind}.is_known(part.compressible))
      mistakes.add("", "in plane stress the law '" + std::string(part.material->name()) + "' does not determine the deformed thickness, on which the stress depends",
                   "use linear_elastic, 'incompressible: true' or a mesh in space");
  }
}

/// Positions of the region's cells among the rank's cells, ascending.
std::vector<int> positions_of(const Region& region, const Mesh& mesh) {
  std::vector<int> positions;
  int first = 0;
  for (std::size_t b = 0; b < mesh.cells.size(); first += mesh.cells[b++].count())
    if (b < region.members.size())
      for (const int cell : region.members[b]) positions.push_back(first + cell);
  std::ranges::sort(positions);
  return positions;
}

/// Region, points and material of a stress quantity.
struct StressQuestion {
  std::string region;
  int degree;         // degree of the quadrature that defines the points
  double relaxation;  // exponent q of a distributed material

  bool centres() const { return degree == 1; }
};

/// A part of the body with the same added stresses.
struct StressedCells {
  StressPart part;
  CellBatches cells;
  std::string region;  // of the material
};

/// Whether any rank has some of these cells.
bool exist(const CellBatches& cells) {
  int any = !cells.groups.empty();
  MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, cells.dofs->comm());
  return any != 0;
}

/// Divides parts where a stress is added in some of their cells. Collective.
void add_stress(const SolidQuantityCase& c, const AddedStress& added, std::vector<StressedCells>& parts) {
  std::vector<int> inside, outside;
  if (!added.region.empty()) inside = positions_of(*c.mesh().find_region(added.region), c.mesh());
  int n = 0;
  for (const CellBlock& block : c.mesh().cells) n += block.count();
  for (int cell = 0; cell < n; ++cell)
    if (!std::ranges::binary_search(inside, cell)) outside.push_back(cell);
  std::vector<StressedCells> divided;
  for (StressedCells& of : parts) {
    if (!added.region.empty() && added.region != of.region) {
      if (CellBatches rest = of.cells.only(outside); exist(rest)) divided.push_back({of.part, std::move(rest), of.region});
      of.cells = of.cells.only(inside);
      if (!exist(of.cells)) continue;
    }
    ++(added.kind == AddedStress::Kind::viscous ? of.part.stress.viscous : of.part.stress.active);
    of.part.coefficients.insert(of.part.coefficients.end(), added.coefficients.begin(), added.coefficients.end());
    divided.push_back(std::move(of));
  }
  parts = std::move(divided);
}

/// The parts of the body, each with its cells.
std::vector<StressedCells> stressed_cells(const SolidQuantityCase& c, const StressQuestion& asked) {
  std::vector<StressedCells> parts;
  for (const SolidQuantityCase::Part& of : c.parts) {
    StressPart part{{of.material, c.kind}, of.constants, {}};
    if (of.distributed.constant >= 0) {
      part.stress.relaxation = asked.relaxation;
      part.coefficients[of.distributed.constant] = c.fixed(of.distributed.full);
      part.coefficients.push_back(of.distributed.density);
    }
    parts.push_back({std::move(part), CellBatches::on_cells(c.dofs, of.region, asked.degree, c.displacement), of.region});
  }
  for (const auto kind : {AddedStress::Kind::viscous, AddedStress::Kind::active})  // in the order of the coefficients
    for (const AddedStress& added : c.added)
      if (added.kind == kind) add_stress(c, added, parts);
  return parts;
}

/// The parts of the body on domains that `place(cells)` makes of theirs.
template <class Place>
std::vector<StressPart> parts_on(const SolidQuantityCase& c, const StressQuestion& asked, const Place& place) {
  std::vector<StressPart> all;
  for (StressedCells& of : stressed_cells(c, asked)) {
    of.part.domains = place(of.cells);
    all.push_back(std::move(of.part));
  }
  return all;
}

/// The cells of a region of cells, or 'all'.
CellBatches cells_in(const SolidQuantityCase& c, const std::string& region, const CellBatches& cells) {
  return region == "all" ? cells : cells.only(positions_of(*c.mesh().find_region(region), c.mesh()));
}

/// The parts of the body in a region of cells, or at one of facets.
std::vector<StressPart> parts_in(const SolidQuantityCase& c, const StressQuestion& asked) {
  return parts_on(c, asked, [&](const CellBatches& cells) {
    if (c.names_facets(asked.region)) return side_domains(cells, sides_of(c.mesh(), *c.mesh().find_region(asked.region)));
    return std::vector{cells_in(c, asked.region, cells)};
  });
}

/// Points of which each is one of every larger region too, so that the peak of a region is never above that of a region which contains it.
/// In cells these are points inside and on their sides at boundaries and at regions of facets; or the middles of cells, of those at a region
/// of facets if that is asked for.
std::vector<StressPart> peak_parts(const SolidQuantityCase& c, const StressQuestion& asked) {
  const bool facets = c.names_facets(asked.region);
  const std::vector<CellSide> sides = facets ? sides_of(c.mesh(), *c.mesh().find_region(asked.region)) : all_sides(c.mesh());
  std::vector<int> behind;
  for (const CellSide& side : sides) behind.push_back(side.cell);
  behind.erase(std::ranges::unique(behind).begin(), behind.end());
  return parts_on(c, asked, [&](const CellBatches& cells) {
    if (asked.centres()) return std::vector{facets ? cells.only(behind) : cells_in(c, asked.region, cells)};
    const CellBatches inside = facets ? cells : cells_in(c, asked.region, cells);
    std::vector<CellBatches> domains = side_domains(inside, sides);
    if (!facets) domains.push_back(inside);
    return domains;
  });
}

/// False, with a mistake, if the parts have no cells, as in the region of a fluid. Collective.
bool has_bodies(const std::vector<StressPart>& parts, EntryMistakes& mistakes) {
  bool any = false;
  for (const StressPart& part : parts)
    for (const CellBatches& domain : part.domains) any |= exist(domain);
  if (!any) mistakes.add("region", "no body has cells there", "name a region of cells of a body, or of its facets");
  return any;
}

EntryParameter where() {
  return {.key = "region", .kind = EntryParameter::Kind::body_region, .doc = "facet or cell region, or 'all'", .default_text = "all"};
}

/// Parameter for the points: those of a quadrature, or the middle of cells.
EntryParameter at_points(std::string_view usual) {
  return {.key = "points",
          .kind = EntryParameter::Kind::word,
          .doc = "where the stress is taken",
          .default_text = usual,
          .words = {{"all", "at several points of each cell"}, {"centres", "in the middle of each cell (of the cells at a facet for `peak_stress`, of the facet for `stress_norm` and `stress_limit`), as usual for first-order cells with a density: towards re-entrant corners of stair-stepped boundaries the stress is unbounded"}}};
}
constexpr double relaxed_norm = 0.5, relaxed_limit = 3;
EntryParameter relaxed_by(std::string_view usual) {
  return {.key = "relaxation",
          .doc = usual,
          .may_be_left_out = true,
          .lower = 0.5,
          .upper = 10};
}

EntryParameter scaled() {
  return {.key = "scaled",
          .kind = EntryParameter::Kind::flag,
          .doc = "multiply by the ratio of the greatest stress to this value at the end of the last round of the search (`optimizer.rounds`, or `rounds` of the stages of a density); 1 in the first round",
          .default_value = std::vector{0.0}};
}

/// degree: of the quadrature whose points are used for many points per cell.
StressQuestion question_of(const EntryValues& v, int degree) {
  return {v.text("region"), v.text("points") == "centres" ? 1 : degree, v.number_or("relaxation", relaxed_norm)};
}

std::shared_ptr<Observable> make_stress_norm(const SolidQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  const int exponent = v.integer("exponent");
  if (exponent % 2 != 0) mistakes.add("exponent", "the exponent must be even: " + std::to_string(exponent) + " is not");
  check_stress(c, v, mistakes);
  if (mistakes.any()) return nullptr;
  auto parts = parts_in(c, question_of(v, 6));
  if (!has_bodies(parts, mistakes)) return nullptr;
  return std::make_shared<StressNorm>(c.residual, std::move(parts), exponent, v.flag("scaled"));
}

std::shared_ptr<Observable> make_stress_ks(const SolidQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  check_stress(c, v, mistakes);
  if (mistakes.any()) return nullptr;
  auto parts = parts_in(c, question_of(v, 6));
  if (!has_bodies(parts, mistakes)) return nullptr;
  return StressNorm::with_exponentials(c.residual, std::move(parts), v.number("kappa"), v.flag("scaled"));
}

std::shared_ptr<Observable> make_stress_limit(const SolidQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  check_stress(c, v, mistakes);
  if (std::ranges::any_of(c.added, [](const AddedStress& a) { return a.kind == AddedStress::Kind::viscous; }))
    mistakes.add("", "limits at every point do not read rates, on which the stress of a material with viscosity depends", "use stress_norm");
  if (mistakes.any()) return nullptr;
  const int degree = v.text("points") == "centres" ? 1 : 2 * c.dofs->orders().front();
  auto parts = parts_in(c, {v.text("region"), degree, v.number_or("relaxation", relaxed_limit)});
  if (!has_bodies(parts, mistakes)) return nullptr;
  return std::make_shared<StressLimit>(c.residual, std::move(parts),
                                       StressLimit::Options{v.number("limit"), v.number("penalty"), v.number("growth"), v.number("largest_penalty")});
}

Measurement make_peak_stress(const SolidQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  const int axis = v.text("give") == "value" ? -1 : v.text("give")[0] - 'x';
  if (axis >= c.dim()) mistakes.add("give", "the mesh is two-dimensional; use x or y");
  check_stress(c, v, mistakes);
  if (mistakes.any()) return {};
  // Points of this degree come within 2 % of the ends of a facet.
  auto parts = peak_parts(c, question_of(v, 12));
  if (!has_bodies(parts, mistakes)) return {};
  integral_of_powers(c.residual, parts, 2, std::make_shared<const double>(1.0));
  Measurement m;
  m.value = [parts = std::move(parts), axis, residual = c.residual](const EvaluationPoint& u) {
    const StressPoint peak = greatest_stress(*residual, parts, u);
    return axis < 0 ? peak.stress : peak.x[axis];
  };
  return m;
}

}  // namespace

QuantityEntry<SolidQuantityCase> stress_norm_quantity() {
  return {.name = "stress_norm",
          .doc = "Solid: mean of power p of the von Mises stress (of the total stress, with viscosity and muscles) over a region, (∫ s^p / ∫ 1)^(1/p): a smooth approximation of the greatest stress from below. On facets it is the stress in the adjacent cells. `peak_stress` reports the greatest stress itself.",
          .parameters = {where(),
                         {.key = "exponent",
                          .kind = EntryParameter::Kind::integer,
                          .doc = "p, even; 2: root mean square",
                          .default_value = std::vector{16.0},
                          .lower = 2,
                          .upper = 200},
                         at_points("all"), relaxed_by("q, of a distributed material (solid_density): its stress is that of full material at the same strain times ρ^q; default: 0.5"),
                         scaled()},
          .make = &make_stress_norm};
}

QuantityEntry<SolidQuantityCase> stress_ks_quantity() {
  return {.name = "stress_ks",
          .doc = "Solid: ln(∫ cosh(κ s) / ∫ 1)/κ of the von Mises stress s (of the total stress, with viscosity and muscles) over a region: the aggregate of Kreisselmeier and Steinhauser, a smooth approximation of the greatest stress from below. On facets it is the stress in the adjacent cells. A choice besides `stress_norm`, with differences of stresses in place of ratios.",
          .parameters = {where(),
                         {.key = "kappa", .unit = "1/Pa", .doc = "κ, e.g. 50 divided by the expected stress", .lower = 0, .lower_open = true},
                         at_points("all"), relaxed_by("q, of a distributed material (solid_density): its stress is that of full material at the same strain times ρ^q; default: 0.5"), scaled()},
          .make = &make_stress_ks};
}

QuantityEntry<SolidQuantityCase> stress_limit_quantity() {
  return {.name = "stress_limit",
          .doc = "Solid: augmented Lagrangian of limits on the von Mises stress at points of every cell, or of every facet of a region of facets: the mean over the region of λ h + μ/2 h², with "
                 "h = max(g, −λ/μ), g = ρ^q ½ ((s/limit)² − 1) and a multiplier λ for each point. A term of an objective; the rounds of a search (`optimizer.rounds`, or "
                 "`rounds` of the stages of a density) bring λ up to date.",
          .parameters = {{.key = "limit", .unit = "Pa", .doc = "greatest von Mises stress", .lower = 0, .lower_open = true},
                         where(), at_points("centres"), relaxed_by("q, of a distributed material (solid_density); default: 3"),
                         {.key = "penalty", .doc = "μ at the start, in units of the objective", .default_value = std::vector{10.0}, .lower = 0, .lower_open = true},
                         {.key = "growth", .doc = "factor of μ from round to round", .default_value = std::vector{1.1}, .lower = 1},
                         {.key = "largest_penalty", .doc = "upper limit of μ", .default_value = std::vector{1e4}, .lower = 0, .lower_open = true}},
          .make = &make_stress_limit};
}

ReportEntry<SolidQuantityCase> peak_stress_report() {
  return {.name = "peak_stress",
          .doc = "Solid: greatest von Mises stress (of the total stress, with viscosity and muscles) of a region, or where it is in the undeformed body. On facets it is the stress in the adjacent cells; in cells their sides at boundaries and regions of facets count too, so that no part of a region has a greater one.",
          .parameters = {where(), at_points("all"), relaxed_by("q, of a distributed material (solid_density): its stress is that of full material at the same strain times ρ^q; default: 0.5"),
                         {.key = "give",
                          .kind = EntryParameter::Kind::word,
                          .doc = "which value",
                          .default_text = "value",
                          .words = {{"value", "the stress"}, {"x", "coordinate of its position"}, {"y", "likewise"}, {"z", "likewise"}}}},
          .make = &make_peak_stress};
}

}  // namespace invar
