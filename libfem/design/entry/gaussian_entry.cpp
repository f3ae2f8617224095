#include <cmath>
#include <stdexcept>

#include "libadjoint/maps/design_bounds.hpp"
#include "libfem/design/entry/design_entry.hpp"
#include "libfem/design/entry/filter_choice.hpp"
#include "libfem/design/field/gaussian_field.hpp"
#include "libfem/mesh/cell_centres.hpp"
#include "libfem/space/expression.hpp"

namespace invar {
namespace {

/// Scaling by the constant's value in the spec.
VariableTransform scaling(const EntryValues& v, double value) { return transform_of(v, v.number_or("mean", value)); }

void spread_with_prior(DesignCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  if (!c.why_no_field.empty()) {
    mistakes.add("variable", c.why_no_field);
    return;
  }
  try {
    const double value = c.residual->control_values()[c.control][0];
    c.fields.push_back({c.path, v.has("region") ? v.text("region") : c.region, c.control, value, scaling(v, value)});
    c.residual->spread_control(c.control);
  } catch (const std::invalid_argument& e) {
    mistakes.add("mean", e.what());
  }
}

/// Transformed values in the rank's cells of the number or formula under `key`.
std::vector<double> coordinates_of(const Mesh& mesh, const EntryValues& v, const char* key, double otherwise, const VariableTransform& transform,
                                   const NumberRange& admitted, EntryMistakes& mistakes) {
  std::vector<double> q;
  try {
    const std::vector<double> x = cell_centres(mesh);
    const bool formula = v.has(key) && !v.has_number(key);
    const Expression f(formula ? v.text(key) : "0");
    for (std::size_t c = 0; c < x.size() / 3; ++c) {
      const double p = formula ? f(x[3 * c], x[3 * c + 1], x[3 * c + 2], 0) : v.number_or(key, otherwise);
      if (!admitted.contains(p)) throw std::invalid_argument("the model allows " + described(admitted) + ", and this is " + std::to_string(p));
      q.push_back(transform.coordinate(p));
    }
  } catch (const ExpressionError& e) {
    mistakes.add(key, e.what());
  } catch (const std::invalid_argument& e) {
    mistakes.add(key, e.what());
  }
  return q;
}

std::shared_ptr<Parameterization> make_gaussian_field(const std::vector<DesignCase>& cases, const EntryValues& v, EntryMistakes& mistakes) {
  const DesignCase& first = cases.front();
  std::vector<FieldTarget> targets;
  for (const DesignCase& c : cases) targets.push_back({c.index, c.control});
  for (const DesignedField& f : first.fields) {
    if (f.control != first.control) continue;
    FieldRange range{.start = f.value, .outside = f.value};
    range.least = first.admitted.lower_open ? std::nextafter(first.admitted.lower, INFINITY) : first.admitted.lower;
    range.greatest = first.admitted.upper_open ? std::nextafter(first.admitted.upper, -INFINITY) : first.admitted.upper;
    const bool log = f.transform.kind() == VariableTransform::Kind::log;
    std::vector<double> mean = coordinates_of(*first.mesh, v, "mean", f.value, f.transform, first.admitted, mistakes), truth;
    if (v.has("truth")) truth = coordinates_of(*first.mesh, v, "truth", f.value, f.transform, first.admitted, mistakes);
    if (mistakes.any()) return nullptr;
    if (!reaches_neighbours(first.mesh, "correlation_length", "the correlation length", v.number("correlation_length"), false,
                            "at least ten cells; with less the standard deviation of the cells is smaller than 'deviation'", mistakes))
      return nullptr;
    try {
      auto prior = std::make_shared<BilaplacianPrior>(first.mesh, f.region, v.number("deviation") / (log ? 1.0 : std::abs(f.transform.scale())),
                                                      v.number("correlation_length"));
      auto field = std::make_shared<GaussianField>(first.mesh, std::move(prior), f.region, f.transform, range, std::move(mean), std::move(targets));
      field->set_truth(std::move(truth));
      return field;
    } catch (const std::invalid_argument& e) {
      mistakes.add("", e.what());
    }
  }
  return nullptr;
}

}  // namespace

DesignEntryKind gaussian_field_entry() {
  using enum EntryParameter::Kind;
  return {.name = "gaussian_field",
          .doc = "A material constant as a field with a Gaussian prior (of its logarithm): mean, standard deviation and correlation length. The negative logarithm of the prior is a term of the objective. With data of known noise, and without constraints and other terms, the result includes the posterior standard deviation, 95 % bands and resolved directions of the field.",
          .parameters = {{.key = "variable", .kind = constant, .doc = "e.g. materials.tissue.young, materials.fluid.viscosity; cases.NAME.… for one case"},
                         {.key = "deviation",
                          .doc = "standard deviation of the prior: of the logarithm if the scale is log (0.5: a factor of 1.65), else in the constant's unit",
                          .lower = 0,
                          .lower_open = true},
                         {.key = "correlation_length",
                          .unit = "m",
                          .doc = "distance at which values have a correlation of about 0.1; at least ten cells; otherwise the discrete standard deviation is smaller, and below one cell it is refused",
                          .lower = 0,
                          .lower_open = true},
                         {.key = "scale",
                          .kind = word,
                          .doc = "normally distributed quantity",
                          .default_text = "log",
                          .words = {{"linear", "the constant"}, {"log", "its logarithm: the sign is preserved"}}},
                         {.key = "mean",
                          .kind = number_or_formula,
                          .doc = "mean of the prior (log: the median), also the start of the search: a number, or a formula in x, y, z; default: the constant of the spec",
                          .may_be_left_out = true},
                         {.key = "truth",
                          .kind = number_or_formula,
                          .doc = "the true value of synthetic data: the report gives the share of 95 % bands that contain it. The search does not use it",
                          .may_be_left_out = true},
                         {.key = "region", .kind = cell_region, .doc = "designed cell region; default: the material's region", .may_be_left_out = true}},
          .prepare = spread_with_prior,
          .make = make_gaussian_field,
          .has_prior = true};
}

}  // namespace invar
