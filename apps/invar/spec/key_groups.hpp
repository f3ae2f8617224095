#pragma once
#include <string>
#include <vector>

#include "apps/invar/spec/table.hpp"

namespace invar::spec {

/// Keys and rules that are listed together on the reference page. Contains pointers into their table.
struct KeyGroup {
  std::vector<const Table::Entry*> entries;
  std::vector<const Table::Rule*> rules;
};

/// The keys of a tagged table, so divided that what several variants have is named once. A key or rule is shared where
/// it is the same in at least two variants and in at least half of them, and where at least three keys are the same in
/// at least three variants and in no other; the rest is a variant's own.
struct KeyGroups {
  /// What the variants of `of` share, and those of `but` do not.
  struct Shared {
    std::vector<std::string> of, but;
    KeyGroup group;
  };
  KeyGroup common;             // the table's own, and what every variant shares
  std::vector<Shared> shared;  // none with an empty `but`
  std::vector<KeyGroup> own;   // of each variant
};

KeyGroups key_groups(const Table& table);

}  // namespace invar::spec
