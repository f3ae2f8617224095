// Laws of solids at a point, ns per point on one core: stress and tangent at once, as an element matrix takes them. All laws run
// interleaved; the least processor time of many repetitions counts.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "libadjoint/petsc.hpp"
#include "libfem/solid/material_library.hpp"
#include "tests/bench/measure.hpp"

using namespace invar;

int main(int argc, char** argv) {
  check(PetscInitialize(&argc, &argv, nullptr, nullptr));
  constexpr int points = 400;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> entry(-0.2, 0.2);
  std::vector<Matrix<Pack, 3, 3>> H(points);
  for (auto& h : H)
    for (Pack& e : h.entries)
      for (int l = 0; l < simd_width; ++l) e.set(l, entry(random));
  struct Law {
    MaterialChoice choice;
    std::vector<double> constants;
    std::unique_ptr<Material> material = {};
    double best = 1e30;
  };
  const std::vector<double> network{0.9, 3.0, 1.2, 0.4, 2.0, 1.1, 0.2, 1.5, 2.0, 0.3, 4.0, 0.8, 0.5, 2.0, 0.7, 0.2, 1.0, 1.5, 0.1, 2.5, 1.6, 0.6, 1.2, 0.9};
  std::vector<Law> laws;
  const auto add = [&](const char* name, int terms, std::vector<double> constants) {
    constants.push_back(3);
    laws.push_back({{.name = name, .terms = terms}, std::move(constants)});
    laws.back().material = make_material(laws.back().choice);
  };
  add("neo_hookean_isochoric", 1, {0.8});
  add("ogden", 1, {0.6, 1.3});
  add("ogden", 3, {0.6, 1.3, 0.012, 5.0, -0.1, -2.0});
  for (int terms = 1; terms <= 4; ++terms) add("convex_network", terms, {network.begin(), network.begin() + 6 * terms});
  volatile double sink = 0;
  for (int repetition = 0; repetition < 30; ++repetition)
    for (Law& law : laws) {
      const std::vector<Pack> p(law.constants.begin(), law.constants.end());
      const double start = processor_seconds();
      for (const auto& h : H) {
        MaterialResponse<Pack> r;
        law.material->evaluate(h, p, {true, true, true, false}, r);
        sink = sink + r.tangent[0][0][0];
      }
      law.best = std::min(law.best, processor_seconds() - start);
    }
  const double ogden = laws[2].best;
  for (const Law& law : laws)
    std::printf("  %-22s %d terms %9.1f ns per point, %.2f of three-term Ogden\n", std::string(law.choice.name).c_str(), law.choice.terms,
                law.best / (points * simd_width) * 1e9, law.best / ogden);
  check(PetscFinalize());
}
