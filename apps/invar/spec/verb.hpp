#pragma once

namespace invar {

/// What the program is asked to do.
enum class Verb { none, validate, run, check, schema };

}  // namespace invar
