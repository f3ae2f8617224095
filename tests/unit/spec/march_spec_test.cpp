#include "apps/invar/problem/march_spec.hpp"

#include <gtest/gtest.h>

#include "apps/invar/problem/spec_table.hpp"
#include "apps/invar/spec/validate.hpp"

namespace invar {
namespace {

/// The section `time` of a spec that is nothing else.
spec::Value time_section(const std::string& entries) {
  Diagnostics ignored;
  const spec::Value value = spec::validate(spec::parse("time: {" + entries + "}\n", "spec.yaml", ignored).value(), spec_table(), "", ignored);
  return value["time"];
}

/// Numbers that fit into a double but not into the type of their result.
TEST(MarchSpec, LargeNumbersAreTakenForTheLargest) {
  const spec::Value time = time_section("scheme: sdirk2, end: 1, step: 0.1, memory: 1e140, disk: 1e140, factor_interval: 2147483647");
  Diagnostics diagnostics;
  const std::optional<MarchSpec> march = march_of(&time, 1, diagnostics);
  ASSERT_TRUE(march) << diagnostics.text();
  EXPECT_TRUE(diagnostics.empty()) << diagnostics.text();
  EXPECT_GT(march->options.storage.ram_bytes, std::size_t(1) << 50);
  EXPECT_GT(march->options.storage.disk_bytes, std::size_t(1) << 50);
  EXPECT_GE(march->options.factor_interval, 1 << 30);
  EXPECT_EQ(march->options.factor_interval % march->scheme.stages(), 0);
}

/// With 1e-10 they would exceed the memory.
TEST(MarchSpec, StepsThatDoNotLeadToTheEndAreNotCounted) {
  const spec::Value time = time_section("scheme: bdf2, end: 1, step: 3e-5");
  Diagnostics diagnostics;
  EXPECT_EQ(march_times(time, {}, diagnostics), (std::vector<double>{0, 1}));
  EXPECT_NE(diagnostics.text().find("do not lead from 0 to 1"), std::string::npos) << diagnostics.text();
}

}  // namespace
}  // namespace invar
