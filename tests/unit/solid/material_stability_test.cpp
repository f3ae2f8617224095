#include "libfem/solid/material_stability.hpp"

#include <gtest/gtest.h>

#include "libfem/solid/material_library.hpp"
#include "tests/unit/solid/material_cases.hpp"

namespace invar {
namespace {

/// At rest every law is Hooke's: 2 μ along the five strains that keep the volume, 3 κ along the one that does not.
TEST(MaterialStability, IsTheSmallestOfShearAndBulkStiffness) {
  const auto compressible = make_material({.name = "neo_hookean"});
  for (const double poisson : {-0.4, -0.1, 0.3, 0.49}) {
    const std::vector<double> p{2.4, poisson};
    const double mu = 2.4 / (2 * (1 + poisson)), kappa = 2.4 / (3 * (1 - 2 * poisson));
    EXPECT_NEAR(smallest_stiffness(*compressible, p, false), std::min(2 * mu, 3 * kappa), 1e-12 * (mu + kappa)) << poisson;
    EXPECT_NEAR(bulk_modulus(*compressible, p), kappa, 1e-12 * (mu + kappa)) << poisson;
  }
  for (const auto& [name, constants, mu] : {std::tuple{"mooney_rivlin", std::vector{0.5, 0.2}, 1.4},
                                            std::tuple{"gent", std::vector{0.8, 40.0}, 0.8},
                                            std::tuple{"saint_venant_kirchhoff", std::vector{2.4}, 0.8}})
    EXPECT_NEAR(smallest_stiffness(*make_material({name, Formulation::isochoric}), constants, true), 2 * mu, 1e-12) << name;
}

TEST(MaterialStability, IsNegativeOfAnUnstableLaw) {
  const auto yeoh = make_material({"yeoh", Formulation::isochoric});
  EXPECT_NEAR(smallest_stiffness(*yeoh, std::vector{-0.1, 0.02, 0.01}, true), -0.4, 1e-13);
  const auto linear = make_material({.name = "linear_elastic"});
  EXPECT_LT(smallest_stiffness(*linear, std::vector{-1.0, 0.3}, false), 0);
}

/// Hooke's laws, and no other; of constants those in which the textbooks' stiffness is affine.
TEST(MaterialStability, FindsLinearLaws) {
  int linear = 0;
  for (const std::string_view name : material_names()) {
    const std::vector<double> p = test::stable_constants(name, Formulation::isochoric);
    const bool found = has_linear_stress(*make_material({name, Formulation::isochoric}), p, -1);
    EXPECT_EQ(found, name == "linear_elastic" || name == "orthotropic") << name;
    linear += found;
  }
  EXPECT_EQ(linear, 2);
  const std::vector<double> hooke{2.4, 0.3}, orthotropic{3.0, 2.0, 2.5, 0.3, 0.25, 0.2, 0.7, 0.9, 0.6};
  for (const bool plane_stress : {false, true}) {
    const auto law = make_material({.name = "linear_elastic", .plane_stress = plane_stress});
    EXPECT_TRUE(has_linear_stress(*law, hooke, 0));
    EXPECT_FALSE(has_linear_stress(*law, hooke, 1));  // Poisson's ratio
    EXPECT_FALSE(has_linear_stress(*make_material({.name = "neo_hookean", .plane_stress = plane_stress}), hooke, -1));
  }
  const auto wood = make_material({.name = "orthotropic"});
  EXPECT_TRUE(has_linear_stress(*wood, orthotropic, 6));   // a shear modulus
  EXPECT_FALSE(has_linear_stress(*wood, orthotropic, 0));  // one of three Young's moduli
  EXPECT_TRUE(has_linear_stress(*make_material({.name = "linear_elastic", .distributed = true, .rest_constants = hooke}), std::vector{2.4, 0.3, 1.0, 1.0}, 2));
  EXPECT_FALSE(has_linear_stress(*make_material({.name = "linear_elastic", .swelling = true}), std::vector{2.4, 0.3, 0.0}, -1));
  EXPECT_FALSE(has_linear_stress(*make_material({.name = "linear_elastic", .growth = true}), std::vector{2.4, 0.3, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, -1));
}

}  // namespace
}  // namespace invar
