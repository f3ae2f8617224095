#include "apps/invar/drawing/setup_drawing.hpp"

#include <vtkActor.h>
#include <vtkActor2D.h>
#include <vtkArrowSource.h>
#include <vtkBillboardTextActor3D.h>
#include <vtkCellArray.h>
#include <vtkDoubleArray.h>
#include <vtkGlyph3D.h>
#include <vtkLight.h>
#include <vtkMapper.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyDataMapper2D.h>
#include <vtkProperty.h>
#include <vtkProperty2D.h>
#include <vtkTextActor.h>
#include <vtkTextProperty.h>

#include <algorithm>
#include <cmath>

#include "apps/invar/drawing/image.hpp"
#include "apps/invar/drawing/stage.hpp"

namespace invar {
namespace {

using Entry = SetupPicture::Entry;
using Colour = std::array<double, 3>;

/// Colours of Okabe and Ito, distinguishable with most colour-vision deficiencies; pale ones for cells.
constexpr Colour strong[] = {{0.00, 0.45, 0.70}, {0.84, 0.37, 0.00}, {0.00, 0.62, 0.45}, {0.80, 0.47, 0.65},
                             {0.90, 0.62, 0.00}, {0.34, 0.71, 0.91}, {0.55, 0.34, 0.14}, {0.35, 0.35, 0.35}};
constexpr Colour pale[] = {{0.88, 0.91, 0.95}, {0.98, 0.91, 0.79}, {0.85, 0.94, 0.86}, {0.95, 0.87, 0.93}, {0.93, 0.93, 0.82}};
constexpr Colour force{0.80, 0.10, 0.15}, ink{0.1, 0.1, 0.1};

/// The colour of every entry: sides and loads in order, cells in pale ones.
std::vector<Colour> colours_of(const SetupPicture& setup) {
  std::vector<Colour> colours;
  std::size_t sides = 0, cells = 0;
  for (const Entry& e : setup.entries)
    colours.push_back(e.kind == Entry::Kind::cells    ? pale[cells++ % std::size(pale)]
                      : e.kind == Entry::Kind::facets ? strong[sides++ % std::size(strong)]
                      : e.kind == Entry::Kind::arrows ? force
                                               : ink);
  return colours;
}

vtkSmartPointer<vtkPolyData> polydata_of(const SetupPicture& setup, const std::vector<std::vector<int>>& members, bool filled) {
  vtkNew<vtkPoints> points;
  vtkNew<vtkCellArray> cells;
  std::vector<vtkIdType> place(setup.nodes.size(), -1);
  for (const std::vector<int>& member : members) {
    cells->InsertNextCell(static_cast<int>(member.size()));
    for (const int node : member) {
      if (place[node] < 0) place[node] = points->InsertNextPoint(setup.nodes[node].data());
      cells->InsertCellPoint(place[node]);
    }
  }
  auto shape = vtkSmartPointer<vtkPolyData>::New();
  shape->SetPoints(points);
  if (filled) shape->SetPolys(cells);
  else shape->SetLines(cells);
  return shape;
}

void paint(vtkActor* actor, const Colour& colour, bool planar) {
  actor->GetMapper()->ScalarVisibilityOff();
  actor->GetProperty()->SetColor(colour[0], colour[1], colour[2]);
  if (planar) return actor->GetProperty()->LightingOff();
  actor->GetProperty()->SetAmbient(0.62);
  actor->GetProperty()->SetDiffuse(0.43);
}

vtkSmartPointer<vtkPolyData> arrow_shapes(const std::vector<SetupPicture::Arrow>& arrows, double length, const SetupPicture::Point& middle) {
  vtkNew<vtkPoints> points;
  vtkNew<vtkDoubleArray> vectors;
  vectors->SetNumberOfComponents(3);
  // Arrows of a load that presses end at the points of action, those of one that pulls begin there, so that the body hides neither. All
  // arrows of a load do the same. What a tangential load presses cancels but for rounding.
  double inward = 0, away = 0;
  for (const SetupPicture::Arrow& a : arrows) {
    const double norm = std::hypot(a.along[0], a.along[1], a.along[2]);
    for (int d = 0; d < 3; ++d) inward += a.along[d] / norm * (middle[d] - a.foot[d]);
    away += std::hypot(middle[0] - a.foot[0], middle[1] - a.foot[1], middle[2] - a.foot[2]);
  }
  const bool pushes = inward > 0.01 * away;
  for (const SetupPicture::Arrow& a : arrows) {
    const double norm = std::hypot(a.along[0], a.along[1], a.along[2]);
    std::array<double, 3> foot = a.foot, along;
    for (int d = 0; d < 3; ++d) {
      along[d] = length * a.along[d] / norm;
      if (pushes) foot[d] -= along[d];
    }
    points->InsertNextPoint(foot.data());
    vectors->InsertNextTuple(along.data());
  }
  vtkNew<vtkPolyData> carriers;
  carriers->SetPoints(points);
  carriers->GetPointData()->SetVectors(vectors);
  vtkNew<vtkArrowSource> arrow;
  arrow->SetTipLength(0.32);
  arrow->SetTipRadius(0.1);
  arrow->SetShaftRadius(0.025);
  arrow->SetTipResolution(16);
  vtkNew<vtkGlyph3D> glyphs;
  glyphs->SetInputData(carriers);
  glyphs->SetSourceConnection(arrow->GetOutputPort());
  glyphs->SetVectorModeToUseVector();
  glyphs->SetScaleModeToScaleByVector();
  glyphs->Update();
  return glyphs->GetOutput();
}

void set_look(vtkTextProperty* look, int size, const Colour& colour, bool bold) {
  look->SetFontFamilyToArial();
  look->SetFontSize(size);
  look->SetBold(bold);
  look->SetColor(colour[0], colour[1], colour[2]);
}

void add_words(vtkRenderer* renderer, const std::string& text, double x, double y, int size, bool bold = false) {
  vtkNew<vtkTextActor> actor;
  actor->SetInput(text.c_str());
  actor->SetPosition(std::round(x), std::round(y));
  set_look(actor->GetTextProperty(), size, ink, bold);
  actor->GetTextProperty()->SetVerticalJustificationToCentered();
  renderer->AddActor2D(actor);
}

/// A flat figure in pixels.
void add_figure(vtkRenderer* renderer, const std::vector<std::array<double, 2>>& corners, const Colour& colour) {
  vtkNew<vtkPoints> points;
  vtkNew<vtkCellArray> polygon;
  polygon->InsertNextCell(static_cast<int>(corners.size()));
  for (const auto& c : corners) polygon->InsertCellPoint(points->InsertNextPoint(c[0], c[1], 0));
  vtkNew<vtkPolyData> shape;
  shape->SetPoints(points);
  shape->SetPolys(polygon);
  vtkNew<vtkPolyDataMapper2D> mapper;
  mapper->SetInputData(shape);
  vtkNew<vtkActor2D> actor;
  actor->SetMapper(mapper);
  actor->GetProperty()->SetColor(colour[0], colour[1], colour[2]);
  renderer->AddActor2D(actor);
}

/// The sign of a row of the legend, 26 by 14 pixels around its middle (x: left end).
void add_sign(vtkRenderer* renderer, const Entry& e, const Colour& colour, double x, double y) {
  if (e.kind == Entry::Kind::cells) add_figure(renderer, {{x, y - 7}, {x + 26, y - 7}, {x + 26, y + 7}, {x, y + 7}}, colour);
  if (e.kind == Entry::Kind::facets) add_figure(renderer, {{x, y - 3}, {x + 26, y - 3}, {x + 26, y + 3}, {x, y + 3}}, colour);
  if (e.kind == Entry::Kind::arrows) {
    add_figure(renderer, {{x, y - 1.5}, {x + 17, y - 1.5}, {x + 17, y + 1.5}, {x, y + 1.5}}, colour);
    add_figure(renderer, {{x + 15, y - 6}, {x + 26, y}, {x + 15, y + 6}}, colour);
  }
  if (e.kind == Entry::Kind::points) {
    std::vector<std::array<double, 2>> disc;
    for (int k = 0; k < 16; ++k) disc.push_back({x + 13 + 5 * std::cos(k * M_PI / 8), y + 5 * std::sin(k * M_PI / 8)});
    add_figure(renderer, disc, colour);
  }
}

/// Number of characters, not bytes.
std::size_t letters(const std::string& text) {
  return std::ranges::count_if(text, [](unsigned char c) { return (c & 0xC0) != 0x80; });
}

/// Position of the legend: beside the domain, or below it if that leaves more space.
struct SetupLayout {
  PictureLayout picture;
  double legend_left = 0, legend_top = 0;
};

constexpr double rim = 26, row_height = 25, sign_width = 42;

SetupLayout layout_of(const SetupPicture& setup, std::array<double, 2> extent) {
  constexpr double most_width = 1300, most_height = 1000;
  const double largest = std::max(extent[0], extent[1]);
  for (double& e : extent) e = std::max(e, 1e-3 * largest);
  std::size_t longest = 8;
  for (const Entry& e : setup.entries) longest = std::max(longest, letters(e.text) + 4);
  SetupLayout l;
  PictureLayout& p = l.picture;
  const double legend_width = sign_width + 0.56 * p.text * static_cast<double>(longest);
  const double legend_height = row_height * static_cast<double>(setup.entries.size());
  const double above = setup.title.empty() ? rim : 2.8 * p.heading;
  const double beside = std::min((most_width - 3 * rim - legend_width) / extent[0], (most_height - above - rim) / extent[1]);
  const double under = std::min((most_width - 2 * rim) / extent[0], (most_height - above - 2 * rim - legend_height) / extent[1]);
  const bool below = under > beside;
  p.pixels_per_metre = std::max({beside, under, 200 / largest});
  const double across = extent[0] * p.pixels_per_metre, up = extent[1] * p.pixels_per_metre;
  const double title_width = 0.6 * p.heading * static_cast<double>(letters(setup.title)) + 2 * rim;
  if (below) {
    p.width = static_cast<int>(std::ceil(std::max({across + 2 * rim, legend_width + 2 * rim, title_width})));
    p.height = static_cast<int>(std::ceil(above + up + 2 * rim + legend_height));
    p.domain = {(p.width - across) / 2, 2 * rim + legend_height - 0.4 * rim, across, up};
    l.legend_left = rim;
    l.legend_top = legend_height + 0.6 * rim;
  } else {
    p.width = static_cast<int>(std::ceil(std::max(across + 3 * rim + legend_width, title_width)));
    p.height = static_cast<int>(std::ceil(above + std::max(up, legend_height) + rim));
    p.domain = {rim, rim + (p.height - above - rim - up) / 2, across, up};
    l.legend_left = across + 2 * rim;
    l.legend_top = p.height - above - (p.height - above - rim - legend_height) / 2;
  }
  return l;
}

/// The middle and the diagonal of the box around the nodes.
std::pair<SetupPicture::Point, double> box_of(const SetupPicture& setup) {
  SetupPicture::Point low = setup.nodes.front(), high = low;
  for (const SetupPicture::Point& x : setup.nodes)
    for (int d = 0; d < 3; ++d) low[d] = std::min(low[d], x[d]), high[d] = std::max(high[d], x[d]);
  return {{(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2},
          std::hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2])};
}

/// Discs of fixed size on the screen, and the number of their row.
void add_points(vtkRenderer* renderer, PictureStage& stage, const Entry& e, const Colour& colour, int number, int layer) {
  vtkNew<vtkPoints> points;
  vtkNew<vtkCellArray> cells;
  for (const SetupPicture::Point& x : e.points) {
    cells->InsertNextCell(1);
    cells->InsertCellPoint(points->InsertNextPoint(x.data()));
    if (!e.numbered) continue;
    vtkNew<vtkBillboardTextActor3D> label;
    label->SetInput(std::to_string(number).c_str());
    label->SetPosition(x[0], x[1], x[2]);
    label->SetDisplayOffset(7, 5);
    set_look(label->GetTextProperty(), 17, ink, true);
    renderer->AddActor(label);
  }
  vtkNew<vtkPolyData> shape;
  shape->SetPoints(points);
  shape->SetVerts(cells);
  vtkActor* actor = stage.add(shape, layer);
  paint(actor, colour, true);
  actor->GetProperty()->SetPointSize(e.points.size() > 20 ? 5 : 9);
  actor->GetProperty()->RenderPointsAsSpheresOn();
}

}  // namespace

