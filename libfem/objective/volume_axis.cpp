#include "libfem/objective/volume_axis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "libfem/form/lanes.hpp"
#include "libfem/mesh/all_gather.hpp"
#include "libfem/mesh/reference_element.hpp"
#include "libfem/objective/geometry_forms.hpp"

namespace invar {
namespace {

constexpr double plane_tolerance = 1e-9;  // tolerance of positions, relative to the extent of the border
constexpr double same_volume = 1e-6;  // difference of volumes along different axes, and from different origins, relative to area times length: a pouch may be flat

using BorderPlace = std::array<double, 3>;

BorderPlace combined(double a, const BorderPlace& x, double b, const BorderPlace& y) { return {a * x[0] + b * y[0], a * x[1] + b * y[1], a * x[2] + b * y[2]}; }
double along(const BorderPlace& x, const BorderPlace& y) { return x[0] * y[0] + x[1] * y[1] + x[2] * y[2]; }

/// A part of the border of a surface: an edge of one facet, in the plane a node; from `begin` to `end`. outward: away from the facet, normal
/// to the edge.
struct BorderPart {
  BorderPlace begin, end, outward;
};

/// Edges that belong to one facet only, on every rank.
std::vector<BorderPart> border_of(const CellBatches& facets) {
  const Mesh& mesh = facets.dofs->mesh();
  constexpr std::array<std::array<int, 2>, 2> ends{{{0, 0}, {1, 1}}};
  std::vector<long long> numbers;
  std::vector<double> places;
  for (const BatchGroup& g : facets.groups)
    for (int b = 0; b < g.n_batches; ++b)
      for (int lane = 0; lane < g.owned[b]; ++lane) {
        const auto node = [&](int a) { return g.node[(std::size_t(b) * g.n_nodes + a) * simd_width + lane]; };
        const auto place = [&](int a) {
          BorderPlace x{};
          std::copy_n(&mesh.coordinates[std::size_t(node(a)) * mesh.dim], mesh.dim, x.begin());
          return x;
        };
        const int n = vertex_count(g.type.shape);
        BorderPlace middle{};
        for (int a = 0; a < n; ++a) middle = combined(1, middle, 1.0 / n, place(a));
        const auto edges = mesh.dim == 2 ? std::span<const std::array<int, 2>>(ends) : edges_of(g.type.shape);
        for (const auto& [i, j] : edges) {
          const auto [low, high] = std::minmax(mesh.original_node[node(i)], mesh.original_node[node(j)]);
          numbers.insert(numbers.end(), {low, high});
          const BorderPlace begin = place(i), end = place(j), edge = combined(1, end, -1, begin);
          BorderPlace outward = combined(1, begin, -1, middle);
          if (i != j) outward = combined(1, outward, -along(outward, edge) / along(edge, edge), edge);
          for (const BorderPlace& p : {begin, end, outward}) places.insert(places.end(), p.begin(), p.end());
        }
      }
  numbers = all_gather(numbers, MPI_LONG_LONG, mesh.comm);
  places = all_gather(places, MPI_DOUBLE, mesh.comm);
  std::map<std::pair<long long, long long>, std::vector<std::size_t>> users;
  for (std::size_t k = 0; 2 * k < numbers.size(); ++k) users[{numbers[2 * k], numbers[2 * k + 1]}].push_back(k);
  std::vector<BorderPart> border;
  for (const auto& [edge, facets_at] : users) {
    if (facets_at.size() > 1) continue;
    const double* p = &places[9 * facets_at[0]];
    border.push_back({{p[0], p[1], p[2]}, {p[3], p[4], p[5]}, {p[6], p[7], p[8]}});
  }
  return border;
}

using Planes = std::array<std::vector<double>, 3>;  // positions of planes across each axis

/// Planes in which the border lies; nothing where a part of it is in none.
std::optional<Planes> planes_through(const std::vector<BorderPart>& border, int dim) {
  Planes planes;
  if (border.empty()) return planes;
  BorderPlace low = border[0].begin, high = low;
  for (const BorderPart& part : border)
    for (const BorderPlace& x : {part.begin, part.end})
      for (int i = 0; i < dim; ++i) low[i] = std::min(low[i], x[i]), high[i] = std::max(high[i], x[i]);
  const double tolerance = plane_tolerance * std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]});
  for (int i = 0; i < dim; ++i)
    if (border.size() > 1 && high[i] - low[i] <= tolerance) {
      planes[i] = {low[i]};
      return planes;
    }
  for (const BorderPart& part : border) {
    int across = -1;
    for (int i = 0; i < dim; ++i)
      if (std::abs(part.end[i] - part.begin[i]) <= tolerance && (across < 0 || std::abs(part.outward[i]) > std::abs(part.outward[across]))) across = i;
    if (across < 0) return std::nullopt;
    const auto known = [&](double x) { return std::abs(x - part.begin[across]) <= tolerance; };
    if (std::ranges::none_of(planes[across], known)) planes[across].push_back(part.begin[across]);
  }
  return planes;
}

