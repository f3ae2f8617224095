#pragma once
#include "apps/invar/spec/table.hpp"

namespace invar::spec {

/// Whether two descriptions agree in all that a user sees: keys, types, defaults, docs and, of tables, rules and
/// variants.
bool same(const Type& a, const Type& b);
bool same(const Table::Entry& a, const Table::Entry& b);
bool same(const Table::Rule& a, const Table::Rule& b);
bool same(const Table& a, const Table& b);

}  // namespace invar::spec
