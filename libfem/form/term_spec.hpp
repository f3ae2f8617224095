#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libadjoint/param_spec.hpp"

namespace invar {

/// A parameter of a term: one number, or one per space axis.
struct TermParameter {
  ParamSpec spec;                // per axis: the key without the suffix x, y, z
  bool per_axis = false;         // without a default some axes may be omitted (zero), but not all
  bool may_be_formula = false;   // in x, y, z, t
  bool grows = false;            // grows in proportion to the load parameter in statics
};

/// A choice of a term: one of several words.
struct TermChoice {
  struct Word {
    std::string_view word, doc;
  };
  std::string_view key, doc;
  std::vector<Word> words;
};

/// An additional region of a term, of points or facets.
struct TermRegion {
  std::string_view key, doc;
};
/// Key of the region whose motion an obstacle follows.
inline constexpr std::string_view carrier_key = "moves_with";

/// Settings of a term besides its coefficients.
struct TermSetting {
  int dim = 0;                  // of space
  bool axisymmetric = false;
  bool in_time = false;         // the case is transient
  bool is_explicit = false;     // its time steps, see TimeScheme
  std::string choice;           // the chosen word of TermChoice
  std::vector<double> numbers;  // the coefficients, in order; NaN for formulas
  std::string other_region = {};  // the region of TermRegion; may be empty
};

/// Why a term is not possible with its settings, and a hint.
struct TermRefusal {
  std::string what, hint;
};

/// A load, or a quantity that is an integral, as plain data. The section of the spec, its validation, its reference
/// page and the binding of numbers to coefficients are generated from it.
struct TermSpec {
  enum class Domain { facets, cells, points };

  std::string_view name, doc;               // value of `type`; at least one line for the reference
  Domain domain = Domain::facets;           // kind of its region
  // in the order of the form's coefficients; a per-axis parameter counts `dim` times
  std::vector<TermParameter> parameters{};
  std::optional<TermChoice> choice{};
  std::optional<TermRegion> other_region{};
  /// Nothing if the term is possible. May be null.
  std::optional<TermRefusal> (*refuses)(const TermSetting&) = nullptr;
};

}  // namespace invar
