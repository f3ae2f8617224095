#pragma once
#include <memory>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/distant_coupling.hpp"
#include "libfem/form/forwarded_form.hpp"
#include "libfem/form/relative_form.hpp"
#include "libfem/solid/rigid_contact.hpp"

namespace invar {

/// The same facets with the points that carry the pressure of bodies which touch each other (`lattice_weights`): corners of facets are
/// among them, so that no facet can come through a plane.
CellBatches on_lattice(CellBatches facets);

/// How far a point may go by `step` [m] before it touches an obstacle, as a part of the step; infinite where it never does. away: from the
/// obstacle's position to the point, which is outside. direction, radius: see RigidContact.
double time_of_impact(ObstacleShape shape, int dim, const double* away, const double* step, const double* direction, double radius);

/// RigidContact with a barrier, which lets nothing through: steps of the unknown end before a point of the facets touches the obstacle.
/// Its position, direction and radius are numbers; where it has a carrier it moves with that, and so may steps of the carrier end.
class ObstacleForm final : public ForwardedForm, public DistantCoupling, public Separation {
 public:
  /// carrier: of `form` as a RelativeForm; null: the obstacle is at rest.
  ObstacleForm(std::unique_ptr<WeakForm> form, CellBatches facets, ObstacleShape shape, std::shared_ptr<const RelativeUnknown> carrier)
      : ForwardedForm(std::move(form)), facets_(std::move(facets)), shape_(shape), carrier_(std::move(carrier)) {}

  void add_couplings(const FormState&, std::vector<NodePair>&) const override {}
  double longest_step(const FormState& at, const double* step) const override;
  ClosestApproach nearest(const FormState& at) const override;

 private:
  /// visit(away, motion, tangents) for all points: from the obstacle's position to the point, its step relative to it (zero without one), and
  /// two vectors whose vector product is an outward normal.
  template <class Visit>
  void visit_points(const FormState& at, const double* step, Visit&& visit) const;
  bool is_enclosed(const FormState& at, double square, bool behind, std::vector<double>& centre) const;
  /// The values of the form's coefficients.
  std::vector<double> numbers() const;

  CellBatches facets_;
  ObstacleShape shape_;
  std::shared_ptr<const RelativeUnknown> carrier_;
};

}  // namespace invar
