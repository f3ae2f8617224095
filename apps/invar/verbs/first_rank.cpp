#include "apps/invar/verbs/first_rank.hpp"

#include "apps/invar/report/busy_error.hpp"
#include "apps/invar/report/io_error.hpp"
#include "apps/invar/spec/usage_error.hpp"

namespace invar {

std::string from_first_rank(MPI_Comm comm, const std::function<std::string()>& work) {
  enum Kind { done, busy, io, usage };
  struct {
    int kind = done, length = 0;
  } facts;
  std::string text;
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (rank == 0) {
    try {
      text = work();
    } catch (const BusyError& e) {
      facts.kind = busy, text = e.what();
    } catch (const IoError& e) {
      facts.kind = io, text = e.what();
    } catch (const UsageError& e) {
      facts.kind = usage, text = e.what();
    }
    facts.length = static_cast<int>(text.size());
  }
  MPI_Bcast(&facts, 2, MPI_INT, 0, comm);
  text.resize(static_cast<std::size_t>(facts.length));
  MPI_Bcast(text.data(), facts.length, MPI_CHAR, 0, comm);
  switch (facts.kind) {
    case busy: throw BusyError(text);
    case io: throw IoError(text);
    case usage: throw UsageError(text);
  }
  return text;
}

}  // namespace invar
