#pragma once

namespace invar {

/// How the program ends; stable, for scripts and batch systems.
enum class ExitCode : int {
  ok = 0,              ///< done, and done right
  usage = 2,           ///< the command line is wrong
  input = 3,           ///< the spec, a mesh or a data file is wrong
  solve = 4,           ///< a state or adjoint equation could not be solved
  // ended before the tolerance, the `expect:` block does not hold, or `verify:` did not verify the optimum
  not_converged = 5,
  optimiser = 6,       ///< the optimiser broke down
  gradient_check = 7,  ///< the gradient certificate failed
  bug = 70,            ///< a mistake in the program itself
  io = 74,             ///< a file could not be written or read
  interrupted = 75,    ///< stopped from outside; may be resumed
};

/// Every one, for lists.
inline constexpr ExitCode all_exit_codes[] = {ExitCode::ok,        ExitCode::usage,          ExitCode::input,
                                              ExitCode::solve,     ExitCode::not_converged,  ExitCode::optimiser,
                                              ExitCode::gradient_check, ExitCode::bug,       ExitCode::io,
                                              ExitCode::interrupted};

/// One line for `--help` and the man page.
constexpr const char* describe(ExitCode code) {
  switch (code) {
    case ExitCode::ok: return "ok";
    case ExitCode::usage: return "the command line is wrong";
    case ExitCode::input: return "the spec, a mesh or a data file is wrong";
    case ExitCode::solve: return "an equation could not be solved";
    case ExitCode::not_converged: return "not converged, not verified, or 'expect' does not hold";
    case ExitCode::optimiser: return "the optimiser broke down";
    case ExitCode::gradient_check: return "the gradient check failed";
    case ExitCode::bug: return "a mistake in the program";
    case ExitCode::io: return "a file could not be written or read";
    case ExitCode::interrupted: return "interrupted; may be resumed";
  }
  return "unknown";
}

}  // namespace invar
