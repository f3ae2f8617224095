#pragma once
#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "libfem/form/q_form.hpp"
#include "libfem/form/row_map.hpp"
#include "libfem/mesh/boxes.hpp"
#include "tests/unit/gradient/transient_problem.hpp"

namespace invar::gradient_test {

/// ∫ (k (1 + a²) ∇a·∇φ − f φ). Coefficients: k, f.
struct NonlinearDiffusion {
  static constexpr int dim = 2, ref_dim = 2, n_components = 1;
  static constexpr std::array<int, 1> basis{};
  static constexpr std::array<Slot, 3> slots{{{0, 0}, {0, 1}, {0, -1}}};
  static constexpr bool symmetric = false, uses_position = false;
  int n_coefficients() const { return 2; }
  template <class Tz, class Tg, class Tp>
  auto flux(const std::array<Tz, 3>& z, const PointGeometry<Tg, 2, 2>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const R k = p[0] * (1.0 + z[2] * z[2]) * g.measure;
    return std::array<R, 3>{R(k * z[0]), R(k * z[1]), R(0.0 - p[1] * g.measure)};
  }
};

/// ∫ (κ ∇b·∇ψ + (b + b³ − c a) ψ − f ψ) in b's rows and ∫ s b a φ in a's: its components are a, then b.
/// Coefficients: κ, c, s, f.
struct Exchange {
  static constexpr int dim = 2, ref_dim = 2, n_components = 2;
  static constexpr std::array<int, 2> basis{0, 1};
  static constexpr std::array<Slot, 4> slots{{{1, 0}, {1, 1}, {1, -1}, {0, -1}}};
  static constexpr bool symmetric = false, uses_position = false;
  int n_coefficients() const { return 4; }
  template <class Tz, class Tg, class Tp>
  auto flux(const std::array<Tz, 4>& z, const PointGeometry<Tg, 2, 2>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const Tz &b = z[2], &a = z[3];
    return std::array<R, 4>{R(p[0] * z[0] * g.measure), R(p[0] * z[1] * g.measure),
                            R((b + b * b * b - p[1] * a - p[3]) * g.measure), R(p[2] * b * a * g.measure)};
  }
};

/// ∫ (w b − h a − g) ψ ds in b's rows and nothing in a's: its components are b, then a. Coefficients: w, h, g.
struct Attachment {
  static constexpr int dim = 2, ref_dim = 1, n_components = 2;
  static constexpr std::array<int, 2> basis{1, 0};
  static constexpr std::array<Slot, 2> slots{{{0, -1}, {1, -1}}};
  static constexpr bool symmetric = false, uses_position = false;
  int n_coefficients() const { return 3; }
  template <class Tz, class Tg, class Tp>
  auto flux(const std::array<Tz, 2>& z, const PointGeometry<Tg, 2, 1>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    return std::array<R, 2>{R((p[0] * z[0] - p[1] * z[1] - p[2]) * g.measure), R(0.0)};
  }
};

/// ∫ m u̇ φ. Coefficient: m.
struct Storage {
  static constexpr int dim = 2, ref_dim = 2, n_components = 1;
  static constexpr std::array<int, 1> basis{};
  static constexpr std::array<Slot, 1> slots{{{0, -1, Level::rate}}};
  static constexpr bool symmetric = false, uses_position = false;
  int n_coefficients() const { return 1; }
  template <class Tz, class Tg, class Tp>
  auto flux(const std::array<Tz, 1>& z, const PointGeometry<Tg, 2, 2>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    return std::array<R, 1>{R(p[0] * z[0] * g.measure)};
  }
};

/// ½ ∫ w u². Coefficient: w.
struct HalfSquare {
  static constexpr int dim = 2, ref_dim = 2, n_components = 1;
  static constexpr std::array<int, 1> basis{};
  static constexpr std::array<Slot, 1> slots{{{0, -1}}};
  static constexpr bool symmetric = true, uses_position = false, functional = true;
  int n_coefficients() const { return 1; }
  template <class Tz, class Tg, class Tp>
  auto density(const std::array<Tz, 1>& z, const PointGeometry<Tg, 2, 2>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    return R(0.5 * p[0] * z[0] * z[0] * g.measure);
  }
};

/// The rectangle (0, 2) × (0, 1) with its left half, cells with x < 1, as region "half".
inline Mesh halved_mesh(int n, Shape shape, bool bent) {
  Mesh mesh = make_rectangle(0, 0, 2, 1, 2 * n, n, shape, 2);
  Region half{.name = "half", .dim = 2, .members = {}, .nodes = {}};
  std::set<int> nodes;
  for (const CellBlock& block : mesh.cells) {
    std::vector<int>& members = half.members.emplace_back();
    const int per_cell = node_count(block.type), vertices = vertex_count(block.type.shape);
    for (int c = 0; c < block.count(); ++c) {
      double x = 0;
      for (int a = 0; a < vertices; ++a) x += mesh.coordinates[std::size_t(block.nodes[c * per_cell + a]) * 2] / vertices;
      if (x > 1) continue;
      members.push_back(c);
      nodes.insert(&block.nodes[c * per_cell], &block.nodes[c * per_cell] + per_cell);
    }
  }
  half.nodes.assign(nodes.begin(), nodes.end());
  mesh.regions.push_back(std::move(half));
  if (bent)
    for (int node = 0; node < mesh.node_total(); ++node) {
      double* x = &mesh.coordinates[std::size_t(node) * 2];
      const double X = x[0], Y = x[1];
      x[0] += 0.05 * std::sin(2.3 * Y + 0.4), x[1] += 0.06 * std::cos(1.7 * X) + 0.04 * Y * Y;
    }
  return mesh;
}

/// Two fields: a, of second order, everywhere; b, of first order, on half of the mesh. The space has the components a, c, b with a
/// third field c everywhere, so that the components of all forms but one are not the first of a node. attached: on the side "left"
/// b's equation is replaced by b = h a, by rows that are selected.
class TwoFields : TransientBuilder {
 public:
  enum { a, c, b };
  struct Options {
    Shape shape = Shape::triangle;
    bool attached = false;
    std::optional<TimeScheme> scheme = {};  // empty: steady
  };
  static TransientProblem make(const Options& o, MPI_Comm comm) { return TwoFields(o, comm).finish(); }

