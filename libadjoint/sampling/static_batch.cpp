#include "libadjoint/sampling/static_batch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "libadjoint/sampling/static_batch_request.hpp"
#include "libadjoint/solve/describe_matrix.hpp"
#include "libadjoint/solve/matrix_facts.hpp"
#include "libadjoint/vector_entries.hpp"
#include "libadjoint/vector_methods.hpp"

namespace invar {

class StaticBatch::Member final : public SharedSolves {
 public:
  Member(StaticBatch& batch, int number) : batch_(batch), number_(number) {}
  bool equilibrium(const EvaluationPoint& at, const NewtonOptions& options, double& force_scale, NewtonReport& report) override {
    Request request{.member = number_, .at = &at, .newton = &options, .force_scale = &force_scale, .report = &report};
    return wait(request);
  }
  SolveReport adjoint(const EvaluationPoint& at, Vec u_bar, Vec lambda) override {
    Request request{.member = number_, .at = &at, .u_bar = u_bar, .lambda = lambda};
    request.solve.converged = wait(request);
    return request.solve;
  }
  double largest_error() const override { return batch_.solver_->largest_error(); }

 private:
  bool wait(Request& request) {
    if (!batch_.lockstep_.inside()) return false;
    batch_.waiting_[static_cast<std::size_t>(number_)] = &request;
    batch_.lockstep_.wait();
    return request.done;
  }

  StaticBatch& batch_;
  int number_;
};

StaticBatch::StaticBatch(std::shared_ptr<Residual> common, std::shared_ptr<LinearSolver> solver, std::shared_ptr<const BatchLayout> layout,
                         std::vector<std::shared_ptr<StaticCase>> members)
    : common_(std::move(common)), solver_(std::move(solver)), layout_(std::move(layout)), members_(std::move(members)), lockstep_([this] { serve(); }),
      waiting_(members_.size(), nullptr), given_(common_->given()), written_(static_cast<std::size_t>(layout_->copies())) {
  if (members_.size() > written_.size()) throw std::invalid_argument("a batch has more members than its equation has copies");
  describe_matrix(common_->matrix_hints(), *solver_);
  u_ = common_->create_vector(), b_ = common_->create_vector(), x_ = common_->create_vector();
  for (std::size_t k = 0; k < members_.size(); ++k) members_[k]->share_solves(std::make_shared<Member>(*this, static_cast<int>(k)));
}

StaticBatch::~StaticBatch() {
  for (const auto& member : members_) member->share_solves(nullptr);
}

void StaticBatch::run(const std::function<void(int member)>& work) {
  std::vector<std::function<void()>> tasks;
  for (std::size_t k = 0; k < members_.size(); ++k) tasks.emplace_back([&work, k] { work(static_cast<int>(k)); });
  lockstep_.run(std::move(tasks));
}

StaticBatch::Counts StaticBatch::counts() const {
  Counts counts = counts_;
  counts.factorisations = solver_->factorisations();
  return counts;
}

/// Serves the requests of one kind and load parameter together. Those that are not met are sought by their members alone.
void StaticBatch::serve() {
  std::vector<Request*> open;
  for (Request*& waiting : waiting_)
    if (Request* const request = std::exchange(waiting, nullptr)) open.push_back(request);
  while (!open.empty()) {
    const Request& first = *open.front();
    const auto joins = [&](const Request* r) { return r->at->given.time == first.at->given.time && !r->u_bar == !first.u_bar; };
    const auto rest = std::stable_partition(open.begin(), open.end(), joins);
    serve({open.begin(), rest}, first.u_bar != nullptr);
    open.erase(open.begin(), rest);
  }
}

/// Takes out members that prevent the common solution until the others have theirs. One member alone solves its own equation.
void StaticBatch::serve(std::vector<Request*> group, bool adjoints) {
  const std::vector<Request*> asked = group;
  try {
    while (group.size() > 1) {
      const std::vector<Request*> hinder = adjoints ? find_adjoints(group) : find_equilibria(group);
      if (hinder.empty()) break;
      std::erase_if(group, [&](Request* r) { return std::ranges::find(hinder, r) != hinder.end(); });
    }
  } catch (const std::exception& e) {  // not enough memory, a device that fails: the members are smaller
    refusal_ = e.what();
    linearised_ = false;
    for (Request* r : asked) r->done = false;
  }
  for (const Request* r : asked) ++(!r->done ? counts_.refused : adjoints ? counts_.adjoints : counts_.equilibria);
}

/// Writes states and controls of the group into their copies, and those of its first member into all others, whose parts of the matrix are
/// then as regular as its own. Returns whether anything has changed.
bool StaticBatch::place(const std::vector<Request*>& group) {
  std::vector<const Request*> sources(written_.size(), group.front());
  for (const Request* r : group) sources[static_cast<std::size_t>(r->member)] = r;
  VecHandle states = zeros_like(u_);
  std::shared_ptr<Controls> changed;
  for (std::size_t k = 0; k < sources.size(); ++k) {
    layout_->to_copy(static_cast<int>(k), sources[k]->at->unknown, states);
    const auto& controls = sources[k]->at->given.controls;
    if (written_[k] && (written_[k] == controls || *written_[k] == *controls)) continue;
    if (!changed) changed = std::make_shared<Controls>(*given_.controls);
    layout_->write_controls(static_cast<int>(k), *controls, *changed);
    written_[k] = controls;
  }
  const double t = group.front()->at->given.time;
  const bool same = !changed && given_.time == t && equal(states, u_);
  if (changed) given_.controls = std::move(changed);
  given_ = given_.at(t);
  if (!same) check(VecCopy(states, u_));
  return !same;
}

/// By copy. Collective.
std::vector<double> StaticBatch::norms(const std::vector<double>& values) const {
  std::vector<double> sums(written_.size(), 0.0);
  for (std::size_t k = 0; k < sums.size(); ++k)
    for (const int row : layout_->rows(static_cast<int>(k))) sums[k] += values[static_cast<std::size_t>(row)] * values[static_cast<std::size_t>(row)];
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(sums.size()), MPI_DOUBLE, MPI_SUM, common_->comm());
  for (double& s : sums) s = std::sqrt(s);
  return sums;
}

