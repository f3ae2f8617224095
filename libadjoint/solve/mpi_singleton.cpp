#include "libadjoint/solve/mpi_singleton.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

namespace invar {

void configure_mpi_singleton() {
  constexpr std::array launchers = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};
  if (std::ranges::any_of(launchers, [](const char* variable) { return std::getenv(variable) != nullptr; })) return;
  // Started by srun without PMI, Open MPI aborts because it cannot find other tasks, even if there are none.
  if (const char* tasks = std::getenv("SLURM_STEP_NUM_TASKS"); tasks && std::string_view(tasks) == "1") unsetenv("SLURM_NODELIST");
  setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
  setenv("OMPI_MCA_orte_create_session_dirs", "0", 0);
  setenv("OMPI_MCA_pml", "ob1", 0);
}

}  // namespace invar
