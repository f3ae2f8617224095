#include "apps/invar/drawing/annotation.hpp"

#include <vtkActor2D.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkPolyDataMapper2D.h>
#include <vtkProperty2D.h>
#include <vtkTextActor.h>
#include <vtkTextProperty.h>
#include <vtkUnsignedCharArray.h>

#include <cmath>

#include "apps/invar/picture/colours.hpp"

namespace invar {
namespace {

enum class Anchor { left, centre };

struct TextStyle {
  int size;
  Anchor anchor = Anchor::left;
  double grey = 0.15;
  bool bold = false;
};

/// `y` is the middle of the text's height.
void add_text(vtkRenderer* renderer, const std::string& text, double x, double y, const TextStyle& style) {
  if (text.empty()) return;
  vtkNew<vtkTextActor> actor;
  actor->SetInput(text.c_str());
  actor->SetPosition(std::round(x), std::round(y));
  vtkTextProperty* look = actor->GetTextProperty();
  look->SetFontFamilyToArial();
  look->SetFontSize(style.size);
  look->SetBold(style.bold);
  look->SetColor(style.grey, style.grey, style.grey);
  look->SetVerticalJustificationToCentered();
  if (style.anchor == Anchor::centre) look->SetJustificationToCentered();
  renderer->AddActor2D(actor);
}

void add_flat(vtkRenderer* renderer, vtkPolyData* shape, double grey) {
  vtkNew<vtkPolyDataMapper2D> mapper;
  mapper->SetInputData(shape);
  vtkNew<vtkActor2D> actor;
  actor->SetMapper(mapper);
  actor->GetProperty()->SetColor(grey, grey, grey);
  renderer->AddActor2D(actor);
}

void add_line(vtkRenderer* renderer, const std::vector<std::array<double, 2>>& corners) {
  vtkNew<vtkPoints> points;
  vtkNew<vtkCellArray> lines;
  lines->InsertNextCell(static_cast<int>(corners.size()));
  for (const auto& c : corners) lines->InsertCellPoint(points->InsertNextPoint(c[0], c[1], 0));
  vtkNew<vtkPolyData> shape;
  shape->SetPoints(points);
  shape->SetLines(lines);
  add_flat(renderer, shape, 0.35);
}

/// One stripe for each pixel of the bar's length.
void add_stripes(vtkRenderer* renderer, const PixelBox& bar, bool below) {
  const int n = static_cast<int>(std::round(below ? bar.width : bar.height));
  vtkNew<vtkPoints> points;
  vtkNew<vtkCellArray> quads;
  vtkNew<vtkUnsignedCharArray> colours;
  colours->SetNumberOfComponents(3);
  for (int i = 0; i < n; ++i) {
    const double from = double(i) / n, to = double(i + 1) / n;
    quads->InsertNextCell(4);
    for (const auto& [along, across] : {std::array{from, 0.0}, {to, 0.0}, {to, 1.0}, {from, 1.0}})
      quads->InsertCellPoint(points->InsertNextPoint(bar.left + bar.width * (below ? along : across),
                                                     bar.bottom + bar.height * (below ? across : along), 0));
    for (const double c : viridis((i + 0.5) / n))
      colours->InsertNextValue(static_cast<unsigned char>(std::lround(255 * c)));
  }
  vtkNew<vtkPolyData> shape;
  shape->SetPoints(points);
  shape->SetPolys(quads);
  shape->GetCellData()->SetScalars(colours);
  add_flat(renderer, shape, 1);
}

void add_bar(vtkRenderer* renderer, const PictureLayout& layout, const PictureData& data) {
  const PixelBox& bar = layout.bar;
  const double right = bar.left + bar.width, top = bar.bottom + bar.height;
  const auto [low, high] = data.range;
  const BarScale scale = BarScale::of(low, high);
  const std::string name = data.shown + (scale.origin == 0 ? "" : " - " + label_number(scale.origin, 10));
  const double mark = 0.3 * layout.text;
  add_stripes(renderer, bar, layout.bar_below);
  add_line(renderer,
           {{bar.left, bar.bottom}, {right, bar.bottom}, {right, top}, {bar.left, top}, {bar.left, bar.bottom}});
  for (const BarScale::Tick& tick : scale.ticks) {
    const double t = high > low ? (tick.value - low) / (high - low) : 0.5;
    if (layout.bar_below) {
      const double x = bar.left + t * bar.width;
      add_line(renderer, {{x, bar.bottom}, {x, bar.bottom - mark}});
      add_text(renderer, tick.label, x, bar.bottom - layout.text, {layout.text, Anchor::centre});
    } else {
      const double y = bar.bottom + t * bar.height;
      add_line(renderer, {{right, y}, {right + mark, y}});
      add_text(renderer, tick.label, right + 2 * mark, y, {layout.text});
    }
  }
  if (layout.bar_below)
    add_text(renderer, name, bar.left + bar.width / 2, top + 0.9 * layout.text, {layout.text, Anchor::centre});
  else
    add_text(renderer, name, bar.left, top + 1.4 * layout.text, {layout.text});
}

}  // namespace

vtkSmartPointer<vtkLookupTable> colour_table(std::array<double, 2> range) {
  auto table = vtkSmartPointer<vtkLookupTable>::New();
  table->SetNumberOfTableValues(256);
  for (int i = 0; i < 256; ++i) {
    const auto [r, g, b] = viridis(i / 255.0);
    table->SetTableValue(i, r, g, b);
  }
  // One value alone stands in the middle of the map.
  const double widen = range[1] > range[0] ? 0 : std::max(std::abs(range[0]), 1e-300);
  table->SetTableRange(range[0] - widen, range[1] + widen);
  table->SetNanColor(0.85, 0.85, 0.85, 1);
  return table;
}

void annotate(vtkRenderer* renderer, const PictureLayout& layout, const PictureData& data, const std::string& title,
              const std::string& footnote) {
  add_text(renderer, title, layout.width / 2.0, layout.height - 1.3 * layout.heading,
           {layout.heading, Anchor::centre, 0.1, true});
  add_text(renderer, footnote, layout.small, 1.0 * layout.small, {layout.small, Anchor::left, 0.45});
  add_bar(renderer, layout, data);
}

}  // namespace invar
