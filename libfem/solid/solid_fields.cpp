#include "libfem/solid/solid_fields.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <stdexcept>

#include "libfem/form/lanes.hpp"
#include "libfem/form/point_kernel.hpp"
#include "libfem/form/q_form.hpp"
#include "libfem/solid/active_stress.hpp"
#include "libfem/solid/deformation_gradient.hpp"
#include "libfem/solid/displacement_form.hpp"
#include "libfem/solid/finite_plastic_flow.hpp"
#include "libfem/solid/kelvin_voigt.hpp"
#include "libfem/solid/law/elastic_constants.hpp"
#include "libfem/solid/invariants.hpp"
#include "libfem/solid/mixed_form.hpp"
#include "libfem/solid/plane_stress_material.hpp"
#include "libfem/solid/shared_material.hpp"
#include "libfem/solid/grown_material.hpp"
#include "libfem/solid/swollen_material.hpp"
#include "libfem/solid/symmetric_components.hpp"
#include "libfem/space/ghost_values.hpp"

namespace invar {
namespace {

/// State of one pack of quadrature points.
struct SolidPoint {
  Matrix<Pack, 3, 3> stress;
  Pack energy, volume_ratio, plastic_strain{0.0}, stretch{0.0};  // stretch: Ī₁ − 3
};

/// H33 at which P33 = 0, by Newton's method on all lanes until convergence.
Pack free_thickness_strain(const Material& solid, const Matrix<Pack, 3, 3>& H,
                           std::span<const Pack> p) {
  constexpr int max_iterations = 60;
  const bool finite = solid.finite_strain();
  Pack H33 = finite ? isochoric_thickness_strain(H(0, 0), H(0, 1), H(1, 0), H(1, 1), true) : Pack(0.0);
  Pack size = 0.0;
  for (const int k : {0, 1, 3, 4}) size = max(size, abs(H.entries[k]));
  MaterialResponse<Pack> r;
  for (int i = 0; i < max_iterations; ++i) {
    solid.evaluate(in_plane(H, H33), p, {.energy = false, .tangent = true}, r);
    Pack next = H33 - r.stress[8] / abs(r.tangent[8][8]);
    if (finite) next = min(max(next, 0.25 * H33 - 0.75), 4.0 * H33 + 3.0);  // F33 times ¼ … 4
    const bool moves = any(abs(next - H33) > 1e-9 * abs(next) + 1e-12 * size);  // the error is the step squared
    H33 = next;
    if (!moves) break;
  }
  return H33;
}

/// Stress-free relative growth of volume of a body that swells or grows.
Pack growth_of(const SolidFields::Body& body, const Pack* p) {
  if (const int growth = growth_index(*body.material); growth >= 0) return grown_volume(p + growth, body.material->finite_strain());
  const int swelling = swelling_index(*body.material);
  return swelling < 0 ? Pack(0.0) : swollen_growth(p[swelling], body.material->finite_strain());
}

/// H including the thickness strain of plane stress.
Matrix<Pack, 3, 3> complete(Matrix<Pack, 3, 3> H, SolidKind kind, const SolidFields::Body& body,
                            std::span<const Pack> p) {
  if (kind != SolidKind::plane_stress) return H;
  if (body.solid) return in_plane(H, free_thickness_strain(*body.solid, H, p));
  const bool finite = body.material->finite_strain();
  const Pack H33 = isochoric_thickness_strain(H(0, 0), H(0, 1), H(1, 0), H(1, 1), finite), growth = growth_of(body, p.data());
  return in_plane(H, finite ? Pack(H33 + (1.0 + H33) * growth) : Pack(H33 + growth));
}

/// elastic: the elastic part of H, the argument of the law.
SolidPoint solid_point(Matrix<Pack, 3, 3> H, const Matrix<Pack, 3, 3>& elastic, SolidKind kind, const SolidFields::Body& body,
                       std::span<const Pack> p) {
  MaterialResponse<Pack> r;
  body.material->evaluate(elastic, p, {}, r);
  H = complete(H, kind, body, p);
  SolidPoint out;
  out.energy = r.energy;
  std::copy_n(r.stress, 9, out.stress.entries);
  if (body.material->finite_strain()) {
    const bool flows = body.plastic;
    const Matrix<Pack, 3, 3> F = deformation_gradient(H);
    out.volume_ratio = det(F);
    out.stress = out.stress * transpose(flows ? deformation_gradient(elastic) : F) / out.volume_ratio;
    out.stretch = Invariants<Pack>::of(H).isochoric().d1;
  } else {
    out.volume_ratio = 1.0 + trace(H);
  }
  return out;
}

/// The symmetric tensor of the six (2-D: four) numbers at `from`.
template <class K>
Matrix<Pack, 3, 3> stored_tensor(const double* from) {
  Pack s[SymmetricComponents<K>::count];
  for (int k = 0; k < SymmetricComponents<K>::count; ++k) s[k] = Pack::load(from + k * simd_width);
  return SymmetricComponents<K>::full(s);
}

/// The argument of the law: H, or its elastic part for plasticity at finite strain.
template <class K>
Matrix<Pack, 3, 3> seen_by_law(const SolidFields::Body& body, const BatchGroup& g, int b, int q, const Matrix<Pack, 3, 3>& H) {
  constexpr int n = SymmetricComponents<K>::count;
  if (!body.plastic || !body.material->finite_strain()) return H;
  const double* h = body.plastic + PointMemory{.per_point = n + 1}.place(g, b, q);
  Pack stored[n];
  for (int k = 0; k < n; ++k) stored[k] = Pack::load(h + k * simd_width);
  return ElasticPart<K, Pack>::of(H, stored).gradient;
}

/// Corrections of stress and energy by plastic strain and by Maxwell elements.
template <class K>
void add_history(const SolidFields::Body& body, const BatchGroup& g, int b, int q, const Matrix<Pack, 3, 3>& H,
                    std::span<const Pack> p, SolidPoint& at) {
  constexpr int n = SymmetricComponents<K>::count;
  if (body.plastic) at.plastic_strain = Pack::load(body.plastic + PointMemory{.per_point = n + 1}.place(g, b, q) + n * simd_width);
  if (body.plastic && !body.material->finite_strain()) {
    const double* h = body.plastic + PointMemory{.per_point = n + 1}.place(g, b, q);
    const Matrix<Pack, 3, 3> strain = stored_tensor<K>(h);
    const Pack shear = p.size() > 1 ? shear_modulus(p[0], p[1]) : p[0] / 3.0;
    for (int k = 0; k < 9; ++k) {
      at.stress.entries[k] -= 2.0 * shear * strain.entries[k];
      at.energy += shear * strain.entries[k] * (strain.entries[k] - 2.0 * H.entries[k]);
    }
  }
  if (body.viscous) {
    const double* h = body.viscous + PointMemory{.per_point = (body.branches + 1) * n}.place(g, b, q);
    Matrix<Pack, 3, 3> S = stored_tensor<K>(h);
    for (int i = 1; i < body.branches; ++i) S = S + stored_tensor<K>(h + i * n * simd_width);
    const Matrix<Pack, 3, 3> F = deformation_gradient(H), sigma = F * S * transpose(F);
    const Pack J = det(F);
    for (int k = 0; k < 9; ++k) at.stress.entries[k] += sigma.entries[k] / J;
  }
}

/// Stresses of Kelvin–Voigt elements and muscles in cells of a body.
template <class K>
class AddedStresses {
 public:
  AddedStresses(const SolidFields::Body& body, const Mesh& mesh) {
    for (const SolidFields::Body::Added& of : body.added) {
      Term& term = terms_.emplace_back(of);
      for (std::size_t b = 0, first = 0; of.cells && b < mesh.cells.size(); first += mesh.cells[b++].count()) {
        term.inside.resize(first + mesh.cells[b].count(), 0.0);
        if (b < of.cells->members.size())
          for (const int cell : of.cells->members[b]) term.inside[first + cell] = 1.0;
      }
    }
  }
  /// Adds F S Fᵀ/J at point q of batch b.
  void add(const BatchGroup& g, int b, int q, const Matrix<Pack, 3, 3>& H, const Matrix<Pack, 3, 3>& H_dot, SolidPoint& at) {
    if (terms_.empty()) return;
    const Matrix<Pack, 3, 3> F = deformation_gradient(H);
    for (Term& term : terms_) {
      const Pack* p = term.coefficients.at(g, b, q);
      const Matrix<Pack, 3, 3> S = term.viscous ? kelvin_voigt_stress<Pack>(F, H_dot, p) : active_stress<Pack, K::dim>(p);
      const Matrix<Pack, 3, 3> sigma = F * S * transpose(F);
      Pack inside(1.0);
      for (int lane = 0; !term.inside.empty() && lane < g.active[b]; ++lane) inside.set(lane, term.inside[g.cell[std::size_t(b) * simd_width + lane]]);
      // Outside, coefficients may be undefined: a product with zero would not do.
      for (int k = 0; k < 9; ++k) at.stress.entries[k] += select(inside > Pack(0.0), sigma.entries[k] / at.volume_ratio, Pack(0.0));
    }
  }