/// x = A⁻¹ b (or A⁻ᵀ b) with the present matrix, scaled such that b has norm 1 in each copy with a positive norm; zero in the other ones.
SolveReport StaticBatch::solve_scaled(const std::vector<double>& b, const std::vector<double>& norms, bool transpose, std::vector<double>& x) {
  std::vector<double> scaled(b.size(), 0.0);
  bool any = false;
  for (std::size_t k = 0; k < norms.size(); ++k)
    if (norms[k] > 0) {
      any = true;
      for (const int row : layout_->rows(static_cast<int>(k))) scaled[static_cast<std::size_t>(row)] = b[static_cast<std::size_t>(row)] / norms[k];
    }
  x.assign(b.size(), 0.0);
  SolveReport report;
  report.converged = true;
  if (!any) return report;
  write_entries(scaled, b_);
  report = transpose ? solver_->solve_transpose(b_, x_) : solver_->solve(b_, x_);
  if (!report.converged) return report;
  if (transpose) solver_->note_error(report, x_, true);
  common_->constrained_rows().clear(x_);
  const std::vector<double> solution = owned_entries(x_);
  for (std::size_t k = 0; k < norms.size(); ++k)
    for (const int row : layout_->rows(static_cast<int>(k))) x[static_cast<std::size_t>(row)] = norms[k] > 0 ? norms[k] * solution[static_cast<std::size_t>(row)] : 0;
  return report;
}

