#include "libfem/form/work_on_field.hpp"

#include <limits>
#include <stdexcept>

namespace invar {
namespace {

[[noreturn]] void refuse_residual() { throw std::logic_error("the work on a given field has no residual"); }

}  // namespace

WorkOnField::WorkOnField(std::unique_ptr<WeakForm> form, const DofMap& dofs, TestFunction w)
    : form_(std::move(form)), w_(std::move(w)), n_owned_(dofs.n_owned()) {
  if (w_.given.size() != std::size_t(dofs.n_local())) throw std::invalid_argument("a test function has a value for every local unknown");
  if (form_->memory_size() > 0) throw std::invalid_argument("the work of a form with history variables is not available");
}

FormTraits WorkOnField::traits() const {
  FormTraits t{.kinks = form_->traits().kinks, .reads = form_->traits().reads};
  if (!w_.of_unknown.empty()) t.reads[Level::value] = true;
  return t;
}

/// Rows of owned dofs are complete on this rank; other rows are counted on their owners.
double WorkOnField::product(const std::vector<double>& w, const std::vector<double>& r) const {
  double total = 0;
  for (int i = 0; i < n_owned_; ++i) total += w[i] * r[i];
  return total;
}

std::vector<double> WorkOnField::test_function(const FormState& at, double factor) const {
  std::vector<double> w = w_.given;
  for (const auto& [row, source, c] : w_.of_unknown) w[row] += c * at.unknown[Level::value][source];
  for (const auto& [row, source, c] : w_.of_coordinates) w[row] += c * at.coordinates[source];
  for (double& v : w) v *= factor;
  return w;
}

std::vector<double> WorkOnField::test_direction(const FormTangent& direction, double factor) const {
  std::vector<double> w_dot(w_.given.size(), 0.0);
  if (const double* u = direction.unknown[Level::value])
    for (const auto& [row, source, c] : w_.of_unknown) w_dot[row] += factor * c * u[source];
  if (const double* x = direction.coordinates)
    for (const auto& [row, source, c] : w_.of_coordinates) w_dot[row] += factor * c * x[source];
  return w_dot;
}

/// The transpose of `test_direction`; w_bar is complete in rows of owned dofs.
void WorkOnField::spread(const std::vector<double>& w_bar, double factor, FormCotangent& out) const {
  if (double* u = out.unknown[Level::value])
    for (const auto& [row, source, c] : w_.of_unknown)
      if (row < n_owned_) u[source] += factor * c * w_bar[row];
  if (double* x = out.coordinates)
    for (const auto& [row, source, c] : w_.of_coordinates)
      if (row < n_owned_) x[source] += factor * c * w_bar[row];
}

double WorkOnField::value(const FormState& at) const {
  std::vector<double> r(w_.given.size(), 0.0);
  return form_->residual(at, r.data()) ? product(test_function(at, 1), r) : std::numeric_limits<double>::quiet_NaN();
}

double WorkOnField::value_jvp(const FormState& at, const FormTangent& direction) const {
  std::vector<double> r(w_.given.size(), 0.0), r_dot(r);
  form_->residual(at, r.data());
  form_->jvp(at, direction, r_dot.data());
  return product(test_function(at, 1), r_dot) + product(test_direction(direction, 1), r);
}

void WorkOnField::value_vjp(const FormState& at, double seed, FormCotangent& out) const {
  std::vector<double> r(w_.given.size(), 0.0);
  form_->residual(at, r.data());
  form_->vjp(at, test_function(at, seed).data(), out);
  spread(r, seed, out);
}

void WorkOnField::value_vjp_tangent(const FormState& at, double seed, const FormTangent& direction, FormCotangent& out) const {
  std::vector<double> r_dot(w_.given.size(), 0.0);
  form_->jvp(at, direction, r_dot.data());
  const std::vector<double> w_dot = test_direction(direction, seed);
  FormTangent both = direction;
  both.multiplier = w_dot.data();
  form_->vjp_tangent(at, test_function(at, seed).data(), both, out);
  spread(r_dot, seed, out);
}

bool WorkOnField::residual(const FormState&, double*) const { refuse_residual(); }
void WorkOnField::jvp(const FormState&, const FormTangent&, double*) const { refuse_residual(); }
void WorkOnField::jacobian(const FormState&, const PerLevel<double>&, AssembledMatrix&) const { refuse_residual(); }
void WorkOnField::vjp(const FormState&, const double*, FormCotangent&) const { refuse_residual(); }
void WorkOnField::vjp_tangent(const FormState&, const double*, const FormTangent&, FormCotangent&) const { refuse_residual(); }

}  // namespace invar
