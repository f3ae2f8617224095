#include "apps/invar/page/citations.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "apps/invar/page/citation_table.hpp"
#include "apps/invar/page/references.hpp"

namespace invar {
namespace {

const CitedValue* cited_word(std::string_view section, std::string_view key, std::string_view word) {
  for (const CitedValue& w : cited_words())
    if (w.section == section && w.key == key && w.word == word) return &w;
  return nullptr;
}

void cite(std::vector<Citation>& citations, std::string method, std::vector<std::string_view> keys) {
  if (keys.empty() || std::ranges::find(citations, method, &Citation::method) != citations.end()) return;
  citations.push_back({std::move(method), std::move(keys)});
}

/// Adds citations of a section: for scalars by value, for maps by presence.
void cite_words(const spec::Node& node, std::string_view section, std::vector<Citation>& citations) {
  for (const spec::Node& child : node.children) {
    const bool scalar = child.form == spec::Node::Form::scalar;
    if (const CitedValue* w = cited_word(section, child.key, scalar ? std::string_view(child.text) : ""); w && (scalar || !child.children.empty()))
      cite(citations, std::string(w->method), w->keys);
    if (section == "design" && child.key == "steepness" && child.text != "0")
      cite(citations, "projection of densities", {"wang2011"});
    if (!scalar) cite_words(child, section, citations);
  }
}

/// The sections of the spec, and of its cases.
void cite_sections(const spec::Node& root, std::vector<Citation>& citations) {
  for (const spec::Node& section : root.children)
    if (section.key == "cases")
      for (const spec::Node& of_case : section.children) cite_sections(of_case, citations);
    else if (section.form != spec::Node::Form::scalar) cite_words(section, section.key, citations);
}

/// Those of the physics of all cases, as run.json has them.
void cite_physics(const RunRecords& run, std::vector<Citation>& citations) {
  for (const nlohmann::ordered_json& of_case : run.physics())
    for (const auto& [method, keys] : of_case.at("sources").items()) {
      std::vector<std::string_view> known;
      for (const nlohmann::ordered_json& key : keys)
        if (const auto found = std::ranges::find(references(), shown(key), &Reference::key); found != references().end()) known.push_back(found->key);
      cite(citations, method, known);
    }
}

/// Adds citations that depend on the run, not on a value of the spec.
void cite_results(const RunRecords& run, std::vector<Citation>& citations) {
  const auto& results = run.results;
  cite(citations, "Newton's method with inexact solves", {"eisenstat1996"});
  bool pseudo_time = false;
  if (results.contains("cases"))
    for (const auto& of_case : results["cases"])
      if (of_case.contains("solve")) pseudo_time |= of_case["solve"].value("pseudo_time_steps", 0.0) > 0;
  if (pseudo_time) cite(citations, "steady flow by steps in pseudo-time", {"kelley1998"});
  if (const std::string g = run.asked("physics.grad_div"); !g.empty() && g != "0" && g != "auto") cite(citations, "grad-div term", {"olshanskii2004"});
  if (run.is_search()) {
    cite(citations, "gradients by discrete adjoints", {"giles2000"});
    cite(citations, "derivatives at points by dual numbers", {"griewank2008"});
    if (const std::string scheme = run.asked("time.scheme"); !scheme.empty() && scheme != "static")
      cite(citations, "checkpoints of reverse sweeps", {"griewank2000"});
    if (results.contains("optimizer") && results["optimizer"].contains("method"))
      if (const CitedValue* w = cited_word("optimizer", "method", shown(results["optimizer"]["method"]))) cite(citations, std::string(w->method), w->keys);
  }
  if (results.contains("inference")) cite(citations, "intervals and bands by linear propagation, identifiability", {"seber1989", "brun2001"});
  if (results.contains("weight") && results["weight"].is_object()) {
    const std::string by = shown(results["weight"].value("by", nlohmann::ordered_json()));
    if (by == "evidence") cite(citations, "the weight of the prior by the evidence", {"mackay1992"});
    if (by == "discrepancy") cite(citations, "the weight of the regularisation by the discrepancy principle", {"morozov1966"});
    if (results["weight"].value("trials", nlohmann::ordered_json()).size() > 1) cite(citations, "the L-curve", {"hansen1993"});
  }
  const auto solved_otherwise = [](const auto& v) { return !v.is_object() || !v.contains("passed") || !v["passed"].is_null(); };
  if (results.contains("verification") && solved_otherwise(results["verification"])) cite(citations, "the grid convergence index", {"roache1994", "celik2008"});
  if (results.contains("verification") && results["verification"].contains("checks"))
    for (const auto& check : results["verification"]["checks"]) {
      if (check.value("kind", "") == "convex") cite(citations, "the gap of a convex problem", {"frank1956"});
      else if (check.value("kind", "") == "fitted") cite(citations, "the mesh that fits the optimum", {"labelle2007"});
    }
  cite(citations, "the library PETSc", {"balay2022"});
  cite(citations, "the library Eigen", {"eigen"});
  if (const std::string fields = run.asked("output.fields"); fields != "none") cite(citations, "the library VTK", {"schroeder2006"});
}

/// The value after "NAME = " in an entry, with or without braces.
std::string field(std::string_view entry, std::string_view name) {
  const std::string before = std::string(name) + " = ";
  std::size_t at = entry.find(", " + before);
  if (at == std::string_view::npos) at = entry.find("\n  " + before);
  if (at == std::string_view::npos) return {};
  at = entry.find(before, at) + before.size();
  if (entry[at] != '{') return std::string(entry.substr(at, entry.find_first_of(",}", at) - at));
  int depth = 0;
  std::size_t end = at;
  do depth += entry[end] == '{' ? 1 : entry[end] == '}' ? -1 : 0;
  while (depth > 0 && ++end < entry.size());
  return std::string(entry.substr(at + 1, end - at - 1));
}

/// Converts TeX accents to letters.
std::string plain(std::string text) {
  constexpr std::pair<std::string_view, std::string_view> marks[] = {
      {"\\o", "ø"}, {"\\'e", "é"}, {"\\\"u", "ü"}, {"\\\"a", "ä"}, {"\\\"o", "ö"}, {"\\\"e", "ë"}, {"\\^i", "î"}, {"\\v{e}", "ě"}, {"\\&", "&"},
      {"$\\alpha$", "α"}, {"---", "—"}, {"--", "–"}, {"``", "“"}, {"''", "”"}, {"$", ""}};
  for (const auto& [mark, letter] : marks)
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + letter.size())) text.replace(at, mark.size(), letter);
  if (text.starts_with("http://")) text.erase(0, 7);  // the page names no place that a browser would go to
  std::erase_if(text, [](char c) { return c == '{' || c == '}'; });
  return text;
}

