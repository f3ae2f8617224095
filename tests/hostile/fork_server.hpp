#pragma once
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

/// For a library of LD_PRELOAD: with the environment variable FORK_SERVER a program whose libraries are loaded does not begin. For each
/// request on its standard input it forks a process that runs the program's own main, waits for its end, and writes the result to
/// standard output. This saves the dynamic loader's 0.1 s of every run. The client is fork_server.py.
///   request  8 bytes: size of the rest; then words, each with a final zero byte: folder, file for standard output, file for standard
///            error, number of arguments, the arguments with the program's name, variables NAME=VALUE in addition to the server's
///   answer   4 bytes: what waitpid says of the process
namespace invar::test {

using Main = int (*)(int, char**, char**);

inline void (*&begin_of_run())() {
  static void (*begin)() = nullptr;
  return begin;
}

inline Main& main_of_program() {
  static Main program = nullptr;
  return program;
}

/// Calls `begin` now and, of a server, at the beginning of each run, when its environment is set.
inline void on_begin_of_run(void (*begin)()) {
  begin_of_run() = begin;
  begin();
}

/// One request, run in a process of its own; returns the program's exit code there.
inline int run_request(const std::string& request, char** none) {
  auto& words = *new std::vector<std::string>;  // never destroyed: the environment lies in it
  for (std::size_t at = 0; at < request.size(); at += words.back().size() + 1) words.emplace_back(request.c_str() + at);
  const auto open_as = [](const char* file, int flags, int stream) {
    const int opened = ::open(file, flags | O_CLOEXEC, 0600);
    if (opened < 0 || ::dup2(opened, stream) != stream) ::_exit(127);
    ::close(opened);
  };
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  open_as("/dev/null", O_RDONLY, 0);
  open_as(words[1].c_str(), O_WRONLY | O_CREAT | O_TRUNC, 1);
  open_as(words[2].c_str(), O_WRONLY | O_CREAT | O_TRUNC, 2);
  if (::chdir(words[0].c_str()) != 0) ::_exit(127);
  const std::size_t count = std::stoul(words[3]);
  static std::vector<char*> arguments;
  for (std::size_t i = 4; i < 4 + count; ++i) arguments.push_back(words[i].data());
  arguments.push_back(nullptr);
  ::unsetenv("FORK_SERVER");
  for (std::size_t i = 4 + count; i < words.size(); ++i) ::putenv(words[i].data());
  begin_of_run()();
  return main_of_program()(static_cast<int>(count), arguments.data(), environ ? environ : none);
}

/// What takes the place of the program's main.
inline int serve_or_run(int argc, char** argv, char** environment) {
  if (!::getenv("FORK_SERVER")) return main_of_program()(argc, argv, environment);
  std::uint64_t size = 0;
  while (std::fread(&size, sizeof size, 1, stdin) == 1) {
    std::string request(size, '\0');
    if (std::fread(request.data(), 1, size, stdin) != size) break;
    const pid_t run = ::fork();
    if (run == 0) return run_request(request, environment);
    int status = -1;
    if (run > 0) ::waitpid(run, &status, 0);
    const std::int32_t answer = status;
    if (std::fwrite(&answer, sizeof answer, 1, stdout) != 1 || std::fflush(stdout) != 0) break;
  }
  ::_exit(EXIT_SUCCESS);
}

}  // namespace invar::test

/// Called by the start code of every program when its libraries are initialised.
extern "C" inline __attribute__((used, visibility("default"))) int __libc_start_main(invar::test::Main program, int argc, char** argv,
                                                                                     void (*first)(), void (*last)(), void (*loader_ends)(),
                                                                                     void* stack) {
  using Start = int (*)(invar::test::Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
  invar::test::main_of_program() = program;
  const auto start = reinterpret_cast<Start>(::dlsym(RTLD_NEXT, "__libc_start_main"));
  return start(invar::test::serve_or_run, argc, argv, first, last, loader_ends, stack);
}
