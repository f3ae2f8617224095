#pragma once
#include <string>

#include "apps/invar/drawing/data.hpp"

namespace invar {

/// Draws into the current OpenGL context and returns the PNG file's bytes. Throws std::runtime_error
/// where nothing was drawn.
std::string draw_picture(const PictureData& data, const PictureOptions& options);

}  // namespace invar
