#pragma once
#include "apps/invar/spec/exit_codes.hpp"

namespace invar {

/// From now on SIGINT, SIGTERM and SIGUSR1 end the program at once with the exit code of an interruption and a message,
/// instead of killing it. While an Interruption exists, it handles them.
void end_on_signal();

/// Ends the program with this exit code after at most three seconds.
void end_soon(ExitCode code);

/// std::terminate ends with an exit code, too. It is called when memory runs out in a destructor of the JSON library
/// (3.11, `json_value::destroy`), which allocates.
void end_on_escaped_exception();

}  // namespace invar
