#include <array>
#include <cstdint>
#include <cstring>
#include <map>

#include "libfem/mesh/surface_files.hpp"

namespace invar {
namespace {

constexpr std::size_t header_size = 80, facet_size = 50;  // bytes

/// The length of a binary file corresponds to its number of facets. Binary files may begin with "solid", too.
bool is_binary(std::string_view bytes) {
  if (bytes.size() < header_size + 4) return false;
  std::uint32_t count = 0;
  std::memcpy(&count, bytes.data() + header_size, sizeof count);
  return bytes.size() == header_size + 4 + facet_size * std::size_t(count);
}

class StlParser {
 public:
  explicit StlParser(GmshScanner& scanner) : scanner_(scanner) {
    file_.group_sets = {{}};
    file_.elements.push_back({{Shape::triangle, 1}, {}, {}, {}});
  }

  GmshFile parse() {
    if (is_binary(scanner_.content())) {
      read_binary();
    } else {
      read_text();
    }
    return std::move(file_);
  }

 private:
  void read_binary() {
    scanner_.set_binary(true);
    for (std::size_t i = 0; i < header_size + 4; ++i) scanner_.raw<char>("the header");
    while (scanner_.remaining() > 0) {
      const std::size_t place = scanner_.place();
      for (int i = 0; i < 3; ++i) scanner_.raw<float>("a normal");
      begin_facet(place);
      for (int corner = 0; corner < 3; ++corner) {
        std::array<double, 3> x{};
        for (double& coordinate : x) coordinate = scanner_.raw<float>("a vertex");
        add_corner(x);
      }
      scanner_.raw<std::uint16_t>("the end of a facet");
    }
  }

  void read_text() {
    scanner_.expect("solid");
    scanner_.rest_of_line();
    for (std::size_t place = scanner_.place();; place = scanner_.place()) {
      const std::string_view keyword = scanner_.word();
      if (keyword == "facet") {
        read_facet(place);
      } else if (keyword == "endsolid" || keyword == "solid") {
        scanner_.rest_of_line();
      } else if (keyword.empty()) {
        return;
      } else {
        scanner_.fail_at(place, "'facet', 'endsolid' or the end of the file should be here");
      }
    }
  }

  void read_facet(std::size_t place) {
    scanner_.expect("normal");
    for (int i = 0; i < 3; ++i) scanner_.word();
    scanner_.expect("outer"), scanner_.expect("loop");
    begin_facet(place);
    for (int corner = 0; corner < 3; ++corner) {
      scanner_.expect("vertex");
      std::array<double, 3> x{};
      for (double& coordinate : x) coordinate = scanner_.ascii_real("a coordinate");
      add_corner(x);
    }
    scanner_.expect("endloop"), scanner_.expect("endfacet");
  }

  void begin_facet(std::size_t place) {
    file_.elements[0].groups.push_back(0);
    file_.elements[0].place.push_back(place);
  }

  void add_corner(std::array<double, 3> x) {
    for (double& coordinate : x) {
      if (!(coordinate - coordinate == 0)) scanner_.fail_at(file_.elements[0].place.back(), "a coordinate is not finite");
      coordinate += 0.0;  // −0 is 0
    }
    const auto [entry, is_new] = nodes_.try_emplace(x, static_cast<int>(nodes_.size()));
    if (is_new) file_.coordinates.insert(file_.coordinates.end(), x.begin(), x.end());
    file_.elements[0].nodes.push_back(entry->second);
  }

  GmshScanner& scanner_;
  GmshFile file_;
  std::map<std::array<double, 3>, int> nodes_;
};

}  // namespace

GmshFile parse_stl(GmshScanner& scanner) { return StlParser(scanner).parse(); }

}  // namespace invar
