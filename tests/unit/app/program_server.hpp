#pragma once
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "apps/invar/verbs/program.hpp"
#include "tests/support/before_mpi.hpp"

namespace invar::test {

/// A fork server for runs of the program: a process with all libraries loaded, without MPI and threads, forks a process for each run,
/// which calls `program` as main does and ends with its exit code. This saves the dynamic loader's 0.06 s for 130 libraries, in
/// this room several hundred times.
class ProgramServer {
 public:
  /// The first call creates the server, before MPI is initialised.
  static const ProgramServer& instance() {
    static const ProgramServer one;
    return one;
  }
  ProgramServer(const ProgramServer&) = delete;
  ProgramServer& operator=(const ProgramServer&) = delete;

  /// Runs `arguments` (the first is the program's name) in `folder` with the environment variables `NAME=VALUE`, standard output
  /// and standard error in two files. Returns the process, a child of the caller, which must be waited for. Thread-safe.
  pid_t start(const std::vector<std::string>& arguments, const std::vector<std::string>& environment, const std::string& folder,
              const std::string& out, const std::string& err) const {
    std::string request;
    const auto add = [&](const std::string& word) { request.append(word.c_str(), word.size() + 1); };
    for (const std::string* word : {&folder, &out, &err}) add(*word);
    add(std::to_string(arguments.size()));
    for (const std::vector<std::string>* list : {&arguments, &environment})
      for (const std::string& word : *list) add(word);
    const std::uint64_t size = request.size();
    const std::lock_guard one_at_a_time(mutex_);
    // The server's child that forks the run ends immediately. Its nearest ancestor that is a subreaper then becomes the parent of the run.
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    pid_t run = -1;
    const bool done = transfer(::write, socket_, &size, sizeof size) && transfer(::write, socket_, request.data(), size) &&
                      transfer(::read, socket_, &run, sizeof run);
    ::prctl(PR_SET_CHILD_SUBREAPER, 0);
    if (!done || run <= 0) throw std::runtime_error("the server of program runs has ended, or cannot fork");
    return run;
  }

 private:
  ProgramServer() {
    int pair[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) throw std::runtime_error("no socket");
    const pid_t server = ::fork();
    if (server < 0) throw std::runtime_error("no child process");
    ::close(pair[server == 0 ? 0 : 1]);
    socket_ = pair[server == 0 ? 1 : 0];
    if (server == 0) serve();
  }

  template <class Call, class Data>
  static bool transfer(Call call, int socket, Data* data, std::size_t size) {
    auto* bytes = (char*)data;
    while (size > 0) {
      const ssize_t n = call(socket, bytes, size);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return false;
      bytes += n;
      size -= static_cast<std::size_t>(n);
    }
    return true;
  }

  /// Serves requests until the tests end.
  [[noreturn]] void serve() const {
    std::uint64_t size = 0;
    while (transfer(::read, socket_, &size, sizeof size)) {
      std::string request(size, '\0');
      if (!transfer(::read, socket_, request.data(), size)) break;
      const pid_t run = fork_orphan(request);
      if (!transfer(::write, socket_, &run, sizeof run)) break;
    }
    ::_exit(EXIT_SUCCESS);
  }

  /// Forks the run, whose parent has ended when this returns. Returns −1 on failure.
  pid_t fork_orphan(const std::string& request) const {
    pid_t run = -1;
    int pipe[2];
    if (::pipe2(pipe, O_CLOEXEC) != 0) return run;
    const pid_t middle = ::fork();
    if (middle == 0) {
      run = ::fork();
      if (run == 0) {
        for (const int end : {pipe[0], pipe[1], socket_}) ::close(end);
        be_program(request);
      }
      ::_exit(transfer(::write, pipe[1], &run, sizeof run) ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    ::close(pipe[1]);
    if (middle > 0) {
      if (!transfer(::read, pipe[0], &run, sizeof run)) run = -1;
      while (::waitpid(middle, nullptr, 0) < 0 && errno == EINTR) {}
    }
    ::close(pipe[0]);
    return run;
  }

  [[noreturn]] static void be_program(const std::string& request) {
    static auto& words = *new std::vector<std::string>;  // never destroyed: the environment lies in it
    for (std::size_t at = 0; at < request.size(); at += words.back().size() + 1) words.emplace_back(request.c_str() + at);
    const auto open_as = [](const std::string& file, int flags, int stream) {
      const int opened = ::open(file.c_str(), flags, 0600);
      return opened >= 0 && ::dup2(opened, stream) == stream && ::close(opened) == 0;
    };
    constexpr int written = O_WRONLY | O_CREAT | O_TRUNC;
    if (::chdir(words[0].c_str()) != 0 || !open_as("/dev/null", O_RDONLY, 0) || !open_as(words[1], written, 1) || !open_as(words[2], written, 2))
      ::_exit(127);
    const std::size_t count = std::stoul(words[3]);
    std::vector<char*> argv;
    for (std::size_t i = 4; i < 4 + count; ++i) argv.push_back(words[i].data());
    argv.push_back(nullptr);
    ::clearenv();
    for (std::size_t i = 4 + count; i < words.size(); ++i) ::putenv(words[i].data());
    std::exit(program(static_cast<int>(count), argv.data()));
  }

  int socket_ = -1;
  mutable std::mutex mutex_;
};

inline const bool program_server_is_made = (before_mpi().push_back([] { ProgramServer::instance(); }), true);

}  // namespace invar::test
