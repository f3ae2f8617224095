// A library for LD_PRELOAD that counts what a process does to files of one folder, and makes one such call go wrong.
//   IO_FAULTS_FOLDER  absolute; calls on files elsewhere are left alone
//   IO_FAULTS_MODE    kill: the process ends before the call; torn: it ends in the middle of a write; eio: this call fails
//                     with EIO; full: this and all later calls fail with ENOSPC; short: a write takes half of its bytes
//   IO_FAULTS_AT      which call, from 1; 0: none
//   IO_FAULTS_COUNT   file into which the number of calls that count is written at the end
// With FORK_SERVER the program is a server of runs (fork_server.hpp), and a run's own environment says these.
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "tests/hostile/fork_server.hpp"

namespace {

enum class Mode { none, kill, torn, eio, full, short_write };
enum class Call { makes, writes, syncs, moves, closes, removes };

constexpr int most_files = 1024;
std::atomic<bool> watched[most_files];  // by descriptor
std::atomic<long> calls{0};
char folder[PATH_MAX];
Mode mode = Mode::none;
long at = 0;

void begin() {
  const char* where = getenv("IO_FAULTS_FOLDER");
  const char* how = getenv("IO_FAULTS_MODE");
  if (!where || !how) return;
  snprintf(folder, sizeof folder, "%s", where);
  mode = !strcmp(how, "kill") ? Mode::kill : !strcmp(how, "torn") ? Mode::torn : !strcmp(how, "eio") ? Mode::eio
         : !strcmp(how, "full") ? Mode::full : !strcmp(how, "short") ? Mode::short_write : Mode::none;
  const char* when = getenv("IO_FAULTS_AT");
  at = when ? strtol(when, nullptr, 10) : 0;
}

[[maybe_unused]] const bool has_begun = (invar::test::on_begin_of_run(begin), true);

__attribute__((destructor)) void end() {
  const char* name = mode == Mode::none ? nullptr : getenv("IO_FAULTS_COUNT");
  if (!name) return;
  char text[32];
  const int size = snprintf(text, sizeof text, "%ld\n", calls.load());
  const int file = static_cast<int>(syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_TRUNC, 0644));
  if (file < 0 || syscall(SYS_write, file, text, size) < 0) return;
  syscall(SYS_close, file);
}

bool is_inside(const char* path) {
  if (mode == Mode::none || !path) return false;
  char whole[2 * PATH_MAX];
  if (path[0] == '/') snprintf(whole, sizeof whole, "%s", path);
  else {
    char here[PATH_MAX];
    if (syscall(SYS_getcwd, here, sizeof here) < 0) return false;
    snprintf(whole, sizeof whole, "%s/%s", here, path);
  }
  const size_t n = strlen(folder);
  return !strncmp(whole, folder, n) && (whole[n] == '/' || whole[n] == '\0');
}

bool is_watched(int file) { return file >= 0 && file < most_files && watched[file]; }
int watch(int file, bool inside) {
  if (file >= 0 && file < most_files) watched[file] = inside;
  return file;
}

/// Whether the mode has something to say about such a call.
bool counts(Call call) {
  switch (mode) {
    case Mode::none: return false;
    case Mode::kill: return true;
    case Mode::torn:
    case Mode::short_write: return call == Call::writes;
    case Mode::eio: return call != Call::removes;
    case Mode::full: return call != Call::removes && call != Call::closes;
  }
  return false;
}

/// The errno with which the call must fail; 0: it goes on; −1: it writes half.
int fate(Call call) {
  if (!counts(call)) return 0;
  const long now = ++calls;
  if (at == 0 || now < at || (now > at && mode != Mode::full)) return 0;
  switch (mode) {
    case Mode::kill: ::kill(getpid(), SIGKILL); return 0;
    case Mode::eio: return EIO;
    case Mode::full: return ENOSPC;
    default: return -1;
  }
}

template <class F>
F next(const char* name) {
  return reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}

/// Bytes that are to be written; `go_on` writes so many.
template <class F>
ssize_t write_some(int file, size_t size, F&& go_on) {
  const int wrong = is_watched(file) ? fate(Call::writes) : 0;
  if (wrong > 0) return errno = wrong, -1;
  if (wrong == 0) return go_on(size);
  const ssize_t done = go_on(size > 1 ? size / 2 : size);
  if (mode == Mode::torn) ::kill(getpid(), SIGKILL);
  return done;
}

int opened(const char* path, int flags, mode_t rights) {
  const bool inside = is_inside(path) && (flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_DIRECTORY));
  const int wrong = inside && (flags & (O_WRONLY | O_RDWR)) ? fate(Call::makes) : 0;
  if (wrong > 0) return errno = wrong, -1;
  return watch(static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, rights)), inside);
}

