#pragma once
#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "libfem/contact/contact_forms.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/mesh/join_bodies.hpp"
#include "libfem/mesh/second_order.hpp"

namespace invar::contact_test {

/// Two blocks with a gap and non-matching meshes, in 2-D or 3-D.
struct TwoBlocks {
  std::shared_ptr<const Mesh> mesh;
  std::shared_ptr<const DofMap> dofs;
  std::shared_ptr<PairFinder> finder;
  static constexpr double gap = 0.01;

  TwoBlocks(int dim, CellType cell, int samples, int below = 4, int above = 3, bool axisymmetric = false, double shift = 0.1, int layers = 1,
            MPI_Comm comm = PETSC_COMM_SELF) {
    const auto block = [&](std::array<double, 3> low, std::array<double, 3> high, int n) {
      return dim == 2 ? make_rectangle(low[0], low[1], high[0], high[1], n, layers, cell.shape, cell.order)
                      : make_box(low, high, {n, layers, n}, cell.shape, cell.order);
    };
    const Mesh serial = join_bodies({{"lower", block({shift, 0, 0}, {shift + 1, 0.4, 1}, below)},
                                     {"upper", block({shift + 0.13, 0.4 + gap, 0.1}, {shift + 0.83, 0.8, 0.8}, above)}});
    mesh = std::make_shared<const Mesh>(distribute(serial, comm, {{"lower_top", "upper_bottom"}}));
    std::vector<Component> components{{"u_x", cell.order}, {"u_y", cell.order}};
    if (dim == 3) components.push_back({"u_z", cell.order});
    dofs = std::make_shared<const DofMap>(mesh, components, comm);
    finder = PairFinder::on_regions(*mesh, {"lower_top"}, {"upper_bottom"}, samples, axisymmetric);
  }

  /// A number for every unknown, within ±size.
  std::vector<double> random(std::size_t n, double size) {
    std::vector<double> a(n);
    for (double& v : a) v = size * (2 * std::generate_canonical<double, 53>(generator) - 1);
    return a;
  }
  std::mt19937_64 generator{11};
};

}  // namespace invar::contact_test
