#pragma once

namespace invar {

/// Sets the environment of Open MPI for a process without a launcher (singleton). By default Open MPI then looks for
/// networks, starts a daemon and creates a directory for other ranks. This takes longer than validating a spec, and
/// singletons that start and end at the same time remove each other's directory and fail. These steps are switched off.
/// A single task of Slurm's srun is a singleton, too, where srun brings no PMI.
/// OMPI_MCA_* in the environment has precedence; under a launcher nothing is done. Must be called before MPI_Init.
void configure_mpi_singleton();

}  // namespace invar
