#include "apps/invar/picture/picture.hpp"
#ifdef INVAR_PICTURES

#include "apps/invar/picture/context.hpp"
#include "apps/invar/picture/render.hpp"
#include "apps/invar/picture/scene.hpp"

namespace invar {

std::string render_picture(const std::filesystem::path& fields, const std::filesystem::path& png, const PictureOptions& options) {
  return render(png, [&] {
    PictureOptions chosen = options;
    const PictureData data = PictureData::read(fields, chosen);
    const PictureContext context;
    return draw_picture(data, chosen);
  });
}

}  // namespace invar

#else

#include "apps/invar/picture/render.hpp"

namespace invar {

std::string render_picture(const std::filesystem::path&, const std::filesystem::path&, const PictureOptions&) {
  return no_pictures;
}

}  // namespace invar
#endif
