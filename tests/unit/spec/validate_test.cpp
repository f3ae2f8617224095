#include "apps/invar/spec/validate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "tests/unit/spec/bad_specs.hpp"

namespace invar::spec::validation {
namespace {

class EveryBadSpec : public testing::TestWithParam<BadSpec> {};

TEST_P(EveryBadSpec, SaysExactlyWhatIsWrong) {
  const BadSpec& bad = GetParam();
  EXPECT_EQ(mistakes(changed(bad.right, bad.wrong)), bad.message);
}

INSTANTIATE_TEST_SUITE_P(Spec, EveryBadSpec, testing::ValuesIn(bad_specs()),
                         [](const auto& info) { return info.param.name; });

Value read(const std::string& text, const Table& table) {
  Diagnostics diagnostics;
  const std::optional<Node> root = parse(text, "spec.yaml", diagnostics);
  Value value = validate(root.value(), table, "/somewhere", diagnostics);
  diagnostics.throw_if_any();
  return value;
}

TEST(Validate, GivesTypedValuesWithDefaultsAndPlaces) {
  const Value spec = read(good_spec, demo_table());
  EXPECT_EQ(spec["title"].text(), "demo");
  EXPECT_EQ(spec["mesh"]["box"]["size"].numbers(), (std::vector<double>{1, 2, 0.3}));
  EXPECT_EQ(spec["mesh"]["box"]["cells"][2].integer(), 1);
  const Value& rubber = spec["materials"]["rubber"];
  EXPECT_EQ(rubber["c1"].number(), 1.7e5);
  EXPECT_EQ(rubber["c1"].position.text(), "spec.yaml:7:9");
  EXPECT_EQ(rubber["c1"].key_position.text(), "spec.yaml:7:5");
  EXPECT_EQ(rubber["c1"].yaml_path, "materials.rubber.c1");
  EXPECT_FALSE(rubber["c1"].defaulted);
  EXPECT_EQ(rubber["c3"].number(), 0);
  EXPECT_TRUE(rubber["c3"].defaulted);
  EXPECT_EQ(rubber["c3"].position.text(), "spec.yaml:5:3") << "the place of the record";
  EXPECT_TRUE(rubber["region"].is_text());
  EXPECT_EQ(spec["materials"]["foot"]["region"].texts(),
            (std::vector<std::string>{"base", "left edge"}));
  EXPECT_TRUE(spec["boundary"]["left"]["u"].is_number());
  EXPECT_TRUE(spec["boundary"]["left"]["v"].is_expression());
  EXPECT_EQ(spec["boundary"]["left"]["v"].text(), "0.1*y");
  EXPECT_EQ(spec["design"][0]["lower"].number(), -INFINITY);
  EXPECT_FALSE(spec["design"][1].has("lower"));
  EXPECT_EQ(spec["objective"][0]["data"].file(), "/somewhere/data/pull.csv");
  EXPECT_EQ(spec["objective"][1]["weight"].number(), 2);
  EXPECT_TRUE(spec["solver"]["line_search"].boolean());
  EXPECT_EQ(spec["solver"]["rtol"].number(), 1e-8);
}

TEST(Validate, KeepsTheOrderOfFreeKeys) {
  const Value spec = read(good_spec, demo_table());
  std::vector<std::string> names;
  for (const Value& material : spec["materials"]) names.push_back(material.key);
  EXPECT_EQ(names, (std::vector<std::string>{"rubber", "foot"}));
}

TEST(Validate, MisuseOfATreeIsALogicError) {
  const Value spec = read(good_spec, demo_table());
  EXPECT_THROW(spec["title"].number(), std::logic_error);
  EXPECT_THROW(spec["titel"], std::logic_error);
  EXPECT_THROW(spec["design"][2], std::logic_error);
  EXPECT_EQ(spec.find("initial"), nullptr);
}

TEST(Validate, WrongValuesAreAbsentSoThatFurtherChecksCanGoOn) {
  Diagnostics diagnostics;
  const std::string text = changed("young: 2e9", "young: soft");
  const Value spec =
      validate(parse(text, "spec.yaml", diagnostics).value(), demo_table(), "", diagnostics);
  EXPECT_FALSE(spec["materials"]["foot"].has("young"));
  EXPECT_TRUE(spec["materials"]["rubber"].has("c1"));
  EXPECT_THROW(diagnostics.throw_if_any(), SpecError);
}

TEST(Validate, AWrongDefaultIsFoundBeforeAnyUserMeetsIt) {
  EXPECT_NO_THROW(check_defaults(demo_table()));
  Table wrong("solver", "");
  wrong.defaulted("rtol", number().above(0), "-1", "tolerance");
  EXPECT_THROW(check_defaults(wrong), std::logic_error);
  Table nested("spec", "");
  nested.optional("solver", record(wrong), "numerics");
  EXPECT_THROW(check_defaults(nested), std::logic_error);
}

TEST(Validate, ATagMayHaveADefault) {
  Table table("physics", "");
  table.tagged("kind", "what moves",
               {Table("solid", "").defaulted("density", number(), "1000", "mass"),
                Table("flow", "").required("viscosity", number(), "stickiness")},
               "solid");
  EXPECT_EQ(read("{}", table)["density"].number(), 1000);
  EXPECT_EQ(read("{}", table)["kind"].text(), "solid");
  EXPECT_EQ(mistakes("viscosity: 1", table),
            "spec.yaml:1:1: error: key 'viscosity' does not belong to kind: solid, but to flow\n"
            "    allowed: kind, density\n1 mistake");
}

TEST(Validate, ASpecErrorCarriesEveryMistake) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path / "a.yaml";
  std::ofstream(file) << changed("young: 2e9", "young: -1\n    poison: 0");
  try {
    Diagnostics diagnostics;
    read_spec(file, {"solver.rtol=2"}, demo_table(), diagnostics);
    diagnostics.throw_if_any();
    FAIL() << "no SpecError";
  } catch (const SpecError& e) {
    ASSERT_EQ(e.diagnostics().size(), 3u);
    EXPECT_EQ(e.diagnostics()[0].position.line + e.diagnostics()[1].position.line, 23);
    const std::string first = file.string() + ":11:12: error: value -1 is out of range";
    EXPECT_NE(std::string(e.what()).find(first), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("--set solver.rtol: error: value 2 is out of range"),
              std::string::npos)
        << e.what();
  }
}

TEST(Validate, FilesAreRelativeToTheFolderOfTheSpec) {
  const TemporaryFolder folder;
  std::ofstream(folder.path / "a.yaml") << good_spec;
  Diagnostics diagnostics;
  const Value spec = read_spec(folder.path / "a.yaml", {}, demo_table(), diagnostics);
  EXPECT_EQ(spec["objective"][0]["data"].file(), folder.path / "data/pull.csv");
}

}  // namespace
}  // namespace invar::spec::validation
