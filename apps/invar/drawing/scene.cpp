#include "apps/invar/drawing/scene.hpp"

#include <vtkActor.h>
#include <vtkLight.h>
#include <vtkLookupTable.h>
#include <vtkMapper.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyDataNormals.h>
#include <vtkProbeFilter.h>
#include <vtkProperty.h>
#include <vtkRenderer.h>
#include <vtkTubeFilter.h>

#include "apps/invar/drawing/annotation.hpp"
#include "apps/invar/drawing/arrows.hpp"
#include "apps/invar/drawing/image.hpp"
#include "apps/invar/picture/layout.hpp"
#include "apps/invar/drawing/stage.hpp"
#include "apps/invar/drawing/streamlines.hpp"

namespace invar {
namespace {

/// From the upper left behind the eye, so that the sides of a box differ.
vtkSmartPointer<vtkLight> light_from_above() {
  auto light = vtkSmartPointer<vtkLight>::New();
  light->SetLightTypeToCameraLight();
  light->SetPosition(-0.3, 0.7, 1);
  light->SetFocalPoint(0, 0, 0);
  return light;
}

/// Smooth shading over curved sides, none over edges.
vtkSmartPointer<vtkPolyData> with_normals(vtkPolyData* surface) {
  vtkNew<vtkPolyDataNormals> normals;
  normals->SetInputData(surface);
  normals->SetFeatureAngle(40);
  normals->ConsistencyOff();
  normals->Update();
  return normals->GetOutput();
}

void add_surface(PictureStage& stage, const PictureData& data, vtkLookupTable* table) {
  vtkActor* actor = stage.add(data.planar ? data.surface : with_normals(data.surface), 0);
  vtkMapper* mapper = actor->GetMapper();
  mapper->SetLookupTable(table);
  mapper->UseLookupTableScalarRangeOn();
  mapper->InterpolateScalarsBeforeMappingOn();
  if (data.planar) {
    actor->GetProperty()->LightingOff();  // exactly the colours of the bar
  } else {
    actor->GetProperty()->SetAmbient(0.68);
    actor->GetProperty()->SetDiffuse(0.37);
  }
}

/// Inside a body: tubes in the field's colours behind a transparent surface.
void add_tubes(PictureStage& stage, const PictureData& data, const std::string& field, vtkLookupTable* table) {
  vtkNew<vtkProbeFilter> probe;
  probe->SetInputData(even_streamlines(data.grid, field, false));
  probe->SetSourceData(data.grid);
  probe->Update();
  vtkPolyData* lines = probe->GetPolyDataOutput();
  lines->GetPointData()->SetActiveScalars(field.c_str());
  vtkNew<vtkTubeFilter> tubes;
  tubes->SetInputData(lines);
  tubes->SetRadius(0.0025 * data.diagonal);
  tubes->SetNumberOfSides(8);
  tubes->Update();
  vtkActor* actor = stage.add(tubes->GetOutput(), 0);
  actor->GetMapper()->SetLookupTable(table);
  actor->GetMapper()->UseLookupTableScalarRangeOn();
  actor->GetMapper()->SetScalarModeToUsePointFieldData();
  actor->GetMapper()->SelectColorArray(field.c_str());
  table->SetVectorModeToMagnitude();
  vtkActor* wall = stage.add(data.surface, 0);
  wall->GetMapper()->ScalarVisibilityOff();
  wall->GetProperty()->SetColor(0.6, 0.65, 0.7);
  wall->GetProperty()->SetOpacity(0.12);
}

/// Adds arrows on the boundary and returns the note on them.
std::string add_arrows(PictureStage& stage, const PictureData& data, const std::string& field) {
  const double size = data.diagonal;
  const BoundaryArrows arrows = data.planar ? arrows_on(data.outline, field, 0.1 * size, 0.02 * size)
                                            : arrows_on(data.surface, field, 0.12 * size, 0.05 * size);
  vtkActor* actor = stage.add(arrows.shapes, 3);
  actor->GetMapper()->ScalarVisibilityOff();
  actor->GetProperty()->SetColor(0.8, 0.1, 0.15);
  if (data.planar) actor->GetProperty()->LightingOff();
  return "arrows: " + field + ", longest " + label_number(arrows.longest);
}

}  // namespace

std::string draw_picture(const PictureData& data, const PictureOptions& options) {
  const auto table = colour_table(data.range);
  vtkNew<vtkRenderer> renderer;
  renderer->SetBackground(1, 1, 1);
  renderer->AddLight(light_from_above());
  PictureStage stage(renderer, data.planar, data.diagonal);
  if (options.streamlines && !data.planar)
    add_tubes(stage, data, options.field, table);
  else
    add_surface(stage, data, table);
  if (options.streamlines && data.planar)
    stage.add_lines(even_streamlines(data.grid, options.field, true), 1, 0.12, 1.2);
  if (data.reference_outline) stage.add_lines(data.reference_outline, -1, 0.7, 1.2);
  stage.add_lines(data.outline, 2, 0.4, 1.4);
  const std::string note = options.arrows.empty() ? "" : add_arrows(stage, data, options.arrows);
  const auto layout = PictureLayout::fit(stage.extent(), options.size, options.title, data.shown, !note.empty());
  annotate(renderer, layout, data, options.title, note);
  stage.aim(layout);
  return rendered_png(renderer, layout.width, layout.height);
}

}  // namespace invar
