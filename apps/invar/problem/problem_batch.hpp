#pragma once
#include <memory>
#include <string>
#include <vector>

#include "apps/invar/problem/problem.hpp"
#include "libadjoint/sampling/static_batch.hpp"

namespace invar {

class MeshCopies;

/// Problems of one spec with different numbers whose equilibria and adjoints are found together, in one equation on copies of their mesh.
class ProblemBatch {
 public:
  /// The batch, or nothing and why there is none, as the end of a sentence. The problems must outlive it. Throws what building a problem
  /// throws. Collective.
  static std::unique_ptr<ProblemBatch> of(const std::vector<Problem*>& problems, MPI_Comm comm, std::string& why_not);
  ~ProblemBatch();

  /// Works on all problems in lockstep.
  void run(const std::function<void(int problem)>& work) { batch_->run(work); }
  const StaticBatch& solves() const { return *batch_; }

 private:
  ProblemBatch();

  std::unique_ptr<MeshCopies> copies_;
  CaseModel common_;
  std::unique_ptr<StaticBatch> batch_;
};

}  // namespace invar
