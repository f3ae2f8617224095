#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libadjoint/param_spec.hpp"

namespace invar {

/// A number that a term is given, or one for each axis of space.
struct TermParameter {
  ParamSpec spec;                // per axis: the part of the key before x, y, z
  bool per_axis = false;         // without a default each axis may be left out, which is zero, but not all
  bool may_be_formula = false;   // in x, y, z, t
  bool grows = false;            // numbers grow in statics in proportion to the load parameter
};

/// A word that a term is given: one of several.
struct TermChoice {
  struct Word {
    std::string_view word, doc;
  };
  std::string_view key, doc;
  std::vector<Word> words;
};

/// A further region that a term may be given, of points or facets.
struct TermRegion {
  std::string_view key, doc;
};
/// The key of one whose motion an obstacle takes part in.
inline constexpr std::string_view carrier_key = "moves_with";

/// What a term was given besides its coefficients.
struct TermSetting {
  int dim = 0;                  // of space
  bool axisymmetric = false;
  bool in_time = false;         // the case is a process in time
  bool balances_at_end = true;  // of its steps, see TimeScheme
  std::string choice;           // the word of TermChoice
  std::vector<double> numbers;  // the coefficients, in their order; not a number where a formula stands
  std::string other_region = {};  // that of TermRegion; may be empty
};

/// Why a term cannot be what it was given, and what would be right.
struct TermRefusal {
  std::string what, hint;
};

/// A load, or a quantity that is an integral, as plain data beside its form. The section of the spec, its validation,
/// its reference page and the binding of its numbers to coefficients follow from it.
struct TermSpec {
  enum class Domain { facets, cells, points };

  std::string_view name, doc;               // the word of `type`; one line or more for the reference
  Domain domain = Domain::facets;           // the region that it acts on
  // in the order of the form's coefficients; one per axis counts `dim` of them
  std::vector<TermParameter> parameters{};
  std::optional<TermChoice> choice{};
  std::optional<TermRegion> other_region{};
  /// Nothing where it can be made as it was given. May be null.
  std::optional<TermRefusal> (*refuses)(const TermSetting&) = nullptr;
};

}  // namespace invar
