#include "apps/invar/report/atomic_file.hpp"

#include <unistd.h>

#include "apps/invar/report/file_descriptor.hpp"

namespace invar {

void write_atomically(const std::filesystem::path& file, std::string_view content) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  const std::filesystem::path temporary =
      folder / ('.' + file.filename().string() + ".part" + std::to_string(::getpid()));
  try {
    FileDescriptor out(temporary, O_WRONLY | O_CREAT | O_TRUNC);
    out.write(content);
    out.sync();
    out.close();
    std::filesystem::rename(temporary, file);
    FileDescriptor(folder, O_RDONLY | O_DIRECTORY).sync();
  } catch (const std::filesystem::filesystem_error& e) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    throw IoError("cannot write '" + file.string() + "': " + e.code().message());
  } catch (const IoError&) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    throw;
  }
}

}  // namespace invar
