#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "libadjoint/level.hpp"
#include "libfem/form/coefficient.hpp"
#include "libfem/form/form_coupling.hpp"

namespace invar {

class AssembledMatrix;
struct BoundaryPart;

/// State at which a form is evaluated. Arrays are this rank's part with ghosts; nullptr: zero.
struct FormState {
  PerLevel<const double*> unknown;      // [n_local_dofs] each
  const double* coordinates = nullptr;  // [n_nodes × dim], m
  const double* memory = nullptr;       // the form's history variables, `memory_size` numbers
  double step_length = 0;               // length of the time step, s; read by forms with history variables
  std::uint64_t setting = 0;            // where it and the address are equal, the coordinates are; 0: unknown
};

/// A direction of state and coefficients; nullptr: zero.
struct FormTangent {
  PerLevel<const double*> unknown;
  const double* coordinates = nullptr;
  const double* memory = nullptr;
  const double* multiplier = nullptr;             // of λ, in `vjp_tangent`
  std::vector<const double*> coefficients{};      // per coefficient of the form; may be empty
};

/// Destination of derivatives; nullptr: not wanted. Entries of owned nodes and cells are complete on this rank; entries of
/// constants are this rank's share of a sum over ranks; ghost entries are undefined.
struct FormCotangent {
  PerLevel<double*> unknown;
  double* coordinates = nullptr;
  double* memory = nullptr;
  std::vector<double*> coefficients{};              // per coefficient of the form; may be empty

  bool wants_unknown() const {
    for (double* u : unknown.entries)
      if (u) return true;
    return false;
  }
};

/// Properties of a form that do not depend on the state.
struct FormTraits {
  bool symmetric = false;     // ∂r/∂u is symmetric; never for forms that read several levels
  bool potential = false;     // r is the derivative of `value`, at any time and for any history
  bool saddle_point = false;  // `value` has no minimum where r vanishes (mixed formulations)
  bool kinks = false;         // second derivatives jump where the form switches to another formula
  PerLevel<bool> reads = {};  // levels of the unknown

  /// Whether there are forces proportional to the acceleration: their power is the rate of a kinetic energy.
  bool inertia() const {
    return symmetric && reads[Level::acceleration] && !reads[Level::value] && !reads[Level::rate] && !reads[Level::predicted];
  }
};

/// An integral over cells or facets: of a density W, or a residual r(v) = ∫ flux : (test quantities), defined by a
/// q-function. Derivatives come from dual numbers, never by hand; most implementations are generated from q-functions.
class WeakForm {
 public:
  virtual ~WeakForm() = default;

  virtual FormTraits traits() const = 0;

  /// The coefficients in the q-function's order; the caller sets their values, and calls again for every later change: copies elsewhere
  /// are renewed after a call.
  virtual std::vector<Coefficient>& coefficients() = 0;

  /// The form's contribution on a part of the boundary, as a form with its own coefficients and without a matrix. Forms on
  /// cells: the traction of their flux, ∫ (flux·n)·v over these sides of their cells, n outward; forms on facets: the
  /// integral over these facets. Null if there is no such flux.
  virtual std::unique_ptr<WeakForm> on_boundary(const BoundaryPart& part) const = 0;
  /// Whether it integrates over the full circle around the axis x = 0, where its flux need not be defined.
  virtual bool around_axis() const = 0;

  /// Where its matrix may have entries; nothing: between all unknowns of nodes that share a cell of the mesh.
  virtual std::optional<FormCoupling> coupling() const { return std::nullopt; }

  /// Number of history variables on this rank, at the points of all its cells.
  virtual std::size_t memory_size() const { return 0; }
  /// Writes the history variables after a step to this state; their derivative along a direction; the transpose applied to
  /// next_bar: out += ….
  virtual void update_memory(const FormState&, double*) const {}
  virtual void update_memory_jvp(const FormState&, const FormTangent&, double*) const {}
  virtual void update_memory_vjp(const FormState&, const double*, FormCotangent&) const {}

  /// ∫ W over this rank's own cells; 0 for forms without a density.
  virtual double value(const FormState& at) const = 0;
  /// d/dε of `value` along the direction.
  virtual double value_jvp(const FormState& at, const FormTangent& direction) const = 0;
  /// out += seed · ∂value/∂(·)
  virtual void value_vjp(const FormState& at, double seed, FormCotangent& out) const = 0;
  /// out += seed · d/dε ∂value/∂(·) along the direction
  virtual void value_vjp_tangent(const FormState& at, double seed, const FormTangent& direction,
                                 FormCotangent& out) const = 0;

  /// r += residual. Returns false if a point is inadmissible (det F ≤ 0); r is then undefined.
  virtual bool residual(const FormState& at, double* r) const = 0;
  /// r_dot += d/dε residual along the direction
  virtual void jvp(const FormState& at, const FormTangent& direction, double* r_dot) const = 0;
  /// K += Σ_k weights[k] ∂r/∂u_k over the levels k
  virtual void jacobian(const FormState& at, const PerLevel<double>& weights, AssembledMatrix& K) const = 0;
  void jacobian(const FormState& at, AssembledMatrix& K) const { jacobian(at, 1.0, K); }
  /// out += (∂r/∂·)ᵀ λ
  virtual void vjp(const FormState& at, const double* lambda, FormCotangent& out) const = 0;
  /// out += d/dε (∂r/∂·)ᵀ λ along the direction (λ changes by direction.multiplier)
  virtual void vjp_tangent(const FormState& at, const double* lambda, const FormTangent& direction,
                           FormCotangent& out) const = 0;
};

}  // namespace invar
