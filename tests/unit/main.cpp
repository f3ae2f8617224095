#include <gtest/gtest.h>
#include <petscsys.h>

#include "libadjoint/solve/blas_settings.hpp"
#include "libadjoint/solve/mpi_singleton.hpp"
#include "tests/support/before_mpi.hpp"

/// Tests run under PETSc and MPI. On several ranks a test passes when it passes on every rank; only
/// rank 0 prints its progress, failures are printed by all.
int main(int argc, char** argv) {
  invar::choose_suitable_blas();
  for (void (*const work)() : invar::test::before_mpi()) work();
  invar::configure_mpi_singleton();
  testing::InitGoogleTest(&argc, argv);
  if (PetscInitialize(&argc, &argv, nullptr, nullptr)) return 1;
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  int failed = RUN_ALL_TESTS();
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD);
  PetscFinalize();
  return failed;
}