 private:
  struct Term {
    explicit Term(const SolidFields::Body::Added& of) : viscous(of.viscous), coefficients(of.coefficients, {}) {}
    bool viscous;
    BatchCoefficients<Pack> coefficients;
    std::vector<double> inside;  // per cell: 1 where the stress is; empty: everywhere
  };
  std::deque<Term> terms_;
};

/// Sums over the quadrature points of a batch, weighted with the volume.
struct BatchSums {
  Pack stress[9], von_mises{0.0}, energy{0.0}, volume_ratio{0.0}, plastic_strain{0.0}, volume{0.0};
  Pack least_ratio{std::numeric_limits<double>::infinity()}, stretch{0.0};
  BatchSums() { std::fill_n(stress, 9, Pack(0.0)); }

  void add(const SolidPoint& at, const Pack& dv) {
    const Matrix<Pack, 3, 3> s = dev(at.stress);
    for (int k = 0; k < 9; ++k) stress[k] += at.stress.entries[k] * dv;
    von_mises += sqrt(1.5 * inner(s, s)) * dv;
    energy += at.energy * dv;
    volume_ratio += at.volume_ratio * dv;
    plastic_strain += at.plastic_strain * dv;
    volume += dv;
    least_ratio = min(least_ratio, at.volume_ratio);
    stretch = max(stretch, at.stretch);
  }
  void store(int lane, int cell, SolidFields& out) const {
    const double v = volume[lane];
    for (int k = 0; k < 9; ++k) out.stress[9 * std::size_t(cell) + k] = stress[k][lane] / v;
    out.von_mises[cell] = von_mises[lane] / v;
    out.energy_density[cell] = energy[lane] / v;
    out.volume_ratio[cell] = volume_ratio[lane] / v;
    out.least_volume_ratio[cell] = least_ratio[lane];
    out.greatest_stretch[cell] = stretch[lane];
    if (!out.plastic_strain.empty()) out.plastic_strain[cell] = plastic_strain[lane] / v;
    out.volume[cell] = v;
  }
};

template <class K, class Q, bool Mixed>
void evaluate_body(const std::shared_ptr<const DofMap>& dofs, const double* u, const double* coordinates, SolidKind kind,
                   const SolidFields::Body& body, SolidFields& out) {
  constexpr int dim = Q::dim, nc = Q::n_components;
  const int degree = body.degree > 0 ? body.degree : 2 * dofs->orders().front();
  const CellBatches domain = CellBatches::on_cells(dofs, body.region, degree);
  const std::vector<const double*> no_directions;
  BatchCoefficients<Pack> coefficients(body.parameters, no_directions);
  const std::size_t n_parameters = body.material->parameters().size();
  AddedStresses<K> added(body, dofs->mesh());
  Pack X[max_cell_nodes][dim], U[max_cell_nodes][nc], V[max_cell_nodes][nc];
  for (const BatchGroup& g : domain.groups)
    for (int b = 0; b < g.n_batches; ++b) {
      for (int a = 0; a < g.n_nodes; ++a) {
        const std::size_t at = (std::size_t(b) * g.n_nodes + a) * simd_width;
        for (int i = 0; i < dim; ++i)
          X[a][i] = gather(coordinates, &g.node[at], dim, i);
        for (int c = 0; c < nc; ++c)
          if (const auto [dof, shift] = g.dofs(c, b); a < g.basis[Q::basis[c]].n_nodes) {
            U[a][c] = gather(u, dof + a * simd_width, 1, shift);
            V[a][c] = body.rate ? gather(body.rate, dof + a * simd_width, 1, shift) : Pack(0.0);
          }
      }
      BatchSums sums;
      for (int q = 0; q < g.n_points(); ++q) {
        const PointShape shape = g.at(q, dim);
        const auto geometry = geometry_of<Q, Pack>(shape, X);
        const auto inverse = inverse_map(geometry.A);
        const auto z = slots_of<Q>(interpolate<Q, Pack>(shape, U), inverse);
        const Pack* p = coefficients.at(g, b, q);
        const auto H = displacement_gradient<K, Pack>(z, geometry);
        SolidPoint at = solid_point(H, seen_by_law<K>(body, g, b, q, H), kind, body, {p, n_parameters});
        add_history<K>(body, g, b, q, H, {p, n_parameters}, at);
        added.add(g, b, q, H, displacement_gradient<K, Pack>(slots_of<Q>(interpolate<Q, Pack>(shape, V), inverse), geometry), at);
        if constexpr (Mixed) {
          const Pack pressure = z[Q::ns - 1];
          for (int i = 0; i < 3; ++i) at.stress(i, i) -= pressure;
          const Pack elastic_volume = body.material->finite_strain() ? Pack(1.0 + growth_of(body, p)) : Pack(1.0);
          at.energy += 0.5 * elastic_volume * pressure * pressure / p[n_parameters];
        }
        sums.add(at, g.weights[q] * K::volume(geometry));
      }
      for (int l = 0; l < g.active[b]; ++l) sums.store(l, g.cell[b * simd_width + l], out);
    }
}

void require(bool fits, const SolidFields::Body& body, const char* what) {
  if (!fits) throw std::invalid_argument("body '" + body.region + "': " + what);
}

int cell_total(const Mesh& mesh) {
  int n = 0;
  for (const CellBlock& block : mesh.cells) n += block.count();
  return n;
}

}  // namespace

SolidFields SolidFields::evaluate(std::shared_ptr<const DofMap> dofs, const double* u, const double* coordinates,
                                  SolidKind kind, bool mixed, std::span<const Body> bodies) {
  const std::size_t n = cell_total(dofs->mesh());
  SolidFields out;
  out.stress.assign(9 * n, 0.0);
  for (auto* field : {&out.von_mises, &out.energy_density, &out.volume_ratio, &out.volume, &out.least_volume_ratio, &out.greatest_stretch})
    field->assign(n, 0.0);
  for (const Body& body : bodies)
    if (body.plastic) out.plastic_strain.assign(n, 0.0);
  for (const Body& body : bodies) {
    require(body.material &&
                body.parameters.size() == body.material->parameters().size() + (mixed ? 1 : 0),
            body,
            "needs a material and a value for each of its parameters (and κ in the mixed formulation)");
    require(!mixed || kind != SolidKind::plane_stress, body, "plane stress has no mixed formulation");
    require(kind != SolidKind::plane_stress || body.solid ||
                !dynamic_cast<const PlaneStressMaterial*>(body.material),
            body, "plane stress of a compressible law needs that law in three dimensions as well");
    const auto run = [&]<class K>(K) {
      if (mixed)
        evaluate_body<K, MixedForm<K, SharedMaterial>, true>(dofs, u, coordinates, kind, body, out);
      else
        evaluate_body<K, DisplacementForm<K, SharedMaterial>, false>(dofs, u, coordinates, kind, body, out);
    };
    switch (kind) {
      case SolidKind::spatial: run(SpatialKinematics{}); break;
      case SolidKind::axisymmetric: run(AxisymmetricKinematics{}); break;
      default: run(PlanarKinematics{});
    }
  }
  return out;
}

std::vector<double> nodal_displacement(const DofMap& dofs, const double* u) {
  const int dim = dofs.mesh().dim, n = dofs.mesh().node_total();
  std::vector<double> out(std::size_t(n) * dim);
  for (int node = 0; node < n; ++node)
    for (int i = 0; i < dim; ++i)
      if (const int dof = dofs.dof(node, i); dof >= 0) out[std::size_t(node) * dim + i] = u[dof];
  return out;
}

std::vector<double> vertex_pressure(const DofMap& dofs, const double* u) {
  std::vector<double> out(dofs.mesh().node_total(), 0.0);
  for (std::size_t node = 0; node < out.size(); ++node)
    if (const int dof = dofs.dof(static_cast<int>(node), dofs.mesh().dim); dof >= 0)
      out[node] = u[dof];
  return out;
}

std::vector<double> smooth_at_nodes(const DofMap& dofs, std::span<const double> cell_values,
                                    std::span<const double> weights) {
  const Mesh& mesh = dofs.mesh();
  std::vector<double> sum(mesh.node_total(), 0.0), weight(mesh.node_total(), 0.0);
  std::size_t cell = 0;
  for (const CellBlock& block : mesh.cells) {
    const int n = node_count(block.type);
    for (int c = 0; c < block.count(); ++c, ++cell)
      for (int a = 0; a < n; ++a) {
        const int node = block.nodes[std::size_t(c) * n + a];
        sum[node] += weights[cell] * cell_values[cell];
        weight[node] += weights[cell];
      }
  }
  for (std::size_t node = 0; node < sum.size(); ++node) sum[node] = weight[node] > 0 ? sum[node] / weight[node] : 0.0;
  update_ghost_values(dofs, sum);  // sums at ghosts lack cells that only the owner has
  return sum;
}

}  // namespace invar
