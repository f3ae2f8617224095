#include <gtest/gtest.h>

#include "tests/unit/app/channel.hpp"
#include "tests/unit/app/refused.hpp"

namespace invar::test {
namespace {

ChannelEdits with_union(const std::string& regions) {
  return {{"cells: [4, 2]}}", "cells: [4, 2]}, regions: {" + regions + "}}"}};
}

/// One region in place of two: the same flow, and a length that adds up.
TEST(RegionUnion, StandsForItsParts) {
  const std::string quantities = "  quantities:\n    out: {type: flow_rate, region: ends}\n    half: {type: flow_rate, region: right}\n";
  ChannelEdits edits = with_union("walls: [bottom, top], ends: [left, right]");
  edits.push_back({"  bottom: {no_slip: true}\n  top: {no_slip: true}\n", "  walls: {no_slip: true}\n"});
  for (const int ranks : {1, 2}) {
    const Workplace here;
    here.write("spec.yaml", channel(edits) + quantities);
    const Ended end = here.invar({"run", "spec.yaml", "-q"}, ranks);
    ASSERT_EQ(end.code, 0) << end.said();
    const nlohmann::json results = json_of(here.run_folder() / "results.json");
    EXPECT_NEAR(results["probes"]["middle"].get<double>(), 1, 1e-9);
    EXPECT_NEAR(results["quantities"]["half"].get<double>(), 2.0 / 3, 1e-9);
    EXPECT_NEAR(results["quantities"]["out"].get<double>(), 0, 1e-9) << "what enters leaves";
  }
}

TEST(RegionUnion, Mistakes) {
  expect_refused(channel(with_union("walls: [bottom, topp]")), {"spec.yaml:2:65: error: the mesh has no region 'topp' for 'walls'; its regions: "});
  expect_refused(channel(with_union("walls: [bottom, body]")), {"the regions of 'walls' have different dimensions"});
  expect_refused(channel(with_union("top: [bottom, left]")), {"the mesh already has a region 'top'"});
}

}  // namespace
}  // namespace invar::test
