#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/invar/spec/verb.hpp"

namespace invar {

/// One verb as the command line, --help, the man page and the completion of shells know it. The synopsis is the verb
/// and the placeholder of its operand, if it has one: `run SPEC`, `schema [PHYSICS]` where it may be left out.
struct VerbRow {
  Verb verb;
  const char *name, *synopsis, *doc;

  /// "SPEC" of "run SPEC" and of "run [SPEC]"; empty: no operand.
  std::string operand() const;
  bool operand_required() const;
};

/// One option. `argument`: its placeholder, null for a flag. `verbs`: those that it applies to, separated by blanks.
/// `doc`: null hides it from lists.
struct OptionRow {
  const char *name, *argument, *verbs, *doc;

  bool applies(std::string_view verb) const;
};

/// What stands for a placeholder of a synopsis.
struct Placeholder {
  enum class Kind { spec, folder, word, assignment };
  const char* name;   // "SPEC"
  Kind kind;
  const char* words;  // in messages: "spec file", "run folder"
  const char* brief;  // the same shorter: "spec"
};

std::span<const VerbRow> verb_rows();
std::span<const OptionRow> option_rows();
/// One that no row describes is a word.
Placeholder placeholder(std::string_view name);

}  // namespace invar
