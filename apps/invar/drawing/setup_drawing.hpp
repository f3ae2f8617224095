#pragma once
#include <string>

#include "apps/invar/picture/setup_picture.hpp"

namespace invar {

/// Draws into the current OpenGL context and returns the PNG file's bytes.
std::string draw_setup(const SetupPicture& setup);

}  // namespace invar
