#include "libfem/mechanism/shape_probe.hpp"

#include <algorithm>
#include <cmath>

#include "libfem/mechanism/tied_equation.hpp"

namespace invar {

ShapeProbe probe_shape(Parameterization& shape, const std::vector<ProbedCase>& cases, MPI_Comm comm) {
  constexpr double still = 1e-9;     // of the largest velocity
  constexpr double reach = 1e-3;     // of the mesh's extent
  ShapeProbe found;
  std::vector<Controls> d, d_dot;
  for (const ProbedCase& c : cases) {
    d.push_back(c.residual->control_values());
    d_dot.emplace_back(c.residual->controls().size());
  }
  const DesignVector start = shape.start();
  DesignVector along = start;
  for (std::vector<double>* entries : {&along.shared, &along.local})
    for (std::size_t i = 0; i < entries->size(); ++i) (*entries)[i] = 1 + 0.5 * std::sin(1.0 + double(i));
  shape.want(d_dot);
  if (!shape.apply(start, d).ok || !shape.jvp(start, along, d_dot).ok) return found;
  const auto visit_moved = [&](auto visit) {
    for (std::size_t c = 0; c < cases.size(); ++c) {
      const int control = cases[c].residual->coordinates_control();
      int moves = cases[c].ties && control >= 0 && !d_dot[c][control].empty();  // a rank without nodes has no velocities
      MPI_Allreduce(MPI_IN_PLACE, &moves, 1, MPI_INT, MPI_MAX, comm);
      if (moves) visit(cases[c], d[c], control, d_dot[c][control]);
    }
  };
  double largest[2] = {0, 0};  // velocity of any node, and of fixed ones
  visit_moved([&](const ProbedCase& c, const Controls&, int, const std::vector<double>& velocity) {
    const int dim = c.residual->dofs().mesh().dim;
    for (const double v : velocity) largest[0] = std::max(largest[0], std::abs(v));
    for (const int node : c.ties->fixed_nodes())
      for (int i = 0; i < dim; ++i) largest[1] = std::max(largest[1], std::abs(velocity[std::size_t(node) * dim + i]));
  });
  MPI_Allreduce(MPI_IN_PLACE, largest, 2, MPI_DOUBLE, MPI_MAX, comm);
  found.moves_fixed_nodes = largest[1] > still * largest[0];
  if (found.moves_fixed_nodes) return found;
  visit_moved([&](const ProbedCase& c, Controls& moved, int control, const std::vector<double>& velocity) {
    const double step = largest[0] > 0 ? reach * c.extent / largest[0] : 0;
    for (std::size_t k = 0; k < velocity.size(); ++k) moved[control][k] += step * velocity[k];
    for (std::string& name : c.ties->broken(moved)) found.broken.insert(std::move(name));
  });
  return found;
}

}  // namespace invar
