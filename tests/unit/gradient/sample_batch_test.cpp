// Samples that are solved together on copies of a mesh, against each of them alone: values, gradients, failures.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "libadjoint/sampling/sample_batch.hpp"
#include "libfem/device/device_library.hpp"
#include "libfem/solid/solid_device.hpp"
#include "tests/support/copied_body.hpp"
#include "tests/unit/gradient/gradient_checks.hpp"
#include "tests/unit/gradient/solid_problem.hpp"

namespace invar::gradient_test {
namespace {

using test::CopiedBody;
using Samples = std::vector<std::vector<double>>;

Mesh curved(CellType cell) {
  ProblemSpec s;
  s.kind = dimension_of(cell.shape) == 3 ? SolidKind::spatial : SolidKind::plane_strain;
  s.cell = cell;
  return bent_mesh(s);
}

std::vector<double> batch_times(bool in_time) {
  std::vector<double> times = in_time ? std::vector<double>(13) : std::vector{0.5, 1.0};
  for (std::size_t k = 0; in_time && k < times.size(); ++k) times[k] = 0.004 * static_cast<double>(k);
  return times;
}

/// The start of a body's numbers, each changed differently in each sample.
Samples different_samples(const CopiedBody& body, int count) {
  const std::vector<DesignVariable> numbers = body.functional->variables();
  Samples samples;
  for (int k = 0; k < count; ++k)
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (i == 0) samples.emplace_back();
      samples.back().push_back(numbers[i].start * (1 + 0.3 * std::sin(2.0 * k + static_cast<double>(i))));
    }
  return samples;
}

void expect_as_alone(const CopiedBody& alone, const std::vector<double>& sample, const SampleBatch::Result& found, double tolerance) {
  DesignVector theta = alone.functional->start(), g;
  theta.shared = sample;
  const Evaluation e = alone.functional->gradient(theta, g);
  ASSERT_TRUE(e.ok) << e.reason;
  ASSERT_TRUE(found.ok) << found.reason;
  EXPECT_NEAR(found.value, e.value, tolerance * std::abs(e.value));
  ASSERT_EQ(found.gradient.size(), g.shared.size());
  double size = 0;
  for (const double v : g.shared) size = std::max(size, std::abs(v));
  for (std::size_t i = 0; i < sample.size(); ++i) {
    EXPECT_NEAR(found.gradient[i], g.shared[i], tolerance * size) << alone.names[i];
    EXPECT_GT(std::abs(g.shared[i]), 1e-6 * size) << alone.names[i];
  }
}

// Five samples with three copies: the second solution is not full.
TEST(SampleBatch, ValuesAndGradientsAreThoseOfEachSampleAlone) {
  for (const bool in_time : {true, false})
    for (const CellType cell : {CellType{Shape::triangle, 2}, CellType{Shape::hexahedron, 1}}) {
      SCOPED_TRACE(std::string(in_time ? "in time, " : "at rest, ") + std::string(name_of(cell.shape)));
      const CopiedBody alone(curved(cell), 0, in_time, batch_times(in_time), PETSC_COMM_SELF);
      const CopiedBody together(curved(cell), 3, in_time, batch_times(in_time), PETSC_COMM_WORLD);
      const Samples samples = different_samples(alone, 5);
      SampleBatch batch(together.functional, 3);
      const auto results = batch.evaluate(samples, true);
      EXPECT_EQ(batch.solutions(), 2);
      for (std::size_t k = 0; k < samples.size(); ++k) expect_as_alone(alone, samples[k], results[k], 1e-9);
    }
}

TEST(SampleBatch, DerivativesOfCopiedNumbersAreExact) {
  for (const bool in_time : {true, false}) {
    SCOPED_TRACE(in_time);
    const CopiedBody together(curved({Shape::triangle, 2}), 3, in_time, batch_times(in_time), PETSC_COMM_WORLD);
    const DesignVector theta = probed(*together.functional);
    check_adjoint_against_tangent(*together.functional, theta);
    check_taylor(*together.functional, theta, 0.01);
  }
}

// Bodies too stiff for the steps, and bodies without stiffness: all others are as alone.
TEST(SampleBatch, FailuresDoNotTakeOthersAlong) {
  for (const bool in_time : {true, false}) {
    SCOPED_TRACE(in_time);
    constexpr CellType cell{Shape::triangle, 2};
    const CopiedBody alone(curved(cell), 0, in_time, batch_times(in_time), PETSC_COMM_SELF);
    const CopiedBody together(curved(cell), 6, in_time, batch_times(in_time), PETSC_COMM_WORLD);
    Samples samples = different_samples(alone, 6);
    for (const int bad : {0, 3}) samples[bad][0] *= in_time ? 1000 : 0;
    SampleBatch batch(together.functional, 6);
    const auto results = batch.evaluate(samples, true);
    for (int k = 0; k < 6; ++k) {
      if (k != 0 && k != 3) {
        expect_as_alone(alone, samples[k], results[k], 1e-9);
        continue;
      }
      EXPECT_FALSE(results[k].ok);
      EXPECT_TRUE(results[k].gradient.empty());
      EXPECT_NE(results[k].reason.find(in_time ? "needs steps below" : "singular"), std::string::npos) << results[k].reason;
    }
    EXPECT_LE(batch.solutions(), 1 + 4 * 3);
  }
}

TEST(SampleBatch, OnADeviceAsOnTheHost) {
  if (rank_count() > 1) GTEST_SKIP();
  const CopiedBody host(curved({Shape::tetrahedron, 2}), 3, true, {0, 0.001, 0.002, 0.003, 0.004}, PETSC_COMM_SELF);
  const CopiedBody moved(curved({Shape::tetrahedron, 2}), 3, true, {0, 0.001, 0.002, 0.003, 0.004}, PETSC_COMM_SELF, {.place = [](FormResidual& r) {
    ASSERT_TRUE(forms_without_kernels(r, solid_device_forms()).empty());
    move_to_device(r, solid_device_forms(), make_device(Device::Kind::emulation));
  }});
  const Samples samples = different_samples(CopiedBody(curved({Shape::tetrahedron, 2}), 0, true, {0, 0.001}, PETSC_COMM_SELF), 3);
  const auto expected = SampleBatch(host.functional, 3).evaluate(samples, true), found = SampleBatch(moved.functional, 3).evaluate(samples, true);
  for (int k = 0; k < 3; ++k) {
    ASSERT_TRUE(expected[k].ok && found[k].ok) << expected[k].reason << found[k].reason;
    EXPECT_NEAR(found[k].value, expected[k].value, 1e-12 * std::abs(expected[k].value));
    for (std::size_t i = 0; i < samples[k].size(); ++i)
      EXPECT_NEAR(found[k].gradient[i], expected[k].gradient[i], 1e-10 * std::abs(expected[k].gradient[i]) + 1e-13);
  }
}

// March and sweep ask for host arrays of vectors at their beginning and end only.
TEST(SampleBatch, StepsOnADeviceAccessNoHostArrays) {
  if (rank_count() > 1) GTEST_SKIP();
  std::vector<long> accesses;
  for (const int steps : {4, 8}) {
    const auto device = make_device(Device::Kind::emulation);
    std::vector<double> times;
    for (int k = 0; k <= steps; ++k) times.push_back(0.001 * k);
    const CopiedBody body(curved({Shape::tetrahedron, 2}), 2, true, times, PETSC_COMM_SELF,
                          {.place = [&](FormResidual& r) { move_to_device(r, solid_device_forms(), device); }, .moves = false});
    DesignVector g;
    ASSERT_TRUE(body.functional->gradient(body.functional->start(), g).ok);
    accesses.push_back(device->host_accesses());
  }
  EXPECT_EQ(accesses[0], accesses[1]);
  EXPECT_LT(accesses[0], 30);
}

TEST(MeshCopies, RegionsAndEntitiesBelongToTheirCopies) {
  const Mesh one = make_box({0, 0, 0}, {1, 1, 1}, {2, 1, 1}, Shape::tetrahedron, 2);
  const MeshCopies copies(one, 3);
  const Mesh part = distribute(copies.mesh(), PETSC_COMM_WORLD);
  EXPECT_EQ(copies.mesh().node_total(), 3 * one.node_total());
  const std::vector<int> of_nodes = copies.of_nodes(part), of_cells = copies.of_cells(part), of_facets = copies.of_facets(part);
  std::size_t cell = 0;
  for (const CellBlock& block : part.cells)
    for (std::size_t i = 0; i < block.nodes.size(); ++i) EXPECT_EQ(of_nodes[block.nodes[i]], of_cells[cell + i / node_count(block.type)]);
  for (int n = 0; n < part.node_total(); ++n)
    for (int i = 0; i < 3; ++i)
      EXPECT_EQ(part.coordinates[3 * n + i], one.coordinates[3 * (part.original_node[n] - of_nodes[n] * one.node_total()) + i]);
  std::array<int, 3> own{}, all{};
  const int left = static_cast<int>(part.find_region("left") - part.regions.data());
  for (const int facet : part.regions[left].members[0])
    if (facet < part.facets[0].n_owned) ++own[of_facets[facet]];
  MPI_Allreduce(own.data(), all.data(), 3, MPI_INT, MPI_SUM, PETSC_COMM_WORLD);
  for (const int n : all) EXPECT_EQ(n, 2);
}

}  // namespace
}  // namespace invar::gradient_test
