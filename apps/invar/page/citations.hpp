#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "apps/invar/page/html_page.hpp"
#include "apps/invar/page/run_records.hpp"

namespace invar {

/// A method that a run used, with its sources.
struct Citation {
  std::string method;                  // "Gent's law"
  std::vector<std::string_view> keys;  // of `references`
};

/// The sources of a word of the spec: `section` and `key` as in materials.NAME.model. Empty if the value needs no citation, as
/// "static" or "number".
std::vector<std::string_view> sources_of(std::string_view section, std::string_view key, std::string_view word);
/// Whether the table contains the value, with or without sources; tests compare the lists of the libraries with it.
bool is_cited(std::string_view section, std::string_view key, std::string_view word);

/// Methods of a run, from its resolved spec and results, without duplicates.
std::vector<Citation> citations_of(const RunRecords& run);
/// Methods of a sweep with this design of points; with those of statistics if its inputs are random.
std::vector<Citation> citations_of_sweep(std::string_view design, bool has_statistics);

/// "Svanberg 2002: A class of …": a reference as text.
std::string citation_text(std::string_view key);
/// A file of BibTeX with the program itself, as `version` names it, and all that is cited.
std::string bibtex(const std::vector<Citation>& citations, const std::string& version);
/// A table of methods and sources, with the file.
void add_citations(const std::vector<Citation>& citations, const std::string& version, HtmlPage& page);

}  // namespace invar
