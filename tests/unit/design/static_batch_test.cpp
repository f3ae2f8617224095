// Static cases that find their equilibria and adjoints together, against each of them alone.
#include "libadjoint/sampling/static_batch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "libfem/design/field/copied_equation.hpp"
#include "libfem/device/device_library.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/second_order.hpp"
#include "libfem/solid/solid_device.hpp"
#include "tests/support/copied_body.hpp"

namespace invar::test {
namespace {

using Place = std::function<void(FormResidual&)>;

Mesh small_body() { return to_second_order(make_rectangle(0, 0, 1, 0.5, 3, 2, Shape::triangle)); }

/// Bodies with numbers of their own, alone or together: the numbers of the common equation are spread over the copies of the mesh.
struct TogetherBodies {
  std::vector<std::unique_ptr<CopiedBody>> bodies;
  std::unique_ptr<MeshCopies> copies;
  std::unique_ptr<CopiedBody> common;
  std::unique_ptr<StaticBatch> batch;

  /// spreads: false: the copies have the numbers of none.
  TogetherBodies(int members, int count, MPI_Comm comm, const Place& place = {}, bool spreads = true) {
    const std::vector<double> times = {0.5, 1.0};
    const CopiedBody::Options options{.place = place, .terms_apart = true, .moves = true};
    const Mesh one = small_body();
    std::vector<std::shared_ptr<StaticCase>> cases;
    for (int k = 0; k < members; ++k) {
      bodies.push_back(std::make_unique<CopiedBody>(one, 0, false, times, comm, options));
      cases.push_back(std::dynamic_pointer_cast<StaticCase>(bodies.back()->process));
    }
    copies = std::make_unique<MeshCopies>(one, count);
    common = std::make_unique<CopiedBody>(copies->mesh(), 0, false, times, comm, options);
    const std::vector<ControlInfo> controls = common->residual->controls();
    for (std::size_t c = 0; c < controls.size(); ++c)
      if (spreads && std::ranges::find(common->names, controls[c].name) != common->names.end()) common->residual->spread_control(static_cast<int>(c));
    LinearSolverOptions linear;
    linear.rtol = 1e-14;
    batch = std::make_unique<StaticBatch>(common->residual, std::make_shared<LinearSolver>(comm, linear),
                                          std::make_shared<CopiedEquation>(*bodies[0]->residual, *common->residual, *copies), std::move(cases));
  }
};

struct Found {
  Evaluation value;
  DesignVector gradient;
};

/// Numbers of different sizes: loads and motions of the last samples are a millionth of those of the first.
std::vector<DesignVector> different_numbers(const CopiedBody& body, int count) {
  std::vector<DesignVector> all;
  for (int k = 0; k < count; ++k) {
    all.push_back(body.functional->start());
    for (std::size_t i = 0; i < all.back().shared.size(); ++i) {
      all.back().shared[i] *= 1 + 0.3 * std::sin(2.0 * k + static_cast<double>(i));
      if (i > 0 && k > 1) all.back().shared[i] *= 1e-6;
    }
  }
  return all;
}

std::vector<Found> found_together(TogetherBodies& together, const std::vector<DesignVector>& numbers) {
  std::vector<Found> found(together.bodies.size());
  together.batch->run([&](int k) {
    Found& f = found[static_cast<std::size_t>(k)];
    f.value = together.bodies[static_cast<std::size_t>(k)]->functional->gradient(numbers[static_cast<std::size_t>(k)], f.gradient);
  });
  return found;
}

void expect_alone(const Found& found, const DesignVector& numbers, MPI_Comm comm, double tolerance) {
  const CopiedBody alone(small_body(), 0, false, {0.5, 1.0}, comm);
  DesignVector g;
  const Evaluation e = alone.functional->gradient(numbers, g);
  ASSERT_TRUE(e.ok) << e.reason;
  ASSERT_TRUE(found.value.ok) << found.value.reason;
  EXPECT_NEAR(found.value.value, e.value, tolerance * std::abs(e.value));
  ASSERT_EQ(found.gradient.shared.size(), g.shared.size());
  double size = 0;  // of a relative change; the motion of the side is almost a rotation, without a change of the energy
  for (std::size_t i = 0; i < g.shared.size(); ++i) size = std::max(size, std::abs(numbers.shared[i] * g.shared[i]));
  for (std::size_t i = 0; i < g.shared.size(); ++i) {
    EXPECT_NEAR(numbers.shared[i] * found.gradient.shared[i], numbers.shared[i] * g.shared[i], tolerance * size) << alone.names[i];
    EXPECT_NE(g.shared[i], 0) << alone.names[i];
  }
}

// Also with copies that belong to nobody.
TEST(StaticBatch, GradientsAreThoseOfEachSampleAlone) {
  constexpr int members = 4;
  for (const int copies : {members, members + 1}) {
    SCOPED_TRACE(copies);
    TogetherBodies together(members, copies, PETSC_COMM_WORLD);
    const auto numbers = different_numbers(*together.bodies[0], members);
    const auto found = found_together(together, numbers);
    for (int k = 0; k < members; ++k) expect_alone(found[static_cast<std::size_t>(k)], numbers[static_cast<std::size_t>(k)], PETSC_COMM_WORLD, 1e-10);
    const StaticBatch::Counts counts = together.batch->counts();
    EXPECT_EQ(counts.refused, 0) << together.batch->last_refusal();
    EXPECT_EQ(counts.equilibria, 2 * members);
    EXPECT_EQ(counts.adjoints, members);  // the objective reads the last load step
    EXPECT_LE(counts.newton_steps, 2 * 6);
    EXPECT_LE(counts.factorisations, counts.newton_steps + 2 + 1);  // two predictors, one matrix of adjoints
  }
}

// The cases solve nothing alone: a step that is refused would be seen in their solvers.
TEST(StaticBatch, EveryLoadStepIsSharedAndTheSameAgain) {
  TogetherBodies together(3, 3, PETSC_COMM_WORLD);
  const auto numbers = different_numbers(*together.bodies[0], 3);
  const auto first = found_together(together, numbers);
  const long steps = together.batch->counts().newton_steps;
  for (const auto& body : together.bodies) body->functional->forget();
  const auto again = found_together(together, numbers);
  EXPECT_EQ(together.batch->counts().newton_steps, 2 * steps);
  for (std::size_t k = 0; k < first.size(); ++k) EXPECT_NEAR(again[k].value.value, first[k].value.value, 1e-13 * std::abs(first[k].value.value));
  together.bodies[0]->functional->forget();
  const Evaluation outside = together.bodies[0]->functional->value(numbers[0]);  // no others wait
  ASSERT_TRUE(outside.ok);
  EXPECT_NEAR(outside.value, first[0].value.value, 1e-11 * std::abs(outside.value));
}

// A body without stiffness, whose matrix is singular, and one that its load turns inside out in one step.
TEST(StaticBatch, FailuresDoNotTakeOthersAlong) {
  constexpr int members = 5;
  TogetherBodies together(members, members, PETSC_COMM_WORLD);
  auto numbers = different_numbers(*together.bodies[0], members);
  numbers[0].shared[0] = 0;
  numbers[1].shared[1] = 200;
  const auto found = found_together(together, numbers);
  EXPECT_FALSE(found[0].value.ok);
  EXPECT_NE(found[0].value.reason.find("singular"), std::string::npos) << found[0].value.reason;
  const CopiedBody alone(small_body(), 0, false, {0.5, 1.0}, PETSC_COMM_WORLD);
  EXPECT_EQ(found[1].value.ok, alone.functional->value(numbers[1]).ok);
  for (int k = 2; k < members; ++k) expect_alone(found[static_cast<std::size_t>(k)], numbers[static_cast<std::size_t>(k)], PETSC_COMM_WORLD, 1e-10);
  EXPECT_GE(together.batch->counts().refused, 2);
  EXPECT_GE(together.batch->counts().equilibria, 2 * 3);
}

// States and adjoints of an equation that is not theirs are not believed.
TEST(StaticBatch, CasesCheckWhatTheyAreGiven) {
  TogetherBodies together(3, 3, PETSC_COMM_WORLD, {}, false);
  auto numbers = different_numbers(*together.bodies[0], 3);
  const auto found = found_together(together, numbers);
  EXPECT_EQ(together.batch->counts().equilibria, 2 * 3) << "the common equation has solutions";
  for (int k = 0; k < 3; ++k) expect_alone(found[static_cast<std::size_t>(k)], numbers[static_cast<std::size_t>(k)], PETSC_COMM_WORLD, 1e-10);
}

TEST(StaticBatch, OnADeviceAsOnTheHost) {
  int ranks = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  if (ranks > 1) GTEST_SKIP();
  const auto device = make_device(Device::Kind::emulation);
  TogetherBodies together(3, 3, PETSC_COMM_SELF, [&](FormResidual& r) {
    ASSERT_TRUE(forms_without_kernels(r, solid_device_forms()).empty());
    move_to_device(r, solid_device_forms(), device);
  });
  const auto numbers = different_numbers(*together.bodies[0], 3);
  const auto found = found_together(together, numbers);
  for (int k = 0; k < 3; ++k) expect_alone(found[static_cast<std::size_t>(k)], numbers[static_cast<std::size_t>(k)], PETSC_COMM_SELF, 1e-10);
  EXPECT_EQ(together.batch->counts().refused, 0) << together.batch->last_refusal();
}

TEST(StaticBatch, TakesCopiesOfTheMembersOnly) {
  const CopiedBody one(small_body(), 0, false, {1.0}, PETSC_COMM_WORLD), other(make_rectangle(0, 0, 1, 1, 2, 2, Shape::triangle), 0, false, {1.0}, PETSC_COMM_WORLD);
  EXPECT_THROW(CopiedEquation(*one.residual, *other.residual, MeshCopies(small_body(), 2)), std::invalid_argument);
}

// Numbers of forces in cells, on facets and with a formula, and a prescribed value: spread over cells or nodes the forces are equal, and
// derivatives by the entries sum up to that by the number.
TEST(SpreadControl, KeepsForcesFormulasAndDerivatives) {
  const auto mesh = std::make_shared<const Mesh>(distribute(small_body(), PETSC_COMM_WORLD));
  const auto dofs = std::make_shared<const DofMap>(mesh, std::vector<Component>(2, {"u", 2}), PETSC_COMM_WORLD);
  const auto make = [&] {
    auto residual = std::make_shared<FormResidual>(dofs);
    const ControlledValue zero{residual->add_control({"zero", ""}, {0.0}), {}};
    ControlledValue force{residual->add_control({"force", ""}, {0.7}), [](const double* x, double t) { return t * (1 + x[0] * x[1]); }};
    force.varies_in_space = force.varies_in_time = true;
    residual->add_form(make_body_force(SolidKind::plane_strain, CellBatches::on_cells(dofs, "", 4)), {zero, force});
    ControlledValue left = force;
    left.control = residual->add_control({"left", ""}, {0.3});
    residual->add_dirichlet({"left", 0, left});
    const ControlledValue pull{residual->add_control({"pull", ""}, {1.1}), {}};
    residual->add_form(make_traction(SolidKind::plane_strain, CellBatches::on_facets(dofs, "top", 4)), {zero, pull});
    ControlledValue weight{residual->add_control({"weight", ""}, {-0.4}), [](const double*, double t) { return 2 * t; }};
    weight.varies_in_time = true;
    residual->add_form(make_body_force(SolidKind::plane_strain, CellBatches::on_cells(dofs, "", 4)), {weight, zero});
    residual->finish();
    return residual;
  };
  const auto number = make(), field = make();
  for (const int c : {1, 2, 3, 4}) {
    field->spread_control(c);
    EXPECT_EQ(field->controls()[static_cast<std::size_t>(c)].layout, c == 4 ? ControlLayout::cells : ControlLayout::nodes);
  }
  const CellBlock& cells = mesh->cells[0];
  const auto entries = [&](std::size_t c) { return c == 4 ? cells.count() : mesh->node_total(); };
  const auto owned = [&](std::size_t c) { return c == 4 ? cells.n_owned : mesh->n_owned_nodes; };
  const std::vector<std::size_t> all = {1, 2, 3, 4};
  const VecHandle u = number->create_vector(), a = number->create_vector(), b = number->create_vector(), lambda = number->create_vector();
  PetscInt first = 0, end = 0;
  check(VecGetOwnershipRange(lambda, &first, &end));
  for (PetscInt i = first; i < end; ++i) check(VecSetValue(lambda, i, std::sin(1.7 * static_cast<double>(i)), INSERT_VALUES));
  check(VecAssemblyBegin(lambda)), check(VecAssemblyEnd(lambda));
  const Setting of_number = number->given(0.6), of_field = field->given(0.6);
  PetscReal size = 0, difference = 0;
  ASSERT_TRUE(number->residual({u, of_number}, a) && field->residual({u, of_field}, b));
  check(VecNorm(a, NORM_2, &size));
  check(VecAXPY(b, -1.0, a));
  check(VecNorm(b, NORM_2, &difference));
  EXPECT_LT(difference, 1e-14 * size);
  // Derivatives: by the number, and by the nodes.
  Controls by_number(5), by_nodes(5);
  for (const std::size_t c : all) by_number[c] = {0.0}, by_nodes[c].assign(static_cast<std::size_t>(entries(c)), 0.0);
  number->vjp({u, of_number}, lambda, nullptr, &by_number);
  field->vjp({u, of_field}, lambda, nullptr, &by_nodes);
  for (const std::size_t c : all) {
    std::array<double, 2> sums{by_number[c][0], std::accumulate(by_nodes[c].begin(), by_nodes[c].begin() + owned(c), 0.0)};
    MPI_Allreduce(MPI_IN_PLACE, sums.data(), 2, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
    EXPECT_NEAR(sums[1], sums[0], 1e-13 * std::abs(sums[0]));
    EXPECT_NE(sums[0], 0);
  }
  // The force is linear in the entries: the derivative along a direction is the change of the residual, and the transpose agrees.
  Controls direction(5), moved = field->control_values();
  for (const std::size_t c : all)
    for (int n = 0; n < entries(c); ++n) {
      const long long original = (c == 4 ? mesh->original_cell[0] : mesh->original_node)[static_cast<std::size_t>(n)];
      direction[c].push_back(std::cos(0.37 * static_cast<double>(original)));
      moved[c][static_cast<std::size_t>(n)] += direction[c].back();
    }
  const VecHandle rate = number->create_vector();
  field->jvp({u, of_field}, nullptr, &direction, rate);
  Setting there = of_field;
  there.controls = std::make_shared<const Controls>(moved);
  ASSERT_TRUE(field->residual({u, there}, b));
  check(VecAXPY(b, -1.0, a));
  check(VecAXPY(b, -1.0, rate));
  check(VecNorm(b, NORM_2, &difference));
  EXPECT_LT(difference, 1e-14 * size);
  PetscScalar forward = 0;
  check(VecDot(lambda, rate, &forward));
  double reverse = 0;
  for (const std::size_t c : all)
    for (int n = 0; n < owned(c); ++n) reverse += by_nodes[c][static_cast<std::size_t>(n)] * direction[c][static_cast<std::size_t>(n)];
  MPI_Allreduce(MPI_IN_PLACE, &reverse, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  EXPECT_NEAR(reverse, forward, 1e-13 * std::abs(forward));
}

}  // namespace
}  // namespace invar::test
