#pragma once

namespace invar {

/// From now on SIGINT, SIGTERM and SIGUSR1 end the program at once with the exit code of what is interrupted, and a word, where
/// they would have killed it. While an Interruption lives, they are its own.
void end_on_signal();

}  // namespace invar
