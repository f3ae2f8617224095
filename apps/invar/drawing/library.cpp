#include "apps/invar/picture/library.hpp"

#include "apps/invar/drawing/context.hpp"
#include "apps/invar/drawing/scene.hpp"
#include "apps/invar/drawing/setup_drawing.hpp"

namespace invar {
namespace {

std::string draw_fields(const std::filesystem::path& fields, PictureOptions options) {
  const PictureData data = PictureData::read(fields, options);
  const PictureContext context;
  return draw_picture(data, options);
}

std::string draw_problem(const SetupPicture& setup) {
  const PictureContext context;
  return draw_setup(setup);
}

}  // namespace

const PictureBuild invar_picture_build;
const PictureLibrary invar_picture_library = {draw_fields, draw_problem};

}  // namespace invar
