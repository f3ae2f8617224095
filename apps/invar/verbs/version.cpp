#include "apps/invar/verbs/version.hpp"

#include <sstream>

#include "apps/invar/picture/library.hpp"
#include "libadjoint/petsc.hpp"

namespace invar {

std::map<std::string, std::string> library_versions() {
  std::map<std::string, std::string> out = {{"compiler", __VERSION__}, {"kernels", INVAR_KERNELS}};
  PetscInt major = 0, minor = 0, step = 0, release = 0;
  if (PetscGetVersionNumber(&major, &minor, &step, &release) == 0)
    out["PETSc"] = std::to_string(major) + '.' + std::to_string(minor) + '.' + std::to_string(step);
  char mpi[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  MPI_Get_library_version(mpi, &length);
  out["MPI"] = std::string(mpi).substr(0, std::string(mpi).find_first_of(",\n"));
  std::stringstream others(INVAR_LIBRARIES);
  for (std::string one; std::getline(others >> std::ws, one, ',');)
    if (const std::size_t space = one.find(' '); space != std::string::npos) out[one.substr(0, space)] = one.substr(space + 1);
  return out;
}

std::string version_text(bool libraries) {
  std::string text = "invar " INVAR_VERSION "\n";
  if (!libraries) return text;
  text += "build      " INVAR_BUILD ", kernels for '" INVAR_KERNELS "', " __VERSION__ "\n";
  char petsc[128] = {};
  if (PetscGetVersion(petsc, sizeof petsc) == 0) text += std::string("PETSc      ") + petsc + '\n';
  char mpi[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  MPI_Get_library_version(mpi, &length);  // may be called before MPI is started
  text += std::string("MPI        ") + mpi + "\nlibraries  " INVAR_LIBRARIES "\npictures   ";
  const std::string none = why_no_pictures();
  return text + (none.empty() ? "yes" : none) + '\n';
}

}  // namespace invar
