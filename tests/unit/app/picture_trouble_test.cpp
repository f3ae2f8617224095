// Pictures that cannot be drawn: a reason, nothing half-written, and the process lives on.
#include <gtest/gtest.h>

#include "apps/invar/picture/picture.hpp"
#include "tests/unit/app/program.hpp"

#ifdef INVAR_PICTURES

#include <cctype>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>

#include "libfem/mesh/boxes.hpp"
#include "tests/unit/app/picture_fields.hpp"

namespace invar {
namespace {

using test::on_nodes;
using test::Workplace;
using test::written;

/// A variable of the environment, put back at the end.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* old = ::getenv(name)) old_ = old;
    ::setenv(name, value, 1);
  }
  ~Environment() {
    if (old_.empty())
      ::unsetenv(name_);
    else
      ::setenv(name_, old_.c_str(), 1);
  }

 private:
  const char* name_;
  std::string old_;
};

/// A square with the point data `x`.
std::filesystem::path simple_file(const Workplace& place) {
  const Mesh mesh = make_rectangle(0, 0, 1, 1, 2, 2, Shape::triangle);
  return written(place, mesh, {on_nodes(mesh, "x", 1, [](const double* x) { return std::vector{x[0]}; })});
}

TEST(Picture, NeedsNoDisplayAndSurvivesTheWantOfADriver) {
  const Workplace place;
  const auto file = simple_file(place), png = place.folder() / "x.png";
  const Environment no_server("DISPLAY", ":4711"), no_wayland("WAYLAND_DISPLAY", "nowhere");
  {
    const Environment no_driver("__EGL_VENDOR_LIBRARY_FILENAMES", "/nowhere.json");
    const std::string reason = render_picture(file, png, {.field = "x"});
    EXPECT_NE(reason.find("libegl-mesa0"), std::string::npos) << reason;
    EXPECT_FALSE(std::filesystem::exists(png));
  }
  EXPECT_EQ(render_picture(file, png, {.field = "x"}), "");
  EXPECT_TRUE(std::filesystem::exists(png));
}

// A run on a cluster writes only into its own folder.
TEST(Picture, LeavesNoCacheOfShaders) {
  const Workplace place;
  const auto cache = place.folder() / "cache";
  const Environment where("MESA_SHADER_CACHE_DIR", cache.c_str());
  EXPECT_EQ(render_picture(simple_file(place), place.folder() / "x.png", {.field = "x"}), "");
  EXPECT_FALSE(std::filesystem::exists(cache));
}

TEST(Picture, ALibraryOfAnotherBuildIsNotUsed) {
  const std::filesystem::path stale = std::filesystem::path(INVAR_PROGRAM).parent_path() / "../tests/stale";
  if (!std::filesystem::exists(stale)) GTEST_SKIP() << "programs with sanitizers look in their RPATH first";
  const Workplace place;
  // A start of the file: the loader reads its path once, at the start of a process.
  const std::string command = "LD_LIBRARY_PATH='" + stale.string() + "' '" INVAR_PROGRAM "' --version -v > '" + (place.folder() / "said").string() + "'";
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::ostringstream text;
  text << std::ifstream(place.folder() / "said").rdbuf();
  const std::string said = text.str();
  EXPECT_NE(said.find("stale/invar_pictures.so belongs to another build (an older one) than this program (invar " INVAR_VERSION ","), std::string::npos) << said;
}

