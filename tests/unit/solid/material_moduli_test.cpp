// Which constants of a law its energy is proportional to.
#include "libfem/solid/moduli.hpp"
#include "tests/unit/solid/material_cases.hpp"

namespace invar::test {
namespace {

TEST(MaterialModuli, EnergyAndStressAreProportionalToThem) {
  std::mt19937 generator(7);
  for (const std::string_view name : material_names())
    for (const Formulation formulation : {Formulation::compressible, Formulation::isochoric}) {
      SCOPED_TRACE(name);
      const std::unique_ptr<Material> material = make_material({.name = name, .formulation = formulation});
      std::vector<double> p = stable_constants(name, formulation), tripled = p;
      const auto specs = material->parameters();
      for (std::size_t k = 0; k < specs.size(); ++k)
        if (is_modulus(specs[k])) tripled[k] *= 3;
      const Matrix3 H = random_matrix(generator, 0.1);
      const PointResponse once = evaluate(*material, H, p), thrice = evaluate(*material, H, tripled);
      EXPECT_GT(once.energy, 0);
      EXPECT_NEAR(thrice.energy, 3 * once.energy, 1e-13 * once.energy);
      double size = 0;
      for (const double s : once.stress) size = std::max(size, std::abs(s));
      for (int i = 0; i < 9; ++i) EXPECT_NEAR(thrice.stress[i], 3 * once.stress[i], 1e-13 * size);
    }
}

}  // namespace
}  // namespace invar::test