std::string draw_setup(const SetupPicture& setup) {
  vtkNew<vtkRenderer> renderer;
  renderer->SetBackground(1, 1, 1);
  vtkNew<vtkLight> light;
  light->SetLightTypeToCameraLight();
  light->SetPosition(-0.3, 0.7, 1);
  light->SetFocalPoint(0, 0, 0);
  renderer->AddLight(light);
  const auto [middle, diagonal] = box_of(setup);
  PictureStage stage(renderer, setup.planar, diagonal);
  const std::vector<Colour> colours = colours_of(setup);
  const int top = 4 + static_cast<int>(setup.entries.size());
  int number = 0;
  for (std::size_t k = 0; k < setup.entries.size(); ++k) {
    const Entry& e = setup.entries[k];
    // where sides overlap, the later one is seen, as it is the one that holds
    const int layer = 3 + static_cast<int>(k);
    if (!e.polygons.empty()) {
      vtkActor* actor = stage.add(polydata_of(setup, e.polygons, true), e.kind == Entry::Kind::cells ? 0 : 1);
      paint(actor, colours[k], setup.planar);
      // the far sides shine through
      if (!setup.planar) actor->GetProperty()->SetOpacity(e.kind == Entry::Kind::cells ? 0.45 : 0.7);
    }
    if (!e.lines.empty()) {
      vtkActor* actor = stage.add(polydata_of(setup, e.lines, false), layer);
      paint(actor, colours[k], true);
      actor->GetProperty()->SetLineWidth(6);
    }
    if (!e.arrows.empty()) paint(stage.add(arrow_shapes(e.arrows, 0.09 * diagonal, middle), top), colours[k], setup.planar);
    if (e.numbered) ++number;
    if (!e.points.empty()) add_points(renderer, stage, e, colours[k], number, top + 1);
  }
  stage.add_lines(polydata_of(setup, setup.edges, false), 2, 0.55, 1);
  const SetupLayout layout = layout_of(setup, stage.extent());
  add_words(renderer, setup.title, rim, layout.picture.height - 1.4 * layout.picture.heading, layout.picture.heading, true);
  number = 0;
  for (std::size_t k = 0; k < setup.entries.size(); ++k) {
    const Entry& e = setup.entries[k];
    const double y = layout.legend_top - row_height * (static_cast<double>(k) + 0.5);
    add_sign(renderer, e, colours[k], layout.legend_left, y);
    const std::string before = e.numbered ? std::to_string(++number) + "  " : "";
    add_words(renderer, before + e.text, layout.legend_left + sign_width, y, layout.picture.text);
  }
  stage.aim(layout.picture);
  return rendered_png(renderer, layout.picture.width, layout.picture.height);
}

}  // namespace invar
