#include "libfem/design/field/cell_orbits.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>

#include "libadjoint/number_text.hpp"
#include "libfem/mesh/all_gather.hpp"
#include "libfem/mesh/cell_centres.hpp"
#include "libfem/mesh/layers.hpp"

namespace invar {
namespace {

constexpr double same_place = 1e-9;  // relative to the size of the mesh

}  // namespace

CellOrbits::CellOrbits(const Mesh& mesh, const std::vector<int>& cells, const std::vector<MirrorPlane>& planes, int along) : comm_(mesh.comm) {
  const int dim = mesh.dim;
  const std::vector<double> mine = cell_centres(mesh, cells), x = all_gather(mine, MPI_DOUBLE, comm_);
  const std::size_t n = x.size() / 3;
  double size = 0;
  for (int i = 0; i < dim; ++i) {
    double low = INFINITY, high = -INFINITY;
    for (std::size_t c = 0; c < n; ++c) low = std::min(low, x[3 * c + i]), high = std::max(high, x[3 * c + i]);
    size = std::max(size, high - low);
  }
  std::vector<std::array<int, 3>> keys(n, std::array<int, 3>{});
  for (int i = 0; i < dim; ++i) {
    if (i == along) continue;
    std::vector<double> folded(n);
    for (std::size_t c = 0; c < n; ++c) {
      folded[c] = x[3 * c + i];
      for (const MirrorPlane& p : planes)
        if (p.axis == i) folded[c] = p.at + std::abs(folded[c] - p.at);
    }
    const std::vector<int> number = layers_of(folded, same_place * size);
    for (std::size_t c = 0; c < n; ++c) keys[c][i] = number[c];
  }
  std::map<std::array<int, 3>, int> known;
  std::vector<int> orbits;
  for (const auto& key : keys) {
    orbits.push_back(known.emplace(key, static_cast<int>(known.size())).first->second);
    if (orbits.back() == static_cast<int>(sizes_.size())) sizes_.push_back(0);
    ++sizes_[orbits.back()];
  }
  if (along >= 0 && std::ranges::all_of(sizes_, [](double s) { return s == 1; }))
    throw std::invalid_argument(std::string("no two cells are aligned along ") + "xyz"[along] + ": an extrusion needs a mesh of equal layers");
  for (const MirrorPlane& p : planes) {
    std::vector<int> balance(sizes_.size(), 0);  // number of cells on one side of the plane minus those on the other
    const auto side = [&](std::size_t c) {
      const double from = x[3 * c + p.axis] - p.at;
      return std::abs(from) <= same_place * size ? 0 : from > 0 ? 1 : -1;
    };
    for (std::size_t c = 0; c < n; ++c) balance[orbits[c]] += side(c);
    for (std::size_t c = 0; c < n; ++c) {
      if (balance[orbits[c]] == 0) continue;
      std::string place;
      for (int i = 0; i < dim; ++i) place += (i ? ", " : "") + number_text(x[3 * c + i]);
      throw std::invalid_argument("the cell at (" + place + ") has no image in the plane " + "xyz"[p.axis] + " = " + number_text(p.at) +
                                  " among the designed cells");
    }
  }
  int rank = 0, before = 0, count = static_cast<int>(cells.size());
  MPI_Comm_rank(comm_, &rank);
  MPI_Exscan(&count, &before, 1, MPI_INT, MPI_SUM, comm_);
  if (rank == 0) before = 0;
  orbit_.assign(orbits.begin() + before, orbits.begin() + before + count);
}

std::vector<double> CellOrbits::mean(const std::vector<double>& values) const {
  std::vector<double> sums(sizes_.size(), 0.0), means;
  for (std::size_t i = 0; i < orbit_.size(); ++i) sums[orbit_[i]] += values[i];
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(sums.size()), MPI_DOUBLE, MPI_SUM, comm_);
  for (const int o : orbit_) means.push_back(sums[o] / sizes_[o]);
  return means;
}

}  // namespace invar
