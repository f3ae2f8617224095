#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <random>

#include "libfem/form/assembled_matrix.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/solid_forms.hpp"

namespace invar {
namespace {

/// A square of quadrilaterals, and the same with one more cell, which couples its corners.
Mesh patterned_square(bool corners_coupled) {
  Mesh mesh = make_rectangle(0, 0, 1, 1, 4, 4, Shape::quadrilateral);
  if (!corners_coupled) return mesh;
  for (const int node : {0, 4, 24, 20}) mesh.cells[0].nodes.push_back(node);
  complete_serial(mesh);
  return mesh;
}
std::shared_ptr<const DofMap> displacements_of(Mesh mesh) {
  return std::make_shared<const DofMap>(std::make_shared<const Mesh>(std::move(mesh)),
                                        std::vector<Component>{{"u_x", 1}, {"u_y", 1}}, PETSC_COMM_SELF);
}

/// K x of what `form` assembles at u.
std::vector<double> assembled_product(const WeakForm& form, AssembledMatrix& K, const std::vector<double>& u,
                                      const std::vector<double>& x) {
  const FormState at{u.data(), K.dofs().mesh().coordinates.data()};
  K.begin();
  form.jacobian(at, K);
  K.end();
  VecHandle in, out;
  check(MatCreateVecs(K.mat(), in.out(), out.out()));
  double* a = nullptr;
  check(VecGetArray(in, &a));
  std::copy(x.begin(), x.end(), a);
  check(VecRestoreArray(in, &a));
  check(MatMult(K.mat(), in, out));
  check(VecGetArray(out, &a));
  const std::vector<double> y(a, a + x.size());
  check(VecRestoreArray(out, &a));
  return y;
}

// A form assembles into a matrix, which is destroyed; one of another pattern comes to lie at the same address.
TEST(SparsityPattern, PlacesAreThoseOfThePatternNotOfAnAddress) {
  const auto plain = displacements_of(patterned_square(false)), coupled = displacements_of(patterned_square(true));
  ASSERT_EQ(plain->n_local(), coupled->n_local());
  const std::shared_ptr<const Material> material = make_material({"neo_hookean"});
  const auto make = [&] {
    auto form = make_displacement_form(SolidKind::plane_strain, material, CellBatches::on_cells(plain, "", 2));
    form->coefficients() = {Coefficient::constant(3.0), Coefficient::constant(0.3)};
    return form;
  };
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> u(plain->n_local()), x(u.size());
  for (double& v : u) v = 0.02 * uniform(random);
  for (double& v : x) v = uniform(random);

  const auto form = make(), other = make();
  alignas(AssembledMatrix) std::byte storage[sizeof(AssembledMatrix)];
  auto* K = new (storage) AssembledMatrix(plain);
  const auto number = K->pattern()->number();
  const std::vector<double> wanted = assembled_product(*form, *K, u, x);
  std::destroy_at(K);
  K = new (storage) AssembledMatrix(coupled);
  EXPECT_GT(K->pattern()->number(), number);
  const std::vector<double> found = assembled_product(*form, *K, u, x), fresh = assembled_product(*other, *K, u, x);
  std::destroy_at(K);
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(found[i], wanted[i], 1e-13);
    EXPECT_EQ(found[i], fresh[i]);
  }
}

TEST(SparsityPattern, IsSharedByMatricesThatAreMadeOfIt) {
  const auto dofs = displacements_of(patterned_square(false));
  const AssembledMatrix first(dofs), second(first.pattern()), third(dofs);
  EXPECT_EQ(second.pattern()->number(), first.pattern()->number());
  EXPECT_GT(third.pattern()->number(), second.pattern()->number());
}

}  // namespace
}  // namespace invar
