#include "apps/invar/problem/value_binder.hpp"

#include <cmath>
#include <memory>

#include "libadjoint/number_text.hpp"
#include "libfem/space/expression.hpp"

namespace invar {
namespace {

[[noreturn]] void refuse(const spec::Value& formula, const double* x, int dim, double t) {
  std::string at = number_text(x[0]);
  for (int i = 1; i < dim; ++i) at += ", " + number_text(x[i]);
  Diagnostics diagnostics;
  diagnostics.error(formula.position, formula.yaml_path,
                    "the formula '" + formula.text() + "' has no finite value at (" + at + "), t = " + number_text(t));
  diagnostics.throw_if_any();
  std::abort();
}

}  // namespace

ControlledValue ValueBinder::zero() {
  if (zero_ < 0) zero_ = residual_.add_control({"", ""}, {0.0});
  return {zero_, {}};
}

int ValueBinder::add_number(const std::string& path, const std::string& unit, const NumberRange& admitted, double value) {
  const int control = residual_.add_control({path, unit, ControlLayout::number, admitted.lower, admitted.upper}, {value});
  admitted_[control] = admitted;
  return control;
}

ControlledValue ValueBinder::bind(const spec::Value& record, const std::string& path, const char* key,
                                  const std::string& unit, bool ramp) {
  const spec::Value* v = record.find(key);
  if (!v) return zero();
  if (v->is_number()) {
    ControlledValue out{add_number(path + "." + key, unit, v->range, v->number()), {}};
    if (ramp) {
      out.shape = [s = start_, e = end_](const double*, double t) { return (t - s) / (e - s); };
      out.varies_in_time = true;
    }
    return out;
  }
  try {
    auto formula = std::make_shared<const Expression>(v->text());
    if (!factors_.contains(path))
      factors_[path] = residual_.add_control({path + ".factor", "1"}, {record["factor"].number()});
    const int dim = residual_.dofs().mesh().dim;
    // Loads are evaluated at every node of the mesh, supports at their nodes.
    const bool used_wherever_asked = path.starts_with("boundary.") || !formula->depends_on_position();
    return {factors_[path],
            [formula, dim, v, used_wherever_asked](const double* x, double t) {
              const double value = (*formula)(x[0], x[1], dim == 3 ? x[2] : 0.0, t);
              if (used_wherever_asked && !std::isfinite(value)) refuse(*v, x, dim, t);
              return value;
            },
            formula->depends_on_position(), formula->depends_on_time()};
  } catch (const ExpressionError& e) {
    diagnostics_.error(v->position, v->yaml_path, e.what());
    return zero();
  }
}

}  // namespace invar
