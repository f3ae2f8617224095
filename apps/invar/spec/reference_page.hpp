#pragma once
#include <string>

#include "apps/invar/spec/table.hpp"

namespace invar::spec {

/// The reference of a spec in Markdown: one heading per record, one table of its keys. A table that stands at several
/// places is described at the first and linked to from the others; keys that variants share are listed once, above
/// them; a variant that several tagged tables have is described in one of them. Links lead to the anchors that GitHub
/// gives to headings. `preface`: Markdown between the description of the whole and its keys.
std::string reference_page(const Table& table, const std::string& preface = "");

}  // namespace invar::spec
