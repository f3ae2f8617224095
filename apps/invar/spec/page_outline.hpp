#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "apps/invar/spec/key_groups.hpp"
#include "apps/invar/spec/table.hpp"

namespace invar::spec {

/// Outline of the reference page. Contains pointers into its table.
class PageOutline {
 public:
  struct Variant {
    std::string heading, anchor;  // of its section here; empty: it has none
    std::string home;             // anchor of the section that says what it is; the same or another's
    std::string home_heading;
    KeyGroup more;                // its keys and rules here that `home` does not have
  };
  struct Record {
    std::string place, heading, anchor;  // place "": the whole
    const Table* table;
    KeyGroups groups;
    std::vector<Variant> variants;
  };

  explicit PageOutline(const Table& table);
  const std::vector<Record>& records() const { return records_; }
  /// Where a table is described.
  const std::string& anchor_of(const Table& table) const;

 private:
  void add(const Table& table, const std::string& place);
  void add_below(const KeyGroup& group, const std::string& place);
  void add_below(const Type& type, const std::string& place);
  void find_homes();
  void name_sections();
  /// The anchor of a heading, numbered where an earlier one has the same.
  std::string anchor(const std::string& heading);

  std::vector<Record> records_;
  std::map<std::string, int> used_;
};

}  // namespace invar::spec
