#include "apps/invar/verbs/version.hpp"

#include "libadjoint/petsc.hpp"

namespace invar {

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
#ifdef INVAR_PICTURES
  return text + "yes\n";
#else
  return text + "no\n";
#endif
}

}  // namespace invar
