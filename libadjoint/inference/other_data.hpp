#pragma once
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "libadjoint/case.hpp"

namespace invar {

/// While it lives, the cases have other data, and no terms: the residuals of a functional of these cases are those of the data given here.
/// Then they have their own data and terms again, also after an exception. Adds nothing to observables: those of transient cases must have
/// been registered (`Case::watch`).
class OtherData {
 public:
  /// The cases must live longer. data: [case].
  OtherData(const std::vector<std::shared_ptr<Case>>& cases, std::vector<std::vector<DataSet>> data)
      : cases_(cases), data_(std::move(data)), terms_(cases.size()) {
    data_.resize(cases.size());
    exchange();
  }
  ~OtherData() { exchange(); }
  OtherData(const OtherData&) = delete;
  OtherData& operator=(const OtherData&) = delete;

 private:
  void exchange() noexcept {
    for (std::size_t c = 0; c < cases_.size(); ++c) {
      std::swap(cases_[c]->data(), data_[c]);
      std::swap(cases_[c]->terms(), terms_[c]);
    }
  }

  const std::vector<std::shared_ptr<Case>>& cases_;
  std::vector<std::vector<DataSet>> data_;
  std::vector<std::vector<ProcessTerm>> terms_;
};

}  // namespace invar