int failed(bool inside, Call call) {
  const int wrong = inside ? fate(call) : 0;
  if (wrong > 0) errno = wrong;
  return wrong > 0 ? -1 : 0;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t rights = flags & O_CREAT ? va_arg(list, mode_t) : 0;
  va_end(list);
  return opened(path, flags, rights);
}
int open64(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t rights = flags & O_CREAT ? va_arg(list, mode_t) : 0;
  va_end(list);
  return opened(path, flags, rights);
}
FILE* fopen(const char* path, const char* how) {
  static const auto go_on = next<FILE* (*)(const char*, const char*)>("fopen");
  const bool inside = is_inside(path) && how[0] != 'r';
  if (failed(inside, Call::makes)) return nullptr;
  FILE* file = go_on(path, how);
  if (file) watch(fileno(file), inside);
  return file;
}
FILE* fopen64(const char* path, const char* how) { return fopen(path, how); }

ssize_t write(int file, const void* data, size_t size) {
  return write_some(file, size, [&](size_t n) { return syscall(SYS_write, file, data, n); });
}
ssize_t pwrite(int file, const void* data, size_t size, off_t from) {
  return write_some(file, size, [&](size_t n) { return syscall(SYS_pwrite64, file, data, n, from); });
}
ssize_t pwrite64(int file, const void* data, size_t size, off64_t from) { return pwrite(file, data, size, from); }
ssize_t writev(int file, const iovec* parts, int count) {
  if (!is_watched(file)) return syscall(SYS_writev, file, parts, count);
  return count > 0 ? write(file, parts[0].iov_base, parts[0].iov_len) : 0;  // writev may stop anywhere
}
size_t fwrite(const void* data, size_t size, size_t n, FILE* file) {
  static const auto go_on = next<size_t (*)(const void*, size_t, size_t, FILE*)>("fwrite");
  const int wrong = is_watched(fileno(file)) ? fate(Call::writes) : 0;
  if (wrong > 0) return errno = wrong, 0;
  const size_t done = go_on(data, size, wrong < 0 ? n / 2 : n, file);
  if (wrong < 0 && mode == Mode::torn) {
    fflush(file);
    ::kill(getpid(), SIGKILL);
  }
  return wrong < 0 ? done + go_on(static_cast<const char*>(data) + done * size, size, n - done, file) : done;
}

int fsync(int file) { return failed(is_watched(file), Call::syncs) ? -1 : static_cast<int>(syscall(SYS_fsync, file)); }
int fdatasync(int file) { return failed(is_watched(file), Call::syncs) ? -1 : static_cast<int>(syscall(SYS_fdatasync, file)); }
int close(int file) {
  const bool inside = is_watched(file);
  watch(file, false);
  const int wrong = failed(inside, Call::closes);
  const int saved = errno;
  const int done = static_cast<int>(syscall(SYS_close, file));
  if (wrong) errno = saved;
  return wrong ? wrong : done;
}
int fclose(FILE* file) {
  static const auto go_on = next<int (*)(FILE*)>("fclose");
  const bool inside = is_watched(fileno(file));
  watch(fileno(file), false);
  const int wrong = failed(inside, Call::closes);
  const int saved = errno;
  const int done = go_on(file);
  if (wrong) errno = saved;
  return wrong ? EOF : done;
}

int rename(const char* from, const char* to) {
  return failed(is_inside(to), Call::moves) ? -1 : static_cast<int>(syscall(SYS_rename, from, to));
}
int truncate(const char* path, off_t size) {
  return failed(is_inside(path), Call::moves) ? -1 : static_cast<int>(syscall(SYS_truncate, path, size));
}
int truncate64(const char* path, off64_t size) { return truncate(path, size); }
int ftruncate(int file, off_t size) {
  return failed(is_watched(file), Call::moves) ? -1 : static_cast<int>(syscall(SYS_ftruncate, file, size));
}
int ftruncate64(int file, off64_t size) { return ftruncate(file, size); }
int mkdir(const char* path, mode_t rights) {
  return failed(is_inside(path), Call::makes) ? -1 : static_cast<int>(syscall(SYS_mkdir, path, rights));
}
char* mkdtemp(char* name) {
  static const auto go_on = next<char* (*)(char*)>("mkdtemp");
  return failed(is_inside(name), Call::makes) ? nullptr : go_on(name);
}
int unlink(const char* path) {
  return failed(is_inside(path), Call::removes) ? -1 : static_cast<int>(syscall(SYS_unlink, path));
}
int unlinkat(int from, const char* path, int flags) {
  return failed(is_inside(path), Call::removes) ? -1 : static_cast<int>(syscall(SYS_unlinkat, from, path, flags));
}
int remove(const char* path) {
  if (failed(is_inside(path), Call::removes)) return -1;
  const int done = static_cast<int>(syscall(SYS_unlink, path));
  return done < 0 && errno == EISDIR ? static_cast<int>(syscall(SYS_rmdir, path)) : done;
}
int rmdir(const char* path) {
  return failed(is_inside(path), Call::removes) ? -1 : static_cast<int>(syscall(SYS_rmdir, path));
}
}
