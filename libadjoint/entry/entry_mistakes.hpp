#pragma once
#include <string>
#include <vector>

namespace invar {

/// Collects all mistakes in the values given to a library entry, by key.
class EntryMistakes {
 public:
  struct Mistake {
    std::string key;         // the key with the wrong value; empty: the entry as a whole
    std::string what, hint;  // the message, and a hint how to correct it (may be empty)
    int row = -1;            // row of the table under the key; −1: the value as a whole
  };

  void add(std::string key, std::string what, std::string hint = {}) { all_.push_back({std::move(key), std::move(what), std::move(hint)}); }
  void add_in_row(std::string key, int row, std::string what, std::string hint = {}) {
    all_.push_back({std::move(key), std::move(what), std::move(hint), row});
  }
  const std::vector<Mistake>& all() const { return all_; }
  bool any() const { return !all_.empty(); }

 private:
  std::vector<Mistake> all_;
};

}  // namespace invar
