#pragma once
#include <string>

#include "apps/invar/physics/physics.hpp"

namespace invar {

/// The reference of one physics in Markdown: what it solves, specs that run, and the sections of a spec that depend on
/// it.
std::string physics_page(const Physics& physics);

}  // namespace invar
