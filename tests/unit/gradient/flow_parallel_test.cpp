// Flow and shape on any number of ranks: value, gradient, Hessian and constraints of problems spread over
// all ranks against the same problems solved by each rank alone, and the identities of the former.
#include "tests/unit/gradient/gradient_checks.hpp"
#include "tests/unit/gradient/shape_table.hpp"

namespace invar::gradient_test {
namespace {

struct Parallel {
  std::string flow, shape;  // by name; an empty shape: numbers and fields instead
  int refinement = 1;
  bool on_three = true;  // on three ranks besides two: all but what others there have, too
};
void PrintTo(const Parallel& p, std::ostream* out) { *out << p.flow << " " << p.shape; }

template <class T>
const T& named(const std::vector<T>& table, const std::string& name) {
  for (const T& entry : table)
    if (entry.name == name) return entry;
  throw std::logic_error("no entry '" + name + "'");
}

/// A problem with its design, and what every local entry of the design is in the serial mesh.
struct Designed {
  std::vector<FlowSpec> specs = all_flow_specs();
  std::unique_ptr<SolvedFlow> flow;
  std::unique_ptr<CaseFunctional> f;
  std::vector<long long> keys;

  Designed(const Parallel& p, MPI_Comm comm) {
    FlowSpec s = named(specs, p.flow);
    s.refinement = p.refinement;
    s.moving_mesh = !p.shape.empty();
    flow = std::make_unique<SolvedFlow>(s, comm);
    if (!flow->report.ok) throw std::runtime_error(s.name + ": " + flow->report.reason);
    const Mesh& mesh = *flow->problem.mesh;
    Design design = p.shape.empty() ? full_design(flow->problem)
                                    : shape_and_numbers(flow->problem, named(all_shapes(), p.shape));
    long long offset = 0;
    for (const auto& block : design) {
      if (const auto* field = dynamic_cast<const FieldDesign*>(block.get()))
        for (long long k : field->keys()) keys.push_back(offset + k);
      offset += 1000;
    }
    if (p.shape == "free")
      for (int node : mesh.find_region("body")->nodes)
        if (node < mesh.n_owned_nodes) keys.push_back(mesh.original_node[node]);
    f = flow->functional(std::move(design));
  }

  /// The same on any number of ranks.
  DesignVector direction(double phase) const {
    DesignVector d = Directions(*f, f->start()).sizes();
    for (std::size_t i = 0; i < d.shared.size(); ++i) d.shared[i] *= std::sin(1.7 * static_cast<double>(i) + phase);
    for (std::size_t i = 0; i < d.local.size(); ++i) d.local[i] *= std::cos(2.1 * static_cast<double>(keys[i]) + phase);
    return d;
  }
  /// Shared entries, then local ones by key.
  std::vector<double> whole(const DesignVector& x) const {
    long long most = -1;
    for (long long k : keys) most = std::max(most, k);
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_LONG_LONG, MPI_MAX, f->comm());
    std::vector<double> all(most + 1, 0.0);
    for (std::size_t i = 0; i < x.local.size(); ++i) all[keys[i]] = x.local[i];
    MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(all.size()), MPI_DOUBLE, MPI_SUM, f->comm());
    all.insert(all.begin(), x.shared.begin(), x.shared.end());
    return all;
  }
};

class FlowAcrossRanks : public testing::TestWithParam<Parallel> {};

TEST_P(FlowAcrossRanks, DerivativesAreTheSame) {
  if (rank_count() == 1 || (rank_count() == 3 && !GetParam().on_three)) GTEST_SKIP();
  const Designed together(GetParam(), PETSC_COMM_WORLD), alone(GetParam(), PETSC_COMM_SELF);
  const auto at = [](const Designed& p) { return moved(p.f->start(), 0.2, p.direction(0.3)); };
  const DesignVector here = at(together), there = at(alone);
  DesignVector a, b;
  const Evaluation j = together.f->gradient(here, a), k = alone.f->gradient(there, b);
  ASSERT_TRUE(j.ok && k.ok) << j.reason << k.reason;
  EXPECT_NEAR(j.value, k.value, agreement * std::abs(k.value));
  expect_near(together.whole(a), alone.whole(b), "gradient");
  double slope = 0;
  ASSERT_TRUE(together.f->directional(here, together.direction(1), slope).ok);
  const double size = norm(b, MPI_COMM_SELF) * norm(alone.direction(1), MPI_COMM_SELF);
  EXPECT_NEAR(slope, dot(b, alone.direction(1), MPI_COMM_SELF), agreement * size);
  ASSERT_TRUE(together.f->hessian_action(here, together.direction(1), a).ok);
  ASSERT_TRUE(alone.f->hessian_action(there, alone.direction(1), b).ok);
  expect_near(together.whole(a), alone.whole(b), "Hessian action");

  std::vector<double> c, d;
  std::vector<DesignVector> c_gradients, d_gradients;
  ASSERT_TRUE(together.f->constraint_gradients(here, c, c_gradients).ok);
  ASSERT_TRUE(alone.f->constraint_gradients(there, d, d_gradients).ok);
  for (std::size_t i = 0; i < c.size(); ++i) {
    const std::string name = together.f->constraints()[i].name;
    if (name == "velocity_field") continue;  // its rows are in another order, and weighted alike only in sum
    EXPECT_NEAR(c[i], d[i], agreement * std::abs(d[i])) << name;
    if (norm(d_gradients[i], MPI_COMM_SELF) > 1e-12)
      expect_near(together.whole(c_gradients[i]), alone.whole(d_gradients[i]), name);
  }
  check_adjoint_against_tangent(*together.f, here);
  check_constraints(*together.f, here);
}

std::vector<Parallel> parallel_flows() {
  return {{"tri6", "", 1, false},
          {"scalar_tri6", "", 1, false},
          {"scalar_tri6", "free"},
          {"scalar_axisymmetric", ""},
          {"quad4", "", 2},
          {"tet4", "", 1, false},
          {"tet10", ""},
          {"backflow", ""},
          {"fields", ""},
          {"tri6", "ffd"},
          {"fields_tri3", "", 2},
          {"quad9", "bspline"},
          {"quad4", "free", 2},
          {"tri6", "free", 1, false},
          {"tri3", "rigid_motion"},
          {"tet4", "free"},
          {"hex8", "ffd"},
          {"axisymmetric_carreau", ""},
          {"axisymmetric_quad9", "shape_and_motion"}};
}

INSTANTIATE_TEST_SUITE_P(Representative, FlowAcrossRanks, testing::ValuesIn(parallel_flows()), [](const auto& info) {
  return info.param.flow + "_" + (info.param.shape.empty() ? "numbers" : info.param.shape);
});

}  // namespace
}  // namespace invar::gradient_test
