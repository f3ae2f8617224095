
#include <array>
#include <cmath>
#include <cstdio>

#include "apps/invar/physics/solid_model.hpp"
#include "apps/invar/problem/case_model.hpp"
#include "libfem/form/contact_report.hpp"
#include "libfem/mesh/place_text.hpp"
#include "libfem/solid/solid_fields.hpp"

namespace invar {
namespace {

/// The worst cell of a rank: among inverted cells the one with the least det F, else among cells without finite stress the one with
/// the largest stretch.
struct WorstCell {
  double measure = 0;  // the worst is the least; 0: none
  std::string words{};
};

std::string place_of(const Mesh& mesh, int cell) {
  std::array<double, 3> x{};
  int first = 0;
  for (const CellBlock& block : mesh.cells) {
    if (cell >= first + block.count()) {
      first += block.count();
      continue;
    }
    const int n = vertex_count(block.type.shape);
    for (int a = 0; a < n; ++a)
      for (int i = 0; i < mesh.dim; ++i)
        x[i] += mesh.coordinates[std::size_t(block.nodes[std::size_t(cell - first) * node_count(block.type) + a]) * mesh.dim + i] / n;
    break;
  }
  return place_in_words(x, mesh.dim);
}

/// "; jm is 30 (limit Jm of Ī1 − 3)": the constants of the law there.
std::string constants_in_words(const MaterialPart& part, const EvaluationPoint& u) {
  std::string text;
  const auto specs = part.material->parameters();
  for (std::size_t k = 0; k < specs.size(); ++k) {
    const std::vector<double>& v = u.controls()[part.controls[k]];
    char value[40];
    std::snprintf(value, sizeof value, " = %.6g", v[0]);
    text += (k ? ", " : "") + std::string(specs[k].key) + (v.size() == 1 ? value : " a field") + " (" + std::string(specs[k].doc) + ")";
  }
  return text;
}

void look_at(const CaseModel& model, const EvaluationPoint& u, const MaterialPart& part, const SolidFields& fields, WorstCell& worst) {
  for (std::size_t c = 0; c < fields.volume.size(); ++c) {
    if (fields.volume[c] == 0) continue;
    const double ratio = fields.least_volume_ratio[c];
    const bool inverted = part.material->keeps_orientation() && ratio <= 0;
    const bool finite = std::isfinite(fields.energy_density[c]) && std::isfinite(fields.von_mises[c]) && std::isfinite(ratio);
    if (!inverted && finite) continue;
    const double stretch = fields.greatest_stretch[c];
    // Below −1: inverted; between −1 and 0: no finite stress, the more the larger the stretch.
    const double measure = inverted ? -1 + ratio - 1e-300 : std::isfinite(stretch) ? -1 + 1 / (2 + std::abs(stretch)) : -0.25;
    if (!(measure < worst.measure)) continue;
    worst.measure = measure;
    const std::string where = ": '" + part.name + "' (" + std::string(part.material->name()) + ") at " + place_of(*model.mesh, static_cast<int>(c));
    char text[160];
    if (inverted) {
      std::snprintf(text, sizeof text, " is inverted: det F = %.3g, and must be positive", ratio);
      worst.words = where + text;
    } else {
      std::snprintf(text, sizeof text, " has no finite stress: stretched to I1 - 3 = %.4g (without its change of volume), det F = %.3g, where ",
                    stretch, ratio);
      worst.words = where + text + constants_in_words(part, u);
    }
  }
}

/// Explains why and where a state is inadmissible. Collective.
std::string explain_inadmissible(const SolidModel& solid, const CaseModel& model, const EvaluationPoint& u) {
  const LocalArray local(u);
  WorstCell worst;
  for (std::size_t f = 0; f < solid.parts.size(); ++f) {
    const MaterialPart& part = solid.parts[f];
    const SolidFields::Body body{.region = part.region, .material = part.material.get(),
                                 .parameters = model.residual->form_coefficients(static_cast<int>(f), u.given), .solid = part.unreduced.get(),
                                 .degree = part.degree};
    look_at(model, u, part, SolidFields::evaluate(model.dofs, local.data(), model.residual->coordinates(u.given).data(), solid.kind, solid.mixed, {&body, 1}), worst);
  }
  const MPI_Comm comm = model.dofs->comm();
  struct {
    double measure;
    int rank;
  } least{worst.measure, 0};
  MPI_Comm_rank(comm, &least.rank);
  MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_DOUBLE_INT, MPI_MINLOC, comm);
  if (!(least.measure < 0)) {
    const std::string barred = what_bars_the_way(*model.residual, u);
    if (!barred.empty()) return ": " + barred;
    return {};
  }
  int size = static_cast<int>(worst.words.size());
  MPI_Bcast(&size, 1, MPI_INT, least.rank, comm);
  worst.words.resize(size);
  MPI_Bcast(worst.words.data(), size, MPI_CHAR, least.rank, comm);
  return worst.words;
}

}  // namespace

std::function<std::string(const EvaluationPoint&)> SolidModel::explanation(const CaseModel& model) const {
  return [this, &model](const EvaluationPoint& u) { return explain_inadmissible(*this, model, u); };
}

}  // namespace invar
