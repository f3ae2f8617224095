#pragma once

namespace invar {

/// What the program is asked to do.
enum class Verb { none, validate, run, resume, check, gradient, schema, verify, init, show, completion, sweep, status, collect, report, slurm };

/// Verbs that compute nothing themselves, but read or write files: they need neither MPI nor PETSc.
constexpr bool is_without_mpi(Verb verb) {
  return verb == Verb::schema || verb == Verb::init || verb == Verb::completion || verb == Verb::sweep ||
         verb == Verb::status || verb == Verb::collect || verb == Verb::report || verb == Verb::slurm;
}

}  // namespace invar
