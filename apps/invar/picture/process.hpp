#pragma once
#include <chrono>
#include <functional>
#include <string>

namespace invar {

/// Result of a child process: `data`, or the reason why there is none.
struct ChildReply {
  std::string data;
  std::string failure;
};

/// Runs `work` in a forked copy of this process and returns the string that it makes, or in `failure` the message of its exception, the signal
/// that ended it, or that `limit` ran out (the child is then killed). A child that is not done after a quarter of `limit` is killed and replaced by
/// another one, once. The child has no output, resets signal handlers, and ends without the parent's exit handlers, so that MPI and PETSc of the
/// parent are not affected.
ChildReply run_in_child(const std::function<std::string()>& work, std::chrono::milliseconds limit);

}  // namespace invar
