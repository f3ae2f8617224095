// Contact of two facing grids, 10 000 triangles in sum: pair set and collision detection of a step, of two sides and of
// one side that may touch itself; pattern and matrix of plates of tetrahedra, also of meshes that are graded.
//
//   bench_contact [REPEATS]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <vector>

#include "libfem/contact/active_pairs.hpp"
#include "libfem/contact/contact_forms.hpp"
#include "libfem/contact/candidate_search.hpp"
#include "libfem/contact/contact_step.hpp"
#include "libfem/form/assembled_matrix.hpp"
#include "libfem/form/distant_coupling.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/mesh/join_bodies.hpp"
#include "tests/bench/measure.hpp"

namespace invar {
namespace {

/// Best of several.
double best_of(int repeats, const std::function<void()>& run) {
  double best = 1e300;
  for (int i = 0; i < repeats; ++i) {
    const double before = processor_seconds();
    run();
    best = std::min(best, processor_seconds() - before);
  }
  return best;
}

void run(int n, double gap, int divisions, bool self, int repeats) {
  // 2 n² triangles each, the upper one turned against the lower one by a quarter of a cell.
  ContactFacets facets;
  facets.dim = 3;
  std::vector<double> X, u;
  for (int side = 0; side < 2; ++side) {
    const Mesh square = make_rectangle(0, 0, 1, 1, n, n, Shape::triangle);
    CellBlock block = square.cells[0];
    for (int& node : block.nodes) node += static_cast<int>(X.size()) / 3;
    facets.sides[self ? 0 : side].push_back(block);
    for (int i = 0; i < square.node_total(); ++i) {
      const double x = square.coordinates[2 * i], y = square.coordinates[2 * i + 1], shift = side * 0.25 / n;
      X.insert(X.end(), {x + shift, y + 0.7 * shift, side * gap});
      u.insert(u.end(), {0, 0, (side ? -0.3 : 0.3) * gap * (1 + 0.2 * std::sin(9 * x + 7 * y))});
    }
  }
  const ContactSurface surface = make_contact_surface(facets, X.data(), {divisions, divisions});
  const SurfacePosition at = surface.position(X.data(), nullptr);
  std::vector<double> step(at.u.size());
  surface.interpolate(u.data(), 3, step.data());
  for (double& s : step) s *= 2.5;  // through each other
  CandidateSearch search(surface, at);
  const double d_hat = 1.2 * gap, margin = d_hat + 0.3 / (n * divisions);
  ContactCandidates candidates;
  ActivePairs pairs;
  ContactStep limit;
  const double find = best_of(repeats, [&] { candidates = search.near(at, margin); });
  const double classify = best_of(repeats, [&] { find_active_pairs(surface, candidates, at, d_hat, pairs); });
  const double detect = best_of(repeats, [&] { limit = limit_step(surface, search, at, step.data()); });
  std::printf("%s %6d triangles %7d samples  %7zu + %7zu candidates  %6zu %6zu %6zu %6zu pairs\n",
              self ? "self" : "pair", surface.n_pieces(), surface.n_samples, candidates.sample_piece.size(),
              candidates.edge_edge.size(), pairs.of_kind[0].size(), pairs.of_kind[1].size(), pairs.of_kind[2].size(),
              pairs.of_kind[3].size());
  std::printf("   candidates %.4f s  active pairs %.4f s  sum %.4f s   step limit %.4f s (fraction %.3f)\n", find,
              classify, find + classify, detect, limit.fraction);
}

/// Two plates, one cell thick, whose facing sides are the grids of `run`, or grids whose lines are at the squares of theirs: cells become smaller towards
/// one corner.
void run_matrix(int n, double gap, int divisions, bool friction, bool graded, int repeats) {
  const double shift = 0.25 / n;
  Mesh serial = join_bodies({{"lower", make_box({0, -0.1, 0}, {1, 0, 1}, {n, 1, n}, Shape::tetrahedron)},
                                   {"upper", make_box({shift, gap, 0.7 * shift}, {1 + shift, 0.1, 1 + 0.7 * shift},
                                                      {n, 1, n}, Shape::tetrahedron)}});
  for (int node = 0; graded && node < serial.node_total(); ++node)
    for (const int d : {0, 2}) serial.coordinates[3 * std::size_t(node) + d] *= serial.coordinates[3 * std::size_t(node) + d];
  const auto mesh = std::make_shared<const Mesh>(distribute(serial, PETSC_COMM_SELF));
  const std::vector<Component> components{{"u_x", 1}, {"u_y", 1}, {"u_z", 1}};
  const auto dofs = std::make_shared<const DofMap>(mesh, components, PETSC_COMM_SELF);
  const auto finder = PairFinder::on_regions(*mesh, {"lower_top"}, {"upper_bottom"}, divisions, false);
  const auto form = friction ? make_frictional_contact(finder, dofs) : make_contact(finder, dofs);
  const double coefficients[] = {1e6, 1.2 * gap, 0.3, 1e-3};
  for (std::size_t k = 0; k < form->coefficients().size(); ++k)
    form->coefficients()[k] = Coefficient::constant(coefficients[k]);
  std::vector<double> u(dofs->n_local(), 0.0), rate(u.size(), 0.1), r(u.size());
  FormState at;
  at.unknown[Level::value] = u.data(), at.unknown[Level::rate] = rate.data();
  at.coordinates = mesh->coordinates.data();
  std::vector<NodePair> couplings;
  const double couple = best_of(1, [&] {
    couplings.clear();
    dynamic_cast<const DistantCoupling&>(*form).add_couplings(at, couplings);
    std::sort(couplings.begin(), couplings.end());
    couplings.erase(std::unique(couplings.begin(), couplings.end()), couplings.end());
  });
  std::unique_ptr<AssembledMatrix> K;
  const double pattern = best_of(1, [&] {
    K = std::make_unique<AssembledMatrix>(std::make_shared<const SparsityPattern>(dofs, std::vector{DistantPairs{{}, couplings}}));
  });
  PerLevel<double> weights{};
  weights[Level::value] = 1, weights[Level::rate] = 1e-3;
  const double residual = best_of(repeats, [&] { form->residual(at, r.data()); });
  const double matrix = best_of(repeats, [&] {
    K->begin();
    form->jacobian(at, weights, *K);
    K->end();
  });
  const double empty = best_of(repeats, [&] { K->begin(), K->end(); });
  ActivePairs pairs = finder->active({3, finder->surface().position(mesh->coordinates.data(), nullptr).X,
                                      std::vector<double>(3 * finder->surface().n_samples, 0.0)},
                                     coefficients[1]);
  std::printf("%s%s %zu pairs: residual %.4f s  matrix %.4f s (of it opening and closing %.4f s)  couplings %.3f s (%zu)  "
              "pattern %.3f s\n",
              graded ? "graded " : "", friction ? "friction   " : "frictionless", pairs.size(), residual, matrix, empty, couple, couplings.size(),
              pattern);
}

}  // namespace
}  // namespace invar

int main(int argc, char** argv) {
  const int repeats = argc > 1 ? std::atoi(argv[1]) : 10;
  invar::run(50, 1e-3, 1, false, repeats);
  invar::run(70, 1e-3, 1, false, repeats);
  invar::run(50, 1e-3, 2, false, repeats);
  invar::run(50, 1e-3, 4, false, repeats);
  invar::run(50, 1e-3, 2, true, repeats);
  invar::check(PetscInitialize(&argc, &argv, nullptr, nullptr));
  for (const int divisions : {1, 2})
    for (const bool friction : {false, true}) invar::run_matrix(50, 1e-3, divisions, friction, false, repeats);
  for (const int divisions : {1, 2, 4}) invar::run_matrix(50, 1e-4, divisions, false, true, repeats);
  invar::check(PetscFinalize());
  return 0;
}
