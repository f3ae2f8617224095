#pragma once
#include <filesystem>
#include <string>

#include "apps/invar/picture/picture.hpp"
#include "apps/invar/picture/setup_picture.hpp"

namespace invar {

/// The functions of the library `invar_pictures.so` (room `drawing`), which holds everything that needs VTK's rendering. It is loaded by the
/// first picture: with 30 libraries of its own it would take a third of the program's start. Both return the bytes of a PNG and throw
/// std::runtime_error where nothing can be drawn.
struct PictureLibrary {
  std::string (*draw_fields)(const std::filesystem::path& fields, PictureOptions options);
  std::string (*draw_setup)(const SetupPicture& setup);
};

/// What program and library must have in common. Its own layout never changes.
struct PictureBuild {
  char version[200] = "invar " INVAR_VERSION ", " __VERSION__;
  std::size_t sizes[4] = {sizeof(PictureLibrary), sizeof(PictureOptions), sizeof(SetupPicture), sizeof(SetupPicture::Entry)};
  bool operator==(const PictureBuild&) const = default;
};

/// Why there are no pictures: the library is not there, or of another build. Empty: there are.
std::string why_no_pictures();

/// The names that the program looks up.
extern "C" const PictureBuild invar_picture_build;
extern "C" const PictureLibrary invar_picture_library;

}  // namespace invar
