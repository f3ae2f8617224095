#include "libfem/form/work_on_field.hpp"

#include <limits>
#include <stdexcept>

namespace invar {
namespace {

[[noreturn]] void refuse_residual() { throw std::logic_error("the work on a given field has no residual"); }

}  // namespace

WorkOnField::WorkOnField(std::unique_ptr<WeakForm> form, const DofMap& dofs, std::vector<double> w)
    : form_(std::move(form)), w_(std::move(w)), n_owned_(dofs.n_owned()) {
  if (w_.size() != std::size_t(dofs.n_local())) throw std::invalid_argument("a test function has a value for every local unknown");
  if (form_->memory_size() > 0) throw std::invalid_argument("the work of a form with history variables is not available");
}

/// Rows of owned dofs are complete on this rank; others count on theirs.
double WorkOnField::sum(const std::vector<double>& r) const {
  double total = 0;
  for (std::size_t i = 0; i < n_owned_; ++i) total += w_[i] * r[i];
  return total;
}

std::vector<double> WorkOnField::scaled(double seed) const {
  std::vector<double> lambda = w_;
  for (double& l : lambda) l *= seed;
  return lambda;
}

double WorkOnField::value(const FormState& at) const {
  std::vector<double> r(w_.size(), 0.0);
  return form_->residual(at, r.data()) ? sum(r) : std::numeric_limits<double>::quiet_NaN();
}

double WorkOnField::value_jvp(const FormState& at, const FormTangent& direction) const {
  std::vector<double> r_dot(w_.size(), 0.0);
  form_->jvp(at, direction, r_dot.data());
  return sum(r_dot);
}

void WorkOnField::value_vjp(const FormState& at, double seed, FormCotangent& out) const {
  form_->vjp(at, scaled(seed).data(), out);
}

void WorkOnField::value_vjp_tangent(const FormState& at, double seed, const FormTangent& direction, FormCotangent& out) const {
  form_->vjp_tangent(at, scaled(seed).data(), direction, out);
}

bool WorkOnField::residual(const FormState&, double*) const { refuse_residual(); }
void WorkOnField::jvp(const FormState&, const FormTangent&, double*) const { refuse_residual(); }
void WorkOnField::jacobian(const FormState&, const PerLevel<double>&, AssembledMatrix&) const { refuse_residual(); }
void WorkOnField::vjp(const FormState&, const double*, FormCotangent&) const { refuse_residual(); }
void WorkOnField::vjp_tangent(const FormState&, const double*, const FormTangent&, FormCotangent&) const { refuse_residual(); }

}  // namespace invar
