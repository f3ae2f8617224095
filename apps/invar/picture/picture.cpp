#include "apps/invar/picture/picture.hpp"

#include <dlfcn.h>

#include <chrono>
#include <cstdlib>
#include <exception>
#include <functional>
#include <stdexcept>

#include "apps/invar/picture/library.hpp"
#include "apps/invar/picture/process.hpp"
#include "apps/invar/report/atomic_file.hpp"

namespace invar {
namespace {

/// Throws std::runtime_error with the loader's reason, or if it is of another build. The library lies beside the program, or where it is
/// installed.
const PictureLibrary& picture_library() {
  void* const file = ::dlopen("invar_pictures.so", RTLD_LAZY | RTLD_LOCAL);
  const void* const library = file ? ::dlsym(file, "invar_picture_library") : nullptr;
  if (!library) throw std::runtime_error(std::string("no pictures (they are built where EGL's headers are): ") + ::dlerror());
  const auto* const build = static_cast<const PictureBuild*>(::dlsym(file, "invar_picture_build"));
  if (!build || *build != PictureBuild{}) {
    Dl_info found{};
    ::dladdr(library, &found);
    throw std::runtime_error(std::string("no pictures: ") + found.dli_fname + " belongs to another build (" + (build ? build->version : "an older one") + ") than this program (" +
                             PictureBuild{}.version + "): build or install both together");
  }
  return *static_cast<const PictureLibrary*>(library);
}

/// Writes the PNG that `draw` makes in a process of its own.
std::string render(const std::filesystem::path& png, const std::function<std::string(const PictureLibrary&)>& draw) try {
  const PictureLibrary& library = picture_library();
  const ChildReply reply = run_in_child(
      [&] {
        ::setenv("VTK_SMP_BACKEND_IN_USE", "Sequential", 1);  // pools of threads do not survive a fork
        return draw(library);
      },
      std::chrono::seconds(60));
  if (!reply.failure.empty()) return reply.failure;
  write_atomically(png, reply.data);
  return {};
} catch (const std::exception& e) {
  return e.what();
}

}  // namespace

std::string why_no_pictures() try {
  picture_library();
  return {};
} catch (const std::runtime_error& e) {
  return e.what();
}

std::string render_picture(const std::filesystem::path& fields, const std::filesystem::path& png, const PictureOptions& options) {
  return render(png, [&](const PictureLibrary& library) { return library.draw_fields(fields, options); });
}

std::string render_setup(const SetupPicture& setup, const std::filesystem::path& png) {
  if (setup.nodes.empty()) return "the mesh is empty";
  return render(png, [&](const PictureLibrary& library) { return library.draw_setup(setup); });
}

}  // namespace invar
