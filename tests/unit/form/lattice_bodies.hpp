#pragma once
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/carve_box.hpp"
#include "tests/unit/form/solid_problem.hpp"

// Bodies of congruent cells for tests of operators and multigrid on them.
namespace invar::test {

/// An elastic body whose Young's modulus differs from cell to cell by up to `contrast`, held at the left; at the bottom
/// it slides.
class Body {
 public:
  explicit Body(const Mesh& mesh, double contrast = 1, const std::string& law = "linear_elastic", MPI_Comm comm = PETSC_COMM_WORLD)
      : problem_(mesh, mesh.dim == 3 ? SolidKind::spatial : SolidKind::plane_strain, {.comm = comm}) {
    problem_.material(law, {1.0, 0.3});
    for (int i = 0; i < mesh.dim; ++i) problem_.hold("left", i);
    problem_.hold("bottom", 1);
    problem_.finish();
    residual().spread_control(0);
    Controls values = residual().control_values();
    std::size_t cell = 0;
    for (std::size_t b = 0; b < problem_.mesh().cells.size(); ++b)
      for (const long long serial : problem_.mesh().original_cell[b]) {
        std::mt19937 random(static_cast<unsigned>(serial) + 7u);
        values[0][cell++] = std::pow(contrast, -std::uniform_real_distribution<double>(0, 1)(random));
      }
    given_ = residual().given();
    given_.controls = std::make_shared<const Controls>(std::move(values));
  }

  FormResidual& residual() { return *problem_.residual(); }
  void assemble(Vec u) { residual().jacobian(EvaluationPoint(u, given_)); }
  void assemble() { assemble(zeros_like(vector(0))); }
  /// A copy of what the residual assembles before `use_cell_matrix`. (Another body may be parted among the ranks in another way.)
  MatHandle whole(Vec u) {
    assemble(u);
    MatHandle copy;
    check(MatDuplicate(residual().matrix(), MAT_COPY_VALUES, copy.out()));
    return copy;
  }
  MatHandle whole() { return whole(zeros_like(vector(0))); }
  /// Waves, of `size`.
  VecHandle vector(int seed, double size = 1) const {
    return problem_.interpolate([=, this](int i, const double* x) {
      double phase = seed + 3.1 * i;
      for (int k = 0; k < (problem_.dim()); ++k) phase += (12.3 + 33 * k) * x[k];
      return size * std::sin(phase);
    });
  }

 private:
  mutable SolidProblem problem_;
  Setting given_;
};

struct NamedMesh {
  const char* name;
  Mesh mesh;
};

/// With odd numbers of cells, a hole, an axis with one cell, and so many that there are three levels.
inline std::vector<NamedMesh> lattice_meshes() {
  std::vector<NamedMesh> all;
  all.push_back({"rectangle", make_rectangle(0, 0, 3, 2, 9, 6, Shape::quadrilateral)});
  all.push_back({"box", make_box({0, 0, 0}, {2.5, 1.5, 1}, {5, 3, 2}, Shape::hexahedron)});
  all.push_back({"slice", make_box({0, 0, 0}, {4, 3, 0.5}, {8, 6, 1}, Shape::hexahedron)});
  all.push_back({"bar", make_box({0, 0, 0}, {400, 2, 2}, {400, 2, 2}, Shape::hexahedron)});
  all.push_back({"frame", make_box({0, 0, 0}, {6, 5, 4}, {6, 5, 4}, Shape::hexahedron)});
  const std::array<double, 3> from = {2, 1, 0}, to = {4, 4, 4};
  carve_box(all.back().mesh, "hole", from, to);
  return all;
}

}  // namespace invar::test