/// The copy of a global row; −1 for none. Collective.
int StaticBatch::copy_of(PetscInt row) const {
  PetscInt begin = 0, end = 0;
  check(VecGetOwnershipRange(u_, &begin, &end));
  int copy = -1;
  if (row >= begin && row < end)
    for (int k = 0; k < layout_->copies(); ++k)
      if (std::ranges::binary_search(layout_->rows(k), static_cast<int>(row - begin))) copy = k;
  MPI_Allreduce(MPI_IN_PLACE, &copy, 1, MPI_INT, MPI_MAX, common_->comm());
  return copy;
}

/// The members of the group whose own equations refuse the states u; all if none does.
std::vector<StaticBatch::Request*> StaticBatch::inadmissible(const std::vector<Request*>& group, Vec u) {
  std::vector<Request*> found;
  for (Request* r : group) {
    Residual& own = members_[static_cast<std::size_t>(r->member)]->residual();
    const VecHandle state = own.create_vector(), forces = own.create_vector();
    layout_->from_copy(r->member, u, state);
    if (!own.residual({state, r->at->given}, forces)) found.push_back(r);
  }
  refusal_ = "an inadmissible state";
  return found.empty() ? group : found;
}

/// The member of the group whose part of the matrix is singular; all if it is not known, or the linear solve failed for another reason.
std::vector<StaticBatch::Request*> StaticBatch::singular(const std::vector<Request*>& group, const SolveReport& solve) {
  refusal_ = solve.reason;
  linearised_ = false;
  const int copy = solve.singular && solve.singular_dof >= 0 ? copy_of(solve.singular_dof) : -1;
  for (Request* r : group)
    if (r->member == copy) return {r};
  return group;
}

/// Solves the step for the group. Returns members without which it has to be tried again; empty: those that are solved are `done`, the
/// others are left to their cases.
std::vector<StaticBatch::Request*> StaticBatch::find_equilibria(std::vector<Request*>& group) {
  place(group);
  linearised_ = false;
  solver_->forget_errors();
  const EvaluationPoint at(u_, given_);
  const RowSet& fixed = common_->constrained_rows();
  VecHandle r = zeros_like(u_), moved = zeros_like(u_), load = zeros_like(u_);
  if (!common_->residual(at, r)) return inadmissible(group, u_);
  // Tangent predictor: new constraint values are carried into the interior.
  fixed.combine(-1, r, 0, moved);
  common_->jvp(at, State(moved), nullptr, load);
  check(VecAXPY(load, 1.0, r));
  fixed.clear(load);
  Copies all;
  const std::vector<double> pull = owned_entries(load);
  all.force = norms(pull);
  common_->jacobian(at);
  solver_->set_operator(common_->matrix(), common_->symmetric());
  SolveReport solve = solve_scaled(pull, all.force, false, all.step);
  if (!solve.converged) return singular(group, solve);
  write_entries(all.step, x_);
  check(VecAXPY(u_, -1.0, x_));
  check(VecAXPY(u_, 1.0, moved));
  common_->impose_constraints(given_, u_);
  if (!common_->residual(at, r)) return inadmissible(group, u_);
  fixed.clear(r);
  all.r = owned_entries(r), all.u = owned_entries(u_);
  all.norm = norms(all.r);
  const NewtonOptions& options = *group.front()->newton;
  for (const Request* q : group) all.force[static_cast<std::size_t>(q->member)] = std::max(all.force[static_cast<std::size_t>(q->member)], *q->force_scale);
  for (std::size_t k = 0; k < all.norm.size(); ++k) {
    all.target.push_back(std::max(options.atol, options.rtol * std::max(all.norm[k], all.force[k])));
    all.place.push_back(all.norm[k] <= all.target[k] ? Copies::Place::converged : Copies::Place::iterating);
    all.reports.emplace_back().residuals = {all.norm[k]};
    all.reports.back().count(solve);
  }
  for (int iteration = 0; all.iterating(); ++iteration) {
    if (iteration == options.max_iterations) {
      refusal_ = "too many Newton steps";
      std::ranges::replace(all.place, Copies::Place::iterating, Copies::Place::left);
      break;
    }
    common_->jacobian(at);
    solver_->set_operator(common_->matrix(), common_->symmetric());
    std::vector<double> load_norms = all.norm;
    for (std::size_t k = 0; k < load_norms.size(); ++k)
      if (all.place[k] != Copies::Place::iterating) load_norms[k] = 0;
    solve = solve_scaled(all.r, load_norms, false, all.step);
    if (!solve.converged) return singular(group, solve);
    for (std::size_t k = 0; k < load_norms.size(); ++k)
      if (load_norms[k] > 0) all.reports[k].count(solve), all.reports[k].linear = solve;
    for (double& s : all.step) s = -s;
    ++counts_.newton_steps;
    if (!search(group, all)) return group;
  }
  for (Request* q : group) {
    const auto k = static_cast<std::size_t>(q->member);
    if (all.place[k] != Copies::Place::converged) continue;
    NewtonReport& report = all.reports[k];
    report.converged = true;
    report.iterations = static_cast<int>(report.steps.size());
    report.reason = "converged";
    *q->report = std::move(report);
    *q->force_scale = all.force[k];
    layout_->from_copy(q->member, u_, q->at->unknown);
    q->done = true;
  }
  return {};
}

