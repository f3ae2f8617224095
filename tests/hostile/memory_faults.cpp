// A library for LD_PRELOAD that takes memory away from a process between MPI_Init and MPI_Finalize.
//   MEMORY_FAULTS_AT     which `new` throws std::bad_alloc, from 1; 0: none
//   MEMORY_FAULTS_SET_UP 1: the first KSPSetUp throws it instead, in which the other ranks wait
//   MEMORY_FAULTS_RANK   on which rank of mpirun; absent: on all
//   MEMORY_FAULTS_ROOM   kB of address space that are left once MPI is there (RLIMIT_AS)
//   MEMORY_FAULTS_STAMP  file into which the time is written (CLOCK_REALTIME, nanoseconds) when it throws
//   MEMORY_FAULTS_COUNT  file into which the number of calls of `new` is written in MPI_Finalize
#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <new>

namespace {

std::atomic<bool> armed{false};
std::atomic<long> calls{0};
std::atomic<bool> set_up_fails{false};
long at = 0;

long number(const char* name) {
  const char* text = getenv(name);
  return text ? strtol(text, nullptr, 10) : 0;
}

void limit_memory(long room) {
  long pages = 0;
  FILE* file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%ld", &pages) != 1) abort();
  fclose(file);
  const rlim_t limit = rlim_t(pages) * rlim_t(sysconf(_SC_PAGESIZE)) + rlim_t(room) * 1024;
  const rlimit both{limit, limit};
  setrlimit(RLIMIT_AS, &both);
}

void arm() {
  const char *rank = getenv("OMPI_COMM_WORLD_RANK"), *wanted = getenv("MEMORY_FAULTS_RANK");
  if (rank && wanted && strcmp(rank, wanted)) return;
  at = number("MEMORY_FAULTS_AT");
  set_up_fails = number("MEMORY_FAULTS_SET_UP") > 0;
  armed = true;
  if (getenv("MEMORY_FAULTS_ROOM")) limit_memory(number("MEMORY_FAULTS_ROOM"));
}

void stamp() {
  const char* name = getenv("MEMORY_FAULTS_STAMP");
  const int file = name ? open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644) : -1;
  if (file < 0) return;
  timespec now = {};
  clock_gettime(CLOCK_REALTIME, &now);
  dprintf(file, "%lld\n", 1'000'000'000LL * now.tv_sec + now.tv_nsec);
  close(file);
}

void* taken(size_t size, size_t alignment) {
  if (armed && ++calls == at) {
    stamp();
    throw std::bad_alloc();
  }
  void* memory = nullptr;
  if (alignment <= alignof(max_align_t)) memory = malloc(size ? size : 1);
  else if (posix_memalign(&memory, alignment, size)) memory = nullptr;
  if (!memory) throw std::bad_alloc();
  return memory;
}

}  // namespace

extern "C" {
int MPI_Init(int* argc, char*** argv) {
  const int code = PMPI_Init(argc, argv);
  arm();
  return code;
}
int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int code = PMPI_Init_thread(argc, argv, required, provided);
  arm();
  return code;
}
int KSPSetUp(void* ksp) {  // of PETSc, whose headers this does without
  if (set_up_fails.exchange(false)) {
    stamp();
    throw std::bad_alloc();
  }
  static const auto next = reinterpret_cast<int (*)(void*)>(dlsym(RTLD_NEXT, "KSPSetUp"));
  return next(ksp);
}
int MPI_Finalize() {
  const bool counted = armed.exchange(false);  // on one rank of several
  if (const char* name = getenv("MEMORY_FAULTS_COUNT"); name && counted)
    if (FILE* file = fopen(name, "w")) {
      fprintf(file, "%ld\n", calls.load());
      fclose(file);
    }
  return PMPI_Finalize();
}
}

void* operator new(size_t size) { return taken(size, 0); }
void* operator new[](size_t size) { return taken(size, 0); }
void* operator new(size_t size, std::align_val_t a) { return taken(size, static_cast<size_t>(a)); }
void* operator new[](size_t size, std::align_val_t a) { return taken(size, static_cast<size_t>(a)); }
void* operator new(size_t size, const std::nothrow_t&) noexcept { return malloc(size ? size : 1); }
void* operator new[](size_t size, const std::nothrow_t&) noexcept { return malloc(size ? size : 1); }
void operator delete(void* memory) noexcept { free(memory); }
void operator delete[](void* memory) noexcept { free(memory); }
void operator delete(void* memory, size_t) noexcept { free(memory); }
void operator delete[](void* memory, size_t) noexcept { free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { free(memory); }
void operator delete(void* memory, size_t, std::align_val_t) noexcept { free(memory); }
void operator delete[](void* memory, size_t, std::align_val_t) noexcept { free(memory); }
