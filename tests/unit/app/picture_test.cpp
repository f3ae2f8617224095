#include "apps/invar/picture/picture.hpp"

#include <gtest/gtest.h>

#ifdef INVAR_PICTURES

#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPNGReader.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "libfem/mesh/boxes.hpp"
#include "tests/unit/app/picture_fields.hpp"

namespace invar {
namespace {

using test::on_nodes;
using test::Workplace;
using test::written;
using Colour = std::array<int, 3>;

/// Published colours of viridis (entries 0, 64, 128, 191, 255 of 256).
constexpr Colour viridis_0{68, 1, 84}, viridis_25{59, 82, 139}, viridis_50{33, 145, 140}, viridis_75{92, 200, 99},
    viridis_100{253, 231, 37};

/// A picture with rows from the top.
struct Image {
  int width = 0, height = 0;
  std::vector<Colour> pixels;

  explicit Image(const std::filesystem::path& file) {
    vtkNew<vtkPNGReader> reader;
    reader->SetFileName(file.c_str());
    reader->Update();
    vtkImageData* data = reader->GetOutput();
    width = data->GetDimensions()[0];
    height = data->GetDimensions()[1];
    for (int y = height - 1; y >= 0; --y)
      for (int x = 0; x < width; ++x) {
        const auto* p = static_cast<unsigned char*>(data->GetScalarPointer(x, y, 0));
        pixels.push_back({p[0], p[1], p[2]});
      }
  }
  const Colour& at(int x, int y) const { return pixels.at(std::size_t(y) * width + x); }
  const Colour& at(double x, double y) const { return at(static_cast<int>(x), static_cast<int>(y)); }
  bool drawn(int x, int y) const { return *std::min_element(at(x, y).begin(), at(x, y).end()) < 200; }
};

int difference(const Colour& a, const Colour& b) {
  int most = 0;
  for (int c = 0; c < 3; ++c) most = std::max(most, std::abs(a[c] - b[c]));
  return most;
}
/// Of a grey pixel little, of every colour of viridis 70 or more.
int saturation(const Colour& c) {
  return *std::max_element(c.begin(), c.end()) - *std::min_element(c.begin(), c.end());
}

/// Pixels left … right − 1, top … bottom − 1.
struct Box {
  int left, right, top, bottom;
  double width() const { return right - left; }
  double height() const { return bottom - top; }
};

/// Around the domain of a picture without title that has its bar at the right: what is drawn left of the
/// first white column.
Box domain_of(const Image& image) {
  const auto column = [&](int x) {
    for (int y = 0; y < image.height; ++y)
      if (image.drawn(x, y)) return true;
    return false;
  };
  Box box{0, 0, image.height, 0};
  while (box.left < image.width && !column(box.left)) ++box.left;
  for (box.right = box.left; box.right < image.width && column(box.right); ++box.right)
    for (int y = 0; y < image.height; ++y)
      if (image.drawn(box.right, y)) {
        box.top = std::min(box.top, y);
        box.bottom = std::max(box.bottom, y + 1);
      }
  return box;
}

Image pictured(const Workplace& place, const std::filesystem::path& fields, const PictureOptions& options) {
  const auto png = place.folder() / "picture.png";
  EXPECT_EQ(render_picture(fields, png, options), "");
  return Image(png);
}

/// 1 ≤ r ≤ 2, closed: the unit square rolled up, its top edge joined to its bottom edge.
Mesh annulus(int along_r, int around) {
  const Mesh square = make_rectangle(0, 0, 1, 1, along_r, around, Shape::triangle, 2);
  Mesh mesh = square;
  mesh.coordinates.clear();
  mesh.facets.clear();
  mesh.regions.clear();
  std::vector<int> number(square.node_total(), -1), first_row(2 * along_r + 1);
  for (const bool top : {false, true})
    for (int n = 0; n < square.node_total(); ++n) {
      const double s = square.coordinates[2 * n], angle = 2 * std::numbers::pi * square.coordinates[2 * n + 1];
      if ((square.coordinates[2 * n + 1] > 1 - 1e-9) != top) continue;
      int& of_row = first_row[std::lround(2 * along_r * s)];
      number[n] = top ? of_row : mesh.node_total();
      if (top) continue;
      if (angle < 1e-9) of_row = number[n];
      mesh.coordinates.insert(mesh.coordinates.end(), {(1 + s) * std::cos(angle), (1 + s) * std::sin(angle)});
    }
  for (int& n : mesh.cells[0].nodes) n = number[n];
  complete_serial(mesh);
  return mesh;
}

/// The annulus coloured by its radius.
Image pictured_annulus(const Workplace& place, int along_r, int around) {
  const Mesh mesh = annulus(along_r, around);
  const auto file = written(place, mesh, {on_nodes(mesh, "radius", 1, [](const double* x) {
                              return std::vector{std::hypot(x[0], x[1])};
                            })});
  return pictured(place, file, {.field = "radius"});
}

// Eight curved sectors: with straight sides the area would be 10 %, with each side in two 2.5 % too small.
TEST(Picture, CurvedCellsAreCurved) {
  const Workplace place;
  const Image image = pictured_annulus(place, 1, 8);
  EXPECT_LE(image.width, 1200);
  EXPECT_LE(image.height, 800);
  EXPECT_GT(image.height, 700);
  for (const auto& [x, y] : {std::pair{0, 0}, {image.width - 1, 0}, {0, image.height - 1}})
    EXPECT_EQ(image.at(x, y), (Colour{255, 255, 255}));

  const Box box = domain_of(image);
  EXPECT_NEAR(box.width(), box.height(), 2);
  int area = 0;
  for (int y = box.top; y < box.bottom; ++y)
    for (int x = box.left; x < box.right; ++x) area += image.drawn(x, y);
  EXPECT_NEAR(area / (box.width() * box.height()), 3 * std::numbers::pi / 16, 0.01 * 3 * std::numbers::pi / 16);
}

TEST(Picture, ColoursAreTheFieldsValues) {
  const Workplace place;
  const Image image = pictured_annulus(place, 3, 24);
  const Box box = domain_of(image);
  const double middle_x = (box.left + box.right) / 2.0, middle_y = (box.top + box.bottom) / 2.0;
  for (int k = 0; k < 16; ++k)
    for (const auto& [r, colour] : {std::pair{1.25, viridis_25}, {1.5, viridis_50}, {1.75, viridis_75}}) {
      const double angle = 0.1 + k * std::numbers::pi / 8, pixels = r * box.width() / 4;
      const Colour seen = image.at(middle_x + pixels * std::cos(angle), middle_y - pixels * std::sin(angle));
      EXPECT_LE(difference(seen, colour), 5) << "r " << r << ", angle " << angle;  // a pixel is worth 2
    }
}

TEST(Picture, CellDataStayConstantInCellsAndWhatIsNoNumberIsGrey) {
  const Workplace place;
  const Mesh mesh = make_rectangle(0, 0, 3, 3, 3, 1, Shape::quadrilateral);
  const VtkField cells{"stiffness", 1, VtkField::On::cells, {-7.0, std::nan(""), 5.0}};
  const Image image = pictured(place, written(place, mesh, {cells}), {.field = "stiffness", .size = {600, 400}});
  const Box box{24, image.height - 24, 24, image.height - 24};  // a square between the margins
  for (const double t : {0.05, 0.15, 0.28}) {
    const double y = box.top + (0.1 + t) * box.height();
    EXPECT_LE(difference(image.at(box.left + t * box.width(), y), viridis_0), 2);
    EXPECT_LE(saturation(image.at(box.left + (t + 1 / 3.0) * box.width(), y)), 2);
    EXPECT_LE(difference(image.at(box.left + (t + 2 / 3.0) * box.width(), y), viridis_100), 2);
  }
}

// Stretched to one and a half of its height; the reference outline lies within.
TEST(Picture, WarpingAddsTheDisplacement) {
  const Workplace place;
  const Mesh mesh = make_rectangle(0, 0, 1, 1, 2, 2, Shape::triangle, 2);
  const auto file = written(place, mesh, {on_nodes(mesh, "displacement", 2, [](const double* x) {
                              return std::vector{0.0, 0.5 * x[1]};
                            })});
  const Box plain = domain_of(pictured(place, file, {.field = "displacement"}));
  EXPECT_NEAR(plain.width() / plain.height(), 1, 0.01);
  const Box warped = domain_of(pictured(place, file, {.field = "displacement", .warp = "displacement"}));
  EXPECT_NEAR(warped.height() / warped.width(), 1.5, 0.015);
}

// A body that is warped looks like one whose nodes were there from the start, but for the grey lines of the
// reference. The waist keeps both within the same box.
TEST(Picture, AWarpedBodyLooksLikeOneWithMovedNodes) {
  const Workplace place;
  Mesh mesh = make_box({0, 0, 0}, {1, 0.5, 2}, {1, 1, 2}, Shape::hexahedron, 2);
  const auto waist = [](const double* x) {
    const double narrower = -0.3 * x[2] * (2 - x[2]);
    return std::vector{narrower * (x[0] - 0.5), narrower * (x[1] - 0.25), 0.0};
  };
  const auto height = [](const double* x) { return std::vector{x[2]}; };
  const std::vector fields{on_nodes(mesh, "u", 3, waist), on_nodes(mesh, "z", 1, height)};
  const auto file = written(place, mesh, fields);
  const Image straight = pictured(place, file, {.field = "z", .size = {600, 400}});
  const Image warped = pictured(place, file, {.field = "z", .warp = "u", .size = {600, 400}});
  for (std::size_t i = 0; i < mesh.coordinates.size(); ++i) mesh.coordinates[i] += fields[0].values[i];
  const Image moved = pictured(place, written(place, mesh, fields), {.field = "z", .size = {600, 400}});
  ASSERT_EQ(warped.width, moved.width);
  ASSERT_EQ(warped.height, moved.height);
  int coloured = 0, different = 0, straightened = 0;
  for (std::size_t p = 0; p < moved.pixels.size(); ++p)
    if (saturation(moved.pixels[p]) > 30) {
      ++coloured;
      different += difference(moved.pixels[p], warped.pixels[p]) > 3;
      straightened += difference(moved.pixels[p], straight.pixels[p]) > 3;
    }
  EXPECT_GT(coloured, 10'000);
  EXPECT_LT(different, coloured / 50);  // the reference's front edges
  EXPECT_GT(straightened, coloured / 5);
}

/// Radii, in pixels, at which a ray from the middle meets dark lines between `from` and `to`.
std::vector<int> dark_rings(const Image& image, double x, double y, double angle, double from, double to) {
  std::vector<double> light;
  for (double r = from; r < to; ++r) {
    const Colour c = image.at(x + r * std::cos(angle), y - r * std::sin(angle));
    light.push_back(0.3 * c[0] + 0.6 * c[1] + 0.1 * c[2]);
  }
  std::vector<int> rings;
  const auto darkest = [&](int r) {  // of its neighbours
    for (int k = 1; k <= 4; ++k)
      if (light[r] > light[r - k] || light[r] >= light[r + k]) return false;
    return true;
  };
  for (int r = 4; r + 4 < static_cast<int>(light.size()); ++r)
    if (darkest(r) && light[r] + 20 < std::min(light[r - 4], light[r + 4])) rings.push_back(r);
  return rings;
}

// The lines of a rotation are circles: every ray from the middle meets them at the same radii.
TEST(Picture, StreamlinesOfARotationAreCircles) {
  const Workplace place;
  const Mesh mesh = annulus(4, 24);
  const auto file = written(place, mesh, {on_nodes(mesh, "velocity", 2, [](const double* x) {
                              return std::vector{-x[1], x[0]};
                            })});
  const Image image = pictured(place, file, {.field = "velocity", .streamlines = true});
  const Box box = domain_of(image);
  const double x = (box.left + box.right) / 2.0, y = (box.top + box.bottom) / 2.0, unit = box.width() / 4;
  const std::vector<int> expected = dark_rings(image, x, y, 0.05, 1.2 * unit, 1.93 * unit);
  EXPECT_GE(expected.size(), 3u);
  for (int k = 1; k < 12; ++k) {
    const auto rings = dark_rings(image, x, y, 0.05 + k * std::numbers::pi / 6, 1.2 * unit, 1.93 * unit);
    ASSERT_EQ(rings.size(), expected.size()) << "ray " << k;
    for (std::size_t i = 0; i < rings.size(); ++i) EXPECT_NEAR(rings[i], expected[i], 2) << "ray " << k;
  }
}

TEST(Picture, ABodyShowsStreamlinesInside) {
  const Workplace place;
  const Mesh mesh = make_box({0, 0, 0}, {1, 1, 1}, {3, 3, 3}, Shape::tetrahedron, 2);
  const auto swirl = on_nodes(mesh, "velocity", 3, [](const double* x) {
    return std::vector{0.5 - x[1], x[0] - 0.5, 0.1};
  });
  const auto rest = on_nodes(mesh, "rest", 3, [](const double*) { return std::vector{0.0, 0.0, 0.0}; });
  const auto file = written(place, mesh, {swirl, rest});
  const auto coloured = [&](const char* field) {
    const Image image = pictured(place, file, {.field = field, .streamlines = true, .size = {600, 400}});
    int count = 0;
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width / 2; ++x) count += saturation(image.at(x, y)) > 40;
    return count;
  };
  EXPECT_GT(coloured("velocity"), 500);
  EXPECT_EQ(coloured("rest"), 0);  // nothing flows: no line, and no failure
}

// Red arrows that point outwards, at the right side only.
TEST(Picture, ArrowsStandOnTheBoundary) {
  const Workplace place;
  const Mesh mesh = make_rectangle(0, 0, 1, 1, 4, 4, Shape::quadrilateral, 2);
  const auto file = written(place, mesh,
                            {on_nodes(mesh, "one", 1, [](const double*) { return std::vector{1.0}; }),
                             on_nodes(mesh, "push", 2, [](const double* x) {
                               return std::vector{x[0] > 0.99 ? 3.0 : 0.0, 0.0};
                             })});
  const Image image = pictured(place, file, {.field = "one", .arrows = "push"});
  const auto red = [](const Colour& c) { return c[0] > 150 && c[1] < 80 && c[2] < 90; };
  int first = image.width, last = 0, count = 0, right_side = 0;
  for (int y = image.height / 8; y < 7 * image.height / 8; ++y)  // off the other sides' first element
    for (int x = 0; x < image.width; ++x) {
      if (red(image.at(x, y))) {
        ++count;
        first = std::min(first, x);
        last = std::max(last, x);
      }
    }
  for (int x = 0; x < image.width; ++x)  // in a row below the bar
    if (difference(image.at(x, 93 * image.height / 100), viridis_50) < 5) right_side = x;
  EXPECT_GT(count, 300);
  EXPECT_NEAR(first, right_side, 4);
  EXPECT_NEAR(last - first, 0.1 * std::numbers::sqrt2 * (right_side - 24), 5);  // a tenth of the diagonal
}

// The pieces of two ranks: no boundary between them.
TEST(Picture, PiecesAreOneDomain) {
  const Workplace place;
  std::string pieces;
  for (int rank = 0; rank < 2; ++rank) {
    const Mesh mesh = make_rectangle(rank, 0, rank + 1, 2, 2, 4, Shape::quadrilateral, 2);
    const auto x_of = on_nodes(mesh, "x", 1, [](const double* x) { return std::vector{x[0]}; });
    const std::string name = "all_" + std::to_string(rank);
    write_vtk(place.folder() / name, mesh, {&x_of, 1}, MPI_COMM_SELF);
    pieces += "<Piece Source=\"" + name + ".vtu\"/>";
  }
  place.write("all.pvtu",
              "<VTKFile type=\"PUnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">"
              "<PUnstructuredGrid GhostLevel=\"0\"><PPointData><PDataArray type=\"Float64\" Name=\"x\"/></PPointData>"
              "<PCellData><PDataArray type=\"Int32\" Name=\"region\"/></PCellData><PPoints><PDataArray "
              "type=\"Float64\" NumberOfComponents=\"3\"/></PPoints>" +
                  pieces + "</PUnstructuredGrid></VTKFile>");
  const Image image = pictured(place, place.folder() / "all.pvtu", {.field = "x", .size = {600, 400}});
  const Box box = domain_of(image);
  EXPECT_NEAR(box.width(), box.height(), 2);
  for (int x = box.left + 3; x < box.right - 3; ++x)
    for (const double t : {0.2, 0.5, 0.8}) {
      const Colour c = image.at(x, static_cast<int>(box.top + t * box.height()));
      ASSERT_GT(saturation(c), 60) << "column " << x;
    }
  EXPECT_LE(difference(image.at((box.left + box.right) / 2.0, box.top + box.height() / 2), viridis_50), 5);

  std::filesystem::remove(place.folder() / "all_1.vtu");
  EXPECT_NE(render_picture(place.folder() / "all.pvtu", place.folder() / "half.png", {.field = "x"}), "");
  EXPECT_FALSE(std::filesystem::exists(place.folder() / "half.png"));
}

}  // namespace
}  // namespace invar

#endif
