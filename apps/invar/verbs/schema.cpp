#include <iostream>

#include "apps/invar/problem/spec_table.hpp"
#include "apps/invar/spec/json_schema.hpp"
#include "apps/invar/spec/reference_page.hpp"
#include "apps/invar/verbs/verbs.hpp"
#include "libadjoint/petsc.hpp"

namespace invar {

ExitCode schema(const CommandLine& line) {
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  if (rank != 0) return ExitCode::ok;
  if (line.markdown) std::cout << spec::reference_page(spec_table());
  else std::cout << spec::json_schema(spec_table()).dump(2) << '\n';
  return ExitCode::ok;
}

}  // namespace invar
