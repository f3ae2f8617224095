#pragma once
#include "libadjoint/petsc.hpp"

namespace invar {

/// Access to the sub-vector of x with the rows of an index set, while it lives.
class SubVector {
 public:
  SubVector(Vec x, IS rows) : x_(x), rows_(rows) { check(VecGetSubVector(x_, rows_, &part_)); }
  SubVector(const SubVector&) = delete;
  SubVector& operator=(const SubVector&) = delete;
  ~SubVector() { VecRestoreSubVector(x_, rows_, &part_); }
  operator Vec() const { return part_; }

 private:
  Vec x_, part_ = nullptr;
  IS rows_;
};

}  // namespace invar
