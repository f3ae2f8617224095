#pragma once
#include <mpi.h>

#include <optional>
#include <string>
#include <vector>

#include "apps/invar/report/checkpoint_folder.hpp"
#include "apps/invar/verbs/spec_identity.hpp"
#include "libadjoint/inference/weight_search.hpp"
#include "libadjoint/optimize/optimizer.hpp"

namespace invar {

/// State of an optimisation at an accepted iterate, sufficient to continue it.
struct Checkpoint {
  SpecIdentity identity;
  std::string method;                 // of the optimiser
  double value_at_start = 0;          // J at the first start: shows whether data, mesh and machine are the same
  int iteration = 0;                  // of the present start or of all stages
  int stage = 0;                      // position among the design's stages, or of the weight
  OptimizerResult before;             // result of the previous stages or weights
  std::vector<OptimizerResult> done;  // of the starts or weights before
  std::vector<WeightTrial> trials;    // what came out for these weights
  double first_gradient = 0, tolerance = 0;  // norm of the first weight's gradient at the start, tolerance of the present search
  std::optional<OptimizerResult> optimum;  // if the search has ended
  std::string search;                 // sections of the spec for the finished search
  long long history_at_end = 0;       // `history` at that time
  std::vector<double> memory_at_end;
  long long history = 0;              // bytes of history.csv
  double seconds = 0;                 // of the search so far
  std::vector<double> optimizer;      // Optimizer::state of this rank
  std::vector<double> memory;         // CaseFunctional::memory of this rank
};

/// Gathers every rank's part into one file. Collective; the folder is used on rank 0.
void write_checkpoint(CheckpointFolder& folder, const Checkpoint& checkpoint, MPI_Comm comm);

/// The newest undamaged checkpoint of the folder; nothing if there is none. damaged: on rank 0, names of damaged files. Throws SpecError if the checkpoint
/// was written by another number of ranks, IoError if it cannot be read. Collective.
std::optional<Checkpoint> read_checkpoint(const CheckpointFolder& folder, MPI_Comm comm, std::vector<std::string>& damaged);

}  // namespace invar
