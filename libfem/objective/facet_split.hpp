#pragma once
#include <string>
#include <vector>

#include "libfem/form/boundary_part.hpp"
#include "libfem/form/form_residual.hpp"

namespace invar {

/// What a facet has to do with the force along one component at its nodes, by ascending priority: those with the highest one at a node
/// share what goes beyond tractions. The nodes of tied ones follow others, or others them.
enum class Standing : char { on_axis, inside, exterior, tied, held };

/// Flags of the facets in a region of facets.
std::vector<char> facets_within(const std::vector<BoundaryFacet>& facets, const Mesh& mesh, const Region& region);
/// Facets on which a component is held: those of regions with a condition, and those all of whose nodes other conditions hold.
std::vector<char> held_facets(const FormResidual& residual, const std::vector<BoundaryFacet>& facets, int component);
/// Of the facets of a mesh. Those on the axis of rotation have no area. tied: regions of tied facets.
std::vector<Standing> standings(const FormResidual& residual, const std::vector<BoundaryFacet>& facets, int component,
                                const std::vector<std::string>& tied);

/// How a region of facets and the others share the force along one component at common nodes, see RegionShare.
class FacetSplit {
 public:
  /// facets: complete at own nodes. in_region: their flags. Collective.
  FacetSplit(const DofMap& dofs, const std::vector<BoundaryFacet>& facets, std::vector<Standing> standings, const std::vector<char>& in_region,
             int component);

  /// Fraction of the facets of highest priority at a local node that are in the region.
  double fraction(int node) const { return fraction_[node]; }
  /// Held or tied facets in the region and others meet at this local node.
  bool is_shared(int node) const { return shared_[node]; }
  /// The held and tied facets at shared nodes: those in the region, or the others.
  BoundaryPart part(bool in_region) const;

 private:
  void count();

  const DofMap& dofs_;
  const std::vector<BoundaryFacet>& facets_;
  std::vector<Standing> standings_;
  const std::vector<char>& in_region_;
  int component_;
  std::vector<double> fraction_;  // [node]
  std::vector<char> shared_;      // [node]
};

}  // namespace invar
