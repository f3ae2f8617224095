// What fluid and body exchange: power against the energies of both, a body that is lighter than the fluid, and the body's shape as design.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tests/unit/app/csv_columns.hpp"
#include "tests/unit/app/gradient_answer.hpp"
#include "tests/unit/app/program.hpp"
#include "tests/unit/app/soft_gate.hpp"

namespace invar::test {
namespace {

/// A gate in a closed box, pushed until t = 0.1.
std::string pushed_gate(const std::string& time, const std::string& quantities, double density = 2) {
  return gate("loads:\n  push: {type: body_force, region: gate, x: \"t < 0.1 ? 8*sin(31.41592653589793*t)^2 : 0\"}\ntime: " + time +
                  "\noutput:\n  fields: none\n  quantities:\n" + quantities,
              {{"left: {v_x: \"4*y*(1 - y)\", v_y: 0}", "left: {no_slip: true}"}, {"right: {v_y: 0}", "right: {no_slip: true}"},
               {"density: 2}", "density: " + std::to_string(density) + "}"}});
}

class Curves {
 public:
  explicit Curves(const std::string& spec) {
    here_.write("spec.yaml", spec);
    const Ended end = here_.invar({"run", "spec.yaml", "-q"});
    EXPECT_EQ(end.code, 0) << end.said();
  }
  std::vector<double> operator[](const char* name) const { return columns_of(content(here_.run_folder() / "curves" / (std::string(name) + ".csv"))).at("value"); }

