#pragma once
#include <limits>
#include <string>
#include <vector>

#include "apps/invar/physics/component_spec.hpp"
#include "apps/invar/spec/table.hpp"

namespace invar {

// Tables of keys that several physics share.

/// A number, or a formula in x, y, z, t. least: smallest number.
spec::Type value_or_formula(std::string unit, double least = -std::numeric_limits<double>::infinity());
/// Doc on how numbers of loads and boundaries depend on t.
const std::string& growth_doc();

/// u_x, u_y, u_z of an entry of `boundary`, and of `initial`.
std::vector<spec::Table::Entry> prescribed_vector();
std::vector<spec::Table::Entry> initial_vector();
/// u_x, u_y, u_z. norm: name of the norm of errors of the vector.
std::vector<ComponentSpec> vector_components(const std::string& norm);
/// p
ComponentSpec pressure_component();

/// Keys that all data have: case, name, weight, noise.
spec::Table& squares_table(spec::Table& table);
/// The keys case and name of a term.
spec::Table& add_case_and_name(spec::Table& table);

}  // namespace invar
