#include "apps/invar/verbs/verbs.hpp"

namespace invar {
ExitCode show(const CommandLine&) { return ExitCode::ok; }
}  // namespace invar
