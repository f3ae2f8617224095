#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "apps/invar/page/html_page.hpp"
#include "apps/invar/page/run_records.hpp"

namespace invar {

/// A method that a run used, and where it comes from.
struct Citation {
  std::string method;                  // "Gent's law"
  std::vector<std::string_view> keys;  // of `references`
};

/// The sources of a word of the spec: `section` and `key` as in materials.NAME.model. Empty where the word names no method of
/// somebody's, as "static" or "number".
std::vector<std::string_view> sources_of(std::string_view section, std::string_view key, std::string_view word);
/// Whether the table knows the word, with sources or without any: tests hold the lists of the libraries against it.
bool is_cited(std::string_view section, std::string_view key, std::string_view word);

/// What a run used, from its resolved spec and its results; each method once.
std::vector<Citation> citations_of(const RunRecords& run);
/// The same of a sweep with this design of points; with statistics where its inputs were drawn.
std::vector<Citation> citations_of_sweep(std::string_view design, bool has_statistics);

/// "Svanberg 2002: A class of …": a reference as text.
std::string citation_text(std::string_view key);
/// A file of BibTeX with the program itself, as `version` names it, and all that is cited.
std::string bibtex(const std::vector<Citation>& citations, const std::string& version);
/// A table of methods and sources, with the file.
void add_citations(const std::vector<Citation>& citations, const std::string& version, HtmlPage& page);

}  // namespace invar
