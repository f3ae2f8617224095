#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "apps/invar/chart/axis.hpp"
#include "apps/invar/chart/chart.hpp"
#include "apps/invar/page/html_page.hpp"
#include "apps/invar/page/run_records.hpp"
#include "apps/invar/report/checksum.hpp"
#include "tests/unit/app/beam.hpp"
#include "tests/unit/app/program.hpp"
#include "tests/unit/app/soft_gate.hpp"

namespace invar::test {
namespace {

/// What is wrong with the nesting of a page's elements and its identifiers; empty: nothing.
std::string badly_nested(const std::string& html) {
  const std::set<std::string> empty = {"meta", "link", "img", "wbr", "line", "circle", "rect", "path", "!DOCTYPE"};
  std::vector<std::string> open;
  std::set<std::string> ids;
  for (std::size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1)) {
    const std::size_t end = html.find('>', at);
    if (end == std::string::npos) return "a tag without end";
    const std::string tag = html.substr(at + 1, end - at - 1);
    const std::string name = tag.substr(0, tag.find_first_of(" />\n", 1));
    if (name[0] == '/') {
      if (open.empty() || open.back() != name.substr(1)) return name + " closes " + (open.empty() ? "nothing" : open.back());
      open.pop_back();
    } else if (!empty.contains(name)) {
      open.push_back(name);
    }
    if (const std::size_t id = tag.find(" id=\""); id != std::string::npos)
      if (const std::string value = tag.substr(id + 5, tag.find('"', id + 5) - id - 5); !ids.insert(value).second) return "twice: id " + value;
    if (name == "style") at = html.find("</style", end) - 1;
  }
  return open.empty() ? "" : open.back() + " is not closed";
}

/// No script, nothing from elsewhere, every place that a link or a label names.
void expect_sound(const std::string& html) {
  EXPECT_EQ(badly_nested(html), "");
  EXPECT_EQ(html.find("<script"), std::string::npos);
  EXPECT_EQ(html.find("http://"), std::string::npos);
  EXPECT_EQ(html.find("https://"), std::string::npos);
  EXPECT_LT(html.size(), 5u << 20);
  for (std::size_t at = html.find("href=\"#"); at != std::string::npos; at = html.find("href=\"#", at + 1)) {
    const std::string place = html.substr(at + 7, html.find('"', at + 7) - at - 7);
    EXPECT_NE(html.find("id=\"" + place + '"'), std::string::npos) << place;
  }
  for (std::size_t at = html.find("<img "); at != std::string::npos; at = html.find("<img ", at + 1))
    EXPECT_EQ(html.compare(at, 10, "<img alt=\""), 0);
}

TEST(Report, NumbersAreThoseOfTheResults) {
  const Workplace here;
  here.write("markers.csv", beam_markers);
  here.write("spec.yaml", beam({{"title: a beam", "title: \"a <b>beam</b> & 'more'\""}, {"output:", "output:\n  report: true"}}));
  const Ended end = here.invar({"run", "spec.yaml"});
  ASSERT_EQ(end.code, 0) << end.said();
  EXPECT_NE(end.out.find("report.html"), std::string::npos) << end.out;
  const std::string page = content(here.run_folder() / "report.html");
  expect_sound(page);
  const nlohmann::ordered_json results = nlohmann::ordered_json::parse(content(here.run_folder() / "results.json"));
  const auto& fit = results["fit"]["materials.rubber.young"];
  for (const auto& number : {results["objective"], fit["value"], fit["standard_error"], fit["lower_95"], fit["upper_95"], results["probes"]["tip"]})
    EXPECT_NE(page.find(shown(number)), std::string::npos) << number;
  EXPECT_NE(page.find("<h1>a &lt;b&gt;beam&lt;/b&gt; &amp; &#39;more&#39;</h1>"), std::string::npos);
  EXPECT_NE(page.find("The gradient was checked."), std::string::npos);
  EXPECT_NE(page.find("was not solved again"), std::string::npos);
  EXPECT_NE(page.find("invar run spec.yaml"), std::string::npos);
  fs::remove(here.run_folder() / "report.html");
  EXPECT_EQ(here.invar({"report", "results/spec"}).code, 0);
  EXPECT_EQ(content(here.run_folder() / "report.html").size(), page.size());
#ifdef INVAR_PICTURES
  // Of a run that drew nothing the report draws the end.
  fs::remove_all(here.run_folder() / "pictures");
  EXPECT_EQ(here.invar({"report", "results/spec"}).code, 0);
  const std::string later = content(here.run_folder() / "report.html");
  expect_sound(later);
  EXPECT_EQ(later.find("at the start, rendered"), std::string::npos);
  EXPECT_NE(later.find("at the end, rendered"), std::string::npos);
#endif
}

/// The page of a run of interaction names its equations and their sources; what it draws later is deformed as what the run drew.
TEST(Report, OfABodyInAFlow) {
  const Workplace here;
  here.write("spec.yaml", small_gate("output: {report: true}\n"));
  const Ended end = here.invar({"run", "spec.yaml", "-q"});
  ASSERT_EQ(end.code, 0) << end.said();
  const std::string page = content(here.run_folder() / "report.html"), sources = content(here.run_folder() / "citations.bib");
  EXPECT_NE(page.find("Navier–Stokes equations on a moving mesh and the equations of motion of the bodies (planar) were discretised as one system"), std::string::npos);
  for (const char* key : {"{hron2006,", "{elman2014,", "{zienkiewicz2013,"}) EXPECT_NE(sources.find(key), std::string::npos) << key;
#ifdef INVAR_PICTURES
  const fs::path picture = here.run_folder() / "pictures/case.png";
  const std::string of_run = content(picture);
  ASSERT_FALSE(of_run.empty());
  fs::remove_all(here.run_folder() / "pictures");
  ASSERT_EQ(here.invar({"report", "results/spec"}).code, 0);
  EXPECT_TRUE(content(picture) == of_run);
#endif
}

TEST(Report, NamesEveryFileThatWasRead) {
  const Workplace here;
  here.write("markers.csv", beam_markers);
  here.write("spec.yaml", beam());
  ASSERT_EQ(here.invar({"run", "spec.yaml", "--out", "first"}).code, 0);
  here.write("second.yaml", beam({{"output:", "optimizer: {start: {from: first}}\noutput:\n  report: true"}}));
  const Ended end = here.invar({"run", "second.yaml", "--set", "loads.tip.y=0.11", "--out", "second", "--", "-invar_ksp_monitor_true", "no"});
  ASSERT_EQ(end.code, 0) << end.said();
  const nlohmann::json record = json_of(here.folder() / "second/run.json");
  std::set<std::string> names;
  for (const nlohmann::json& input : record["inputs"]) {
    const fs::path file = here.folder() / input["file"].get<std::string>();
    names.insert(file.filename().string());
    EXPECT_EQ(input["crc32"], checksum(content(file))) << file;
    EXPECT_EQ(input["bytes"], fs::file_size(file)) << file;
  }
  EXPECT_EQ(names, (std::set<std::string>{"second.yaml", "markers.csv", "design.json"}));
  const std::string page = content(here.folder() / "second/report.html");
  expect_sound(page);
  EXPECT_NE(page.find("invar run second.yaml --set loads.tip.y=0.11 -- -invar_ksp_monitor_true no"), std::string::npos);
  for (const char* what : {"design.json", "PETSc", "MPI", "Eigen", "Ceres"}) EXPECT_NE(page.find(what), std::string::npos) << what;
#ifdef INVAR_PICTURES
  for (const char* what : {"at the start, rendered", "at the end, rendered"}) EXPECT_NE(page.find(what), std::string::npos) << what;
#endif
  // What a run reads must not be in the folder that it replaces.
  here.write("third.yaml", beam({{"file: markers.csv", "file: second/markers.csv"}}));
  fs::copy_file(here.folder() / "markers.csv", here.folder() / "second/markers.csv");
  const Ended refused = here.invar({"run", "third.yaml", "--out", "second"});
  EXPECT_EQ(refused.code, 74) << refused.said();
  EXPECT_TRUE(fs::exists(here.folder() / "second/markers.csv"));
}

TEST(Report, OfAFailedRunSaysWhy) {
  const Workplace here;
  here.write("markers.csv", beam_markers);
  here.write("spec.yaml", beam({{"y: 0.1", "y: 1e9"}}));
  ASSERT_EQ(here.invar({"run", "spec.yaml"}).code, 4);
  ASSERT_EQ(here.invar({"report", "results/spec"}).code, 0);
  const std::string page = content(here.run_folder() / "report.html");
  expect_sound(page);
  EXPECT_EQ(page.find("they were compared"), std::string::npos);  // nothing was
  EXPECT_NE(page.find("Not done."), std::string::npos);
  EXPECT_NE(page.find("the start cannot be evaluated"), std::string::npos);
  EXPECT_NE(page.find("exit code 4"), std::string::npos);
}

TEST(Report, ShowsWhatThereIs) {
  const Workplace here;
  here.write("markers.csv", beam_markers);
  here.write("spec.yaml", beam());
  ASSERT_EQ(here.invar({"run", "spec.yaml"}).code, 0);
  const fs::path run = here.run_folder();
  fs::create_directory(run / "curves");
  std::ofstream(run / "curves/odd.csv") << "t,model,measured\n1,x,\n2,\"3\n";
  for (const char* name : {"results.json", "certificate.json", "history.csv", "resolved.yaml"}) {
    std::ofstream(run / name) << "{ damaged";
    ASSERT_EQ(here.invar({"report", "results/spec"}).code, 0) << name;
    expect_sound(content(run / "report.html"));
    fs::remove(run / name);
    ASSERT_EQ(here.invar({"report", "results/spec"}).code, 0) << name;
    expect_sound(content(run / "report.html"));
  }
  const std::string results = R"({"verification": 5, "fit": {"a": 1}, "optimizer": null, "cases": {"a": null}, "quantities": 3, "inference": []})";
  std::ofstream(run / "results.json") << results;
  nlohmann::json record = nlohmann::json::parse(content(run / "run.json"));
  record["ranks"] = "x";
  record["spec"] = 3;
  std::ofstream(run / "run.json") << record;
  const Ended odd = here.invar({"report", "results/spec"});
  ASSERT_EQ(odd.code, 0) << odd.said();
  expect_sound(content(run / "report.html"));
  // Objects that lack what the page asks for, and a band with one end, as another version may have written them.
  std::ofstream(run / "results.json") << R"({"fit": {"a": {}}, "constraints": {"c": {}}, "quantities": {"q": 1}, "intervals": {"q": {}}})";
  std::ofstream(run / "curves/band.csv") << "t,model,measured,lower_95,measured_lower_95\n1,1,1,0,0\n2,2,2,1,1\n";
  // Zeros and rounding errors are no gap in the curve of violations, and do not stretch its axis.
  std::ofstream(run / "history.csv") << "iteration,objective,violation\n0,3,2e-2\n1,2,0\n2,1,1e-16\n";
  record["ranks"] = 1;
  record["inputs"] = nlohmann::json::array({nlohmann::json::object()});  // compilers differ in {object}
  std::ofstream(run / "run.json") << record;
  const Ended lacking = here.invar({"report", "results/spec"});
  ASSERT_EQ(lacking.code, 0) << lacking.said();
  const std::string page = content(run / "report.html");
  expect_sound(page);
  for (const char* lacks : {"value&#39; not found", "_95&#39; not found", "file&#39; not found"}) EXPECT_NE(page.find(lacks), std::string::npos) << lacks;
  EXPECT_NE(page.find("less than the tolerance is drawn as 1e-06"), std::string::npos);
  EXPECT_NE(page.find(">1e-6<"), std::string::npos);
  EXPECT_EQ(page.find("1e-16<"), std::string::npos);
  const Ended none = here.invar({"report", "."});
  EXPECT_EQ(none.code, 74);
  EXPECT_NE(none.err.find("neither the folder of a run nor of a sweep"), std::string::npos) << none.err;
}

TEST(Report, OfASweepNamesTheRunsThatFailed) {
  const Workplace here;
  here.write("markers.csv", beam_markers);
  here.write("spec.yaml", beam() + "sweep:\n  over: {loads.tip.y: [0.1, 0.2, 1e9]}\n  report: [objective]\n");
  ASSERT_EQ(here.invar({"sweep", "spec.yaml", "--out", "s"}).code, 5);
  ASSERT_EQ(here.invar({"report", "s", "--out", "page.html"}).code, 0);
  const std::string page = content(here.folder() / "page.html");
  expect_sound(page);
  EXPECT_NE(page.find("2 of 3 runs are done, 1 failed"), std::string::npos);
  EXPECT_NE(page.find("the start cannot be evaluated"), std::string::npos);
  const nlohmann::ordered_json results = nlohmann::ordered_json::parse(content(here.folder() / "s/runs/0002/results.json"));
  EXPECT_NE(page.find(shown(results["objective"])), std::string::npos);
}

TEST(Report, TicksAreRound) {
  const Axis linear = Axis::of({0.13, 7.6, NAN}, false);
  EXPECT_EQ(linear.ticks, (std::vector<double>{0, 2, 4, 6, 8}));
  EXPECT_EQ(linear.place(4), 0.5);
  const Axis log = Axis::of({3e-4, 20, -1, 0}, true);
  EXPECT_NEAR(log.low, 1e-4, 1e-18);
  EXPECT_NEAR(log.place(0.1), 0.5, 1e-12);
  EXPECT_FALSE(log.shows(0));
  const Axis constant = Axis::of({5, 5}, false);
  EXPECT_LT(constant.low, 5);
  EXPECT_GT(constant.high, 5);
  EXPECT_EQ(Axis::of({}, true).ticks.empty(), false);
  for (const Axis& axis : {linear, log, constant, Axis::of({1e300, -1e300}, false), Axis::of({1.0, 1.0 + 1e-15}, false), Axis::of({12.5 / 7, std::nextafter(12.5 / 7, 2)}, false)})
    EXPECT_LT(axis.ticks.size(), 40u);
  EXPECT_EQ(tick_text(1e-6), "1e-6");
  EXPECT_EQ(tick_text(2.5e7), "2.5e7");
  EXPECT_EQ(tick_text(0.25), "0.25");
}

TEST(Report, CurvesHaveGapsWhereNothingIsKnown) {
  Chart chart;
  chart.title = "a & b";
  chart.series.push_back({"s", {0, 1, 2, 3}, {1, NAN, 2, 3}, false});
  const std::string svg = chart.svg("c");
  EXPECT_NE(svg.find("a &amp; b"), std::string::npos);
  const std::size_t path = svg.find("class=\"line"), from = svg.find("d=\"", path) + 3;
  const std::string d = svg.substr(from, svg.find('"', from) - from);
  EXPECT_EQ(std::count(d.begin(), d.end(), 'M'), 2);
  EXPECT_EQ(std::count(d.begin(), d.end(), 'L'), 1);
}

TEST(Report, Base64IsThatOfTheStandard) {  // RFC 4648, section 10
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(checksum("123456789"), "cbf43926");  // the check value of CRC-32
}

}  // namespace
}  // namespace invar::test
