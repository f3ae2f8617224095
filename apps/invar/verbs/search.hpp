#pragma once
#include <memory>
#include <optional>

#include "apps/invar/report/csv.hpp"
#include "apps/invar/verbs/checkpoint.hpp"
#include "apps/invar/verbs/results.hpp"
#include "apps/invar/verbs/session.hpp"

namespace invar {

/// The optimisation of a run: one search, several from other starts, one after the other in the stages
/// of a density, or one for each weight of a regularisation that is tried. Every accepted iterate is shown and written to history.csv; checkpoints are written as often as their cost allows.
class Search {
 public:
  /// J at the start has been found to be `value_at_start`.
  Search(Session& session, double value_at_start);

  /// From the start, or on from a checkpoint of the same search. Where that search has ended, its result.
  OptimizerResult minimize(const std::optional<Checkpoint>& from);

 private:
  OptimizerResult search();
  void say_time_left(int iteration);
  bool ended(const Checkpoint& from) const;
  OptimizerResult recalled(const Checkpoint& ended);
  void keep_optimum(const OptimizerResult& optimum);
  void open_history();
  /// Creates the optimiser, in the state of the checkpoint, if any.
  void prepare(const OptimizerOptions& options);
  bool note(IterationReport report, const DesignVector& theta, int limit);
  void keep(bool always);
  void write_newest();
  OptimizerResult search_or_break_off();
  OptimizerResult in_stages(OptimizerOptions options);
  OptimizerResult from_many_starts();
  OptimizerResult over_weights(OptimizerOptions options);
  OptimizerResult at_chosen_weight(const OptimizerResult& last);
  double tolerance_from(const DesignVector& start, double asked);

  Session& session_;
  Problem& problem_;
  Checkpoint now_;                     // of the search as it stands
  std::optional<Checkpoint> from_;     // until it has been taken up
  std::optional<Checkpoint> newest_;   // of the iterate accepted last
  bool is_kept_ = true;                // that, in a file
  std::unique_ptr<Optimizer> optimizer_;
  std::optional<CsvWriter> history_;   // on rank 0
  IterationFields iterates_;
  CheckpointFolder checkpoints_;
  double begin_ = MPI_Wtime(), earlier_ = 0;  // seconds; of the search before it was resumed
  double next_ = 0;                           // when the next checkpoint is due
  int most_ = 0;                              // iterations of all stages together
  std::optional<std::pair<int, double>> first_;  // iterate that this process has seen, and when
};

/// Entries of fields that are designed, of all ranks. Collective.
long long field_entries(const Problem& problem);
/// Whether a field with a prior is designed.
bool has_prior(const Problem& problem);
/// The optimiser that the spec names; `auto` is chosen by objective, constraints and design. Collective.
std::string optimizer_of(const Problem& problem);
/// As the spec says.
OptimizerOptions optimizer_options(const Problem& problem);

}  // namespace invar