/// One step of each iterating copy along its part of `all.step`, shortened until it is accepted. Copies without an acceptable step stay where
/// they are and are left to their cases. False: the residual could not be evaluated.
bool StaticBatch::search(const std::vector<Request*>& group, Copies& all) {
  constexpr double sufficient = 1e-4, natural = 0.25;  // as in Newton's method of a single case
  constexpr int most = 8;                              // shortenings
  const std::size_t count = all.norm.size();
  const auto rows = [&](std::size_t k) -> const std::vector<int>& { return layout_->rows(static_cast<int>(k)); };
  std::vector<double> floors;
  const auto floor = [&](std::size_t k) {  // costs a pass over the matrix, and few steps need it
    if (!floors.empty()) return floors[k];
    const VecHandle scale = row_scale(common_->matrix());
    PetscReal sum = 0, largest = 0;
    check(MatNorm(common_->matrix(), NORM_INFINITY, &sum));
    check(VecNorm(scale, NORM_INFINITY, &largest));
    std::vector<double> sizes = owned_entries(scale);
    for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] *= all.u[i];
    floors = norms(sizes);
    for (std::size_t c = 0; c < count; ++c)
      floors[c] = 10 * std::numeric_limits<double>::epsilon() * ((largest > 0 ? sum / largest * floors[c] : 0) + all.force[c]);
    return floors[k];
  };
  std::vector<double> slope(count, 0.0);
  for (std::size_t k = 0; k < count; ++k)
    for (const int row : rows(k)) slope[k] += all.r[static_cast<std::size_t>(row)] * all.step[static_cast<std::size_t>(row)];
  MPI_Allreduce(MPI_IN_PLACE, slope.data(), static_cast<int>(count), MPI_DOUBLE, MPI_SUM, common_->comm());
  const bool minimises = common_->capabilities().potential != nullptr;
  std::vector<double> share(count, 0.0);
  std::vector<char> open(count, 0);
  for (std::size_t k = 0; k < count; ++k) {
    if (all.place[k] != Copies::Place::iterating) continue;
    if (minimises && slope[k] > 0 && all.norm[k] > floor(k)) {
      refusal_ = "an indefinite tangent";
      all.place[k] = Copies::Place::left;
      continue;
    }
    share[k] = 1, open[k] = 1;
  }
  const std::vector<double> lengths = norms(all.step);
  const EvaluationPoint at(u_, given_);
  const VecHandle r = zeros_like(u_);
  std::vector<double> trial_norm;
  for (int tries = 0;; ++tries) {
    std::vector<double> trial = all.u;
    for (std::size_t k = 0; k < count; ++k)
      if (share[k] > 0)
        for (const int row : rows(k)) trial[static_cast<std::size_t>(row)] += share[k] * all.step[static_cast<std::size_t>(row)];
    write_entries(trial, u_);
    std::vector<char> refused(count, 0);
    const bool admissible = common_->residual(at, r);
    if (admissible) {
      common_->constrained_rows().clear(r);
      all.trial_r = owned_entries(r);
      trial_norm = norms(all.trial_r);
      std::vector<double> doubtful(count, 0.0);
      for (std::size_t k = 0; k < count; ++k)
        if (open[k] && !(trial_norm[k] <= (1 - sufficient * share[k]) * all.norm[k] || trial_norm[k] <= all.target[k])) doubtful[k] = trial_norm[k];
      if (std::ranges::any_of(doubtful, [](double d) { return d > 0; })) {
        std::vector<double> next(count, HUGE_VAL), other;
        if (solve_scaled(all.trial_r, doubtful, false, other).converged) next = norms(other);
        for (std::size_t k = 0; k < count; ++k) refused[k] = doubtful[k] > 0 && !(next[k] <= (1 - natural * share[k]) * lengths[k]);
      }
    } else {
      const std::vector<Request*> outside = inadmissible(group, u_);
      for (const Request* q : outside) refused[static_cast<std::size_t>(q->member)] = open[static_cast<std::size_t>(q->member)];
      for (std::size_t k = 0; k < count; ++k)  // copies of the first
        if (open[k] && std::ranges::none_of(group, [&](const Request* q) { return q->member == static_cast<int>(k); }))
          refused[k] = refused[static_cast<std::size_t>(group.front()->member)];
      for (std::size_t k = 0; k < count; ++k)
        if (refused[k]) ++all.reports[k].inadmissible;
      if (std::ranges::find(refused, 1) == refused.end()) return false;
    }
    if (std::ranges::find(refused, 1) == refused.end()) {
      all.u = std::move(trial);
      break;
    }
    for (std::size_t k = 0; k < count; ++k) {
      if (!refused[k]) continue;
      share[k] *= 0.5;
      if (tries < most) continue;
      share[k] = 0, open[k] = 0;
      const bool at_floor = all.norm[k] <= floor(k);
      if (!at_floor) refusal_ = "no decrease along the Newton step";
      all.reports[k].at_floor = at_floor;
      all.place[k] = at_floor ? Copies::Place::converged : Copies::Place::left;
    }
  }
  all.r = all.trial_r;
  for (std::size_t k = 0; k < count; ++k) {
    const double before = std::exchange(all.norm[k], trial_norm[k]);
    if (!open[k]) continue;
    all.reports[k].residuals.push_back(all.norm[k]);
    all.reports[k].steps.push_back(share[k]);
    all.reports[k].refused.push_back(0);
    const bool stays = all.norm[k] > 0.5 * before && all.norm[k] <= floor(k);
    if (all.norm[k] > all.target[k] && stays) all.reports[k].at_floor = true;
    if (all.norm[k] <= all.target[k] || stays) all.place[k] = Copies::Place::converged;
  }
  return true;
}

/// Adjoints of the group at their states. Returns members without which it has to be tried again.
std::vector<StaticBatch::Request*> StaticBatch::find_adjoints(std::vector<Request*>& group) {
  if (place(group) || !linearised_) {
    const EvaluationPoint at(u_, given_);
    common_->jacobian(at);
    solver_->set_operator(common_->matrix(), common_->symmetric());
    linearised_ = true;
  }
  const VecHandle load = zeros_like(u_);
  for (const Request* r : group) layout_->to_copy(r->member, r->u_bar, load);
  common_->constrained_rows().clear(load);
  const std::vector<double> u_bar = owned_entries(load);
  std::vector<double> lambda;
  const SolveReport solve = solve_scaled(u_bar, norms(u_bar), true, lambda);
  if (!solve.converged) return singular(group, solve);
  write_entries(lambda, load);
  for (Request* r : group) {
    layout_->from_copy(r->member, load, r->lambda);
    r->solve = solve;
    r->done = true;
  }
  return {};
}

}  // namespace invar
