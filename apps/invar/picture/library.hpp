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

/// Its only name that the program looks up.
extern "C" const PictureLibrary invar_picture_library;

}  // namespace invar
