#include <algorithm>
#include <cmath>

#include "apps/invar/page/run_sections.hpp"

namespace invar {
namespace {

using nlohmann::ordered_json;

ordered_json member(const ordered_json& j, const char* key) { return j.contains(key) ? j[key] : ordered_json(); }

void add_certificate(const RunRecords& run, HtmlPage& page) {
  const ordered_json entries = member(run.certificate, "entries");
  if (!entries.is_array() || entries.empty()) return;
  page.subsection("Gradient certificate");
  double worst = 0;
  std::vector<std::vector<std::string>> rows;
  for (const ordered_json& e : entries) {
    if (member(e, "check") == "dot product" && member(e, "measured").is_number()) worst = std::max(worst, e["measured"].get<double>());
    const bool undecided = member(e, "undecided") == true;
    rows.push_back({shown(member(e, "check")) + ", " + shown(member(e, "subject")), shown(member(e, "measured")), shown(member(e, "tolerance")),
                    undecided ? shown(member(e, "note")) : member(e, "passed") == true ? "passed" : "FAILED"});
  }
  const bool passed = member(run.certificate, "passed") == true;
  page.verdict(passed ? HtmlPage::Verdict::good : HtmlPage::Verdict::bad, passed ? "The gradient was checked." : "The gradient is not certified.",
               passed ? "At the start, derivatives along directions by the adjoint and by the independent tangent model agree to " + shown(worst) + "."
                      : "See the table; 'invar check' runs all tests.");
  page.table("Checks: relative differences and tolerances", {{"check"}, {"measured", true}, {"allowed", true}, {"outcome"}}, rows);
}

void add_verification(const RunRecords& run, HtmlPage& page) {
  if (!run.is_search()) return;
  page.subsection("Verification of the optimum");
  const ordered_json v = member(run.results, "verification");
  if (!v.is_object()) {
    page.paragraph("The optimum was not solved again on a finer mesh, with shorter steps or from another start: the discretisation error of the gain is unknown. 'invar verify RUNDIR' computes it.");
    return;
  }
  if (member(v, "passed").is_null()) page.paragraph("The optimum as a body of material and void: " + shown(member(v, "verdict")) + ". Its discretisation error is unknown; 'invar verify RUNDIR' estimates it.");
  else {
    const bool passed = member(v, "passed") == true;
    page.verdict(passed ? HtmlPage::Verdict::good : HtmlPage::Verdict::bad, passed ? "Verified." : "Not verified.", shown(member(v, "verdict")));
  }
  std::vector<std::vector<std::string>> rows;
  const auto share = [](const ordered_json& j) { return j.is_number() ? percent(j.get<double>()) : std::string("–"); };
  for (const ordered_json& c : member(v, "checks"))
    rows.push_back({shown(member(c, "kind")), shown(member(c, "objective_at_start")), shown(member(c, "objective")), share(member(c, "change")),
                    share(member(c, "share")), share(member(c, "gci")), shown(member(c, "reason"))});
  page.table("Objective in each setting, and the share of the gain that is preserved",
             {{"setting"}, {"start", true}, {"optimum", true}, {"change", true}, {"survives", true}, {"grid convergence index", true}, {"remark"}}, rows);
}

/// Of a simulation.
void add_convergence(const RunRecords& run, HtmlPage& page) {
  const ordered_json all = member(run.results, "convergence");
  if (!all.is_object()) return;
  for (const auto& [kind, found] : all.items()) {
    page.subsection("Convergence of the numbers: " + kind);
    if (found.contains("reason")) {
      page.paragraph(shown(found["reason"]) + ".");
      continue;
    }
    std::vector<std::vector<std::string>> rows;
    const auto share = [](const ordered_json& j) { return j.is_number() ? percent(j.get<double>()) : std::string("–"); };
    const auto add = [&](const std::string& name, const ordered_json& entry) {
      std::string values;
      for (const ordered_json& v : entry["values"]) values += (values.empty() ? "" : "; ") + shown(v);
      rows.push_back({name, values, share(member(entry, "change")), shown(member(entry, "order")), shown(member(entry, "extrapolated")), share(member(entry, "gci_of_run"))});
    };
    if (found.contains("objective")) add("objective", found["objective"]);
    for (const char* section : {"quantities", "probes"})
      if (found.contains(section))
        for (const auto& [name, entry] : found[section].items()) add(name, entry);
    page.table("Values of the run and in the other settings, each finer by a half than the one before where there is an order",
               {{"number"}, {"values", true}, {"change", true}, {"observed order", true}, {"extrapolated", true}, {"grid convergence index of the run", true}}, rows);
  }
}

}  // namespace

void add_trust(const RunRecords& run, HtmlPage& page) {
  if (!member(run.certificate, "entries").is_array() && !run.is_search() && !member(run.results, "convergence").is_object()) return;
  page.section("Reliability");
  add_certificate(run, page);
  add_verification(run, page);
  add_convergence(run, page);
}

}  // namespace invar
