// Every example on the page of every physics runs as it stands.
#include <gtest/gtest.h>

#include "tests/unit/app/program.hpp"

namespace invar {
namespace {

using test::Ended;
using test::Workplace;

/// The words of physics.type that the program knows.
std::vector<std::string> physics_words(const nlohmann::json& schema) {
  std::vector<std::string> words;
  for (const nlohmann::json& one : schema["properties"]["physics"]["oneOf"])
    words.push_back(one["properties"]["type"]["const"]);
  return words;
}

std::vector<std::string> yaml_blocks(const std::string& page) {
  const std::string open = "```yaml\n", close = "```\n";
  std::vector<std::string> blocks;
  for (std::size_t at = page.find(open); at != std::string::npos; at = page.find(open, at)) {
    at += open.size();
    const std::size_t end = page.find(close, at);
    blocks.push_back(page.substr(at, end - at));
    at = end;
  }
  return blocks;
}

TEST(PhysicsPage, EveryExampleRuns) {
  const Workplace here;
  const std::vector<std::string> words = physics_words(nlohmann::json::parse(here.invar({"schema"}).out));
  ASSERT_EQ(words, (std::vector<std::string>{"solid", "flow", "fsi"}));
  for (const std::string& word : words) {
    const Ended page = here.invar({"schema", "--markdown", word});
    ASSERT_EQ(page.code, 0) << page.said();
    int designs = 0, number = 0;
    for (const std::string& yaml : yaml_blocks(page.out)) {
      const std::string name = word + std::to_string(++number);
      here.write(name + ".yaml", yaml);
      const Ended end = here.invar({"run", name + ".yaml", "--expect", "-q"});
      EXPECT_EQ(end.code, 0) << yaml << end.said();
      if (yaml.find("\ndesign:") == std::string::npos) continue;
      ++designs;
      EXPECT_EQ(test::json_of(here.folder() / "results" / name / "certificate.json")["passed"], true) << yaml;
    }
    EXPECT_GE(number - designs, 1) << word;
    EXPECT_GE(designs, 1) << word;
  }
}

TEST(PhysicsPage, SchemaOfOnePhysicsHasItsWordsAlone) {
  const Workplace here;
  const Ended solid = here.invar({"schema", "solid"});
  ASSERT_EQ(solid.code, 0) << solid.said();
  EXPECT_EQ(physics_words(nlohmann::json::parse(solid.out)), std::vector<std::string>{"solid"});
  EXPECT_NE(solid.out.find("\"neo_hookean\""), std::string::npos);
  for (const char* word : {"\"newtonian\"", "\"flow_rate\"", "\"no_slip\""}) EXPECT_EQ(solid.out.find(word), std::string::npos) << word;
  for (const std::vector<std::string>& line : {std::vector<std::string>{"schema", "flwo"}, {"schema", "--markdown", "flwo"}}) {
    const Ended end = here.invar(line);
    EXPECT_EQ(end.code, 2);
    EXPECT_EQ(end.out, "");
    EXPECT_EQ(end.err, "invar: unknown physics 'flwo'; did you mean 'flow'?\nphysics: solid, flow, fsi\n");
  }
}

}  // namespace
}  // namespace invar
