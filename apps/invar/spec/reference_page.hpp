#pragma once
#include <string>

#include "apps/invar/spec/table.hpp"

namespace invar::spec {

/// The reference of a spec in Markdown: one heading per record, one table of its keys.
std::string reference_page(const Table& table);

}  // namespace invar::spec
