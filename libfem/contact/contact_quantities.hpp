#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "libfem/contact/pair_finder.hpp"
#include "libfem/objective/quantity_entry.hpp"

namespace invar {

/// A case of bodies that may touch, as its quantities see it.
struct ContactQuantityCase : QuantityCase {
  struct Pair {
    std::string name;
    std::vector<std::string> regions;     // one, or one of each side
    std::shared_ptr<PairFinder> finder;
    std::vector<ControlledValue> values;  // coefficients of the pair's form
    bool friction = false;
  };
  std::vector<Pair> pairs;
};

/// In the order of the manual.
std::span<const QuantityEntry<ContactQuantityCase>> contact_quantities();
/// What is reported only.
std::span<const ReportEntry<ContactQuantityCase>> contact_reports();

}  // namespace invar
