#include "libfem/contact/active_pairs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "libfem/contact/barrier.hpp"
#include "libfem/contact/candidate_search.hpp"
#include "libfem/contact/closest_feature.hpp"
#include "libfem/contact/distance.hpp"
#include "tests/unit/contact/scenes.hpp"

namespace invar {
namespace {

using test::ContactScene;
using test::Random;

struct CrumpledCase {
  int dim;
  bool self;
};
class Crumpled : public testing::TestWithParam<CrumpledCase> {
 protected:
  ContactScene scene_ = test::crumpled(GetParam().dim, GetParam().self, 17, 0.08);
  ContactSurface surface_ = scene_.surface({3, 2});
  SurfacePosition at_ = surface_.position(scene_.X.data(), nullptr);
  CandidateSearch search_{surface_, at_};

  /// All pairs of features that are not excluded.
  ContactCandidates everything() const {
    ContactCandidates all;
    const auto facing = [&](int a, int b) { return surface_.self || a != b; };
    for (int s = 0; s < surface_.n_samples; ++s)
      for (int p = 0; p < surface_.n_pieces(); ++p)
        if (facing(surface_.sample_side[s], surface_.side_of_piece(p)) && !surface_.excluded(s, p))
          all.sample_piece.push_back({s, p});
    for (int a = 0; a < surface_.n_edges(); ++a)
      for (int b = a + 1; b < surface_.n_edges(); ++b)
        if (facing(a < surface_.edge_begin[1] ? 0 : 1, b < surface_.edge_begin[1] ? 0 : 1) &&
            !surface_.edges_excluded(a, b))
          all.edge_edge.push_back({a, b});
    return all;
  }
  SurfacePosition moved(unsigned seed, double size) const {
    Random random(seed);
    std::vector<double> u(scene_.X.size());
    for (double& x : u) x = size * random();
    return surface_.position(scene_.X.data(), u.data());
  }
};
INSTANTIATE_TEST_SUITE_P(Scenes, Crumpled,
                         testing::Values(CrumpledCase{2, false}, CrumpledCase{2, true}, CrumpledCase{3, false},
                                         CrumpledCase{3, true}),
                         [](const auto& c) {
                           return std::string(c.param.self ? "Self" : "Pair") + std::to_string(c.param.dim);
                         });

/// The bounding box of some samples over their motion.
BoundingBox box_of(const SurfacePosition& at, const double* step, const int* samples, int n) {
  BoundingBox box;
  for (int d = 0; d < at.dim; ++d) {
    box.low[d] = 1e300, box.high[d] = -1e300;
    for (int k = 0; k < n; ++k)
      for (const double part : {0.0, 1.0}) {
        const int i = samples[k] * at.dim + d;
        const double x = at.X[i] + (at.u[i] + (step ? part * step[i] : 0.0));
        box.low[d] = std::min(box.low[d], x), box.high[d] = std::max(box.high[d], x);
      }
  }
  return box;
}

TEST_P(Crumpled, CandidatesAreThoseOfBruteForce) {
  const int dim = at_.dim;
  for (const double margin : {0.0, 0.03, 0.2})
    for (const bool sweep : {false, true}) {
      const SurfacePosition now = moved(4, 0.02);
      std::vector<double> step(now.u.size());
      Random random(8);
      for (double& s : step) s = 0.05 * random();
      const double* path = sweep ? step.data() : nullptr;
      ContactCandidates expected, all = everything();
      const auto near = [&](BoundingBox a, const BoundingBox& b) {
        for (int d = 0; d < dim; ++d)
          if (a.low[d] - margin > b.high[d] || b.low[d] > a.high[d] + margin) return false;
        return true;
      };
      for (const auto& pair : all.sample_piece)
        if ((!sweep || pair[0] < surface_.n_vertices) &&
            near(box_of(now, path, &pair[0], 1), box_of(now, path, surface_.pieces[pair[1]].data(), dim)))
          expected.sample_piece.push_back(pair);
      for (const auto& pair : all.edge_edge)
        if (near(box_of(now, path, surface_.edges[pair[0]].data(), 2),
                 box_of(now, path, surface_.edges[pair[1]].data(), 2)))
          expected.edge_edge.push_back(pair);
      const ContactCandidates found = sweep ? search_.swept(now, path, margin) : search_.near(now, margin);
      EXPECT_EQ(found.sample_piece, expected.sample_piece);
      EXPECT_EQ(found.edge_edge, expected.edge_edge);
      // Trees built at other positions find the same.
      CandidateSearch fresh(surface_, now);
      EXPECT_EQ(found, sweep ? fresh.swept(now, path, margin) : fresh.near(now, margin));
    }
}

TEST_P(Crumpled, ActivePairsDependOnThePositionsOnly) {
  const SurfacePosition now = moved(5, 0.02);
  ActivePairs expected, found;
  find_active_pairs(surface_, everything(), now, 0.05, expected);
  EXPECT_GT(expected.size(), 50u);
  for (const double margin : {0.05, 0.06, 0.3}) {
    find_active_pairs(surface_, search_.near(now, margin), now, 0.05, found);
    EXPECT_EQ(found, expected);
  }
  for (int kind = 0; kind < 4; ++kind) {
    const auto& list = expected.of_kind[kind];
    EXPECT_TRUE(std::is_sorted(list.begin(), list.end(), [](auto& a, auto& b) {
      return std::pair(a.first, a.second) < std::pair(b.first, b.second);
    }));
  }
}

TEST_P(Crumpled, CandidatesStillCoverAfterSmallMotions) {
  const ContactCandidates found = search_.near(at_, 0.05);
  EXPECT_TRUE(still_cover(found, 0.02, at_, at_));
  const double most = 0.015 / std::sqrt(at_.dim);
  const SurfacePosition nearby = moved(6, 0.99 * most), away = moved(6, 2 * most);
  EXPECT_TRUE(still_cover(found, 0.02, at_, nearby));
  EXPECT_FALSE(still_cover(found, 0.02, at_, away));
  ActivePairs expected, pairs;
  find_active_pairs(surface_, everything(), nearby, 0.02, expected);
  find_active_pairs(surface_, found, nearby, 0.02, pairs);
  EXPECT_EQ(pairs, expected);
}

// Each sample may move by half of its own reach.
TEST_P(Crumpled, CandidatesStillCoverMotionsWithinTheReachOfEachSample) {
  Random random(8);
  std::vector<double> reach(surface_.n_samples);
  for (double& r : reach) r = 0.02 * (1 + random());
  const ContactCandidates found = search_.near(at_, 0.02, reach);
  SurfacePosition nearby = at_;
  for (int s = 0; s < surface_.n_samples; ++s)
    for (int d = 0; d < at_.dim; ++d) nearby.u[s * at_.dim + d] += 0.49 * reach[s] / std::sqrt(at_.dim) * (random() > 0 ? 1 : -1);
  EXPECT_TRUE(still_cover(found, 0.02, at_, nearby, reach));
  EXPECT_FALSE(still_cover(found, 0.02, at_, nearby));
  ActivePairs expected, pairs;
  find_active_pairs(surface_, everything(), nearby, 0.02, expected);
  find_active_pairs(surface_, found, nearby, 0.02, pairs);
  EXPECT_EQ(pairs, expected);
  nearby.u[0] += 0.1;
  EXPECT_FALSE(still_cover(found, 0.02, at_, nearby, reach));
  const ContactCandidates larger = search_.near(at_, 0.06);
  EXPECT_LE(found.sample_piece.size(), larger.sample_piece.size());
}

/// Shortest distance from a sample to the convex hull of up to three others.
template <int D>
double distance_to(const SurfacePosition& at, int s, const int* v, int n) {
  using Way = Vector<double, D>;
  const Way r = at.difference<D>(s, v[0]);
  if (n == 1) return norm(r);
  const Way e = at.difference<D>(v[1], v[0]);
  if (n == 2) return norm(way_to_segment(r, e));
  if constexpr (D == 3) return norm(way_to_triangle(r, e, at.difference<3>(v[2], v[0])));
  return 0;
}

/// Per sample Σ σ b(d) over all pieces, edges and vertices, directly by the formula.
template <int D>
std::vector<double> sums_feature_by_feature(const ContactSurface& S, const SurfacePosition& at, double d_hat) {
  std::vector<double> sum(S.n_samples, 0);
  const auto meets = [&](int s, const int* pieces, int n) {  // any of the pieces around the feature
    for (int k = 0; k < n; ++k)
      if ((S.self || S.sample_side[s] != S.side_of_piece(pieces[k])) && !S.excluded(s, pieces[k])) return true;
    return false;
  };
  for (int s = 0; s < S.n_samples; ++s) {
    for (int p = 0; p < S.n_pieces(); ++p)
      if (meets(s, &p, 1)) sum[s] += barrier(distance_to<D>(at, s, S.pieces[p].data(), D), d_hat);
    for (int e = 0; e < S.n_edges(); ++e)
      if (meets(s, &S.edge_piece[S.edge_piece_begin[e]], S.edge_piece_begin[e + 1] - S.edge_piece_begin[e]))
        sum[s] += S.edge_sign[e] * barrier(distance_to<D>(at, s, S.edges[e].data(), 2), d_hat);
    for (int v = 0; v < S.n_vertices; ++v)
      if (meets(s, &S.vertex_piece[S.vertex_begin[v]], S.vertex_begin[v + 1] - S.vertex_begin[v]))
        sum[s] += S.vertex_sign[v] * barrier(distance_to<D>(at, s, &v, 1), d_hat);
  }
  return sum;
}

TEST_P(Crumpled, MergedPairsSumUpToTheFeatures) {
  const double d_hat = 0.07;
  const std::vector<double> expected = GetParam().dim == 2 ? sums_feature_by_feature<2>(surface_, at_, d_hat)
                                                           : sums_feature_by_feature<3>(surface_, at_, d_hat);
  ActivePairs pairs;
  find_active_pairs(surface_, search_.near(at_, d_hat), at_, d_hat, pairs);
  std::vector<double> sum(surface_.n_samples, 0);
  for (int kind = 0; kind < 3; ++kind)
    for (const ActivePair& pair : pairs.of_kind[kind]) {
      EXPECT_NE(pair.sign, 0);
      EXPECT_EQ(pair.first, pair.v[0]);
      sum[pair.first] += pair.sign * barrier(distance_of(surface_, static_cast<PairKind>(kind), pair, at_), d_hat);
    }
  int touching = 0;
  for (int s = 0; s < surface_.n_samples; ++s) {
    EXPECT_NEAR(sum[s], expected[s], 1e-12) << s;
    touching += expected[s] != 0;
  }
  EXPECT_GT(touching, surface_.n_samples / 5);
}

TEST_P(Crumpled, PairsOfEdgesAreThoseThatCrossInside) {
  const double d_hat = 0.07;
  std::vector<std::array<int, 2>> expected, found;
  for (const auto& [a, b] : everything().edge_edge) {
    const auto [a0, a1] = surface_.edges[a];
    const auto [b0, b1] = surface_.edges[b];
    const Vector<double, 3> r = at_.difference<3>(a0, b0), e = at_.difference<3>(a1, a0), f = at_.difference<3>(b1, b0);
    const auto st = line_line_coordinates(r, e, f);
    const Vector<double, 3> way = r + e * st[0] - f * st[1];
    if (st[0] > 0 && st[0] < 1 && st[1] > 0 && st[1] < 1 && norm(way) < d_hat) expected.push_back({a, b});
  }
  ActivePairs pairs;
  find_active_pairs(surface_, search_.near(at_, d_hat), at_, d_hat, pairs);
  for (const ActivePair& pair : pairs[PairKind::edge_edge]) found.push_back({pair.first, pair.second});
  EXPECT_EQ(found, expected);
  EXPECT_EQ(found.size() > 10, GetParam().dim == 3);  // none in 2-D
}

/// Σ σ b of all pairs, of edges with their factor.
double total_barrier(const ContactSurface& S, const SurfacePosition& at, const ActivePairs& pairs, double d_hat) {
  double total = 0;
  for (int kind = 0; kind < 4; ++kind)
    for (const ActivePair& pair : pairs.of_kind[kind]) {
      double b = pair.sign * barrier(distance_of(S, static_cast<PairKind>(kind), pair, at), d_hat);
      if (static_cast<PairKind>(kind) == PairKind::edge_edge) {
        const auto& v = pair.v;
        SurfacePosition rest = at;
        std::fill(rest.u.begin(), rest.u.end(), 0.0);
        b *= edge_edge_factor(at.difference<3>(v[0], v[2]), at.difference<3>(v[1], v[0]), at.difference<3>(v[3], v[2]),
                              rest.difference<3>(v[1], v[0]), rest.difference<3>(v[3], v[2]));
      }
      total += b;
    }
  return total;
}

/// The energy is invariant under rigid motions, so the sums of forces and moments are zero.
TEST_P(Crumpled, TheEnergyDoesNotChangeUnderRigidMotions) {
  const double d_hat = 0.05, a = 0.7, b = 1.9;
  ActivePairs here, there;
  find_active_pairs(surface_, search_.near(at_, d_hat), at_, d_hat, here);
  std::vector<double> u(scene_.X.size());
  const int dim = GetParam().dim;
  for (int i = 0; i < scene_.n_nodes(); ++i) {
    const double* x = &scene_.X[i * dim];
    const double z = dim == 3 ? x[2] : 0, p = std::cos(a) * x[0] - std::sin(a) * x[1],
                 q = std::sin(a) * x[0] + std::cos(a) * x[1];
    const double turned[3] = {p + 3, dim == 3 ? std::cos(b) * q - std::sin(b) * z : q,
                              std::sin(b) * q + std::cos(b) * z};
    for (int d = 0; d < dim; ++d) u[i * dim + d] = turned[d] - x[d];
  }
  const SurfacePosition moved = surface_.position(scene_.X.data(), u.data());
  find_active_pairs(surface_, search_.near(moved, d_hat), moved, d_hat, there);
  EXPECT_EQ(here, there);
  const double energy = total_barrier(surface_, at_, here, d_hat);
  EXPECT_GT(energy, 0);
  EXPECT_NEAR(total_barrier(surface_, moved, there, d_hat), energy, 1e-11 * energy);
}

}  // namespace
}  // namespace invar
