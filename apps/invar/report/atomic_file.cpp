#include "apps/invar/report/atomic_file.hpp"

#include "apps/invar/report/io_error.hpp"
#include "libfem/io/replace_file.hpp"
#include "libfem/io/vtk_error.hpp"

namespace invar {

void write_atomically(const std::filesystem::path& file, std::string_view content) {
  try {
    replace_file(file, content);
  } catch (const VtkError& e) {
    throw IoError(e.what());
  }
}

}  // namespace invar
