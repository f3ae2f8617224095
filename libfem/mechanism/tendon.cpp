#include "libfem/mechanism/tendon.hpp"

#include <algorithm>
#include <cmath>

#include "libadjoint/number_text.hpp"
#include "libadjoint/solve/scientific.hpp"
#include "libfem/mechanism/mechanism.hpp"
#include "libfem/mechanism/mechanism_laws.hpp"
#include "libfem/mechanism/rest_numbers.hpp"
#include "libfem/mechanism/rigid_body.hpp"
#include "libfem/mesh/point_locator.hpp"
#include "libfem/space/reference_element.hpp"

namespace invar {
namespace {

/// Length of the polygonal line through the points of z.
template <class T>
T polygon_length(const std::vector<T>& z, int dim) {
  T length(0.0);
  for (std::size_t k = dim; k < z.size(); k += dim) {
    T square(0.0);
    for (int i = 0; i < dim; ++i) square += (z[k + i] - z[k - dim + i]) * (z[k + i] - z[k - dim + i]);
    length += sqrt(square);
  }
  return length;
}

struct TensionEnergy {
  int dim;
  template <class T>
  T operator()(const std::vector<T>& z, const std::vector<T>& numbers) const { return numbers[0] * polygon_length(z, dim); }
};
struct LengthGap {
  int dim;
  template <class T>
  T operator()(const std::vector<T>& z, const std::vector<T>& numbers) const { return polygon_length(z, dim) - numbers[0]; }
};
/// Elastic force, the derivative of the energy, and damping force along the same line.
struct SpringForce {
  int dim;
  template <class T>
  void operator()(const std::vector<T>& z, const std::vector<T>& rate, const std::vector<T>&, const std::vector<T>& numbers, std::vector<T>& Q) const {
    std::vector<T> slope;
    T speed(0.0);
    for (std::size_t k = 0; k < z.size(); ++k) {
      slope.push_back(polygon_length(detail::seeded(z, static_cast<int>(k)), dim).grad[0]);
      speed += slope[k] * rate[k];
    }
    const T force = numbers[0] * (polygon_length(z, dim) - numbers[1]) + numbers[2] * speed;
    for (std::size_t k = 0; k < z.size(); ++k) Q[k] += force * slope[k];
  }
};

AffineMap places_of(const std::vector<AttachedPoint>& points, int dim) {
  std::vector<AffineNumber> z;
  for (const AttachedPoint& p : points)
    for (int i = 0; i < dim; ++i) {
      if (p.body) {
        z.push_back(p.body->place(p.at, i));
        continue;
      }
      AffineNumber x{p.at[i], {}};
      if (p.shift[i] >= 0) x.terms.push_back({p.shift[i], 1.0});
      z.push_back(std::move(x));
    }
  return AffineMap(std::move(z));
}

/// The cell of a point, on every rank.
struct CellOfPoint {
  CellType type;
  int is_material = 1;               // all nodes that move the point
  int has_others = 0;                // nodes that are not material
  std::array<double, 3> xi{};
  std::vector<double> N;             // shape functions of its nodes
  std::vector<double> places;        // of the nodes [n × dim], m
  std::vector<long long> originals;  // nodes by their positions in the serial mesh
  std::vector<long long> unknowns;   // global numbers of their unknowns, by components; −1: none
};

CellOfPoint cell_of(const DofMap& dofs, const MarkerOwner& owner, const std::vector<int>& displacement, const std::vector<char>& material) {
  constexpr double rounding = 1e-8;  // of shape functions at points that are found on the boundary of a cell
  const Mesh& mesh = dofs.mesh();
  CellOfPoint cell;
  int rank = 0, numbers[2] = {};  // shape and order
  MPI_Comm_rank(dofs.comm(), &rank);
  if (rank == owner.rank) {
    const CellBlock& block = mesh.cells[owner.here.block];
    const int n = node_count(block.type);
    numbers[0] = static_cast<int>(block.type.shape), numbers[1] = block.type.order;
    cell.xi = owner.here.xi;
    cell.N.resize(n);
    shape_values(block.type, owner.here.xi.data(), cell.N.data());
    for (int a = 0; a < n; ++a) {
      const int node = block.nodes[std::size_t(owner.here.cell) * n + a];
      cell.originals.push_back(mesh.original_node[node]);
      cell.places.insert(cell.places.end(), &mesh.coordinates[std::size_t(node) * mesh.dim], &mesh.coordinates[std::size_t(node) * mesh.dim] + mesh.dim);
      if (!material.empty() && !material[node]) {
        cell.has_others = 1;
        cell.is_material &= std::abs(cell.N[a]) < rounding;
        cell.N[a] = 0;
      }
      for (const int c : displacement) {
        const int dof = dofs.dof(node, c);
        cell.unknowns.push_back(dof < 0 ? -1 : dofs.global_dof(node) + dof - dofs.first_dof(node));
      }
    }
  }
  const auto share = [&](auto* data, std::size_t n, MPI_Datatype type) { MPI_Bcast(data, static_cast<int>(n), type, owner.rank, dofs.comm()); };
  share(&cell.is_material, 1, MPI_INT);
  share(&cell.has_others, 1, MPI_INT);
  share(numbers, 2, MPI_INT);
  cell.type = {static_cast<Shape>(numbers[0]), numbers[1]};
  const std::size_t n = node_count(cell.type);
  cell.N.resize(n);
  cell.places.resize(n * mesh.dim);
  cell.originals.resize(n);
  cell.unknowns.resize(n * displacement.size());
  share(cell.xi.data(), 3, MPI_DOUBLE);
  share(cell.N.data(), n, MPI_DOUBLE);
  share(cell.places.data(), cell.places.size(), MPI_DOUBLE);
  share(cell.originals.data(), n, MPI_LONG_LONG);
  share(cell.unknowns.data(), cell.unknowns.size(), MPI_LONG_LONG);
  return cell;
}

/// The cell's shape functions at a designed point, in a shape that may be designed, too, as numbers; returns the first.
int add_shape_values(RestNumbers& rest, const std::string& name, const CellOfPoint& cell, const AttachedPoint& point, int dim) {
  RestNumbers::PointInCell p{name, cell.type, {}, cell.xi, point.at.start(), {}};
  for (int i = 0; i < 3; ++i) p.controls[i] = i < dim ? point.at.control(i) : -1;
  for (std::size_t a = 0; a < cell.originals.size(); ++a) {
    std::array<double, 3>& x = p.nodes.emplace_back();
    std::copy_n(&cell.places[a * dim], dim, x.begin());
    if (!rest.follow_shape()) continue;
    std::array<int, 3>& numbers = p.coordinates.emplace_back(std::array<int, 3>{-1, -1, -1});
    for (int i = 0; i < dim; ++i) numbers[i] = rest.add_coordinate({{cell.originals[a], 1.0}}, i);
  }
  return rest.add_shape_values(std::move(p));
}

}  // namespace

std::optional<std::string> attach_points(const DofMap& dofs, Mechanism& mechanism, const std::string& name, const std::vector<int>& displacement,
                                         PetscInt first, int source, std::vector<AttachedPoint>& points, std::vector<LinearConstraint>& out,
                                         const PointSurroundings& around) {
  const Mesh& mesh = dofs.mesh();
  std::vector<double> places;
  for (const AttachedPoint& p : points) places.insert(places.end(), p.at.start().begin(), p.at.start().begin() + mesh.dim);
  const std::vector<MarkerOwner> owners = locate_markers(mesh, places);
  for (std::size_t k = 0; k < points.size(); ++k) {
    AttachedPoint& point = points[k];
    std::string text = "the point (";
    for (int i = 0; i < mesh.dim; ++i) text += (i ? ", " : "") + number_text(point.at.start()[i]);
    text += ")";
    if (owners[k].distance > 0) return text + " lies in no cell: it is " + short_number(owners[k].distance, 3) + " m away from the nearest";
    const CellOfPoint cell = cell_of(dofs, owners[k], displacement, around.material);
    if (!cell.is_material) return text + " lies in no cell of a body";
    const bool designed = point.at.is_designed(), follows_shape = around.rest && around.rest->follow_shape();
    if (designed)
      for (const RigidBody* body : around.bodies)
        if (body->has_nodes(cell.originals)) point.body = body;
    if (point.body) continue;
    if (designed && cell.has_others) return text + " is designed, and lies in a cell that is not of the body";
    const int first_number = designed ? add_shape_values(*around.rest, "the point " + std::to_string(k + 1) + " of '" + name + "'", cell, point, mesh.dim) : -1;
    for (int i = 0; i < mesh.dim; ++i) {
      point.shift[i] = mechanism.add_unknown(name + "." + std::to_string(k + 1) + "." + "xyz"[i]);
      LinearConstraint row{.terms = {{first + point.shift[i], 1.0}}, .follower = first + point.shift[i], .source = source};
      std::vector<std::pair<long long, double>> weights;
      for (std::size_t a = 0; a < cell.N.size(); ++a) {
        if (!designed && std::abs(cell.N[a]) <= 1e-12) continue;
        weights.push_back({cell.originals[a], cell.N[a]});
        const long long dof = cell.unknowns[a * displacement.size() + i];
        if (dof < 0) continue;
        if (designed) row.variations.push_back({row.terms.size(), first_number + static_cast<int>(a), -1.0});
        row.terms.push_back({static_cast<PetscInt>(dof), -cell.N[a]});
      }
      out.push_back(std::move(row));
      if (follows_shape && !designed) point.at.let_follow(i, {.rest = around.rest->add_coordinate(weights, i)});
    }
  }
  return std::nullopt;
}

std::unique_ptr<MechanismTerm> cable_of_tension(const std::vector<AttachedPoint>& points, int dim, std::vector<MechanismNumber> numbers) {
  return make_energy(TensionEnergy{dim}, places_of(points, dim), std::move(numbers));
}
std::unique_ptr<MechanismTerm> cable_of_length(const std::vector<AttachedPoint>& points, int dim, int multiplier, std::vector<MechanismNumber> numbers) {
  return make_constraint(LengthGap{dim}, places_of(points, dim), multiplier, std::move(numbers));
}
std::unique_ptr<MechanismTerm> spring_between(const std::vector<AttachedPoint>& points, int dim, std::vector<MechanismNumber> numbers) {
  return make_force(SpringForce{dim}, places_of(points, dim), std::move(numbers));
}

}  // namespace invar