 private:
  TwoFields(const Options& o, MPI_Comm comm)
      : TransientBuilder("two fields", o.scheme.value_or(TimeScheme(TimeScheme::Kind::backward_euler, 1)),
                         o.scheme ? std::vector{0.0, 0.2, 0.35, 0.6} : std::vector{0.4, 0.7, 1.0},
                         halved_mesh(2, o.shape, true), {{"a", 2}, {"c", 2}, {"b", 1, "half"}}, comm, 0) {
    const auto cells = [&](std::vector<int> components, const char* region = "") {
      return CellBatches::on_cells(p_.dofs, region, 6, std::move(components));
    };
    const auto in = [&](const RowSelection& rows, std::unique_ptr<WeakForm> form) {
      return std::make_unique<RowMapped>(std::move(form), p_.dofs, select_rows(*p_.dofs, rows));
    };
    const Shape1 ramp = [](const double* x, double t) { return (1 + t) * (1 + 0.3 * x[0] * x[1]); };
    r().add_form(make_form(NonlinearDiffusion{}, cells({a})), {per_node("k", 1, 0.7), number("f", 1.3, -INFINITY, ramp)});
    r().add_form(make_form(NonlinearDiffusion{}, cells({c})), {number("k_c", 0.4), number("f_c", -0.6)});
    RowSelection equation_of_b{.components = {b}};
    if (o.attached) equation_of_b.regions = {"left"}, equation_of_b.outside = true;
    const std::vector<ControlledValue> exchanged{number("kappa", 0.3, 0), number("c", 1.7), number("s", 0.8),
                                                 signal("f_b", 0.4)};
    // The same form twice: each part of its rows is chosen on its own.
    r().add_form(in(equation_of_b, make_form(Exchange{}, cells({a, b}, "half"))), exchanged);
    r().add_form(in({.components = {c}}, make_form(Exchange{}, cells({c, b}, "half"))), exchanged);
    r().add_form(in({.components = {a}}, make_form(Exchange{}, cells({a, b}, "half"))), exchanged);
    if (o.attached)
      r().add_form(make_form(Attachment{}, CellBatches::on_facets(p_.dofs, "left", 6, {b, a})),
                   {number("w", 1.4, 0), number("h", 0.5), number("g", 0.2)});
    if (o.scheme) {
      r().add_form(make_form(Storage{}, cells({a})), {number("m_a", 0.9, 0)});
      r().add_form(make_form(Storage{}, cells({c})), {number("m_c", 0.6, 0)});
      r().add_form(in(equation_of_b, make_form(Storage{}, cells({b}, "half"))), {number("m_b", 0.5, 0)});
      begin(Level::value, "", a, number("a_0", 0.3, -INFINITY, ramp));
      begin(Level::value, "half", b, number("b_0", 0.2, -INFINITY, ramp));
    }
    r().add_dirichlet({"right", a, number("a_right", 0.4, -INFINITY, ramp)});
    r().add_dirichlet({"bottom", c, number("c_bottom", -0.3)});
    p_.fields.push_back(r().add_coordinates());
    quantity("half of a", functional("", make_form(HalfSquare{}, cells({a}, "half")), {number("w_a", 1.2)}), {last()}, {});
    quantity("all of b", functional("", make_form(HalfSquare{}, cells({b}, "half")), {number("w_b", 0.8)}), {0, last()}, {});
    quantity("places", points({{{0.4, 0.4}, b}, {{1.6, 0.5}, a}, {{1.1, 0.3}, c}}), {last()}, {});
    p_.tracked = points({{{0.3, 0.6}, b}, {{0.7, 0.5}, c}, {{1.2, 0.5}, a}});
  }
};

}  // namespace invar::gradient_test
