// Contact on all ranks together and on this one alone: fields of the serial mesh's nodes give the same forces, matrices,
// values and derivatives, whoever owns the nodes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "libfem/contact/buried_surface.hpp"
#include "libfem/contact/contact_fields.hpp"
#include "libfem/contact/surface_fields.hpp"
#include "libfem/form/assembled_matrix.hpp"
#include "tests/unit/contact/two_blocks.hpp"

namespace invar::contact_test {
namespace {

using Numbers = std::vector<double>;

struct RanksCase {
  std::string name;
  int dim;
  CellType cell;
  bool friction;
  int layers = 1;
};
void PrintTo(const RanksCase& c, std::ostream* out) { *out << c.name; }

/// Results of contact forms for fields that depend on serial node numbers only.
struct Answers {
  Numbers numbers;  // sums over ranks, and values known to all ranks
  Numbers at_nodes; // [serial node × dim] of each field, one after the other
};

class ContactOn {
 public:
  ContactOn(const RanksCase& c, MPI_Comm comm)
      : case_(c), comm_(comm), blocks_(c.dim, c.cell, c.dim == 2 ? 4 : 2, c.dim == 2 ? 7 : 3, c.dim == 2 ? 5 : 2, false, 0.1, c.layers, comm),
        n_(static_cast<int>(blocks_.dofs->n_local())) {}

  Answers answers() {
    derivatives(case_.friction ? make_frictional_contact(blocks_.finder, blocks_.dofs) : make_contact(blocks_.finder, blocks_.dofs), 0);
    RigidVelocity motion = RigidVelocity::about({0.3, 0.1, 0.2}, {0.4, -0.3, 1}, case_.dim);
    motion.constant[0] += 2;
    derivatives(make_contact_force(blocks_.finder, blocks_.dofs, case_.friction, motion), 0, true);
    derivatives(make_contact_area(blocks_.finder, blocks_.dofs), 1, true);
    derivatives(make_contact_thrust(blocks_.finder, blocks_.dofs), 0, true);
    derivatives(make_undeformed_closeness(blocks_.finder, blocks_.dofs), 0, true);
    if (case_.friction) derivatives(make_contact_slip(blocks_.finder, blocks_.dofs), 1, true);
    surfaces();
    return std::move(out_);
  }
  const PairFinder& finder() const { return *blocks_.finder; }

 private:
  long long original(int node) const { return blocks_.mesh->original_node[node]; }
  /// Within ±size, by the node in the serial mesh.
  double number_at(int node, int i, int seed) const {
    return std::sin(12.9898 * static_cast<double>(original(node)) + 78.233 * i + 3.7 * seed);
  }
  Numbers unknown(int seed, double size) const {
    Numbers u(n_, 0.0);
    for (int node = 0; node < blocks_.mesh->node_total(); ++node)
      for (int i = 0; i < case_.dim; ++i) u[blocks_.dofs->dof(node, i)] = size * number_at(node, i, seed);
    return u;
  }
  Numbers coordinates(int seed, double size) const {
    Numbers x;
    for (int node = 0; node < blocks_.mesh->node_total(); ++node)
      for (int i = 0; i < case_.dim; ++i) x.push_back(size * number_at(node, i, seed));
    return x;
  }
  void add_sum(double share) {
    MPI_Allreduce(MPI_IN_PLACE, &share, 1, MPI_DOUBLE, MPI_SUM, comm_);
    out_.numbers.push_back(share);
  }
  template <class Get>
  void add_field(Get at) {
    Numbers all(blocks_.mesh->n_global_nodes * case_.dim, 0.0);
    for (int node = 0; node < blocks_.mesh->n_owned_nodes; ++node)
      for (int i = 0; i < case_.dim; ++i) all[original(node) * case_.dim + i] = at(node, i);
    MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(all.size()), MPI_DOUBLE, MPI_SUM, comm_);
    double size = 0;
    for (const double v : all) size = std::max(size, std::abs(v));
    out_.numbers.push_back(size);
    for (const double v : all) out_.at_nodes.push_back(size > 0 ? v / size : 0);
  }
  void add_unknown(const Numbers& r) {
    add_field([&](int node, int i) { return r[blocks_.dofs->dof(node, i)]; });
  }
  void add_cotangent(const std::function<void(FormCotangent&)>& fill, std::size_t n_coefficients) {
    Numbers u(n_, 0.0), rate(n_, 0.0), X(blocks_.mesh->coordinates.size(), 0.0), p(n_coefficients, 0.0);
    FormCotangent bar;
    bar.unknown[Level::value] = u.data(), bar.unknown[Level::rate] = rate.data(), bar.coordinates = X.data();
    for (double& v : p) bar.coefficients.push_back(&v);
    fill(bar);
    add_unknown(u);
    if (case_.friction) add_unknown(rate);
    add_field([&](int node, int i) { return X[std::size_t(node) * case_.dim + i]; });
    for (const double v : p) add_sum(v);
  }

