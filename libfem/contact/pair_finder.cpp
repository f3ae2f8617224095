#include "libfem/contact/pair_finder.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>

#include "libfem/contact/contact_step.hpp"

namespace invar {
namespace {

/// 0.3 times the shortest edge of the pieces of each sample's facets, m [n_samples]: on graded meshes one length for all samples would pair many pieces where they
/// are small.
std::vector<double> reach_of_samples(const ContactSurface& s, const SurfacePosition& at) {
  const auto length = [&](int a, int b) {
    double square = 0;
    for (int d = 0; d < s.dim; ++d) square += std::pow(at.X[b * s.dim + d] - at.X[a * s.dim + d], 2);
    return std::sqrt(square);
  };
  constexpr double none = std::numeric_limits<double>::infinity();
  std::vector<double> shortest(s.n_facets(), none), reach(s.n_samples, none);
  for (int p = 0; p < s.n_pieces(); ++p) {
    const auto& v = s.pieces[p];
    double& of = shortest[s.piece_facet[p]];
    of = std::min(of, length(v[0], v[1]));
    if (s.dim == 3) of = std::min({of, length(v[1], v[2]), length(v[2], v[0])});
  }
  for (int f = 0; f < s.n_facets(); ++f)
    for (int i = s.facet_sample_begin[f]; i < s.facet_sample_begin[f + 1]; ++i) {
      double& of = reach[s.facet_sample[i]];
      of = std::min(of, 0.3 * shortest[f]);
    }
  return reach;
}

/// Set of pairs of numbers as a hash table: most pairs occur many times, so sorting all of them would be slower.
class PairSet {
 public:
  /// False if it was present.
  bool insert(int a, int b) {
    if (2 * ++count_ > slots_.size()) grow();
    const bool is_new = put((static_cast<std::int64_t>(a) << 32) | b);
    if (!is_new) --count_;
    return is_new;
  }

 private:
  static constexpr std::int64_t none = -1;
  bool put(std::int64_t key) {
    std::size_t i = ((static_cast<std::uint64_t>(key) * 0x9E3779B97F4A7C15u) >> 32) & (slots_.size() - 1);
    while (slots_[i] != none && slots_[i] != key) i = (i + 1) & (slots_.size() - 1);
    if (slots_[i] == key) return false;
    slots_[i] = key;
    return true;
  }
  void grow() {
    std::vector<std::int64_t> old(2 * slots_.size(), none);
    old.swap(slots_);
    for (const std::int64_t key : old)
      if (key != none) put(key);
  }
  std::vector<std::int64_t> slots_ = std::vector<std::int64_t>(1 << 12, none);
  std::size_t count_ = 0;
};

bool same(const SurfacePosition& a, const SurfacePosition& b) { return a.X == b.X && a.u == b.u; }

}  // namespace

PairFinder::PairFinder(ContactSurface surface, const Mesh& mesh, bool axisymmetric)
    : surface_(std::move(surface)), rest_(surface_.position(mesh.coordinates.data(), nullptr)), measure_(surface_, axisymmetric),
      nodes_(surface_.facet_node), comm_(mesh.comm), n_owned_(mesh.n_owned_nodes), reach_(reach_of_samples(surface_, rest_)), search_(surface_, rest_) {
  std::ranges::sort(nodes_);
  nodes_.erase(std::unique(nodes_.begin(), nodes_.end()), nodes_.end());
  list_nodes();
  own_.assign(surface_.n_samples, 0);
  for (int f = 0; f < surface_.n_facets(); ++f) {
    const auto node = surface_.facet_node.begin();
    if (std::none_of(node + surface_.facet_begin[f], node + surface_.facet_begin[f + 1], [&](int n) { return n < n_owned_; })) continue;
    for (int i = surface_.facet_sample_begin[f]; i < surface_.facet_sample_begin[f + 1]; ++i) own_[surface_.facet_sample[i]] = 1;
  }
}

std::shared_ptr<PairFinder> PairFinder::on_regions(const Mesh& mesh, const std::vector<std::string>& first,
                                                   const std::vector<std::string>& second, int samples, bool axisymmetric) {
  const ContactFacets facets = facets_of_regions(mesh, first, second);
  const double* X = mesh.coordinates.data();
  return std::make_shared<PairFinder>(make_contact_surface(facets, X, divisions_of(facets, X, samples)), mesh, axisymmetric);
}

double PairFinder::smallest_of_ranks(double value) const {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MIN, comm_);
  return value;
}

double PairFinder::default_distance() {
  return smallest_of_ranks(has_surfaces() ? invar::default_distance(surface_, search_, rest_) : std::numeric_limits<double>::infinity());
}

std::vector<Overlap> PairFinder::overlaps(const SurfacePosition& at, double least) {
  std::vector<Overlap> found;
  if (has_surfaces()) found = find_overlaps(surface_, search_, at, least);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm_, &rank), MPI_Comm_size(comm_, &ranks);
  int first = has_surfaces() ? rank : ranks;  // lowest rank with surfaces: all of them find the same
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, comm_);
  int count = static_cast<int>(found.size());
  MPI_Bcast(&count, 1, MPI_INT, first, comm_);
  found.resize(count);
  MPI_Bcast(found.data(), count * static_cast<int>(sizeof(Overlap)), MPI_BYTE, first, comm_);
  return found;
}

