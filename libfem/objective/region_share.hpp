#pragma once
#include <array>
#include <string>
#include <vector>

#include "libfem/form/form_residual.hpp"

namespace invar {

/// What of a residual r without constraints a region of the boundary exerts, as nodal forces
///   f_i = Σ_pieces factor_i · (residual of the piece's part of the equation)_i
///
/// Forces belong to facets. Let B be the facets at node i on which a component is held or tied, R those of them in the region,
/// H the held ones or, without any, B, and t(f) = ∫_f (flux·n + loads)·v_i the traction on facet f of the solution as it is behind f. Then
///   f_i = Σ_R t + |R ∩ H|/|H| (r_i − Σ_B t)
/// which is r_i wherever all of B is in the region: the consistent force, of higher order than any traction (Gresho,
/// Lee, Sani, Maslanik, Eaton, Int. J. Numer. Methods Fluids 7, 1987). Where regions meet, each has its own traction
/// and shares what r_i says beyond their sum, which is small, by the number of its facets. Forces of disjoint regions
/// add up to that of their union, and of the whole boundary to that of r. Facets where the component is free exert
/// nothing; where no facet at i is held, as around a point that is, all of the boundary share r_i.
///
/// So far what supports exert: tractions less loads. Of the whole surface the loads on the region's facets (outlets,
/// friction of walls that slip, bedding, contact) count, too: f_i − Σ_{f in the region} ∫_f loads·v_i.
///
/// A region of cells, points or curves in space has no facets: it exerts what r says at its nodes.
struct RegionShare {
  struct Piece {
    int part = FormResidual::equation;  // as in FormResidual::raw_residual
    std::vector<double> factor;         // [node of `nodes` × dim]
  };
  std::vector<int> nodes;  // of the region, owned by this rank
  std::vector<Piece> pieces;

  enum class Of { supports, surface };

  /// wanted: the components that matter. tied: regions of facets whose nodes are tied to others, which hold them. Collective; the residual
  /// must have all its forms and conditions.
  static RegionShare of(FormResidual& residual, const std::string& region, const std::array<bool, 3>& wanted, Of of,
                        const std::vector<std::string>& tied);
};

}  // namespace invar
