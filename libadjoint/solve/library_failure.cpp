#include "libadjoint/solve/library_failure.hpp"

#include <exception>
#include <new>
#include <optional>

#include "libadjoint/solve/meeting.hpp"
#include "libadjoint/solve/options_scope.hpp"

namespace invar {
namespace {

/// What a PetscError says, without the place in our source.
std::string words_of(const PetscError& error) {
  const std::string text = error.what();
  const std::size_t code = text.find("PETSc error ");
  const std::size_t words = code == std::string::npos ? code : text.find(": ", code);
  return words == std::string::npos ? text : text.substr(words + 2);
}

struct LocalFailure {
  std::string words;  // empty: none
  std::exception_ptr error;
};

LocalFailure failure_here(const std::function<void()>& calls) {
  const QuietErrors quiet;
  try {
    calls();
  } catch (const PetscError& error) {
    return {words_of(error), std::current_exception()};
  } catch (const std::bad_alloc&) {
    return {"not enough memory", std::current_exception()};
  }
  return {};
}

}  // namespace

std::string library_failure(MPI_Comm comm, const std::function<void()>& calls) {
  auto [words, error] = failure_here(calls);
  int rank, ranks, length = int(words.size());
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  const std::optional<int> most = largest_at(comm, Meeting::library_call, words.empty() ? 0 : ranks - rank,
                                             words.empty() ? endless_patience : patience_after_failure);
  if (!most) std::rethrow_exception(error);
  if (*most == 0) return {};
  const int first = ranks - *most;
  MPI_Bcast(&length, 1, MPI_INT, first, comm);
  words.resize(std::size_t(length));
  MPI_Bcast(words.data(), length, MPI_CHAR, first, comm);
  return words;
}

}  // namespace invar
