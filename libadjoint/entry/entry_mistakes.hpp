#pragma once
#include <string>
#include <vector>

namespace invar {

/// What is wrong with the values that an entry of a library was given: all of it, by key.
class EntryMistakes {
 public:
  struct Mistake {
    std::string key;         // whose value is wrong; empty: of the entry as a whole
    std::string what, hint;  // the sentence, and what would be right, which may be empty
    int row = -1;            // of the table under the key; −1: of the key's value as a whole
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
