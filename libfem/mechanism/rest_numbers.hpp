#pragma once
#include <array>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "libadjoint/constraint/tie_numbers.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/mechanism/region_nodes.hpp"
#include "libfem/mesh/mesh.hpp"
#include "libfem/space/nodal_measures.hpp"

namespace invar {

/// Numbers that follow from controls at rest, and on which ties and laws of a mechanism depend: coordinates of nodes in a designed shape
/// and their means, integrals of shape functions over regions, designed coordinates of places, shape functions at designed points.
class RestNumbers final : public TieNumbers {
 public:
  explicit RestNumbers(std::shared_ptr<FormResidual> equation) : equation_(std::move(equation)) {}

  // Construction. Each returns the position of the number, or of the first of several.

  /// The value of a control, one number.
  int add_control(int control);
  /// Σ weight · coordinate along an axis over nodes, given by their positions in the serial mesh. The coordinates must be a control.
  int add_coordinate(const std::vector<std::pair<long long, double>>& nodes, int axis);
  /// A point in a cell.
  struct PointInCell {
    std::string name;
    CellType type;
    std::vector<std::array<double, 3>> nodes;  // of the cell, m
    std::array<double, 3> xi{};                // where it begins
    std::array<double, 3> start{};             // m
    std::array<int, 3> controls{-1, -1, -1};   // of its designed coordinates; −1: fixed
    std::vector<std::array<int, 3>> coordinates = {};  // numbers that the nodes' coordinates are, −1: none; empty: the mesh is not designed
  };
  /// The values of the cell's shape functions at the point, in the order of its nodes.
  int add_shape_values(PointInCell point);

  /// The weights of the nodes of a region of cells or facets, in their order. The coordinates must be a control.
  int add_weights(const RegionNodes& region);

  int size() const { return size_; }
  /// Whether the mesh is designed.
  bool follow_shape() const { return equation_->coordinates_control() >= 0; }
  /// Why these controls are not admissible, as a sentence; empty: they are.
  std::string why_not(const Controls& d) const;

  std::vector<double> values(const Controls& d) const override { return evaluated(d, nullptr); }
  bool admissible(const Controls& d) const override { return why_not(d).empty(); }
  std::vector<double> rates(const Controls& d, const Controls& d_dot) const override { return evaluated(d, &d_dot); }
  void add_gradient(const Controls& d, const std::vector<double>& bar, Controls& d_bar) const override;
  void add_gradient_rate(const Controls& d, const Controls& d_dot, const std::vector<double>& bar, Controls& d_bar_dot) const override;

 private:
  struct Entry {
    int number;
    std::size_t entry;  // of the coordinates, on this rank
    double weight;
  };
  struct Point : PointInCell {
    int first;  // of its numbers
  };
  /// Integrals of shape functions over a region.
  struct Measures {
    Measures(NodalMeasures integrals, std::size_t nodes) : of(std::move(integrals)), numbers(nodes, -1) {}
    NodalMeasures of;
    std::vector<int> numbers;  // [local node]; −1: not in the region
    /// [local node] for these coordinates, kept while they stay: other controls change more often.
    const std::vector<double>& values(const std::vector<double>& x) const;

   private:
    mutable std::vector<double> at_, values_;
  };
  std::vector<double> gathered(const Controls& d, const Controls* d_dot, bool with_measures) const;
  std::vector<double> evaluated(const Controls& d, const Controls* d_dot) const;
  void add_by_points(const Controls& d, const Controls* d_dot, std::vector<double>& bar, Controls& d_bar) const;
  void add_by_coordinates(const std::vector<double>& bar, Controls& d_bar) const;
  static std::vector<double> at_nodes(const Measures& m, const std::vector<double>& bar);

  std::shared_ptr<FormResidual> equation_;
  int size_ = 0;
  std::map<long long, int> own_;  // own nodes by their positions in the serial mesh
  std::vector<std::pair<int, int>> controls_;  // numbers with their control
  std::vector<Entry> coordinates_;
  std::map<std::pair<long long, int>, int> of_nodes_;  // numbers that are coordinates of single nodes, by node and axis
  std::vector<Measures> measures_;
  std::map<std::pair<std::string, bool>, int> of_regions_;  // first weights, by region and whether around the axis
  std::vector<Point> points_;
};

}  // namespace invar
