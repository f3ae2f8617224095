#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>
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

/// The objective and its derivatives by every variable, in the optimiser's coordinates, on one and on several ranks.
inline void expect_ranks_agree(const std::string& spec, const std::vector<int>& numbers, const std::vector<std::pair<std::string, std::string>>& files = {}) {
  const Workplace here;
  for (const auto& [name, text] : files) here.write(name, text);
  here.write("spec.yaml", spec);
  const auto on_ranks = [&](int ranks) {
    const Ended end = here.invar({"gradient", "spec.yaml", "--out", std::to_string(ranks)}, ranks);
    EXPECT_EQ(end.code, 0) << end.said();
    return json_of(here.folder() / std::to_string(ranks) / "gradient.json");
  };
  const nlohmann::json one = on_ranks(1);
  const double J = one["objective"];
  double size = 0;
  for (const auto& [name, v] : one["variables"].items()) size = std::max(size, std::abs(v["scaled_derivative"].get<double>()));
  ASSERT_GT(size, 0);
  for (const int ranks : numbers) {
    SCOPED_TRACE(ranks);
    const nlohmann::json several = on_ranks(ranks);
    EXPECT_NEAR(several["objective"].get<double>(), J, 1e-10 * std::abs(J));
    ASSERT_EQ(several["variables"].size(), one["variables"].size());
    for (const auto& [name, v] : one["variables"].items()) {
      const double derivative = v["scaled_derivative"];
      EXPECT_NEAR(several["variables"][name]["scaled_derivative"].get<double>(), derivative, 1e-9 * std::abs(derivative) + 1e-12 * size) << name;
    }
  }
}

inline bool has_mpirun() { return std::system("command -v mpirun > /dev/null") == 0; }

}  // namespace invar::test
