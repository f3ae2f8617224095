// Flow and shape on any number of ranks: value, gradient, Hessian and constraints of problems spread over
// all ranks against the same problems solved by one rank alone, and the identities of the former.
#include <numeric>

#include "tests/unit/gradient/first_rank.hpp"
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
  DesignVector point() const { return moved(f->start(), 0.2, direction(0.3)); }
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

/// Value and slope by the tangent; slope by the gradient, and its scale; gradient; Hessian action; constraints; the gradient of each.
Findings flow_findings(const Designed& p) {
  const DesignVector theta = p.point(), d = p.direction(1);
  DesignVector g, hd;
  double slope = 0;
  const Evaluation at = p.f->gradient(theta, g);
  require(at);
  require(p.f->directional(theta, d, slope));
  require(p.f->hessian_action(theta, d, hd));
  Findings all{{at.value, slope}, {dot(g, d, p.f->comm()), norm(g, p.f->comm()) * norm(d, p.f->comm())}, p.whole(g), p.whole(hd), {}};
  std::vector<DesignVector> gradients;
  require(p.f->constraint_gradients(theta, all[4], gradients));
  for (const DesignVector& c : gradients) all.push_back(p.whole(c));
  return all;
}

class FlowAcrossRanks : public testing::TestWithParam<Parallel> {};

TEST_P(FlowAcrossRanks, DerivativesAreTheSame) {
  if (rank_count() == 1 || (rank_count() == 3 && !GetParam().on_three)) GTEST_SKIP();
  const Designed problem(GetParam(), PETSC_COMM_WORLD);
  const Findings together = flow_findings(problem), alone = found_by_first_rank(together, [] { return flow_findings(Designed(GetParam(), PETSC_COMM_SELF)); });
  EXPECT_NEAR(together[0][0], alone[0][0], agreement * std::abs(alone[0][0]));
  EXPECT_NEAR(together[0][1], alone[1][0], agreement * alone[1][1]);
  expect_near(together[2], alone[2], "gradient");
  expect_near(together[3], alone[3], "Hessian action");
  const std::vector<ConstraintInfo> constraints = problem.f->constraints();
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const std::string& name = constraints[i].name;
    if (name == "velocity_field") continue;  // its rows are in another order, and weighted alike only in sum
    EXPECT_NEAR(together[4][i], alone[4][i], agreement * std::abs(alone[4][i])) << name;
    const std::vector<double>& gradient = alone[5 + i];
    if (std::inner_product(gradient.begin(), gradient.end(), gradient.begin(), 0.0) > 1e-24) expect_near(together[5 + i], gradient, name);
  }
  check_adjoint_against_tangent(*problem.f, problem.point());
  check_constraints(*problem.f, problem.point());
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
