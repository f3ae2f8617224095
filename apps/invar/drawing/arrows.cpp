#include "apps/invar/drawing/arrows.hpp"

#include <vtkArrowSource.h>
#include <vtkDoubleArray.h>
#include <vtkGlyph3D.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "apps/invar/drawing/grid.hpp"

namespace invar {
namespace {

/// Candidate points for arrows, with their vectors.
struct Feet {
  std::vector<std::array<double, 3>> x, v;
  std::vector<double> magnitude;
  double longest = 0;
};

Feet feet_on(vtkPolyData* boundary, vtkDataArray* vectors) {
  Feet feet;
  for (vtkIdType p = 0; p < boundary->GetNumberOfPoints(); ++p) {
    std::array<double, 3> x, v;
    boundary->GetPoint(p, x.data());
    vectors->GetTuple(p, v.data());
    const double magnitude = std::hypot(v[0], v[1], v[2]);
    if (!std::isfinite(magnitude)) continue;
    feet.x.push_back(x);
    feet.v.push_back(v);
    feet.magnitude.push_back(magnitude);
    feet.longest = std::max(feet.longest, magnitude);
  }
  return feet;
}

/// Positions of points that are spread evenly: first the longest vector's, then always the one farthest
/// from those chosen, until none is farther than `apart` from them.
std::vector<std::size_t> spread(const Feet& feet, double apart) {
  std::vector<std::size_t> chosen;
  if (!(feet.longest > 0)) return chosen;
  std::vector<double> free(feet.x.size(), std::numeric_limits<double>::infinity());  // squared, to those chosen
  auto next = static_cast<std::size_t>(std::max_element(feet.magnitude.begin(), feet.magnitude.end()) -
                                       feet.magnitude.begin());
  do {
    chosen.push_back(next);
    const auto& y = feet.x[next];
    for (std::size_t i = 0; i < feet.x.size(); ++i) {
      double square = 0;
      for (int d = 0; d < 3; ++d) square += (feet.x[i][d] - y[d]) * (feet.x[i][d] - y[d]);
      free[i] = std::min(free[i], square);
    }
    next = static_cast<std::size_t>(std::max_element(free.begin(), free.end()) - free.begin());
  } while (free[next] > apart * apart);
  return chosen;
}

}  // namespace

BoundaryArrows arrows_on(vtkPolyData* boundary, const std::string& field, double length, double apart) {
  const Feet feet = feet_on(boundary, vector_points(boundary, field, "arrows"));
  vtkNew<vtkPoints> points;
  vtkNew<vtkDoubleArray> vectors;
  vectors->SetNumberOfComponents(3);
  vectors->SetName(field.c_str());
  for (const std::size_t i : spread(feet, apart)) {
    if (feet.magnitude[i] < 0.05 * feet.longest) continue;
    points->InsertNextPoint(feet.x[i].data());
    vectors->InsertNextTuple(feet.v[i].data());
  }
  BoundaryArrows arrows{vtkSmartPointer<vtkPolyData>::New(), feet.longest};
  if (points->GetNumberOfPoints() == 0) return arrows;
  vtkNew<vtkPolyData> carriers;
  carriers->SetPoints(points);
  carriers->GetPointData()->SetVectors(vectors);
  vtkNew<vtkArrowSource> arrow;
  arrow->SetTipLength(0.3);
  arrow->SetTipRadius(0.09);
  arrow->SetShaftRadius(0.022);
  arrow->SetTipResolution(16);
  arrow->SetShaftResolution(8);
  vtkNew<vtkGlyph3D> glyphs;
  glyphs->SetInputData(carriers);
  glyphs->SetSourceConnection(arrow->GetOutputPort());
  glyphs->SetVectorModeToUseVector();
  glyphs->SetScaleModeToScaleByVector();
  glyphs->SetScaleFactor(length / feet.longest);
  glyphs->Update();
  arrows.shapes = glyphs->GetOutput();
  return arrows;
}

}  // namespace invar
