#include "apps/invar/drawing/image.hpp"

#include <vtkAutoInit.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPNGWriter.h>
#include <vtkPointData.h>
#include <vtkSmartPointer.h>
#include <vtkUnsignedCharArray.h>
#include <vtkWindowToImageFilter.h>

#include <algorithm>
#include <stdexcept>

// Without these VTK makes objects that draw nothing.
VTK_MODULE_INIT(vtkRenderingOpenGL2)
VTK_MODULE_INIT(vtkRenderingFreeType)

namespace invar {
namespace {

vtkSmartPointer<vtkImageData> image_of(vtkRenderer* renderer, int width, int height) {
  vtkNew<vtkGenericOpenGLRenderWindow> window;
  window->SetReadyForRendering(true);
  window->SetIsCurrent(true);
  window->SetFrameBlitModeToNoBlit();  // there is no surface to show it on
  window->SetMultiSamples(4);
  window->SetDPI(72);  // sizes of fonts are pixels
  window->SetSize(width, height);
  window->InitializeFromCurrentContext();
  window->AddRenderer(renderer);
  window->Render();
  vtkNew<vtkWindowToImageFilter> image;
  image->SetInput(window);
  image->ReadFrontBufferOff();
  image->ShouldRerenderOff();
  image->Update();
  window->RemoveRenderer(renderer);
  window->Finalize();
  return image->GetOutput();
}

void require_drawn(vtkImageData* image) {
  auto* pixels = vtkUnsignedCharArray::SafeDownCast(image->GetPointData()->GetScalars());
  if (!pixels || pixels->GetNumberOfTuples() == 0) throw std::runtime_error("the renderer returned no pixels");
  const unsigned char* first = pixels->GetPointer(0);
  const int n = pixels->GetNumberOfComponents();
  for (vtkIdType p = 1; p < pixels->GetNumberOfTuples(); ++p)
    if (!std::equal(first, first + n, pixels->GetPointer(p * n))) return;
  throw std::runtime_error("the renderer returned a picture of a single colour");
}

std::string png_of(vtkImageData* image) {
  vtkNew<vtkPNGWriter> writer;
  writer->SetInputData(image);
  writer->WriteToMemoryOn();
  writer->Write();
  vtkUnsignedCharArray* bytes = writer->GetResult();
  if (!bytes || bytes->GetNumberOfValues() == 0) throw std::runtime_error("the picture cannot be encoded as PNG");
  return {reinterpret_cast<const char*>(bytes->GetPointer(0)), static_cast<std::size_t>(bytes->GetNumberOfValues())};
}

}  // namespace

std::string rendered_png(vtkRenderer* renderer, int width, int height) {
  const auto image = image_of(renderer, width, height);
  require_drawn(image);
  return png_of(image);
}

}  // namespace invar
