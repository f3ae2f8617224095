#pragma once
#include <mpi.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "libadjoint/design_vector.hpp"

namespace invar {

/// A design vector as one array per rank: shared entries first, then local ones; and reductions over all ranks, in
/// which shared entries count once.
class EntryLayout {
 public:
  EntryLayout(MPI_Comm comm, const DesignVector& like)
      : comm_(comm), shared_(static_cast<Eigen::Index>(like.shared.size())),
        n_(shared_ + static_cast<Eigen::Index>(like.local.size())) {}

  MPI_Comm comm() const { return comm_; }
  Eigen::Index n() const { return n_; }            // entries of this rank
  Eigen::Index n_shared() const { return shared_; }

  Eigen::VectorXd flat(const DesignVector& x) const {
    Eigen::VectorXd y(n_);
    std::copy(x.local.begin(), x.local.end(), std::copy(x.shared.begin(), x.shared.end(), y.begin()));
    return y;
  }
  DesignVector design(const Eigen::VectorXd& y) const {
    return {{y.begin(), y.begin() + shared_}, {y.begin() + shared_, y.end()}};
  }

  /// Sum of `size` numbers over all entries, the same on all ranks (collective): add(j, sum) adds the contribution of
  /// entry j of this rank.
  template <class Add>
  Eigen::VectorXd sum(Eigen::Index size, Add&& add) const {
    return sum_of_blocks(size, 1, [&](Eigen::Index j, Eigen::Index, Eigen::VectorXd& sum) { add(j, sum); });
  }
  /// The same in blocks of at most `most` consecutive entries: add(first, count, sum).
  template <class Add>
  Eigen::VectorXd sum_of_blocks(Eigen::Index size, Eigen::Index most, Add&& add) const {
    Eigen::VectorXd shared = Eigen::VectorXd::Zero(size), local = shared;
    for (Eigen::Index j = 0; j < shared_; j += most) add(j, std::min(most, shared_ - j), shared);
    for (Eigen::Index j = shared_; j < n_; j += most) add(j, std::min(most, n_ - j), local);
    MPI_Allreduce(MPI_IN_PLACE, local.data(), static_cast<int>(size), MPI_DOUBLE, MPI_SUM, comm_);
    return shared + local;
  }
  /// Aᵀ B, with one row of A and B per entry of this rank; the same on all ranks (collective).
  Eigen::MatrixXd product(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) const {
    Eigen::MatrixXd local = a.bottomRows(n_ - shared_).transpose() * b.bottomRows(n_ - shared_);
    MPI_Allreduce(MPI_IN_PLACE, local.data(), static_cast<int>(local.size()), MPI_DOUBLE, MPI_SUM, comm_);
    return local + a.topRows(shared_).transpose() * b.topRows(shared_);
  }
  double dot(const Eigen::VectorXd& a, const Eigen::VectorXd& b) const {
    return sum(1, [&](Eigen::Index j, Eigen::VectorXd& s) { s[0] += a[j] * b[j]; })[0];
  }
  double norm(const Eigen::VectorXd& a) const { return std::sqrt(dot(a, a)); }
  /// The largest value of all ranks; 0 if none is positive.
  double max(double here) const {
    double most = std::max(here, 0.0);
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, comm_);
    return most;
  }
  /// The smallest value of all ranks.
  double min(double here) const {
    MPI_Allreduce(MPI_IN_PLACE, &here, 1, MPI_DOUBLE, MPI_MIN, comm_);
    return here;
  }
  /// Whether `here` is true on every rank.
  bool all(bool here) const {
    int everywhere = here;
    MPI_Allreduce(MPI_IN_PLACE, &everywhere, 1, MPI_INT, MPI_MIN, comm_);
    return everywhere;
  }

 private:
  MPI_Comm comm_;
  Eigen::Index shared_, n_;
};

}  // namespace invar
