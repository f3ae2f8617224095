#pragma once
#include <vtkActor.h>
#include <vtkPolyData.h>
#include <vtkRenderer.h>

#include <array>
#include <limits>

#include "apps/invar/picture/layout.hpp"

namespace invar {

/// The objects in the domain, in parallel projection: planes from +z, bodies from the front, right and above. Lengths in m.
class PictureStage {
 public:
  PictureStage(vtkRenderer* renderer, bool planar, double domain_size);

  /// `layer` shifts an object towards the viewer, so that lines are not hidden by the surface on which they lie.
  vtkActor* add(vtkPolyData* shape, int layer);
  /// Lines of one grey (0 is black), `width` in pixels.
  void add_lines(vtkPolyData* lines, int layer, double grey, double width);

  /// Width and height on the screen of all that was added.
  std::array<double, 2> extent() const { return {high_[0] - low_[0], high_[1] - low_[1]}; }
  /// Points the camera so that what was added fills the layout's box.
  void aim(const PictureLayout& layout);

 private:
  using Axis = std::array<double, 3>;

  vtkRenderer* renderer_;
  double size_;
  Axis right_{1, 0, 0}, up_{0, 1, 0}, out_{0, 0, 1};  // of the screen, orthonormal; `out` to the eye
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  std::array<double, 2> low_{infinity, infinity}, high_{-infinity, -infinity};  // along right and up
};

}  // namespace invar
