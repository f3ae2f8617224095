#pragma once
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/app/beam.hpp"
#include "tests/unit/app/program.hpp"

namespace invar::test {

/// The spec must be refused with one message that contains the words, and nothing be written.
inline void expect_refused(const std::string& spec, const std::vector<std::string>& words) {
  const Workplace here;
  here.write("spec.yaml", spec);
  here.write("markers.csv", beam_markers);
  const Ended end = here.invar({"run", "spec.yaml"});
  SCOPED_TRACE(end.said());
  EXPECT_EQ(end.code, 3);
  EXPECT_TRUE(end.err.ends_with("\n1 mistake\n"));
  for (const std::string& word : words) EXPECT_NE(end.err.find(word), std::string::npos) << "no '" << word << "'";
  EXPECT_FALSE(fs::exists(here.folder() / "results"));
}

}  // namespace invar::test
