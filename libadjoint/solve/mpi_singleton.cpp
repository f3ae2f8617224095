#include "libadjoint/solve/mpi_singleton.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace invar {

void configure_mpi_singleton() {
  constexpr std::array launchers = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};
  if (std::ranges::any_of(launchers, [](const char* variable) { return std::getenv(variable) != nullptr; })) return;
  setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
  setenv("OMPI_MCA_orte_create_session_dirs", "0", 0);
  setenv("OMPI_MCA_pml", "ob1", 0);
}

}  // namespace invar
