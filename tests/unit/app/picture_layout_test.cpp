#include "apps/invar/picture/layout.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "apps/invar/picture/colours.hpp"

namespace invar {
namespace {

std::string labels_of(double low, double high) {
  std::string all;
  for (const BarScale::Tick& tick : BarScale::of(low, high).ticks) all += (all.empty() ? "" : " ") + tick.label;
  return all;
}

TEST(BarScale, MarksTheEndsAndRoundNumbersBetween) {
  EXPECT_EQ(labels_of(0, 1), "0 0.2 0.4 0.6 0.8 1");
  EXPECT_EQ(labels_of(0, 1.74), "0 0.5 1 1.5 1.74");
  EXPECT_EQ(labels_of(-1e-6, 0), "-1e-6 -8e-7 -6e-7 -4e-7 -2e-7 0");
  EXPECT_EQ(labels_of(0, 15000), "0 2500 5000 7500 10000 12500 15000");
  EXPECT_EQ(labels_of(0, 3e7), "0 5e6 1e7 1.5e7 2e7 2.5e7 3e7");
  EXPECT_EQ(labels_of(2.5, 2.5), "2.5");
}

TEST(BarScale, NarrowRangesCountFromAnOrigin) {
  const BarScale scale = BarScale::of(100000.003, 100000.025);
  EXPECT_EQ(scale.origin, 100000);
  ASSERT_GE(scale.ticks.size(), 4u);
  EXPECT_EQ(scale.ticks.front().label, "0.003");
  EXPECT_EQ(scale.ticks.back().label, "0.025");
  for (const BarScale::Tick& tick : scale.ticks)
    EXPECT_NEAR(std::stod(tick.label), tick.value - scale.origin, 1e-6);
}

// Labels are true to a hundredth of the range; marks keep off each other.
TEST(BarScale, LabelsAreTrueOverManyMagnitudes) {
  for (const double size : {1e-12, 3.7e-5, 1.0, 42.0, 6e5, 9.9e20})
    for (const double low : {-1.0, -0.013, 0.0, 0.7, 30.0, 400.0}) {
      const double a = low * size, b = (low + 1.37) * size;
      const BarScale scale = BarScale::of(a, b);
      EXPECT_EQ(scale.ticks.front().value, a);
      EXPECT_EQ(scale.ticks.back().value, b);
      EXPECT_GE(scale.ticks.size(), 4u);
      EXPECT_LE(scale.ticks.size(), 9u);
      for (std::size_t i = 0; i < scale.ticks.size(); ++i) {
        EXPECT_NEAR(std::stod(scale.ticks[i].label) + scale.origin, scale.ticks[i].value, 0.01 * (b - a));
        if (i > 0) {
          EXPECT_GE(scale.ticks[i].value - scale.ticks[i - 1].value, 0.08 * (b - a));
        }
      }
    }
}

TEST(ShortNumber, WritesFewDigits) {
  EXPECT_EQ(label_number(3684.2), "3680");
  EXPECT_EQ(label_number(-0.012345), "-0.0123");
  EXPECT_EQ(label_number(1.5e-6), "1.5e-6");
  EXPECT_EQ(label_number(2e7), "2e7");
  EXPECT_EQ(label_number(-3.14159e-12), "-3.14e-12");
  EXPECT_EQ(label_number(0), "0");
  EXPECT_EQ(label_number(123456.7, 6), "123457");
  EXPECT_EQ(label_number(1e100), "1e100");
}

TEST(PictureLayout, FitsEveryShapeWithoutDistortionOrOverlap) {
  for (const std::array<double, 2> extent :
       {std::array{1.0, 1.0}, {2.2, 0.41}, {0.001, 0.02}, {1e4, 8e3}, {1.0, 1e-6}, {1e-6, 1.0}})
    for (const std::array<int, 2> size : {std::array{1200, 800}, {600, 400}, {500, 1500}})
      for (const bool titled : {false, true}) {
        const std::string title = titled ? "A title of some length" : "";
        const PictureLayout l = PictureLayout::fit(extent, size, title, "pressure", titled);
        EXPECT_LE(l.width, size[0]);
        EXPECT_LE(l.height, size[1]);
        EXPECT_GE(l.domain.left, 0);
        EXPECT_GE(l.domain.bottom, 0);
        EXPECT_LE(l.domain.left + l.domain.width, l.width);
        EXPECT_LE(l.domain.bottom + l.domain.height, l.height);
        for (int k = 0; k < 2; ++k)
          if (extent[k] > 1e-3 * extent[1 - k]) {
            EXPECT_NEAR(k == 0 ? l.domain.width : l.domain.height, extent[k] * l.pixels_per_metre, 1e-6);
          }
        if (l.bar_below)
          EXPECT_LT(l.bar.bottom + l.bar.height, l.domain.bottom);
        else
          EXPECT_GT(l.bar.left, l.domain.left + l.domain.width);
        EXPECT_LE(l.bar.left + l.bar.width, l.width);
        EXPECT_LE(l.bar.bottom + l.bar.height, l.height);
        EXPECT_GT(l.bar.width * l.bar.height, 0);
      }
}

TEST(PictureLayout, AChannelIsAsWideAsThePictureAndTheHeightShrinks) {
  const PictureLayout l = PictureLayout::fit({2.2, 0.41}, {1200, 800}, "", "velocity", false);
  EXPECT_TRUE(l.bar_below);
  EXPECT_EQ(l.width, 1200);
  EXPECT_GT(l.domain.width, 0.94 * 1200);
  EXPECT_LT(l.height, 400);
}

// Against the map's published table of 256 colours (some of its entries).
TEST(Viridis, IsThePublishedColourMap) {
  const struct {
    int entry;
    std::array<double, 3> colour;
  } published[] = {{0, {0.267004, 0.004874, 0.329415}},   {37, {0.274128, 0.199721, 0.498911}},
                   {64, {0.229739, 0.322361, 0.545706}},  {128, {0.127568, 0.566949, 0.550556}},
                   {191, {0.360741, 0.785964, 0.387814}}, {205, {0.487026, 0.823929, 0.312321}},
                   {255, {0.993248, 0.906157, 0.143936}}};
  for (const auto& [entry, colour] : published)
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(viridis(entry / 255.0)[c], colour[c], 0.004) << entry;
  EXPECT_EQ(viridis(-1), viridis(0));
  EXPECT_EQ(viridis(2), viridis(1));
}

}  // namespace
}  // namespace invar
