// The assembled tangent against differences of the residual, against other partitions and against
// cells taken one at a time.
#include <gtest/gtest.h>

#include "tests/support/full_load.hpp"
#include "tests/unit/form/solid_problem.hpp"
#include "tests/unit/form/test_meshes.hpp"

namespace invar {
namespace {

using test::SolidProblem, test::VectorField;

constexpr double young = 3, poisson = 0.3, kappa = 20;

double norm(Vec v) {
  double n = 0;
  check(VecNorm(v, NORM_2, &n));
  return n;
}
double dot(Vec a, Vec b) {
  double d = 0;
  check(VecDot(a, b, &d));
  return d;
}

/// States and directions that depend on the place alone, not on the numbering.
VectorField wave(double amplitude, double k) {
  return [=](int c, const double* x) { return amplitude * std::sin(k * x[0] + (1.3 + c) * x[1] + c); };
}

struct Problem {
  const char* name;
  Mesh mesh;
  SolidKind kind;
  bool mixed, follower;
};

std::vector<Problem> problems() {
  const auto shifted = [](Mesh mesh) { return test::warped(std::move(mesh), [](double* x) { x[0] += 0.5; }); };
  const auto block = [](Shape shape, int order) { return test::distorted_block(shape, order, true); };
  return {{"plane strain, tri3", block(Shape::triangle, 1), SolidKind::plane_strain, false, false},
          {"plane strain, tri6, mixed", block(Shape::triangle, 2), SolidKind::plane_strain, true, true},
          {"plane strain, quad9, mixed", block(Shape::quadrilateral, 2), SolidKind::plane_strain, true, false},
          {"plane strain, two blocks", test::mixed_rectangle(4, 3, 2), SolidKind::plane_strain, false, true},
          {"plane stress, quad4", block(Shape::quadrilateral, 1), SolidKind::plane_stress, false, false},
          {"axisymmetric, quad9", shifted(block(Shape::quadrilateral, 2)), SolidKind::axisymmetric, false, true},
          {"axisymmetric, tri6, mixed", shifted(block(Shape::triangle, 2)), SolidKind::axisymmetric, true, true},
          {"spatial, tet4", block(Shape::tetrahedron, 1), SolidKind::spatial, false, true},
          {"spatial, tet10, mixed", block(Shape::tetrahedron, 2), SolidKind::spatial, true, true},
          {"spatial, hex8", block(Shape::hexahedron, 1), SolidKind::spatial, false, false},
          {"spatial, hex27", block(Shape::hexahedron, 2), SolidKind::spatial, false, true},
          {"spatial, hex27, mixed", block(Shape::hexahedron, 2), SolidKind::spatial, true, false}};
}

/// Solid with every kind of load; nothing held unless asked for.
std::unique_ptr<SolidProblem> make(const Problem& p, MPI_Comm comm = PETSC_COMM_WORLD, bool held = false) {
  auto s = std::make_unique<SolidProblem>(
      p.mesh, p.kind, test::SolidOptions{.mixed = p.mixed, .comm = comm});
  if (p.mixed) s->material("neo_hookean", {young, kappa});
  else s->material("neo_hookean", {young, poisson});
  s->body_force([](int i, const double* x) { return 0.3 * (i + 1) * x[0]; });
  s->traction("top", std::vector<double>(s->dim(), 0.2));
  s->foundation("left", std::vector<double>(s->dim(), 0.7));
  if (p.follower) s->pressure("right", 0.4);
  if (held) {
    s->hold("bottom", 0, [](const double* x) { return 0.01 * x[0]; });
    s->hold("bottom", 1);
  }
  s->finish();
  return s;
}

// Central differences with h = 1e-4: truncation h² ≈ 1e-8 of third derivatives of order one, round-off
// 1e-16 / h = 1e-12.
TEST(Assembly, TangentIsTheDerivativeOfTheResidual) {
  for (const Problem& p : problems()) {
    SCOPED_TRACE(p.name);
    const auto s = make(p);
    FormResidual& r = *s->residual();
    VecHandle u = s->interpolate(wave(0.05, 0.9)), v = s->interpolate(wave(1, -1.4)), moved = r.create_vector(),
              plus = r.create_vector(), minus = r.create_vector(), Kv = r.create_vector();
    constexpr double h = 1e-4;
    check(VecWAXPY(moved, h, v, u));
    ASSERT_TRUE(r.residual(test::at_full_load(r, moved), plus));
    check(VecWAXPY(moved, -h, v, u));
    ASSERT_TRUE(r.residual(test::at_full_load(r, moved), minus));
    check(VecAXPY(plus, -1.0, minus));
    check(VecScale(plus, 1 / (2 * h)));
    r.jacobian(test::at_full_load(r, u));
    check(MatMult(r.matrix(), v, Kv));
    const double size = norm(Kv);
    EXPECT_GT(size, 0.1);
    check(VecAXPY(plus, -1.0, Kv));
    EXPECT_LT(norm(plus), 1e-7 * size);
    // The same by dual numbers, without a matrix: equal to round-off (plane stress: to what its
    // iteration for the thickness leaves, about 1e-12).
    r.jvp(test::at_full_load(r, u), v, nullptr, minus);
    check(VecAXPY(minus, -1.0, Kv));
    EXPECT_LT(norm(minus), (p.kind == SolidKind::plane_stress ? 1e-11 : 1e-12) * size);
  }
}

TEST(Assembly, TangentIsSymmetricWhereClaimed) {
  for (const Problem& p : problems()) {
    SCOPED_TRACE(p.name);
    const auto s = make(p);
    FormResidual& r = *s->residual();
    VecHandle u = s->interpolate(wave(0.05, 0.9)), v = s->interpolate(wave(1, -1.4)), w = s->interpolate(wave(1, 2.2)),
              Kv = r.create_vector(), Kw = r.create_vector();
    r.jacobian(test::at_full_load(r, u));
    check(MatMult(r.matrix(), v, Kv));
    check(MatMult(r.matrix(), w, Kw));
    const double size = norm(Kv) * norm(w), difference = std::abs(dot(w, Kv) - dot(v, Kw)) / size;
    EXPECT_EQ(r.symmetric(), !p.follower);
    if (r.symmetric()) {
      EXPECT_LT(difference, 1e-14);
    }
    else EXPECT_GT(difference, 1e-6);  // a pressure that follows one side is not conservative
  }
}

TEST(Assembly, AnyNumberOfRanksGivesTheSame) {
  for (const Problem& p : problems()) {
    SCOPED_TRACE(p.name);
    std::vector<double> found[2];
    for (int k = 0; k < 2; ++k) {
      const auto s = make(p, k == 0 ? PETSC_COMM_SELF : PETSC_COMM_WORLD, true);
      FormResidual& r = *s->residual();
      VecHandle u = s->interpolate(wave(0.05, 0.9)), v = s->interpolate(wave(1, -1.4)),
                w = s->interpolate(wave(1, 2.2)), out = r.create_vector();
      const EvaluationPoint at = test::at_full_load(r, u);
      r.impose_constraints(at.given, u);
      EXPECT_TRUE(r.residual(at, out));
      found[k] = {norm(out), dot(w, out), r.form_value(0, at), r.form_value(1, at)};
      r.jacobian(at);
      // Constrained rows are scaled by a mean over the rank's part, which may differ.
      VecHandle free = s->interpolate([](int, const double*) { return 1.0; });
      double* a = nullptr;
      check(VecGetArray(free, &a));
      for (int row : r.constrained_rows()) a[row] = 0;
      check(VecRestoreArray(free, &a));
      check(VecPointwiseMult(v, v, free));
      check(VecPointwiseMult(w, w, free));
      check(MatMult(r.matrix(), v, out));
      found[k].insert(found[k].end(), {norm(out), dot(w, out)});
      check(MatMultTranspose(r.matrix(), v, out));
      found[k].insert(found[k].end(), {norm(out), dot(w, out)});
    }
    for (std::size_t i = 0; i < found[0].size(); ++i)
      EXPECT_NEAR(found[0][i], found[1][i], 1e-12 * (1 + std::abs(found[0][i]))) << "quantity " << i;
  }
}

TEST(Assembly, ConstrainedRowsAndColumnsAreDiagonal) {
  for (const Problem& p : problems()) {
    SCOPED_TRACE(p.name);
    const auto s = make(p, PETSC_COMM_WORLD, true);
    FormResidual& r = *s->residual();
    VecHandle u = s->interpolate(wave(0.05, 0.9)), marked = r.create_vector(), out = r.create_vector();
    r.jacobian(test::at_full_load(r, u));
    double* a = nullptr;
    check(VecGetArray(marked, &a));
    for (int row : r.constrained_rows()) a[row] = 1;
    check(VecRestoreArray(marked, &a));
    EXPECT_GT(norm(marked), 0);
    PetscInt first = 0;
    check(VecGetOwnershipRange(marked, &first, nullptr));
    for (int row : r.constrained_rows()) {
      PetscInt n = 0;
      const PetscInt* columns = nullptr;
      const double* values = nullptr;
      check(MatGetRow(r.matrix(), first + row, &n, &columns, &values));
      for (int k = 0; k < n; ++k) {
        if (columns[k] == first + row) {
          EXPECT_GT(values[k], 0);
        }
        else EXPECT_EQ(values[k], 0);
      }
      check(MatRestoreRow(r.matrix(), first + row, &n, &columns, &values));
    }
    check(MatMult(r.matrix(), marked, out));  // columns: nothing reaches the free rows
    check(VecGetArray(out, &a));
    for (int row : r.constrained_rows()) a[row] = 0;
    check(VecRestoreArray(out, &a));
    EXPECT_EQ(norm(out), 0);
  }
}

// All lanes of a batch against forms on single cells: every number of cells that leaves lanes over.
TEST(Assembly, LanesLeftOverDoNotCount) {
  for (const Shape shape : {Shape::quadrilateral, Shape::triangle})
    for (int n = 1; n <= simd_width + 1; ++n) {
      Mesh mesh = make_rectangle(0, 0, n, 1, n, 1, shape, 2);
      const int cells = mesh.cells[0].count();
      for (int c = 0; c < cells; ++c) mesh.regions.push_back({"cell" + std::to_string(c), 2, {{c}}, {}});
      complete_serial(mesh);
      const test::SolidOptions serial{.comm = PETSC_COMM_SELF};  // all cells in the batches of one rank
      SolidProblem together(mesh, SolidKind::plane_strain, serial), apart(mesh, SolidKind::plane_strain, serial);
      together.material("neo_hookean", {young, poisson});
      for (int c = 0; c < cells; ++c) apart.material("neo_hookean", {young, poisson}, "cell" + std::to_string(c));
      VecHandle r[2], Kv[2];
      double energy[2] = {0, 0};
      int k = 0;
      for (SolidProblem* s : {&together, &apart}) {
        s->finish();
        VecHandle u = s->interpolate(wave(0.05, 0.4)), v = s->interpolate(wave(1, 0.7));
        r[k] = s->residual()->create_vector();
        Kv[k] = s->residual()->create_vector();
        const EvaluationPoint at = test::at_full_load(*s->residual(), u);
        EXPECT_TRUE(s->residual()->residual(at, r[k]));
        s->residual()->jacobian(at);
        check(MatMult(s->residual()->matrix(), v, Kv[k]));
        for (int f = 0; f < s->residual()->form_count(); ++f) energy[k] += s->residual()->form_value(f, at);
        ++k;
      }
      EXPECT_NEAR(energy[0], energy[1], 1e-14 * energy[0] * n);
      for (VecHandle* pair : {r, Kv}) {
        const double size = norm(pair[0]);
        EXPECT_GT(size, 1e-3);
        check(VecAXPY(pair[1], -1.0, pair[0]));
        EXPECT_LT(norm(pair[1]), 1e-13 * size) << cells << " cells";
      }
    }
}

// A cell turned inside out is refused by every rank, also by those that do not hold it.
TEST(Assembly, InvertedCellsAreInadmissible) {
  SolidProblem s(make_rectangle(0, 0, 4, 1, 4, 1, Shape::quadrilateral), SolidKind::plane_strain);
  s.material("neo_hookean", {young, poisson});
  s.finish();
  VecHandle out = s.residual()->create_vector();
  VecHandle u = s.interpolate([](int i, const double* x) { return i == 0 && x[0] > 3.5 ? -1.2 : 0.0; });
  EXPECT_FALSE(s.residual()->residual(test::at_full_load(*s.residual(), u), out));
  u = s.interpolate([](int i, const double* x) { return i == 0 && x[0] > 3.5 ? -0.8 : 0.0; });
  EXPECT_TRUE(s.residual()->residual(test::at_full_load(*s.residual(), u), out));
}

}  // namespace
}  // namespace invar
