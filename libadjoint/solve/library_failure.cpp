#include "libadjoint/solve/library_failure.hpp"

#include <new>
#include <optional>

#include "libadjoint/solve/options_scope.hpp"
#include "libadjoint/solve/sync_point.hpp"

namespace invar {
namespace {

/// The message of a PetscError without the source location.
std::string words_of(const PetscError& error) {
  const std::string text = error.what();
  const std::size_t code = text.find("PETSc error ");
  const std::size_t words = code == std::string::npos ? code : text.find(": ", code);
  return words == std::string::npos ? text : text.substr(words + 2);
}

std::string failure_here(const std::function<void()>& calls) {
  const QuietErrors quiet;
  try {
    calls();
  } catch (const PetscError& error) {
    return words_of(error);
  } catch (const std::bad_alloc&) {
    return "not enough memory";
  }
  return {};
}

}  // namespace

std::string library_failure(MPI_Comm comm, const std::function<void()>& calls) {
  std::string words = failure_here(calls);
  int rank, ranks, length = int(words.size());
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  const std::optional<int> most = largest_at(comm, SyncPoint::library_call, words.empty() ? 0 : ranks - rank,
                                             words.empty() ? endless_patience : patience_after_failure);
  if (!most) throw SingleRankFailure(words + " on rank " + std::to_string(rank) + ", while the others wait for it");
  if (*most == 0) return {};
  const int first = ranks - *most;
  MPI_Bcast(&length, 1, MPI_INT, first, comm);
  words.resize(std::size_t(length));
  MPI_Bcast(words.data(), length, MPI_CHAR, first, comm);
  return words;
}

PetscErrorCode library_error(MPI_Comm comm, const std::function<void()>& calls) {
  try {
    return library_failure(comm, calls).empty() ? 0 : PETSC_ERR_LIB;
  } catch (const SingleRankFailure&) {
    return PETSC_ERR_LIB;
  }
}

}  // namespace invar
