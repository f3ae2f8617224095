#pragma once

namespace invar {

/// What the program is asked to do.
enum class Verb { none, validate, run, resume, check, gradient, schema, verify, init, show, completion };

}  // namespace invar
