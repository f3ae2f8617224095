#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/app/program.hpp"

namespace invar::test {
namespace {

constexpr int nx = 6, ny = 1;  // cells of second order
constexpr double length = 0.12, height = 0.02;

std::string probe(int i, int j) { return "p_" + std::to_string(i) + "_" + std::to_string(j); }

/// A soft body on a floor whose rear and front halves pull with these tensions, functions of t, in units of 10 kPa;
/// with a probe of u_x at every node.
std::string crawler(const std::string& rear, const std::string& front, double friction) {
  std::ostringstream spec;
  spec << "title: a crawler\n"
          "mesh: {rectangle: {to: [" << length << ", " << height << "], cells: [" << nx << ", " << ny << "]}}\n"
          "physics: {type: solid, kind: plane_strain}\n"
          "materials:\n"
          "  silicone: {model: neo_hookean, young: 1e5, poisson: 0.4, density: 1000, shear_viscosity: 200}\n"
          "loads:\n"
          "  gravity: {type: body_force, y: -9810}\n"
          "  floor: {type: contact, region: bottom, obstacle: plane, y: -5.7e-5, n_y: 1, stiffness: 2e6, width: 5e-4,"
          " friction: " << friction << ", slip_speed: 0.005}\n"
          "  rear: {type: muscle, n_x: 1, tension: \"1e4/(1 + exp((x - 0.06)/0.003))*(" << rear << ")\"}\n"
          "  front: {type: muscle, n_x: 1, tension: \"1e4/(1 + exp((0.06 - x)/0.003))*(" << front << ")\"}\n"
          "time: {scheme: generalised_alpha, end: 0.5, step: 0.00625}\n"
          "output:\n  fields: none\n  probes:\n";
  for (int i = 0; i <= 2 * nx; ++i)
    for (int j = 0; j <= 2 * ny; ++j)
      spec << "    " << probe(i, j) << ": {point: [" << length * i / (2 * nx) << ", " << height * j / (2 * ny) << "], component: u_x}\n";
  return spec.str();
}

/// What the probes read in the end.
nlohmann::json shifts_of(const std::string& spec) {
  const Workplace here;
  here.write("spec.yaml", spec);
  const Ended end = here.invar({"run", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
  return end.code == 0 ? json_of(here.run_folder() / "results.json")["probes"] : nlohmann::json();
}

/// How far the centre of mass has moved: Simpson's rule in every cell, which is exact for its functions.
double way(const nlohmann::json& shifts) {
  const auto weight = [](int i, int last) { return i == 0 || i == last ? 1 : i % 2 ? 4 : 2; };
  double sum = 0, total = 0;
  for (int i = 0; i <= 2 * nx; ++i)
    for (int j = 0; j <= 2 * ny; ++j) {
      const int w = weight(i, 2 * nx) * weight(j, 2 * ny);
      sum += w * shifts[probe(i, j)].get<double>();
      total += w;
    }
  return sum / total;
}

constexpr const char *early = "cos(8*pi*t + 0.5) - cos(0.5)", *late = "cos(8*pi*t - 1) - cos(1)";

/// No force along the floor, no momentum along it.
TEST(Crawler, WithoutFrictionItsCentreOfMassStays) {
  const nlohmann::json shifts = shifts_of(crawler(late, early, 0));
  EXPECT_NEAR(way(shifts), 0, 1e-12);
  EXPECT_GT(std::abs(shifts[probe(0, 1)].get<double>()), 1e-4);  // while its ends go to and fro
}

/// Body and floor are the same to the left and to the right.
TEST(Crawler, ADelayBetweenItsMusclesGivesTheDirection) {
  const double forward = way(shifts_of(crawler(late, early, 0.5))), backward = way(shifts_of(crawler(early, late, 0.5)));
  EXPECT_GT(forward, 1e-3);
  EXPECT_NEAR(backward, -forward, 1e-8 * forward);
  EXPECT_NEAR(way(shifts_of(crawler(early, early, 0.5))), 0, 1e-12);
}

}  // namespace
}  // namespace invar::test
