#include "apps/invar/verbs/sudden_end.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string>

namespace invar {
namespace {

volatile std::sig_atomic_t is_silent = 0;  // of several ranks all but the first
volatile std::sig_atomic_t code_of_alarm = 0;

[[noreturn]] void end_at_once(const char* text, ExitCode code) {
  if (::write(STDERR_FILENO, text, std::strlen(text)) < 0) {}
  ::_exit(static_cast<int>(code));
}

extern "C" void end_interrupted(int) { end_at_once(is_silent ? "" : "invar: interrupted\n", ExitCode::interrupted); }

extern "C" void end_by_alarm(int) { ::_exit(code_of_alarm); }

[[noreturn]] void on_terminate() {
  try {
    if (const std::exception_ptr escaped = std::current_exception()) std::rethrow_exception(escaped);
  } catch (const std::bad_alloc&) {
    end_at_once("invar: error: not enough memory\n", ExitCode::solve);
  } catch (const std::exception& e) {
    end_at_once((std::string("invar: this is a bug, please report it: ") + e.what() + '\n').c_str(), ExitCode::bug);
  } catch (...) {
  }
  end_at_once("invar: this is a bug, please report it: an unknown exception\n", ExitCode::bug);
}

}  // namespace

void end_on_signal() {
  const char* rank = std::getenv("OMPI_COMM_WORLD_RANK");
  is_silent = rank && std::strcmp(rank, "0") != 0;
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) {
    struct sigaction action = {};
    sigaction(signal, nullptr, &action);
    if (action.sa_handler != SIG_DFL) continue;  // what the shell has it ignore stays ignored
    action.sa_handler = end_interrupted;
    sigaction(signal, &action, nullptr);
  }
}

void end_soon(ExitCode code) {
  constexpr unsigned patience = 3;  // seconds
  code_of_alarm = static_cast<int>(code);
  struct sigaction action = {};
  action.sa_handler = end_by_alarm;
  sigaction(SIGALRM, &action, nullptr);
  ::alarm(patience);
}

void end_on_escaped_exception() { std::set_terminate(on_terminate); }

}  // namespace invar
