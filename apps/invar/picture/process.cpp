#include "apps/invar/picture/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cfenv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <optional>

namespace invar {
namespace {

// The first byte of the data in the pipe; without it the child has died.
constexpr char made = '+', failed = '-';

bool write_all(int to, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t n = ::write(to, data, size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    data += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

/// Removes PETSc's signal handlers, which would call MPI_Abort, and floating-point traps, which drivers do not tolerate.
void reset_inherited_handlers(pid_t parent) {
  for (int s = 1; s < NSIG; ++s) ::signal(s, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(EXIT_FAILURE);
  std::fesetenv(FE_DFL_ENV);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  if (const int nowhere = ::open("/dev/null", O_RDWR); nowhere >= 0)
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere, stream);
}

[[noreturn]] void be_child(const std::function<std::string()>& work, int to, pid_t parent) {
  reset_inherited_handlers(parent);
  std::string reply;
  try {
    reply = made + work();
  } catch (const std::bad_alloc&) {
    reply = failed + std::string("not enough memory");
  } catch (const std::exception& e) {
    reply = failed + std::string(e.what());
  } catch (...) {
    reply = failed + std::string("an unknown error");
  }
  ::_exit(write_all(to, reply.data(), reply.size()) ? EXIT_SUCCESS : EXIT_FAILURE);
}

/// Reads until the child closes its end; false when time runs out first.
bool read_until(int from, std::chrono::steady_clock::time_point deadline, std::string& text) {
  char buffer[1 << 16];
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    if (left <= 0) return false;
    pollfd wanted{from, POLLIN, 0};
    const int ready = ::poll(&wanted, 1, static_cast<int>(std::min<long long>(left, 1000)));
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    const ssize_t n = ready < 0 ? 0 : ::read(from, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return true;
    text.append(buffer, static_cast<std::size_t>(n));
  }
}

std::string seconds(std::chrono::milliseconds time) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", static_cast<double>(time.count()) / 1000);
  return text;
}

std::string end_of(pid_t child) {
  int status = 0;
  pid_t ended;
  do ended = ::waitpid(child, &status, 0);
  while (ended < 0 && errno == EINTR);
  if (ended == child && WIFSIGNALED(status)) return std::string("ended by: ") + ::strsignal(WTERMSIG(status));
  return "ended without an answer";
}

/// The reply of one child; none if it is not done at the deadline.
std::optional<ChildReply> reply_of_child(const std::function<std::string()>& work, std::chrono::steady_clock::time_point deadline) {
  int pipe[2];
  if (::pipe2(pipe, O_CLOEXEC) != 0) return ChildReply{{}, std::string("no pipe: ") + std::strerror(errno)};
  const pid_t parent = ::getpid(), child = ::fork();
  if (child == 0) {
    ::close(pipe[0]);
    be_child(work, pipe[1], parent);
  }
  const int error = errno;
  ::close(pipe[1]);
  std::string reply;
  const bool in_time = child < 0 || read_until(pipe[0], deadline, reply);
  ::close(pipe[0]);
  if (child < 0) return ChildReply{{}, std::string("no child process: ") + std::strerror(error)};
  if (!in_time) ::kill(child, SIGKILL);
  const std::string end = end_of(child);
  if (!in_time) return std::nullopt;
  if (reply.empty()) return ChildReply{{}, end};
  if (reply[0] == failed) return ChildReply{{}, reply.substr(1)};
  reply.erase(0, 1);
  return ChildReply{std::move(reply), {}};
}

}  // namespace

ChildReply run_in_child(const std::function<std::string()>& work, std::chrono::milliseconds limit) {
  // A child of a process with several threads (MPI has some) waits forever for a lock that another thread held at the fork. This is rare, and
  // another child need not meet it.
  const auto begin = std::chrono::steady_clock::now();
  for (const auto part : {limit / 4, limit})
    if (std::optional<ChildReply> reply = reply_of_child(work, begin + part)) return *std::move(reply);
  return {{}, "not done after " + seconds(limit) + " s"};
}

}  // namespace invar