/// "Svanberg"; of several the first and the last, of more than two the first "and others".
std::string short_authors(std::string authors) {
  std::vector<std::string> names;
  constexpr std::string_view between = " and ";
  for (std::size_t at = 0; at <= authors.size();) {
    const std::size_t end = std::min(authors.find(between, at), authors.size());
    const std::string name = plain(authors.substr(at, end - at));
    const bool braced = authors[end - 1] == '}' && name.find("St.") != std::string::npos;
    names.push_back(braced ? name.substr(name.find("St.")) : name == "others" ? name : name.substr(name.rfind(' ') + 1));
    at = end + between.size();
  }
  if (names.size() > 2 || names.back() == "others") return names[0] + " and others";
  return names.size() == 2 ? names[0] + " and " + names[1] : names[0];
}

}  // namespace

std::vector<std::string_view> sources_of(std::string_view section, std::string_view key, std::string_view word) {
  const CitedValue* w = cited_word(section, key, word);
  return w ? w->keys : std::vector<std::string_view>();
}

bool is_cited(std::string_view section, std::string_view key, std::string_view word) { return cited_word(section, key, word) != nullptr; }

std::vector<Citation> citations_of(const RunRecords& run) {
  std::vector<Citation> citations;
  cite_physics(run, citations);
  if (run.spec) cite_sections(*run.spec, citations);
  cite_results(run, citations);
  return citations;
}

std::vector<Citation> citations_of_sweep(std::string_view design, bool has_statistics) {
  std::vector<Citation> citations;
  if (const CitedValue* w = cited_word("sweep", "design", design)) cite(citations, std::string(w->method), w->keys);
  if (has_statistics) cite(citations, "quantiles of samples", {"hyndman1996"});
  return citations;
}

std::string citation_text(std::string_view key) {
  const std::string_view entry = reference(key).entry;
  const std::string year = field(entry, "year");
  std::string where;
  for (const char* name : {"journal", "booktitle", "institution", "publisher", "howpublished"})
    if (where.empty()) where = plain(field(entry, name));
  if (const std::string volume = field(entry, "volume"); !volume.empty()) where += ' ' + volume;
  return short_authors(field(entry, "author")) + (year.empty() ? "" : " " + year) + ": " + plain(field(entry, "title")) + ". " + where;
}

std::string bibtex(const std::vector<Citation>& citations, const std::string& version) {
  std::string text = "@misc{invar, title = {invar: inverse design of soft bodies and flows with discrete adjoints}, note = {version " + version + "}}\n";
  std::set<std::string_view> keys;
  for (const Citation& c : citations) keys.insert(c.keys.begin(), c.keys.end());
  for (const std::string_view key : keys) text += std::string(reference(key).entry) + '\n';
  return text;
}

void add_citations(const std::vector<Citation>& citations, const std::string& version, HtmlPage& page) {
  page.subsection("Sources of the methods");
  std::vector<std::vector<std::string>> rows;
  for (const Citation& c : citations) {
    std::string texts;
    for (const std::string_view key : c.keys) texts += (texts.empty() ? "" : "; ") + citation_text(key);
    rows.push_back({c.method, texts});
  }
  if (!rows.empty()) page.table("Methods of this run and their sources", {{"method"}, {"source"}}, rows);
  page.attachment("As BibTeX, including the program itself: ", "citations.bib", "application/x-bibtex", bibtex(citations, version));
}

}  // namespace invar
