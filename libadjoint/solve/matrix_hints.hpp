#pragma once
#include <memory>

#include "libadjoint/petsc.hpp"
#include "libadjoint/solve/saddle_point.hpp"

namespace invar {

/// What an equation knows of its matrix and a linear solver may want to; null: not known. Handles are borrowed.
struct MatrixHints {
  MatNullSpace near_null_space = nullptr;
  /// Functions of a coarser space in unknowns of this one, for two-level methods: [own unknowns × coarse ones].
  /// Constrained rows and what they constrain in the coarse space are coupled to nothing else.
  Mat prolongation = nullptr;
  /// The blocks of a saddle-point matrix, for block preconditioners.
  std::shared_ptr<SaddlePoint> saddle_point;
};

}  // namespace invar
