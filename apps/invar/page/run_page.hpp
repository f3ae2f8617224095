#pragma once
#include <filesystem>
#include <string>

namespace invar {

/// The report of one run as a page of HTML, generated from the files in its folder only: problem, outcome, search, fits,
/// parameters, gradient certificate, verification, methods, and how to repeat it. Sections of missing files are omitted. Throws
/// IoError if the folder is not that of a run.
std::string run_page(const std::filesystem::path& folder);
/// Sources of the run's methods as BibTeX. Throws IoError likewise.
std::string run_citations(const std::filesystem::path& folder);

}  // namespace invar
