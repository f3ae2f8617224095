#pragma once
#include <memory>

#include "libadjoint/solve/schur_complement.hpp"

namespace invar {

/// Fields of a matrix for block Gauss–Seidel (GaussSeidelPreconditioner):
///       [ A    Bᵀ  ·   ∘ ]  primal v
///   K = [ B    0   ·   ∘ ]  multiplier p
///       [ −βM  0   αM  0 ]  integral s: α s = β v + …, at some unknowns of the primal
///       [ 0    0   ·   E ]  follower m
/// In a step in time of fluid–structure interaction: velocity; pressure; displacement of bodies, with s' = v; displacement of
/// the fluid's mesh. The coupling ∘ is the one that block Gauss–Seidel omits. M and E are symmetric. Every unknown belongs to one
/// field.
struct CoupledFields {
  std::shared_ptr<SchurComplement> saddle;  // v and p
  /// Global rows of this rank, ascending; block size: components of a node.
  IsHandle integral, follower;
  /// The row in the primal of each row in `integral`, on the same rank.
  IsHandle integrand;
  /// Whether block Gauss–Seidel is better than a direct method for large systems: in space.
  bool favours_iteration = false;
};

}  // namespace invar
