#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/residual.hpp"
#include "libadjoint/sampling/lockstep.hpp"
#include "libadjoint/shared_solves.hpp"
#include "libadjoint/static_case.hpp"

namespace invar {

/// Where the unknowns and controls of single problems are in a common equation that consists of copies of them. All calls are collective.
class BatchLayout {
 public:
  virtual ~BatchLayout() = default;
  virtual int copies() const = 0;
  /// This process's own rows of common vectors that belong to a copy, ascending.
  virtual const std::vector<int>& rows(int copy) const = 0;
  /// Entries of a single problem's vector to their rows in a copy, and back.
  virtual void to_copy(int copy, Vec one, Vec common) const = 0;
  virtual void from_copy(int copy, Vec common, Vec one) const = 0;
  /// Controls of a single problem into those of a copy.
  virtual void write_controls(int copy, const Controls& one, Controls& common) const = 0;
};

/// Static cases of one equation with different controls whose states and adjoints are found together: the cases go on in lockstep, and where
/// all of them wait for an equilibrium, one Newton iteration after the other is made for all in a common equation, whose parts do not
/// interact; adjoints are solved with one matrix. Everything else stays with the cases.
/// Each copy has its own tolerance (that of its case), its own step lengths and its own line search, by the residual or by the natural
/// monotonicity test; right-hand sides have norm 1 in each copy, so that tolerances of linear solves hold for each. What is not plain (an
/// inadmissible prediction, an ascent direction of the potential, no decrease, a singular matrix) is left to the case, which then solves the
/// step alone, as it would without the others: failures do not take others along.
class StaticBatch {
 public:
  /// common: consists of as many copies as the layout says, at least one for each member. Its forms and linear methods must be those of the
  /// members. The members must outlive `run`. Throws std::invalid_argument for more members than copies.
  StaticBatch(std::shared_ptr<Residual> common, std::shared_ptr<LinearSolver> solver, std::shared_ptr<const BatchLayout> layout,
              std::vector<std::shared_ptr<StaticCase>> members);
  ~StaticBatch();

  /// Runs work(member) for each member in lockstep. Exceptions as from `Lockstep::run`. Collective.
  void run(const std::function<void(int member)>& work);

  /// Equilibria and adjoints that members received so far; those that they were refused and sought alone; Newton steps of the common
  /// equation, and factorisations of its matrix.
  struct Counts {
    long equilibria = 0, adjoints = 0, refused = 0, newton_steps = 0;
    int factorisations = 0;
  };
  Counts counts() const;
  /// Why the last request was refused; empty: none was.
  const std::string& last_refusal() const { return refusal_; }

 private:
  class Member;
  struct Request;
  struct Copies;

  void serve();
  void serve(std::vector<Request*> group, bool adjoints);
  bool place(const std::vector<Request*>& group);
  std::vector<Request*> find_equilibria(std::vector<Request*>& group);
  std::vector<Request*> find_adjoints(std::vector<Request*>& group);
  bool search(const std::vector<Request*>& group, Copies& all);
  std::vector<Request*> inadmissible(const std::vector<Request*>& group, Vec u);
  std::vector<Request*> singular(const std::vector<Request*>& group, const SolveReport& solve);
  SolveReport solve_scaled(const std::vector<double>& b, const std::vector<double>& norms, bool transpose, std::vector<double>& x);
  std::vector<double> norms(const std::vector<double>& values) const;
  int copy_of(PetscInt row) const;

  std::shared_ptr<Residual> common_;
  std::shared_ptr<LinearSolver> solver_;
  std::shared_ptr<const BatchLayout> layout_;
  std::vector<std::shared_ptr<StaticCase>> members_;
  Lockstep lockstep_;
  std::vector<Request*> waiting_;  // by member; null: it does not wait
  VecHandle u_, b_, x_;            // of the common equation: present states, right-hand side and solution
  Setting given_;
  std::vector<std::shared_ptr<const Controls>> written_;  // by copy: the controls that given_ has
  bool linearised_ = false;        // at u_ and given_
  Counts counts_;
  std::string refusal_;
};

}  // namespace invar
