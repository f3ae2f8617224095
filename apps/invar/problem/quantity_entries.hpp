#pragma once
#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "apps/invar/problem/case_model.hpp"
#include "apps/invar/problem/entry_table.hpp"
#include "libfem/mechanism/tied_equation.hpp"
#include "libfem/objective/quantity_entry.hpp"

namespace invar {

/// Tables of the quantities of a library. components: of the unknown.
template <class Case, class Made>
std::vector<spec::Table> quantity_tables(std::span<const QuantityEntry<Case, Made>> library, const std::vector<ComponentSpec>& components = {}) {
  std::vector<spec::Table> tables;
  for (const QuantityEntry<Case, Made>& entry : library) {
    spec::Table& table = tables.emplace_back(std::string(entry.name), std::string(entry.doc));
    add_parameters(table, entry.parameters, components);
    if (!entry.exactly_one_of.empty()) table.exactly_one_of({entry.exactly_one_of.begin(), entry.exactly_one_of.end()});
  }
  return tables;
}

/// Writes the data of the case that the quantity needs into `c`. False, with error messages, if a region, component, number or
/// field does not exist, or a point or axis does not fit the dimension of the mesh.
bool describe_case(QuantityCase& c, const std::vector<EntryParameter>& parameters, const CaseModel& model, const spec::Value& record,
                   Diagnostics& diagnostics);

/// The quantity of a record: null or empty, with error messages, on failure; nothing if the library does not contain it. `c`: the
/// case with the additions of the physics. station: index in the record's list of stations, if it has one.
template <class Case, class Made>
std::optional<Made> make_quantity(std::span<const QuantityEntry<Case, Made>> library, Case c, const CaseModel& model, const spec::Value& record,
                                  Diagnostics& diagnostics, std::optional<double> station = {}) {
  const auto entry = std::ranges::find(library, record["type"].text(), &QuantityEntry<Case, Made>::name);
  if (entry == library.end()) return std::nullopt;
  if (!describe_case(c, entry->parameters, model, record, diagnostics)) return Made{};
  EntryMistakes mistakes;
  EntryValues values = entry_values(entry->parameters, record);
  if (station) values.set("station", {*station});
  std::vector<VecHandle> supports;
  c.supports = &supports;
  c.tied.insert(c.tied.end(), model.tied_facets.begin(), model.tied_facets.end());
  Made quantity = entry->make(c, values, mistakes);
  report(mistakes, record, diagnostics);
  if (mistakes.any()) return Made{};
  if constexpr (std::is_same_v<Made, std::shared_ptr<Observable>>) return model.ties ? model.ties->observed(std::move(quantity), supports) : std::move(quantity);
  else return quantity;
}

}  // namespace invar
