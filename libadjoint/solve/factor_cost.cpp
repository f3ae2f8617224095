#include "libadjoint/solve/factor_cost.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

#include "libadjoint/solve/library_failure.hpp"

namespace invar {
namespace {

/// Memory in bytes of the machine, or of the control group of this process if that is less. Currently free memory is
/// not considered: a resumed run must decide as before.
double memory_of_node() {
  double bytes = double(sysconf(_SC_PHYS_PAGES)) * double(sysconf(_SC_PAGE_SIZE));
  for (const char* file : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    double limit = 0;
    if (std::ifstream in(file); in >> limit && limit > 0) bytes = std::min(bytes, limit);  // "max" is no number
  }
  return bytes;
}

double memory_of_process(MPI_Comm comm) {
  MPI_Comm node;
  int processes;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_size(node, &processes);
  MPI_Comm_free(&node);
  double bytes = memory_of_node() / processes;
  MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_DOUBLE, MPI_MIN, comm);
  return bytes;
}

void analyse(Mat A, bool symmetric, FactorCost& cost) {
  MatHandle factors;
  MatFactorInfo info;
  PetscReal operations = 0;
  PetscInt megabytes = 0;
  check(MatGetFactor(A, MATSOLVERMUMPS, symmetric ? MAT_FACTOR_CHOLESKY : MAT_FACTOR_LU, factors.out()));
  check(MatFactorInfoInitialize(&info));
  check(symmetric ? MatCholeskyFactorSymbolic(factors, A, nullptr, &info)
                  : MatLUFactorSymbolic(factors, A, nullptr, nullptr, &info));
  check(MatMumpsGetRinfog(factors, 1, &operations));
  check(MatMumpsGetInfog(factors, 16, &megabytes));
  if (!(operations > 0)) return;
  cost.operations = operations;
  cost.needed = 1e6 * double(megabytes);
}

}  // namespace

bool FactorCost::known() const { return std::isfinite(operations); }

FactorCost factor_cost(Mat A, bool symmetric) {
  const MPI_Comm comm = PetscObjectComm(PetscObject(A));
  FactorCost cost{HUGE_VAL, 0, memory_of_process(comm)};
  if (!library_failure(comm, [&] { analyse(A, symmetric, cost); }).empty()) cost.operations = HUGE_VAL;
  return cost;
}

}  // namespace invar