bool PairFinder::is_own(std::span<const int> samples) const {
  return std::ranges::any_of(samples, [&](int sample) { return sample >= 0 && own_[sample]; });
}

/// Removes candidates without own nodes. All pieces around an own vertex or edge are own, so sums of signs are complete.
void PairFinder::drop_foreign(ContactCandidates& candidates) const {
  std::erase_if(candidates.sample_piece, [&](const auto& both) { return !own_[both[0]] && !is_own(surface_.pieces[both[1]]); });
  std::erase_if(candidates.edge_edge, [&](const auto& both) { return !is_own(surface_.edges[both[0]]) && !is_own(surface_.edges[both[1]]); });
}

void PairFinder::drop_foreign(ActivePairs& pairs) const {
  for (auto& list : pairs.of_kind) std::erase_if(list, [&](const ActivePair& pair) { return !is_own(pair.v); });
}

const ActivePairs& PairFinder::active(const SurfacePosition& at, double d_hat) {
  if (d_hat == present_d_hat_ && same(at, present_)) return active_;
  if (searched_.X.empty() || !still_cover(candidates_, d_hat, searched_, at, reach_)) search_near(at, d_hat);
  find_active_pairs(surface_, candidates_, at, d_hat, active_, EdgePairs::repelling);
  drop_foreign(active_);
  present_ = at;
  present_d_hat_ = d_hat;
  return active_;
}

void PairFinder::add_couplings(const SurfacePosition& at, double d_hat, std::vector<NodePair>& pairs) {
  if (candidates_.margin != d_hat || !same(at, searched_)) search_near(at, d_hat);
  PairSet known, met;  // pairs of nodes; of node lists
  std::vector<char> whole(node_lists_.size(), 0);
  const auto add = [&](int a, int b) {
    if (a < n_owned_ && known.insert(a, b)) pairs.emplace_back(a, b);
  };
  const auto couple_within = [&](int list) {
    if (std::exchange(whole[list], 1)) return;
    for (const int a : node_lists_[list])
      for (const int b : node_lists_[list]) add(a, b);
  };
  const auto couple = [&](int first, int second) {
    if (!met.insert(first, second)) return;
    couple_within(first), couple_within(second);
    for (const int a : node_lists_[first])
      for (const int b : node_lists_[second]) add(a, b), add(b, a);
  };
  for (const auto& [sample, piece] : candidates_.sample_piece) couple(nodes_of_sample_[sample], nodes_of_piece_[piece]);
  for (const auto& [a, b] : candidates_.edge_edge) couple(nodes_of_edge_[a], nodes_of_edge_[b]);
}

void PairFinder::search_near(const SurfacePosition& at, double d_hat) {
  candidates_ = search_.near(at, d_hat, reach_);
  drop_foreign(candidates_);
  searched_ = at;
}

/// Numbers the distinct lists of nodes that samples, pieces or edges share.
void PairFinder::list_nodes() {
  std::map<std::vector<int>, int> numbers;
  const auto number_of = [&](std::span<const int> samples) {
    std::vector<int> nodes;
    for (const int sample : samples)
      if (sample >= 0) {
        const auto of = surface_.nodes_of(sample);
        nodes.insert(nodes.end(), of.begin(), of.end());
      }
    std::ranges::sort(nodes);
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    const auto [entry, is_new] = numbers.try_emplace(nodes, static_cast<int>(node_lists_.size()));
    if (is_new) node_lists_.push_back(nodes);
    return entry->second;
  };
  for (int sample = 0; sample < surface_.n_samples; ++sample) nodes_of_sample_.push_back(number_of({&sample, 1}));
  for (const auto& piece : surface_.pieces) nodes_of_piece_.push_back(number_of(piece));
  for (const auto& edge : surface_.edges) nodes_of_edge_.push_back(number_of(edge));
}

double PairFinder::smallest_gap(const SurfacePosition& at) {
  double gap = std::numeric_limits<double>::infinity();
  if (has_surfaces()) {
    const double most = at.diagonal();
    for (double within = std::clamp(*std::ranges::min_element(reach_), 1e-6 * most, most);; within = std::min(2 * within, most)) {  // until it contains a pair
      gap = smallest_distance(surface_, search_, at, within);
      if (gap < 0.5 * within || within == most) break;
    }
  }
  return smallest_of_ranks(gap);
}

ClosestApproach PairFinder::nearest(const SurfacePosition& at, double d_hat) {
  const std::vector<Overlap> found = overlaps(at, d_hat);  // intersections first, then the closest
  if (found.empty()) return {};
  const Overlap& worst = found.front();
  return {.gap = worst.intersects ? -std::numeric_limits<double>::infinity() : worst.distance, .reach = d_hat, .place = worst.place};
}

long PairFinder::pair_count(const SurfacePosition& at, double d_hat) {
  long count = 0;
  if (has_surfaces())
    for (const auto& list : active(at, d_hat).of_kind)
      count += std::ranges::count_if(list, [&](const ActivePair& pair) { return surface_.nodes_of(pair.v[0])[0] < n_owned_; });
  MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_LONG, MPI_SUM, comm_);
  return count;
}

double PairFinder::longest_step(const SurfacePosition& at, const double* step) {
  return has_surfaces() ? limit_step(surface_, search_, at, step).fraction : 1;
}

}  // namespace invar
