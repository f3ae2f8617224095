#include "apps/invar/verbs/end_on_signal.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>

#include "apps/invar/spec/exit_codes.hpp"

namespace invar {
namespace {

volatile std::sig_atomic_t is_silent = 0;  // of several ranks all but the first

extern "C" void end_at_once(int) {
  constexpr char text[] = "invar: interrupted\n";
  if (!is_silent && ::write(STDERR_FILENO, text, sizeof text - 1) < 0) {}
  ::_exit(static_cast<int>(ExitCode::interrupted));
}

}  // namespace

void end_on_signal() {
  const char* rank = std::getenv("OMPI_COMM_WORLD_RANK");
  is_silent = rank && std::strcmp(rank, "0") != 0;
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) {
    struct sigaction action = {};
    sigaction(signal, nullptr, &action);
    if (action.sa_handler != SIG_DFL) continue;  // what the shell has it ignore stays ignored
    action.sa_handler = end_at_once;
    sigaction(signal, &action, nullptr);
  }
}

}  // namespace invar
