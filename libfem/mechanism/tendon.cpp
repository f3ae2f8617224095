#include "libfem/mechanism/tendon.hpp"

#include "libadjoint/number_text.hpp"
#include "libadjoint/solve/scientific.hpp"
#include "libfem/mechanism/mechanism.hpp"
#include "libfem/mechanism/mechanism_laws.hpp"
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
      AffineNumber x{p.at[i], {}};
      if (p.shift[i] >= 0) x.terms.push_back({p.shift[i], 1.0});
      z.push_back(std::move(x));
    }
  return AffineMap(std::move(z));
}

}  // namespace

std::optional<std::string> attach_points(const DofMap& dofs, Mechanism& mechanism, const std::string& name, const std::vector<int>& displacement,
                                         PetscInt first, int source, std::vector<AttachedPoint>& points, std::vector<LinearConstraint>& out,
                                         const std::vector<char>& material) {
  const Mesh& mesh = dofs.mesh();
  std::vector<double> places;
  for (const AttachedPoint& p : points) places.insert(places.end(), p.at.begin(), p.at.begin() + mesh.dim);
  const std::vector<MarkerOwner> owners = locate_markers(mesh, places);
  int rank = 0;
  MPI_Comm_rank(dofs.comm(), &rank);
  const auto text_of = [&](std::size_t k) {
    std::string at;
    for (int i = 0; i < mesh.dim; ++i) at += (i ? ", " : "") + number_text(points[k].at[i]);
    return "the point (" + at + ") lies in no cell";
  };
  constexpr double rounding = 1e-8;  // of shape functions at points that are found on the boundary of a cell
  for (std::size_t k = 0; k < points.size(); ++k) {
    const MarkerOwner& owner = owners[k];
    if (owner.distance > 0) return text_of(k) + ": it is " + short_number(owner.distance, 3) + " m away from the nearest";
    std::vector<double> N;             // shape functions of the cell's nodes
    std::vector<long long> unknowns;   // global numbers of these nodes' unknowns, by components
    int is_material = 1;
    if (rank == owner.rank) {
      const CellBlock& block = mesh.cells[owner.here.block];
      const int n = node_count(block.type);
      N.resize(n);
      shape_values(block.type, owner.here.xi.data(), N.data());
      for (int a = 0; a < n; ++a) {
        const int node = block.nodes[std::size_t(owner.here.cell) * n + a];
        if (!material.empty() && !material[node]) {
          is_material &= std::abs(N[a]) < rounding;
          N[a] = 0;
        }
        for (const int c : displacement) {
          const int dof = dofs.dof(node, c);
          unknowns.push_back(dof < 0 ? -1 : dofs.global_dof(node) + dof - dofs.first_dof(node));
        }
      }
    }
    MPI_Bcast(&is_material, 1, MPI_INT, owner.rank, dofs.comm());
    if (!is_material) return text_of(k) + " of a body";
    int n = static_cast<int>(N.size());
    MPI_Bcast(&n, 1, MPI_INT, owner.rank, dofs.comm());
    N.resize(n);
    unknowns.resize(n * displacement.size());
    MPI_Bcast(N.data(), n, MPI_DOUBLE, owner.rank, dofs.comm());
    MPI_Bcast(unknowns.data(), static_cast<int>(unknowns.size()), MPI_LONG_LONG, owner.rank, dofs.comm());
    for (int i = 0; i < mesh.dim; ++i) {
      points[k].shift[i] = mechanism.add_unknown(name + "." + std::to_string(k + 1) + "." + "xyz"[i]);
      LinearConstraint row{{{first + points[k].shift[i], 1.0}}, first + points[k].shift[i], source};
      for (int a = 0; a < n; ++a)
        if (const long long dof = unknowns[a * displacement.size() + i]; dof >= 0 && std::abs(N[a]) > 1e-12)
          row.terms.push_back({static_cast<PetscInt>(dof), -N[a]});
      out.push_back(std::move(row));
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
