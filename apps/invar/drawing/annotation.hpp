#pragma once
#include <vtkLookupTable.h>
#include <vtkRenderer.h>
#include <vtkSmartPointer.h>

#include "apps/invar/drawing/data.hpp"
#include "apps/invar/picture/layout.hpp"

namespace invar {

/// 256 colours over the range of a field; light grey where it is not a number.
vtkSmartPointer<vtkLookupTable> colour_table(std::array<double, 2> range);

/// Adds the title, the bar of colours and the note at the lower left corner.
void annotate(vtkRenderer* renderer, const PictureLayout& layout, const PictureData& data, const std::string& title,
              const std::string& footnote);

}  // namespace invar
