#include <set>
#include <string>

#include "tests/unit/solid/material_cases.hpp"

namespace invar::test {
namespace {

TEST(MaterialLibrary, EveryChoiceIsMadeAndAsksForItsTable) {
  for (const std::string_view name : material_names())
    for (int terms = 1; terms <= max_material_terms(name); ++terms)
      for (const Formulation f : {Formulation::compressible, Formulation::isochoric})
        for (const bool plane_stress : {false, true}) {
          const MaterialChoice choice{name, f, plane_stress, terms};
          const auto material = make_material(choice);
          EXPECT_EQ(material->name(), name);
          const auto table = material_parameters(choice);
          ASSERT_EQ(material->parameters().size(), table.size());
          for (std::size_t k = 0; k < table.size(); ++k) EXPECT_EQ(material->parameters()[k].key, table[k].key);
          EXPECT_LE(table.size(), std::size_t(max_material_parameters));
          std::set<std::string_view> keys;
          for (const ParamSpec& spec : table) {
            EXPECT_TRUE(keys.insert(spec.key).second) << name << " " << spec.key;
            EXPECT_FALSE(spec.doc.empty());
            EXPECT_TRUE(spec.unit == "Pa" || spec.unit == "1" || spec.unit == "deg");
          }
          if (f == Formulation::isochoric) {
            EXPECT_FALSE(keys.contains("bulk") || keys.contains("poisson")) << name;
          }
        }
  EXPECT_FALSE(make_material({.name = "linear_elastic"})->finite_strain());
  EXPECT_TRUE(make_material({.name = "neo_hookean"})->finite_strain());
  EXPECT_EQ(max_material_terms("ogden"), 3);
  EXPECT_EQ(max_material_terms("yeoh"), 1);
}

TEST(MaterialLibrary, SaysWhatWouldBeRight) {
  const auto message = [](const MaterialChoice& choice) -> std::string {
    try {
      make_material(choice);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message({.name = "yeo"}).find("yeoh"), std::string::npos);
  EXPECT_NE(message({.name = "neo_hookean", .volumetric = VolumetricLaw::logarithmic}).find("no volumetric law"), std::string::npos);
  EXPECT_NE(message({.name = "ogden", .terms = 4}).find("1 to 3"), std::string::npos);
  EXPECT_THROW(material_doc("rubber"), std::invalid_argument);
}

}  // namespace
}  // namespace invar::test