 private:
  Workplace here_;
};

/// ∫ f dt over steps [begin, end] by Simpson's rule.
double integral(const std::vector<double>& f, int begin, int end, double step) {
  double sum = 0;
  for (int k = begin; k + 2 <= end; k += 2) sum += step / 3 * (f[k] + 4 * f[k + 1] + f[k + 2]);
  return sum;
}

// After the push the body's energy changes by what the fluid gives to it, and the fluid's by what it gives and what becomes heat: what is
// exchanged at the interface is the same on both sides. The rest is an error of the steps.
TEST(FsiExchange, PowerIsTheRateOfTheEnergiesOnBothSides) {
  const std::string quantities =
      "    power: {type: power, region: gate}\n    heat: {type: dissipation}\n    flowing: {type: part_energy, region: water}\n"
      "    moving: {type: part_energy, region: gate}\n    bent: {type: part_energy, region: gate, energy: stored}\n";
  for (const std::string scheme : {"bdf2", "generalised_alpha"}) {
    SCOPED_TRACE(scheme);
    double of_body[2], of_fluid[2];
    for (const int k : {0, 1}) {
      const int n = 20 << k;
      const double step = 0.1 / n;
      const Curves curve(pushed_gate("{scheme: " + scheme + ", end: 0.2, steps: " + std::to_string(2 * n) + "}", quantities));
      const auto change = [&](const char* of) { return curve[of][2 * n] - curve[of][n]; };
      const double given = integral(curve["power"], n, 2 * n, step), size = curve["moving"][n] + curve["bent"][n];
      EXPECT_LT(given, -0.1 * size);  // the body loses energy
      of_body[k] = (change("moving") + change("bent") - given) / size;
      of_fluid[k] = (change("flowing") + integral(curve["heat"], n, 2 * n, step) + given) / size;
    }
    for (const int k : {0, 1}) {
      EXPECT_LT(std::abs(of_body[k]), k == 0 ? 0.01 : 0.0025);
      EXPECT_LT(std::abs(of_fluid[k]), k == 0 ? 0.01 : 0.0025);
    }
  }
}

// A body with a tenth of the fluid's density, which schemes that solve for fluid and body in turn do not master (added mass): when the push has
// ended, energy only decreases, with any length of steps.
TEST(FsiExchange, ALightBodyIsStable) {
  for (const std::string scheme : {"backward_euler", "bdf2", "generalised_alpha", "sdirk2"})
    for (const int steps : {20, 80}) {
      SCOPED_TRACE(scheme + ", " + std::to_string(steps));
      const Curves curve(pushed_gate("{scheme: " + scheme + ", end: 1, steps: " + std::to_string(steps) + "}",
                                     "    moving: {type: kinetic_energy}\n    bent: {type: stored_energy}\n    x: {type: point, point: [0.9, 0.5], component: d_x}\n", 0.1));
      const std::vector<double> moving = curve["moving"], bent = curve["bent"];
      const int first = steps / 10;
      for (int k = first; k < steps; ++k) EXPECT_LE(moving[k + 1] + bent[k + 1], (moving[k] + bent[k]) * (1 + 1e-9)) << k;
      EXPECT_LT(moving[steps] + bent[steps], 0.3 * (moving[first] + bent[first]));
    }
}

/// A channel of 6 × 3 cells with a soft flap, whose surface in the fluid is the region 'skin', as a mesh of Gmsh.
std::string flap_mesh() {
  std::string nodes, cells;
  int count = 0;
  const auto node = [](int i, int j) { return std::to_string(1 + i + 7 * j); };
  const auto add = [&](const char* type, int region, const std::string& corners) {
    cells += std::to_string(++count) + type + std::to_string(region) + " " + std::to_string(region) + " " + corners + "\n";
  };
  for (int j = 0; j <= 3; ++j)
    for (int i = 0; i <= 6; ++i) nodes += node(i, j) + " " + std::to_string(0.3 * i) + " " + std::to_string(0.3 * j) + " 0\n";
  for (int i = 0; i < 6; ++i) add(" 1 2 ", 1, node(i, 0) + " " + node(i + 1, 0)), add(" 1 2 ", 2, node(i, 3) + " " + node(i + 1, 3));
  for (int j = 0; j < 3; ++j) add(" 1 2 ", 3, node(0, j) + " " + node(0, j + 1)), add(" 1 2 ", 4, node(6, j) + " " + node(6, j + 1));
  for (int j = 0; j < 2; ++j) add(" 1 2 ", 5, node(2, j) + " " + node(2, j + 1)), add(" 1 2 ", 5, node(3, j) + " " + node(3, j + 1));
  add(" 1 2 ", 5, node(2, 2) + " " + node(3, 2));
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 6; ++i) add(" 3 2 ", i == 2 && j < 2 ? 7 : 6, node(i, j) + " " + node(i + 1, j) + " " + node(i + 1, j + 1) + " " + node(i, j + 1));
  return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n7\n1 1 \"bottom\"\n1 2 \"top\"\n1 3 \"left\"\n1 4 \"right\"\n1 5 \"skin\"\n2 6 \"water\"\n2 7 \"flap\"\n"
         "$EndPhysicalNames\n$Nodes\n28\n" + nodes + "$EndNodes\n$Elements\n" + std::to_string(count) + "\n" + cells + "$EndElements\n";
}

constexpr const char* flap_in_time = "time: {scheme: bdf2, end: 0.3, steps: 3}\n";

/// The flap in laminar or turbulent flow, with the shape of its surface as design.
std::string shaped_flap(bool turbulent, const std::string& design, const std::string& time) {
  return std::string("title: a flap\nmesh: {file: flap.msh}\nphysics: {type: fsi") + (turbulent ? ", elements: equal_order, turbulence: spalart_allmaras, discontinuity_capturing: 0.5" : "") +
         "}\nmaterials:\n  oil: {model: newtonian, region: water, density: 1, viscosity: " + (turbulent ? "2e-3" : "0.1") +
         "}\n  gel: {model: neo_hookean, region: flap, young: 200, poisson: 0.4, density: 0.1}\nboundary:\n  left: {v_x: \"4*y*(0.9 - y)\", v_y: 0" + (turbulent ? ", chi: 5" : "") +
         "}\n  right: {v_y: 0}\n  top: {no_slip: true}\n  bottom: {no_slip: true, clamped: true}\n" + (turbulent && !time.empty() ? "initial: {all: {chi: 3}}\n" : "") + time +
         "design:\n  - " + design + "\nobjective:\n  - {type: point, point: [0.9, 0.6], component: d_x, target: 0.1}\n  - {type: force, region: flap, direction: [1, 0], target: 1}\n"
         "  - {type: stored_energy, weight: 10}\n  - {type: dissipation}\n";
}
constexpr const char* by_ffd = "{kind: ffd, region: skin, from: [0.5, 0], to: [1, 0.7], points: [3, 3], moves: [x, y], frozen: [0, 0, 1, 0], largest: 0.1}";
constexpr const char* by_its_nodes = "{kind: free_boundary, region: skin, smoothing: 0.1, largest: 0.05}";

// The flap's undeformed shape; the mesh of the fluid and that within the flap follow. With the whole certificate, also where the flap is light.
// In turbulent flow the surface is a wall, to which distances count.
TEST(FsiExchange, DerivativesByTheShapeOfTheBodyAreExact) {
  for (const bool turbulent : {false, true})
    for (const char* time : {"", flap_in_time}) {
      SCOPED_TRACE(std::string(turbulent ? "turbulent" : "laminar") + time);
      const Workplace here;
      here.write("flap.msh", flap_mesh());
      here.write("spec.yaml", shaped_flap(turbulent, by_ffd, time));
      const Ended end = here.invar({"check", "spec.yaml"});
      EXPECT_EQ(end.code, 0) << end.said();
    }
}

TEST(FsiExchange, RanksAgreeOnTheShapeOfABodyInTurbulentFlow) {
  for (const char* time : {"", flap_in_time})
    for (const char* design : {by_ffd, by_its_nodes}) {
      SCOPED_TRACE(std::string(design) + time);
      if (design == by_ffd) expect_ranks_agree(shaped_flap(true, design, time), {2, 3}, {{"flap.msh", flap_mesh()}});
      else {  // its variables lie on the ranks: the certificate there
        const Workplace here;
        here.write("flap.msh", flap_mesh());
        here.write("spec.yaml", shaped_flap(true, design, time));
        for (const int ranks : {1, 2, 3}) {
          const Ended end = here.invar({"check", "spec.yaml"}, ranks);
          EXPECT_EQ(end.code, 0) << end.said();
        }
      }
    }
}

}  // namespace
}  // namespace invar::test
