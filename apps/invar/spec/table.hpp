#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/invar/spec/type.hpp"
#include "libadjoint/param_spec.hpp"

namespace invar::spec {

/// The keys of one record of the spec, as data. The same table validates, fills in defaults, and
/// writes the JSON Schema, the reference page and resolved.yaml.
///
///     Table("solver", "How equations are solved.")
///         .defaulted("rtol", number().above(0).below(1), "1e-8", "relative tolerance")
///         .required("steps", integer().at_least(1), "load steps")
///
/// A record whose keys depend on the value of one of them is `tagged`: each variant is a table
/// named after the value, its keys stand beside the common ones.
class Table {
 public:
  struct Entry {
    std::string key;
    Type type;
    std::string doc;
    bool required = false;
    std::optional<std::string> default_text = {};  // as one would write it in the spec
    std::string beside = {};  // the key without which this one has no effect; then it must not be given, and has no default
  };
  /// How many of `keys` may be given.
  struct Rule {
    std::vector<std::string> keys;
    std::size_t least, most;
  };

  Table(std::string name, std::string doc) : name_(std::move(name)), doc_(std::move(doc)) {}

  Table& required(std::string key, Type type, std::string doc);
  /// May be left out; then it is absent from the tree too.
  Table& optional(std::string key, Type type, std::string doc);
  /// When left out, `default_text` is read in its place. "{}" fills a record with its defaults.
  Table& defaulted(std::string key, Type type, std::string default_text, std::string doc);
  /// `key` says which of the variants holds. Without a default it is required. Once per table.
  Table& tagged(std::string key, std::string doc, std::vector<Table> variants,
                std::optional<std::string> default_word = {});
  /// Keys with points, "mesh.box.cells", are admitted besides: `doc` says what they do. They are gone before
  /// validation.
  Table& paths(std::string doc);
  /// These entries have an effect only beside another key.
  Table& beside(const std::string& other, const std::vector<std::string>& keys);
  Table& exactly_one_of(std::vector<std::string> keys);
  Table& at_least_one_of(std::vector<std::string> keys);
  Table& at_most_one_of(std::vector<std::string> keys);

  const std::string& name() const { return name_; }
  const std::string& doc() const { return doc_; }
  const std::vector<Entry>& entries() const { return entries_; }
  const std::vector<Rule>& rules() const { return rules_; }
  const std::string& path_doc() const { return path_doc_; }  // empty: no keys with points
  const std::string& tag() const { return tag_; }  // empty: not tagged
  const std::vector<Table>& variants() const { return variants_; }

  const Entry* find(std::string_view key) const;           // common entries only
  const Table* variant(std::string_view word) const;
  std::vector<std::string> keys() const;                   // common entries only
  /// The entry of that key, common or of any variant.
  const Entry* find_anywhere(std::string_view key) const;

 private:
  Table& add(Entry entry);

  std::string name_, doc_, tag_, path_doc_;
  std::vector<Entry> entries_;
  std::vector<Rule> rules_;
  std::vector<Table> variants_;
};

/// A number as a model's parameter admits it: unit and range.
Type number_of(const ParamSpec& parameter);

/// One table out of a model's parameters: their keys, units, ranges and defaults.
Table parameters(std::string name, std::string doc, std::span<const ParamSpec> specs);

}  // namespace invar::spec
