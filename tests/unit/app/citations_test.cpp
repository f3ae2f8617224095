#include "apps/invar/page/citations.hpp"

#include <gtest/gtest.h>

#include "apps/invar/page/citation_table.hpp"
#include "apps/invar/page/references.hpp"
#include "apps/invar/physics/physics.hpp"
#include "apps/invar/problem/spec_table.hpp"
#include "libadjoint/optimize/optimizer.hpp"
#include "libadjoint/time/time_scheme.hpp"
#include "libfem/design/boundary/shape_library.hpp"
#include "libfem/solid/material_library.hpp"
#include "tests/unit/app/program.hpp"

namespace invar::test {
namespace {

/// A method that is new in a library needs a line in `cited_words`, with its source or without any.
TEST(Citations, EveryMethodOfTheLibrariesIsThere) {
  for (const std::string& name : TimeScheme::names()) EXPECT_TRUE(is_cited("time", "scheme", name)) << name;
  for (const std::string& name : optimizer_names()) EXPECT_FALSE(sources_of("optimizer", "method", name).empty()) << name;
  for (const std::string_view law : material_names()) EXPECT_FALSE(sources_of("materials", "model", law).empty()) << law;
  for (const ShapeEntry& shape : shape_library()) EXPECT_TRUE(is_cited("design", "kind", shape.name)) << shape.name;
}

TEST(Citations, EveryPhysicsHasSources) {
  for (const Physics& p : all_physics()) {
    EXPECT_TRUE(p.methods) << p.word();
    EXPECT_FALSE(p.sources.empty()) << p.word();
    for (const CitedMethod& m : p.sources)
      for (const std::string& key : m.keys) EXPECT_NO_THROW(reference(key)) << key;
  }
}

/// The words that stand in the table are words of specs.
TEST(Citations, NamesWordsThatSpecsKnow) {
  const Workplace here;
  const std::string schema = here.invar({"schema", "--markdown"}).out;
  for (const CitedValue& w : cited_words())
    if (!w.word.empty() && w.word != "true") {
      EXPECT_NE(schema.find('`' + std::string(w.word) + '`'), std::string::npos) << w.section << '.' << w.key << ' ' << w.word;
    }
}

TEST(Citations, EveryReferenceIsWholeAndUsed) {
  for (const CitedValue& w : cited_words())
    for (const std::string_view key : w.keys) EXPECT_NO_THROW(reference(key)) << key;
  for (const Reference& r : references()) {
    EXPECT_EQ(std::ranges::count(r.entry, '{'), std::ranges::count(r.entry, '}')) << r.key;
    EXPECT_EQ(r.entry[0], '@');
    EXPECT_EQ(r.entry.back(), '}') << r.key;
    for (const char* part : {"author = {", "title = {"}) EXPECT_NE(r.entry.find(part), std::string_view::npos) << r.key;
    const std::string text = citation_text(r.key);
    EXPECT_EQ(text.find_first_of("\\{}$`\n"), std::string::npos) << text;
    EXPECT_NE(text.find(": "), std::string::npos) << text;
  }
  EXPECT_EQ(citation_text("svanberg2002"),
            "Svanberg 2002: A class of globally convergent optimization methods based on conservative convex separable approximations. SIAM J. Optim. 12");
  EXPECT_EQ(citation_text("mooney1940").substr(0, 12), "Mooney 1940:");
  EXPECT_EQ(citation_text("stpierre2023").substr(0, 28), "St. Pierre and others 2023: ");
}

/// What a run used is cited, in the folder and on the page; nothing else; and the data say where they are from.
TEST(Citations, OfARunAreThoseOfItsMethods) {
  const Workplace here;
  here.write("pull.csv", "# A pull of 1944\n#  by nobody\nt,u\n1,0.04\n2,0.085\n");
  here.write("spec.yaml", R"(
title: a beam
mesh: {rectangle: {to: [1, 0.2], cells: [4, 1]}}
physics: {type: solid, kind: plane_strain}
materials:
  rubber: {model: gent, mu: 3e3, jm: 50, bulk: 1e4}
boundary:
  left: {u_x: 0, u_y: 0}
loads:
  tip: {type: traction, region: right, y: 1}
design:
  - {variable: materials.rubber.mu, scale: log}
objective:
  - {type: point, point: [0.5, 0.1], component: u_y, file: pull.csv, t: t, value: u, noise: 0.002}
optimizer: {max_iterations: 2}
output: {fields: none, report: true}
)");
  const Ended end = here.invar({"run", "spec.yaml", "-q"});
  ASSERT_TRUE(end.code == 0 || end.code == 5) << end.said();
  const std::string bib = content(here.run_folder() / "citations.bib"), page = content(here.run_folder() / "report.html");
  for (const char* key : {"{invar,", "{gent1996,", "{more1978,", "{giles2000,", "{griewank2008,", "{seber1989,", "{brun2001,", "{balay2022,", "{zienkiewicz2013,"})
    EXPECT_NE(bib.find(key), std::string::npos) << key << bib;
  for (const char* key : {"{ogden1972,", "{svanberg2002,", "{taylor1973,", "{griewank2000,", "{newmark1959,", "{roache1994,", "{schroeder2006,"})
    EXPECT_EQ(bib.find(key), std::string::npos) << key;
  EXPECT_NE(page.find("Gent 1996: A new constitutive relation for rubber"), std::string::npos);
  EXPECT_NE(page.find("download=\"citations.bib\""), std::string::npos);
  EXPECT_NE(page.find("A pull of 1944 by nobody"), std::string::npos);
  ASSERT_EQ(here.invar({"report", "results/spec", "--out", "page.html"}).code, 0);
  EXPECT_EQ(content(here.folder() / "page.bib"), bib);
}

}  // namespace
}  // namespace invar::test
