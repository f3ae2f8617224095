#pragma once
#include <filesystem>
#include <string>

namespace invar {

/// The report of a sweep as a page of HTML: state of its runs, reasons of failures, results against varied values, and the summary
/// of `invar collect`; of a folder with runs of several specs their states and results. Throws IoError if it contains none.
std::string sweep_page(const std::filesystem::path& folder);

}  // namespace invar
