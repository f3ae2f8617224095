#pragma once
#include <vtkRenderer.h>

#include <string>

namespace invar {

/// Renders into the current OpenGL context, in `width` times `height` pixels, and returns the bytes of
/// the PNG file. Throws std::runtime_error where nothing was drawn.
std::string rendered_png(vtkRenderer* renderer, int width, int height);

}  // namespace invar
