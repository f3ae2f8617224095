#include "apps/invar/drawing/stage.hpp"

#include <vtkCamera.h>
#include <vtkMapper.h>
#include <vtkNew.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>

#include <algorithm>
#include <cmath>

namespace invar {
namespace {

double dot(const std::array<double, 3>& a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

}  // namespace

PictureStage::PictureStage(vtkRenderer* renderer, bool planar, double domain_size)
    : renderer_(renderer), size_(domain_size) {
  if (planar) return;
  const double turn = 0.56, tilt = 0.45;  // radians, about z and then about the screen's horizontal
  const double c = std::cos(turn), s = std::sin(turn), e = std::cos(tilt), f = std::sin(tilt);
  right_ = {c, s, 0};
  up_ = {-f * s, f * c, e};
  out_ = {e * s, -e * c, f};
}

vtkActor* PictureStage::add(vtkPolyData* shape, int layer) {
  for (vtkIdType p = 0; p < shape->GetNumberOfPoints(); ++p) {
    double x[3];
    shape->GetPoint(p, x);
    for (int k = 0; k < 2; ++k) {
      const double at = dot(k == 0 ? right_ : up_, x);
      low_[k] = std::min(low_[k], at);
      high_[k] = std::max(high_[k], at);
    }
  }
  vtkNew<vtkPolyDataMapper> mapper;
  mapper->SetInputData(shape);
  vtkNew<vtkActor> actor;
  actor->SetMapper(mapper);
  const double lift = 1e-3 * layer * size_;
  actor->SetPosition(lift * out_[0], lift * out_[1], lift * out_[2]);
  renderer_->AddActor(actor);
  return actor;
}

void PictureStage::add_lines(vtkPolyData* lines, int layer, double grey, double width) {
  vtkActor* actor = add(lines, layer);
  actor->GetMapper()->ScalarVisibilityOff();
  actor->GetProperty()->SetColor(grey, grey, grey);
  actor->GetProperty()->SetLineWidth(static_cast<float>(width));
  actor->GetProperty()->LightingOff();
}

void PictureStage::aim(const PictureLayout& l) {
  // The middle of the window, and how far the middle of the box is from it.
  const std::array<double, 2> off{l.width / 2.0 - l.domain.left - l.domain.width / 2,
                                  l.height / 2.0 - l.domain.bottom - l.domain.height / 2};
  std::array<double, 2> middle;
  for (int k = 0; k < 2; ++k) middle[k] = (low_[k] + high_[k]) / 2 + off[k] / l.pixels_per_metre;
  const double* box = renderer_->ComputeVisiblePropBounds();
  const double centre[3] = {(box[0] + box[1]) / 2, (box[2] + box[3]) / 2, (box[4] + box[5]) / 2};
  const double depth = dot(out_, centre), reach = 4 * size_ + extent()[0] + extent()[1];
  Axis focus, eye;
  for (int d = 0; d < 3; ++d) {
    focus[d] = middle[0] * right_[d] + middle[1] * up_[d] + depth * out_[d];
    eye[d] = focus[d] + reach * out_[d];
  }
  vtkCamera* camera = renderer_->GetActiveCamera();
  camera->ParallelProjectionOn();
  camera->SetFocalPoint(focus.data());
  camera->SetPosition(eye.data());
  camera->SetViewUp(up_.data());
  camera->SetParallelScale(l.height / 2.0 / l.pixels_per_metre);
  camera->SetClippingRange(1e-3 * reach, 2 * reach);
}

}  // namespace invar
