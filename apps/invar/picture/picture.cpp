#include "apps/invar/picture/picture.hpp"
#ifdef INVAR_PICTURES

#include <cstdlib>
#include <exception>

#include "apps/invar/picture/context.hpp"
#include "apps/invar/picture/process.hpp"
#include "apps/invar/picture/scene.hpp"
#include "apps/invar/report/atomic_file.hpp"

namespace invar {

std::string render_picture(const std::filesystem::path& fields, const std::filesystem::path& png,
                           const PictureOptions& options) try {
  const ChildReply reply = run_in_child(
      [&] {
        ::setenv("VTK_SMP_BACKEND_IN_USE", "Sequential", 1);  // pools of threads do not survive a fork
        PictureOptions chosen = options;
        const PictureData data = PictureData::read(fields, chosen);
        const PictureContext context;
        return draw_picture(data, chosen);
      },
      std::chrono::seconds(60));
  if (!reply.failure.empty()) return reply.failure;
  write_atomically(png, reply.data);
  return {};
} catch (const std::exception& e) {
  return e.what();
}

}  // namespace invar

#else

namespace invar {

std::string render_picture(const std::filesystem::path&, const std::filesystem::path&, const PictureOptions&) {
  return "this build has no pictures (EGL headers were not found)";
}

}  // namespace invar
#endif
