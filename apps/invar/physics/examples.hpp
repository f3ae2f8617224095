#pragma once
#include <vector>

#include "apps/invar/physics/physics.hpp"

namespace invar {

// Specs for the pages of the physics. A test runs each of them.

std::vector<Example> solid_examples();
std::vector<Example> flow_examples();
std::vector<Example> fsi_examples();

}  // namespace invar
