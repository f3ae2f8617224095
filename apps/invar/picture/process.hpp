#pragma once
#include <chrono>
#include <functional>
#include <string>

namespace invar {

/// What a child process handed back: `data`, or the reason why there is none.
struct ChildReply {
  std::string data;
  std::string failure;
};

/// Runs `work` in a forked copy of this process and returns the string that it makes, or in `failure`
/// the message of its exception, the signal that ended it, or that `limit` ran out (the child is then
/// killed). The child is silent, takes no signal handler along, and ends without the parent's exit
/// handlers: MPI and PETSc, which the parent may have initialised, never notice it.
ChildReply run_in_child(const std::function<std::string()>& work, std::chrono::milliseconds limit);

}  // namespace invar
