#pragma once
#include <filesystem>
#include <string>

namespace invar {

/// The report of a sweep as a page of HTML: state of its runs, reasons of failures, results against varied values, and the summary
/// of `invar collect`. Throws IoError if the folder is not that of a sweep.
std::string sweep_page(const std::filesystem::path& folder);

}  // namespace invar
