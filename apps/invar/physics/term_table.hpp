#pragma once
#include <string>
#include <vector>

#include "apps/invar/spec/table.hpp"
#include "libfem/form/term_spec.hpp"

namespace invar {

/// Table of a load, or of a quantity that is an integral.
spec::Table term_table(const TermSpec& term);

/// Tables of all entries of a library.
template <class Library>
std::vector<spec::Table> term_tables(const Library& library) {
  std::vector<spec::Table> tables;
  for (const TermSpec& term : library) tables.push_back(term_table(term));
  return tables;
}

/// The entry of that name, null where there is none.
template <class Library>
const auto* find_term(const Library& library, std::string_view name) {
  for (const auto& term : library)
    if (term.name == name) return &term;
  return static_cast<decltype(library.data())>(nullptr);
}

/// The keys of a parameter, one for each axis of space or one alone.
std::vector<std::string> keys_of(const TermParameter& parameter, int dim);

}  // namespace invar