  /// further: coefficients behind those of the law.
  void derivatives(std::unique_ptr<WeakForm> form, int further, bool functional = false) {
    std::vector<double> p{30, 0.013};
    if (case_.friction && form->coefficients().size() >= 4) p.insert(p.end(), {0.4, 0.2});
    for (int k = 0; k < further; ++k) p.push_back(0.3 + k);
    ASSERT_EQ(p.size(), form->coefficients().size());
    for (std::size_t k = 0; k < p.size(); ++k) form->coefficients()[k] = Coefficient::constant(p[k]);
    const Numbers u = unknown(1, 0.002), rate = unknown(2, 0.3), u_dot = unknown(3, 0.01), rate_dot = unknown(4, 1), X_dot = coordinates(5, 0.01),
                  lambda = unknown(6, 1);
    FormState at;
    at.unknown[Level::value] = u.data(), at.unknown[Level::rate] = rate.data(), at.coordinates = blocks_.mesh->coordinates.data();
    FormTangent d;
    d.unknown[Level::value] = u_dot.data(), d.unknown[Level::rate] = rate_dot.data(), d.coordinates = X_dot.data(), d.multiplier = lambda.data();
    for (const double& v : p) d.coefficients.push_back(&v);
    const std::size_t n = p.size();
    if (functional || !case_.friction) {
      add_sum(form->value(at));
      add_sum(form->value_jvp(at, d));
      add_cotangent([&](FormCotangent& bar) { form->value_vjp(at, 1.0, bar); }, n);
      add_cotangent([&](FormCotangent& bar) { form->value_vjp_tangent(at, 1.0, d, bar); }, n);
    }
    if (functional) return;
    Numbers r(n_, 0.0), r_dot(n_, 0.0);
    form->residual(at, r.data());
    form->jvp(at, d, r_dot.data());
    add_unknown(r), add_unknown(r_dot);
    add_cotangent([&](FormCotangent& bar) { form->vjp(at, lambda.data(), bar); }, n);
    add_cotangent([&](FormCotangent& bar) { form->vjp_tangent(at, lambda.data(), d, bar); }, n);
    matrix(*form, at);
  }

  void matrix(const WeakForm& form, const FormState& at) {
    std::vector<NodePair> pairs;
    const auto& apart = dynamic_cast<const Separation&>(form);
    dynamic_cast<const DistantCoupling&>(form).add_couplings(at, pairs);
    std::ranges::sort(pairs);
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    add_sum(static_cast<double>(pairs.size()));
    double part = apart.longest_step(at, unknown(7, 0.5).data());
    MPI_Allreduce(MPI_IN_PLACE, &part, 1, MPI_DOUBLE, MPI_MIN, comm_);
    EXPECT_LT(part, 0.5);
    out_.numbers.push_back(part);
    const ClosestApproach nearest = apart.nearest(at);
    EXPECT_LT(nearest.gap, 0.013);
    EXPECT_GE(nearest.gap, 0);
    out_.numbers.push_back(nearest.gap);
    for (const double x : nearest.place) out_.numbers.push_back(x);
    AssembledMatrix K(std::make_shared<const SparsityPattern>(blocks_.dofs, std::vector{DistantPairs{{}, pairs}}));
    std::vector<char> held(n_, 0);  // some, of both bodies
    for (int node = 0; node < blocks_.mesh->node_total(); ++node)
      if (original(node) % 5 == 0) held[blocks_.dofs->dof(node, 0)] = 1;
    K.constrain(held);
    PerLevel<double> weights;
    weights[Level::value] = 0.7, weights[Level::rate] = case_.friction ? 0.01 : 0.0;
    K.begin();
    form.jacobian(at, weights, K);
    K.end();
    VecHandle x = blocks_.dofs->create_vector(), y = blocks_.dofs->create_vector();
    for (const bool transposed : {false, true}) {
      const Numbers values = unknown(8, 1);
      double* a = nullptr;
      check(VecGetArray(x, &a));
      std::copy_n(values.begin(), blocks_.dofs->n_owned(), a);
      check(VecRestoreArray(x, &a));
      check(transposed ? MatMultTranspose(K.mat(), x, y) : MatMult(K.mat(), x, y));
      const LocalArray product(y);
      add_unknown(Numbers(product.data(), product.data() + n_));
    }
  }

