#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "libfem/contact/pair_finder.hpp"
#include "libfem/objective/quantity_entry.hpp"

namespace invar {

/// A case with contact, in the form that its quantities need.
struct ContactQuantityCase : QuantityCase {
  struct Pair {
    std::string name;
    std::vector<std::string> regions;     // one for self-contact, else one of each side
    std::shared_ptr<PairFinder> finder;
    std::vector<ControlledValue> values;  // coefficients of the pair's form
    bool friction = false;
  };
  std::vector<Pair> pairs;
};

/// Quantities in the order of the reference page.
std::span<const QuantityEntry<ContactQuantityCase>> contact_quantities();
/// Quantities that can be reported but not designed.
std::span<const ReportEntry<ContactQuantityCase>> contact_reports();

}  // namespace invar
