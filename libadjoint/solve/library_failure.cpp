#include "libadjoint/solve/library_failure.hpp"

#include <limits>
#include <new>

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
  int rank, length = int(words.size());
  MPI_Comm_rank(comm, &rank);
  int first = words.empty() ? std::numeric_limits<int>::max() : rank;
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, comm);
  if (first == std::numeric_limits<int>::max()) return {};
  MPI_Bcast(&length, 1, MPI_INT, first, comm);
  words.resize(std::size_t(length));
  MPI_Bcast(words.data(), length, MPI_CHAR, first, comm);
  return words;
}

}  // namespace invar
