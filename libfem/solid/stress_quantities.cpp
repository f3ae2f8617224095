#include "libfem/solid/stress_quantities.hpp"

#include <algorithm>
#include <iterator>

#include "libfem/solid/stress_norm.hpp"

namespace invar {
namespace {

/// The stress must follow from the law and the displacement alone.
void check_stress(const SolidQuantityCase& c, EntryMistakes& mistakes) {
  for (const SolidQuantityCase::Part& part : c.parts) {
    if (part.has_history)
      mistakes.add("", "the stress of a material with 'relaxation' or 'plasticity' depends on what was before, and is no quantity yet");
    else if (!StressOf{part.material, c.kind}.is_known(part.compressible))
      mistakes.add("", "in plane stress the law '" + std::string(part.material->name()) + "' does not say how thick the body becomes, on which the stress depends",
                   "use linear_elastic, 'incompressible: true' or a mesh in space");
  }
}

/// A part of the body in a region, and the residual's form of its law.
struct PlacedPart {
  StressNorm::Part part;
  int form;
};

/// The region's cells among all of the rank's part, ascending.
std::vector<int> positions_of(const Region& region, const Mesh& mesh) {
  std::vector<int> positions;
  int first = 0;
  for (std::size_t b = 0; b < mesh.cells.size(); first += mesh.cells[b++].count())
    if (b < region.members.size())
      for (const int cell : region.members[b]) positions.push_back(first + cell);
  std::ranges::sort(positions);
  return positions;
}

/// The parts of the body in a region of cells, or at one of facets, with points that integrate this degree.
std::vector<PlacedPart> parts_in(const SolidQuantityCase& c, const std::string& region, int degree) {
  std::vector<PlacedPart> all;
  for (const SolidQuantityCase::Part& part : c.parts) {
    const CellBatches cells = c.cells(part.region, degree);
    PlacedPart placed{{{part.material, c.kind}, part.constants, {}}, part.form};
    if (region == "all") placed.part.domains = {cells};
    else if (const Region& wanted = *c.mesh().find_region(region); c.names_facets(region))
      placed.part.domains = side_domains(cells, sides_of(c.mesh(), wanted));
    else placed.part.domains = {cells.only(positions_of(wanted, c.mesh()))};
    all.push_back(std::move(placed));
  }
  return all;
}

EntryParameter where() {
  return {.key = "region", .kind = EntryParameter::Kind::body_region, .doc = "facet or cell region, or 'all'", .default_text = "all"};
}

std::shared_ptr<Observable> make_stress_norm(const SolidQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  const int exponent = v.integer("exponent");
  if (exponent % 2 != 0) mistakes.add("exponent", "the exponent must be even: " + std::to_string(exponent) + " is not");
  check_stress(c, mistakes);
  if (mistakes.any()) return nullptr;
  std::vector<StressNorm::Part> parts;
  for (PlacedPart& placed : parts_in(c, v.text("region"), 6)) parts.push_back(std::move(placed.part));
  return std::make_shared<StressNorm>(c.residual, parts, exponent);
}

/// The point of all ranks with the greatest stress.
StressPoint greatest(const std::vector<StressPoint>& mine, MPI_Comm comm) {
  struct {
    double stress;
    int rank;
  } best{-1, 0};
  StressPoint point;
  point.stress = -1;
  for (const StressPoint& p : mine)
    if (p.stress > point.stress) point = p;
  MPI_Comm_rank(comm, &best.rank);
  best.stress = point.stress;
  MPI_Allreduce(MPI_IN_PLACE, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, comm);
  MPI_Bcast(point.x, 3, MPI_DOUBLE, best.rank, comm);
  point.stress = best.stress;
  return point;
}

Measurement make_peak_stress(const SolidQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  const int axis = v.text("give") == "value" ? -1 : v.text("give")[0] - 'x';
  if (axis >= c.dim()) mistakes.add("give", "the mesh is two-dimensional; use x or y");
  check_stress(c, mistakes);
  if (mistakes.any()) return {};
  // Points of this degree come within 2 % of the ends of a facet.
  const auto parts = std::make_shared<const std::vector<PlacedPart>>(parts_in(c, v.text("region"), 12));
  Measurement m;
  m.value = [parts, axis, residual = c.residual](const EvaluationPoint& u) {
    const LocalArray local(u);
    std::vector<StressPoint> points;
    for (const PlacedPart& placed : *parts)
      for (const CellBatches& domain : placed.part.domains)
        std::ranges::copy(stress_points(placed.part.stress, domain, residual->form_coefficients(placed.form, u.given), local.data(),
                                        residual->coordinates(u.given).data()),
                          std::back_inserter(points));
    const StressPoint peak = greatest(points, residual->comm());
    return axis < 0 ? peak.stress : peak.x[axis];
  };
  return m;
}

}  // namespace

QuantityEntry<SolidQuantityCase> stress_norm_quantity() {
  return {.name = "stress_norm",
          .doc = "Solid: mean of power p of the von Mises stress over a region, (∫ s^p / ∫ 1)^(1/p): a smooth stand-in for the greatest stress, which it "
                 "approaches from below. On facets it is the stress in the cells behind them. `peak_stress` reports the greatest itself.",
          .parameters = {where(),
                         {.key = "exponent",
                          .kind = EntryParameter::Kind::integer,
                          .doc = "p, even; 2: root mean square",
                          .default_value = std::vector{16.0},
                          .lower = 2,
                          .upper = 200}},
          .make = &make_stress_norm};
}

ReportEntry<SolidQuantityCase> peak_stress_report() {
  return {.name = "peak_stress",
          .doc = "Solid: greatest von Mises stress of a region, or where it is in the undeformed body. On facets it is that in the cells behind them.",
          .parameters = {where(),
                         {.key = "give",
                          .kind = EntryParameter::Kind::word,
                          .doc = "what of it",
                          .default_text = "value",
                          .words = {{"value", "the stress"}, {"x", "coordinate of where it is"}, {"y", "likewise"}, {"z", "likewise"}}}},
          .make = &make_peak_stress};
}

}  // namespace invar
