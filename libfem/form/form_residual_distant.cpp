// Forms that couple nodes without a common cell, or keep things apart.
#include <algorithm>
#include <limits>

#include "libfem/form/form_residual.hpp"
#include "libfem/form/local_access.hpp"

namespace invar {

bool FormResidual::couples_distant_nodes() const {
  return std::ranges::any_of(forms_, [](const BoundForm& f) { return f.distant != nullptr; });
}

bool FormResidual::keeps_apart() const {
  return std::ranges::any_of(forms_, [](const BoundForm& f) { return f.separation != nullptr; });
}

bool FormResidual::update_pattern(const EvaluationPoint& u) {
  prepare(u.given);
  const LocalState local(u, true);
  std::vector<DistantPairs> pairs;
  for (const BoundForm& f : forms_) {
    if (!f.distant) continue;
    auto same = std::ranges::find(pairs, f.distant->distant_components(), &DistantPairs::between);
    if (same == pairs.end()) same = pairs.insert(same, {f.distant->distant_components(), {}});
    f.distant->add_couplings(state_of(f, local), same->nodes);
  }
  for (DistantPairs& p : pairs) {
    std::ranges::sort(p.nodes);
    p.nodes.erase(std::unique(p.nodes.begin(), p.nodes.end()), p.nodes.end());
  }
  std::erase_if(pairs, [](const DistantPairs& p) { return p.nodes.empty(); });
  if (!on_any_rank(pairs != distant_pairs_)) return false;
  distant_pairs_ = std::move(pairs);
  release_matrix();
  ++pattern_changes_;
  return true;
}

double FormResidual::longest_step(const EvaluationPoint& u, Vec step) {
  prepare(u.given);
  const LocalState local(u, true);
  const VecHandle with_ghosts = zeros_like(u.unknown);  // vectors of linear systems have no ghosts
  check(VecCopy(step, with_ghosts));
  const LocalArray local_step(with_ghosts);
  double part = 1;
  for (const BoundForm& f : forms_)
    if (f.separation) part = std::min(part, f.separation->longest_step(state_of(f, local), local_step.data()));
  MPI_Allreduce(MPI_IN_PLACE, &part, 1, MPI_DOUBLE, MPI_MIN, comm());
  return part;
}

ClosestApproach FormResidual::nearest(const EvaluationPoint& u) {
  ClosestApproach least;
  for (int f = 0; f < form_count(); ++f)
    if (ClosestApproach a = nearest(f, u); a.gap < least.gap) least = std::move(a);
  return least;
}

ClosestApproach FormResidual::nearest(int form, const EvaluationPoint& u) {
  const BoundForm& f = forms_[form];
  if (!f.separation) return {};
  prepare(u.given);
  const LocalState local(u, true);
  ClosestApproach least = f.separation->nearest(state_of(f, local));
  struct {
    double gap;
    int rank;
  } first{least.gap, 0};
  MPI_Comm_rank(comm(), &first.rank);
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_DOUBLE_INT, MPI_MINLOC, comm());
  least.gap = first.gap;
  MPI_Bcast(least.place.data(), 3, MPI_DOUBLE, first.rank, comm());
  MPI_Bcast(&least.reach, 1, MPI_DOUBLE, first.rank, comm());
  if (least.gap < std::numeric_limits<double>::infinity()) least.between = f.between;
  return least;
}

}  // namespace invar
