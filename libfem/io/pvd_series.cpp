#include "libfem/io/pvd_series.hpp"

#include <algorithm>
#include <charconv>
#include <string>

#include "libfem/io/replace_file.hpp"

namespace invar {

void PvdSeries::add(double time, const std::filesystem::path& file) {
  namespace fs = std::filesystem;
  Entry entry{time, fs::absolute(file).lexically_normal().lexically_relative(
                        fs::absolute(path_).lexically_normal().parent_path())};
  std::erase_if(entries_, [&](const Entry& e) { return e.file == entry.file; });
  const auto later = [](double t, const Entry& e) { return t < e.time; };
  entries_.insert(std::upper_bound(entries_.begin(), entries_.end(), time, later),
                  std::move(entry));

  std::string xml =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
      "byte_order=\"LittleEndian\">\n"
      "  <Collection>\n";
  for (const Entry& e : entries_) {
    char number[32];
    const auto [end, _] = std::to_chars(number, number + sizeof number, e.time);
    xml += "    <DataSet timestep=\"" + std::string(number, end) + "\" part=\"0\" file=\"" +
           xml_escaped(e.file.generic_string()) + "\"/>\n";
  }
  replace_file(path_, xml + "  </Collection>\n</VTKFile>\n");
}

}  // namespace invar