/// The same around an axis, on which nothing is open.
Planes planes_around_axis(std::vector<BorderPart> border) {
  const auto radius = [](const BorderPart& part) { return part.begin[0]; };
  const double extent = border.empty() ? 0.0 : radius(std::ranges::max(border, {}, radius));
  std::erase_if(border, [&](const BorderPart& part) { return radius(part) <= plane_tolerance * extent; });
  Planes planes;
  const auto opens_inwards = [&](const BorderPart& part) {
    return std::abs(radius(part) - radius(border[0])) <= plane_tolerance * extent && std::abs(part.outward[0]) > std::abs(part.outward[1]);
  };
  if (border.size() > 1 && std::ranges::all_of(border, opens_inwards)) planes[0] = {radius(border[0])};
  else
    for (const BorderPart& part : border)
      if (std::ranges::none_of(planes[1], [&](double y) { return std::abs(y - part.begin[1]) <= plane_tolerance * extent; })) planes[1].push_back(part.begin[1]);
  return planes;
}

}  // namespace

VolumeAxis volume_axis(const CellBatches& facets, bool axisymmetric) {
  const Mesh& mesh = facets.dofs->mesh();
  FormState undeformed;
  undeformed.coordinates = mesh.coordinates.data();
  const auto integral = [&](const std::unique_ptr<WeakForm>& form) {
    double sum = form->value(undeformed);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, mesh.comm);
    return sum;
  };
  const auto volume = [&](const VolumeAxis& axis) { return integral(make_enclosed_volume(axisymmetric, axis, facets)); };
  const auto border = border_of(facets);
  const auto planes = axisymmetric ? planes_around_axis(border) : planes_through(border, mesh.dim);
  const double area = integral(make_area(axisymmetric, facets)), length = mesh.dim == 2 && !axisymmetric ? area : std::sqrt(area);
  std::vector<VolumeAxis> axes;  // first those without an opening, along which ends may move
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (int i = 0; planes && i < mesh.dim; ++i) {
    const std::vector<double>& across = (*planes)[i];
    const VolumeAxis axis{i, across.empty() ? 0.0 : across[0]};
    if (across.size() > 1) continue;
    const bool is_radius = axisymmetric && i == 0;  // from another origin the field is singular on the axis
    if (across.empty() && !is_radius && std::abs(volume({i, length}) - volume({i, 0})) > same_volume * area * length) continue;
    least = std::min(least, volume(axis)), most = std::max(most, volume(axis));
    axes.insert(across.empty() ? axes.begin() : axes.end(), axis);
  }
  if (axes.empty() || most - least > same_volume * area * length)
    throw std::invalid_argument("the ends of these facets do not lie in planes across axes that close one volume: name all walls of the cavity, and cut it in planes x, y or z = constant");
  return axes.front();
}

}  // namespace invar
