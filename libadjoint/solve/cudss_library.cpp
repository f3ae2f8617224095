#include "libadjoint/solve/cudss_library.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <iterator>

#include "libadjoint/solve/solver_not_available.hpp"

namespace invar {

namespace {

class CudssNotAvailable : public SolverNotAvailable {
 public:
  explicit CudssNotAvailable(const std::string& why)
      : SolverNotAvailable("linear solver 'cudss' cannot be used: " + why +
                           "; the library comes with the package nvidia-cudss-cu13, or INVAR_CUDSS may be set to its file; otherwise use auto"),
        why(why) {}
  const std::string why;
};

[[noreturn]] void not_available(const std::string& why) { throw CudssNotAvailable(why); }

std::string& last_version() {
  static std::string version;
  return version;
}

}  // namespace

std::shared_ptr<const CudssLibrary> CudssLibrary::open() {
  const std::shared_ptr<CudssLibrary> library(new CudssLibrary);
  const char* given = std::getenv("INVAR_CUDSS");
  library->file_ = given && *given ? given : "libcudss.so.1";
  library->library_ = dlopen(library->file_.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!library->library_) not_available(dlerror());
  library->find_functions();
  library->require_version();
  library->require_device();
  return library;
}

std::shared_ptr<const CudssLibrary> CudssLibrary::load() {
  const std::shared_ptr<const CudssLibrary> library = open();
  last_version() = library->version_;
  return library;
}

std::string CudssLibrary::obstacle() {
  try {
    open();
    return "";
  } catch (const CudssNotAvailable& e) {
    return e.why;
  }
}

const std::string& CudssLibrary::version_used() { return last_version(); }

CudssLibrary::~CudssLibrary() {
  if (runtime_) dlclose(runtime_);
  if (library_) dlclose(library_);
}

template <class Function>
void CudssLibrary::find(Function& function, const char* name) const {
  void* address = dlsym(library_, name);
  if (!address && runtime_) address = dlsym(runtime_, name);
  if (!address) not_available(file_ + " has no function " + name);
  function = reinterpret_cast<Function>(address);
}

void CudssLibrary::find_functions() {
  // cuDSS does not export the CUDA runtime that it was linked with.
  if (!dlsym(library_, "cudaMalloc"))
    for (const char* name : {"libcudart.so.13", "libcudart.so.12", "libcudart.so"})
      if (!runtime_) runtime_ = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  find(create, "cudssCreate");
  find(destroy, "cudssDestroy");
  find(config_create, "cudssConfigCreate");
  find(config_destroy, "cudssConfigDestroy");
  find(config_set, "cudssConfigSet");
  find(set_threading_layer, "cudssSetThreadingLayer");
  find(data_create, "cudssDataCreate");
  find(data_destroy, "cudssDataDestroy");
  find(data_get, "cudssDataGet");
  find(matrix_create_csr, "cudssMatrixCreateCsr");
  find(matrix_create_dense, "cudssMatrixCreateDn");
  find(matrix_destroy, "cudssMatrixDestroy");
  find(execute, "cudssExecute");
  find(allocate, "cudaMalloc");
  find(release, "cudaFree");
  find(copy, "cudaMemcpy");
  find(memory, "cudaMemGetInfo");
}

void CudssLibrary::require_version() {
  Status (*property)(int, int*) = nullptr;
  find(property, "cudssGetProperty");
  int part[3] = {};
  for (int k = 0; k < 3; ++k)
    if (property(k, &part[k]) != 0) not_available(file_ + " does not report its version");
  version_ = std::to_string(part[0]) + "." + std::to_string(part[1]) + "." + std::to_string(part[2]);
  if (part[0] != 1) not_available("version 1 is needed, " + file_ + " is " + version_);
}

void CudssLibrary::require_device() const {
  int (*device_count)(int*) = nullptr;
  const char* (*error_words)(int) = nullptr;
  find(device_count, "cudaGetDeviceCount");
  find(error_words, "cudaGetErrorString");
  int count = 0;
  if (const int error = device_count(&count); error != 0) not_available(std::string("no CUDA device (") + error_words(error) + ")");
  if (count == 0) not_available("no CUDA device");
}

std::string CudssLibrary::describe(Status status) {
  constexpr const char* known[] = {"success",       "not initialised",  "not enough memory", "invalid value",
                                   "not supported", "execution failed", "internal error",    "iterative refinement failed"};
  return status >= 0 && status < int(std::size(known)) ? known[status] : "status " + std::to_string(status);
}

}  // namespace invar