TEST(Picture, SaysWhatIsWrongWithTheFields) {
  const Workplace place;
  const auto file = simple_file(place), png = place.folder() / "x.png";
  const auto reason = [&](const PictureOptions& options) { return render_picture(file, png, options); };
  EXPECT_EQ(reason({.field = "y"}), "there is no field 'y'; points have x; cells have region");
  EXPECT_EQ(reason({.field = "x", .streamlines = true}),
            "no streamlines without vectors at points, and 'x' is none; points have x");
  EXPECT_EQ(reason({.field = "x", .warp = "u"}),
            "no warping without vectors at points, and 'u' is none; points have x");
  EXPECT_EQ(reason({.field = "x", .arrows = "v"}),
            "no arrows without vectors at points, and 'v' is none; points have x");
  EXPECT_NE(render_picture(place.folder() / "none.vtu", png, {.field = "x"}).find("none.vtu"), std::string::npos);
  EXPECT_NE(render_picture(file, place.folder() / "nowhere/x.png", {.field = "x"}).find("nowhere"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(png));
}

TEST(Picture, ReplacesAnOlderPictureOnlyByAWholeOne) {
  const Workplace place;
  const auto file = simple_file(place);
  place.write("x.png", "the old one");
  EXPECT_NE(render_picture(file, place.folder() / "x.png", {.field = "y"}), "");
  EXPECT_EQ(test::content(place.folder() / "x.png"), "the old one");
  EXPECT_EQ(render_picture(file, place.folder() / "x.png", {.field = "x", .size = {300, 200}}), "");
  EXPECT_EQ(test::content(place.folder() / "x.png").substr(0, 8), "\x89PNG\r\n\x1a\n");
  const auto entries = std::filesystem::directory_iterator(place.folder());
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 2);  // no temporary file stays
}

TEST(Picture, RefusesCellsOfPointsThatAreNotThere) {
  const Workplace place;
  const auto render = [&](const std::string& nodes) {
    place.write("one.vtu",
                "<VTKFile type='UnstructuredGrid' version='1.0' byte_order='LittleEndian'><UnstructuredGrid>"
                "<Piece NumberOfPoints='3' NumberOfCells='1'><PointData><DataArray type='Float64' Name='x' "
                "format='ascii'>0 1 2</DataArray></PointData><Points><DataArray type='Float64' "
                "NumberOfComponents='3' format='ascii'>0 0 0 1 0 0 0 1 0</DataArray></Points><Cells><DataArray "
                "type='Int64' Name='connectivity' format='ascii'>" + nodes +
                "</DataArray><DataArray type='Int64' Name='offsets' format='ascii'>3</DataArray><DataArray "
                "type='UInt8' Name='types' format='ascii'>5</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>");
    return render_picture(place.folder() / "one.vtu", place.folder() / "one.png", {.field = "x", .size = {300, 200}});
  };
  EXPECT_EQ(render("0 1 2"), "");
  for (const char* nodes : {"0 1 3", "0 1 -1", "0 1 888888888888"})
    EXPECT_NE(render(nodes).find("points that are not there"), std::string::npos) << nodes;
}

// VTK's reader crashes on some of them: then there is a reason, and this process lives on.
TEST(Picture, SurvivesBrokenFiles) {
  const Workplace place;
  const std::string good = test::content(simple_file(place));
  const std::size_t data = good.find("<AppendedData") + 40;
  std::mt19937 random(7);
  for (int k = 0; k < 30; ++k) {
    std::string broken = good;
    if (k < 3) broken.resize(random() % broken.size());
    for (int changes = 0; k >= 3 && changes < 4;) {  // other counts and offsets, other data
      char& c = broken[k % 2 ? random() % data : data + random() % (good.size() - data)];
      if (k % 2 && !std::isdigit(static_cast<unsigned char>(c))) continue;
      c = static_cast<char>(k % 2 ? '0' + random() % 10 : random());
      ++changes;
    }
    place.write("broken.vtu", broken);
    const auto png = place.folder() / "broken.png";
    std::filesystem::remove(png);
    const std::string reason = render_picture(place.folder() / "broken.vtu", png, {.field = "x", .size = {300, 200}});
    EXPECT_EQ(reason.empty(), std::filesystem::exists(png)) << reason;
  }
}

}  // namespace
}  // namespace invar

#else

namespace invar {
namespace {

TEST(Picture, ABuildWithoutEglSaysSo) {
  const test::Workplace place;
  const std::string reason = render_picture("a.vtu", place.folder() / "a.png", {.field = "x"});
  EXPECT_NE(reason.find("built where EGL's headers are"), std::string::npos) << reason;
  EXPECT_FALSE(std::filesystem::exists(place.folder() / "a.png"));
}

}  // namespace
}  // namespace invar

#endif
