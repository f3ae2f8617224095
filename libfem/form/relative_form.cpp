#include "libfem/form/relative_form.hpp"

namespace invar {

/// The state for the wrapped form.
struct RelativeForm::State {
  PerLevel<std::vector<double>> storage;
  FormState at;

  State(const RelativeForm& f, const FormState& given) : at(given) {
    const PerLevel<bool> reads = f.traits().reads;
    for (const Level l : all_levels)
      if (reads[l] && given.unknown[l]) storage[l] = f.relative_->of(given.unknown[l]), at.unknown[l] = storage[l].data();
  }
};

/// The direction for the wrapped form.
struct RelativeForm::Tangent {
  PerLevel<std::vector<double>> storage;
  std::vector<double> multiplier;
  FormTangent d;

  Tangent(const RelativeForm& f, const FormTangent& given) : d(given) {
    const PerLevel<bool> reads = f.traits().reads;
    for (const Level l : all_levels)
      if (reads[l] && given.unknown[l]) storage[l] = f.relative_->of(given.unknown[l]), d.unknown[l] = storage[l].data();
    if (!given.multiplier) return;
    multiplier = f.multiplier(given.multiplier);
    d.multiplier = multiplier.data();
  }
};

/// Storage for the wrapped form's derivatives by the unknown; `add_transposed_to_given` adds their transpose.
struct RelativeForm::Cotangent {
  const RelativeForm& form;
  FormCotangent& given;
  PerLevel<std::vector<double>> storage;
  FormCotangent out;

  Cotangent(const RelativeForm& f, FormCotangent& target) : form(f), given(target), out(target) {
    for (const Level l : all_levels)
      if (target.unknown[l]) storage[l].assign(f.relative_->n_local(), 0.0), out.unknown[l] = storage[l].data();
  }
  void add_transposed_to_given() {
    for (const Level l : all_levels)
      if (given.unknown[l]) form.relative_->add_transposed(storage[l], given.unknown[l]);
  }
};

std::unique_ptr<WeakForm> RelativeForm::on_boundary(const BoundaryPart& part) const {
  std::unique_ptr<WeakForm> form = form_->on_boundary(part);
  if (!form) return nullptr;
  auto there = std::make_unique<RelativeForm>(std::move(form), relative_);
  there->reacts_ = false;
  return there;
}

std::vector<double> RelativeForm::multiplier(const double* lambda) const {
  if (reacts_) return relative_->of(lambda);
  return lambda ? std::vector<double>(lambda, lambda + relative_->n_local()) : std::vector<double>();
}

void RelativeForm::add_row(const std::vector<double>& r, double* to) const {
  if (reacts_) return relative_->add_transposed(r, to);
  for (std::size_t i = 0; i < r.size(); ++i) to[i] += r[i];
}

double RelativeForm::value(const FormState& at) const { return form_->value(State(*this, at).at); }

double RelativeForm::value_jvp(const FormState& at, const FormTangent& direction) const {
  return form_->value_jvp(State(*this, at).at, Tangent(*this, direction).d);
}

void RelativeForm::value_vjp(const FormState& at, double seed, FormCotangent& out) const {
  Cotangent bar(*this, out);
  form_->value_vjp(State(*this, at).at, seed, bar.out);
  bar.add_transposed_to_given();
}

void RelativeForm::value_vjp_tangent(const FormState& at, double seed, const FormTangent& direction, FormCotangent& out) const {
  Cotangent bar(*this, out);
  form_->value_vjp_tangent(State(*this, at).at, seed, Tangent(*this, direction).d, bar.out);
  bar.add_transposed_to_given();
}

bool RelativeForm::residual(const FormState& at, double* r) const {
  std::vector<double> own(relative_->n_local(), 0.0);
  const bool admissible = form_->residual(State(*this, at).at, own.data());
  add_row(own, r);
  return admissible;
}

void RelativeForm::jvp(const FormState& at, const FormTangent& direction, double* r_dot) const {
  std::vector<double> own(relative_->n_local(), 0.0);
  form_->jvp(State(*this, at).at, Tangent(*this, direction).d, own.data());
  add_row(own, r_dot);
}

void RelativeForm::jacobian(const FormState& at, const PerLevel<double>& weights, AssembledMatrix& K) const {
  form_->jacobian(State(*this, at).at, weights, K);
}

void RelativeForm::vjp(const FormState& at, const double* lambda, FormCotangent& out) const {
  Cotangent bar(*this, out);
  form_->vjp(State(*this, at).at, multiplier(lambda).data(), bar.out);
  bar.add_transposed_to_given();
}

void RelativeForm::vjp_tangent(const FormState& at, const double* lambda, const FormTangent& direction, FormCotangent& out) const {
  Cotangent bar(*this, out);
  form_->vjp_tangent(State(*this, at).at, multiplier(lambda).data(), Tangent(*this, direction).d, bar.out);
  bar.add_transposed_to_given();
}

}  // namespace invar
