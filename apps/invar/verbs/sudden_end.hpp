#pragma once

namespace invar {

/// From now on SIGINT, SIGTERM and SIGUSR1 end the program at once with the exit code of what is interrupted, and a word, where
/// they would have killed it. While an Interruption lives, they are its own.
void end_on_signal();

/// What std::terminate is called for has an exit code, too. Without memory an exception may leave where none may: destructors of
/// the JSON library (3.11, `json_value::destroy`) take memory.
void end_on_escaped_exception();

}  // namespace invar
