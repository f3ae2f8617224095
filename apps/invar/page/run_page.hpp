#pragma once
#include <filesystem>
#include <string>

namespace invar {

/// The report of one run as a page of HTML, made of the files in its folder alone: what was asked, how it ended, the search,
/// fits, parameters, the gradient certificate, verification, methods, and how to repeat it. Files that are missing leave out
/// what they would tell. Throws IoError where the folder is none of a run.
std::string run_page(const std::filesystem::path& folder);
/// What the run has to cite, as BibTeX. Throws IoError likewise.
std::string run_citations(const std::filesystem::path& folder);

}  // namespace invar
