#pragma once
#include <vtkRenderer.h>

#include <string>

namespace invar {

/// Every pixel of a picture is the mean of this many squared ones.
constexpr int picture_oversampling = 2;

/// Renders into the current OpenGL context, in `width` times `height` fine pixels, and returns the bytes of
/// the PNG file. Throws std::runtime_error where nothing was drawn.
std::string rendered_png(vtkRenderer* renderer, int width, int height);

}  // namespace invar
