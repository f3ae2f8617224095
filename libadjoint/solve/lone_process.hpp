#pragma once

namespace invar {

/// A process without a launcher has no other ranks to meet. Open MPI looks for networks all the same, starts a daemon,
/// and makes a directory by which ranks find each other: that takes longer than to validate a spec, and lone processes
/// that begin and end at the same moment remove each other's directory and fail. This tells it to do without.
/// OMPI_MCA_* in the environment has the last word; under a launcher nothing is done. To be called before MPI_Init.
void prepare_lone_process();

}  // namespace invar
