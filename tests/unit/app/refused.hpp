#pragma once
#include <gtest/gtest.h>

#include <string>
#include <utility>
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

/// A text of a spec put in the place of another, and what `validate` says of it. files: names and contents beside the spec.
struct Mistake {
  const char *from, *to, *said;
};
inline void expect_named(const Mistake& m, std::string spec, const std::vector<std::pair<std::string, std::string>>& files = {}) {
  SCOPED_TRACE(m.to);
  const std::size_t at = spec.find(m.from);
  ASSERT_NE(at, std::string::npos) << "no '" << m.from << "'";
  spec.replace(at, std::string(m.from).size(), m.to);
  const Workplace here;
  for (const auto& [name, content] : files) here.write(name, content);
  here.write("spec.yaml", spec);
  const Ended end = here.invar({"validate", "spec.yaml"});
  EXPECT_EQ(end.code, 3) << end.said();
  EXPECT_NE(end.said().find(m.said), std::string::npos) << end.said();
}

}  // namespace invar::test