  void surfaces() {
    PairFinder& finder = *blocks_.finder;
    const SurfaceTransfer transfer(finder.surface(), finder.nodes(), blocks_.dofs);
    const Numbers u = unknown(1, 0.002);
    const SurfacePosition at{case_.dim, transfer.of_coordinates(blocks_.mesh->coordinates.data()), transfer.of_unknown(u.data())};
    for (const double v : {finder.default_distance(), finder.smallest_gap(at)}) out_.numbers.push_back(v);
    const std::vector<Overlap> near = finder.overlaps(finder.surface().position(blocks_.mesh->coordinates.data(), nullptr), 0.012);
    EXPECT_FALSE(near.empty());
    out_.numbers.push_back(static_cast<double>(near.size()));
    if (!near.empty()) out_.numbers.insert(out_.numbers.end(), {near[0].distance, near[0].place[0], near[0].place[1], near[0].place[2]});
    FormState drawn;
    drawn.coordinates = blocks_.mesh->coordinates.data();
    EXPECT_FALSE(buried_place(finder.surface(), *blocks_.dofs, drawn));
    Numbers lowered(n_, 0.0);  // the upper block, into the lower one: surfaces do not cross
    for (const int node : blocks_.mesh->find_region("upper")->nodes) lowered[blocks_.dofs->dof(node, 1)] = -5 * TwoBlocks::gap;
    drawn.unknown[Level::value] = lowered.data();
    const auto inside = buried_place(finder.surface(), *blocks_.dofs, drawn);
    ASSERT_TRUE(inside);
    out_.numbers.insert(out_.numbers.end(), inside->begin(), inside->end());
    out_.numbers.push_back(static_cast<double>(finder.pair_count(at, 0.013)));
    EXPECT_GT(out_.numbers.back(), 0);
    ContactFields fields(*blocks_.mesh, 0.013);
    add_contact_fields(finder, blocks_.dofs, u.data(), unknown(2, 0.3).data(), blocks_.mesh->coordinates.data(), 30, 0.013, fields);
    add_field([&](int node, int i) { return i == 0 ? fields.pressure[node] : 3e3 * fields.gap[node]; });
    add_field([&](int node, int i) { return fields.slip[std::size_t(node) * case_.dim + i]; });
    // Ghosts have the values of their owners.
    Numbers from_owner = fields.pressure;
    update_ghost(from_owner);
    EXPECT_EQ(from_owner, fields.pressure);
    Numbers slip(from_owner.size());
    for (std::size_t node = 0; node < slip.size(); ++node) slip[node] = fields.slip[node * case_.dim];
    from_owner = slip;
    update_ghost(from_owner);
    EXPECT_EQ(from_owner, slip);
  }
  void update_ghost(Numbers& field) {
    Numbers all(blocks_.mesh->n_global_nodes, 0.0);
    for (int node = 0; node < blocks_.mesh->n_owned_nodes; ++node) all[original(node)] = field[node];
    MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(all.size()), MPI_DOUBLE, MPI_SUM, comm_);
    for (int node = 0; node < blocks_.mesh->node_total(); ++node) field[node] = all[original(node)];
  }

  RanksCase case_;
  MPI_Comm comm_;
  TwoBlocks blocks_;
  int n_;
  Answers out_;
};

class ContactOnSeveralRanks : public testing::TestWithParam<RanksCase> {};

TEST_P(ContactOnSeveralRanks, AgreesWithOne) {
  ContactOn together(GetParam(), PETSC_COMM_WORLD), alone(GetParam(), PETSC_COMM_SELF);
  int ranks = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  if (GetParam().layers > 1 && ranks == 3) {  // a rank that has no surface
    int least = together.finder().surface().n_facets();
    MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, PETSC_COMM_WORLD);
    EXPECT_EQ(least, 0);
  }
  const Answers a = together.answers(), b = alone.answers();
  ASSERT_EQ(a.numbers.size(), b.numbers.size());
  ASSERT_EQ(a.at_nodes.size(), b.at_nodes.size());
  for (std::size_t i = 0; i < a.numbers.size(); ++i) EXPECT_NEAR(a.numbers[i], b.numbers[i], 1e-12 * std::abs(b.numbers[i])) << i;
  for (std::size_t i = 0; i < a.at_nodes.size(); ++i) EXPECT_NEAR(a.at_nodes[i], b.at_nodes[i], 1e-12) << i;
}

constexpr CellType quad1{Shape::quadrilateral, 1}, tri2{Shape::triangle, 2}, tet1{Shape::tetrahedron, 1}, hex1{Shape::hexahedron, 1},
    tet2{Shape::tetrahedron, 2};
INSTANTIATE_TEST_SUITE_P(Blocks, ContactOnSeveralRanks,
                         testing::Values(RanksCase{"plane", 2, quad1, false}, RanksCase{"plane_quadratic_friction", 2, tri2, true},
                                         RanksCase{"tall_friction", 2, quad1, true, 9}, RanksCase{"space_friction", 3, hex1, true},
                                         RanksCase{"space", 3, tet1, false}, RanksCase{"space_quadratic", 3, tet2, false}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace invar::contact_test
