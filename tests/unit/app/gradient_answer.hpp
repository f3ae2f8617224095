#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <vector>

#include "tests/unit/app/program.hpp"

namespace invar::test {

/// What `invar gradient` finds.
struct Answer {
  double objective = 0;
  std::vector<double> slopes;
};

/// Of spec.yaml there.
inline Answer gradient_in(const Workplace& here, int ranks) {
  const Ended end = here.invar({"gradient", "spec.yaml", "--out", "here"}, ranks);
  EXPECT_EQ(end.code, 0) << end.said();
  Answer answer;
  if (end.code != 0) return answer;
  const nlohmann::json j = json_of(here.folder() / "here/gradient.json");
  answer.objective = j["objective"];
  for (const auto& [name, v] : j["variables"].items()) answer.slopes.push_back(v["derivative"]);
  return answer;
}

inline void expect_same_gradient(const Workplace& here, const Answer& one, int ranks) {
  const Answer several = gradient_in(here, ranks);
  double size = 0;
  for (const double s : one.slopes) size = std::max(size, std::abs(s));
  EXPECT_NEAR(several.objective, one.objective, 1e-9 * std::abs(one.objective)) << ranks;
  ASSERT_EQ(several.slopes.size(), one.slopes.size());
  for (std::size_t i = 0; i < one.slopes.size(); ++i) EXPECT_NEAR(several.slopes[i], one.slopes[i], 1e-8 * size) << i << " on " << ranks;
}

inline bool has_mpirun() { return std::system("command -v mpirun > /dev/null") == 0; }

}  // namespace invar::test
