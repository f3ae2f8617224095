#include "apps/invar/problem/transfer_design.hpp"

#include <stdexcept>

#include "apps/invar/problem/design_parts.hpp"
#include "libfem/mesh/field_transfer.hpp"

namespace invar {
namespace {

std::size_t place_count(const Mesh& mesh, ControlLayout of) {
  if (of == ControlLayout::nodes) return static_cast<std::size_t>(mesh.node_total());
  std::size_t cells = 0;
  for (const CellBlock& block : mesh.cells) cells += static_cast<std::size_t>(block.count());
  return cells;
}

double scale_at(const LocalEntries& of, std::size_t position) { return of.scale.empty() ? 1.0 : of.scale[position]; }

}  // namespace

DesignVector transfer_design(const Problem& from, const DesignVector& theta, const Problem& to, int levels) {
  const std::vector<DesignPart> source = parts_of(*from.functional), target = parts_of(*to.functional);
  DesignVector out = to.functional->start();
  int fits = source.size() == target.size() && theta.shared.size() == out.shared.size();
  for (std::size_t b = 0; fits && b < source.size(); ++b)
    fits = source[b].variables.size() == target[b].variables.size() && source[b].of.of == target[b].of.of &&
           source[b].of.components == target[b].of.components;
  MPI_Allreduce(MPI_IN_PLACE, &fits, 1, MPI_INT, MPI_MIN, to.functional->comm());
  if (!fits) throw std::invalid_argument("the design has other variables in that setting");
  out.shared = theta.shared;
  for (std::size_t b = 0; b < source.size(); ++b) {
    const LocalEntries &coarse = source[b].of, &fine = target[b].of;
    int any = !coarse.positions.empty();
    MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, to.functional->comm());
    if (!any) continue;
    const std::size_t m = static_cast<std::size_t>(coarse.components);
    std::vector<double> values(place_count(mesh_of(from, b), coarse.of) * m, 0.0);
    for (std::size_t i = 0; i < coarse.positions.size(); ++i)
      for (std::size_t c = 0; c < m; ++c) values[coarse.positions[i] * m + c] = theta.local[source[b].local + i * m + c] / scale_at(coarse, i);
    const FieldTransfer transfer(mesh_of(from, b), mesh_of(to, b), levels);
    const std::vector<double> there = coarse.of == ControlLayout::cells ? transfer.cells(values, coarse.components) : transfer.nodes(values, coarse.components);
    for (std::size_t i = 0; i < fine.positions.size(); ++i)
      for (std::size_t c = 0; c < m; ++c) out.local[target[b].local + i * m + c] = scale_at(fine, i) * there[fine.positions[i] * m + c];
  }
  return out;
}

}  // namespace invar
