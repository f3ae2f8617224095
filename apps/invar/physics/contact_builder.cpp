#include "apps/invar/physics/contact_builder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "apps/invar/problem/case_builder.hpp"
#include "libfem/contact/contact_forms.hpp"
#include "libfem/contact/contact_parameters.hpp"
#include "libfem/solid/material_stability.hpp"

namespace invar {
namespace {

using spec::Value;

/// The regions of a pair as text.
std::string in_words(const std::vector<std::string>& regions) {
  return regions.size() == 1 ? "parts of '" + regions[0] + "'" : "'" + regions[0] + "' and '" + regions[1] + "'";
}

class ContactBuilder : CaseBuilder {
 public:
  ContactBuilder(SolidModel& solid, CaseModel& model, const CaseSections& sections, Diagnostics& diagnostics)
      : CaseBuilder(model, sections, false, diagnostics), solid_(solid) {}

  void add(const Value& pair);

 private:
  bool check_regions(const Value& pair, const std::vector<std::string>& regions);
  double default_stiffness(const std::vector<std::string>& regions) const;
  double number_or(const Value& pair, const ParamSpec& p, double computed);

  SolidModel& solid_;
};

bool ContactBuilder::check_regions(const Value& pair, const std::vector<std::string>& regions) {
  const Value& given = pair.has("self") ? pair["self"] : pair["between"];
  bool known = true;
  for (const std::string& region : regions) known &= check_region(*model_.mesh, region, model_.mesh->dim - 1, given, diagnostics_);
  return known;
}

/// Default stiffness, from the softest material with nodes on the surfaces.
double ContactBuilder::default_stiffness(const std::vector<std::string>& regions) const {
  double least = std::numeric_limits<double>::infinity();
  std::vector<char> touching(model_.mesh->node_total(), 0);
  for (const std::string& region : regions)
    for (const int node : model_.mesh->find_region(region)->nodes) touching[node] = 1;
  for (const MaterialPart& part : solid_.parts) {
    const Region* region = part.region.empty() ? nullptr : model_.mesh->find_region(part.region);
    if (region && std::ranges::none_of(region->nodes, [&](int node) { return touching[node]; })) continue;
    std::vector<double> constants;
    for (const int control : part.controls) constants.push_back(residual_.control_values()[control][0]);
    const Material& law = part.unreduced ? *part.unreduced : *part.material;
    least = std::min(least, smallest_stiffness(law, constants, solid_.mixed));
  }
  MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_DOUBLE, MPI_MIN, model_.mesh->comm);
  return default_contact_stiffness * least;
}

/// The value in the spec, else the computed default, which is recorded for resolved.yaml.
double ContactBuilder::number_or(const Value& pair, const ParamSpec& p, double computed) {
  const Value& given = pair[p.key];
  if (given.is_number()) return given.number();
  model_.computed[given.yaml_path] = computed;
  return computed;
}

void ContactBuilder::add(const Value& pair) {
  const std::size_t before = diagnostics_.size();
  const std::string path = "contact." + pair.key;
  std::vector<std::string> first, second;
  if (pair.has("self")) {
    first = {pair["self"].text()};
  } else {
    const std::vector<std::string> both = pair["between"].texts();
    first = {both[0]}, second = {both[1]};
  }
  std::vector<std::string> regions = first;
  regions.insert(regions.end(), second.begin(), second.end());
  for (const ContactQuantityCase::Pair& other : solid_.contacts)
    if (std::ranges::is_permutation(other.regions, regions))
      diagnostics_.error(pair.key_position, pair.yaml_path, "'" + pair.key + "' is the pair of surfaces of '" + other.name + "' again: their pressures would add up", "remove one of the two");
  const Value* friction = pair.find("friction");
  if (friction && !model_.march)
    diagnostics_.error(friction->position, friction->yaml_path, "friction depends on velocities, and this case is not a process in time",
                       "give 'time' a 'scheme', with 'inertia: false' for slow processes");
  if (!check_regions(pair, regions) || diagnostics_.size() != before) return;

  const Value& samples = pair["samples"];
  const int divisions = samples.is_number() ? static_cast<int>(samples.integer())
                                            : default_contact_samples(model_.mesh->dim, model_.dofs->components()[0].order);
  if (!samples.is_number()) model_.computed[samples.yaml_path] = divisions;
  ContactQuantityCase::Pair part{.name = pair.key, .regions = regions, .finder = {}, .values = {}, .friction = friction != nullptr};
  try {
    part.finder = PairFinder::on_regions(*model_.mesh, first, second, divisions, solid_.axisymmetric());
  } catch (const std::invalid_argument& e) {
    diagnostics_.error(pair.position, pair.yaml_path, e.what());
    return;
  }
  const auto& [stiffness, distance, coefficient, slip_speed] = contact_parameters;
  const double k = number_or(pair, stiffness, default_stiffness(regions)), d_hat = number_or(pair, distance, part.finder->default_distance());
  if (!std::isfinite(k)) {
    diagnostics_.error(pair.position, pair.yaml_path, "neither surface belongs to a body with material: contact between two obstacles has no effect", "name a surface of a body with cells");
    return;
  }
  if (d_hat == 0) {
    diagnostics_.error(pair.position, pair.yaml_path, in_words(regions) + " touch in the undeformed state, so that 'distance' has no default",
                       "leave a gap between bodies, with 'at' of one of them, or part them by 'initial' and give 'distance'");
    return;
  }
  const auto control = [&](const ParamSpec& p, double value) {
    const NumberRange range{p.lower, p.upper, p.lower_open, p.upper_open};
    part.values.push_back({binder_.add_number(path + "." + std::string(p.key), std::string(p.unit), range, value), {}});
  };
  control(stiffness, k);
  control(distance, d_hat);
  if (part.friction) {
    control(coefficient, friction->number());
    control(slip_speed, pair["slip_speed"].number());
  }
  model_.may_touch.emplace(residual_.form_count(), &pair);
  residual_.add_form(part.friction ? make_frictional_contact(part.finder, model_.dofs) : make_contact(part.finder, model_.dofs), part.values,
                     {.name = "the contact '" + pair.key + "'", .between = in_words(regions) + " (contact '" + pair.key + "')"});
  solid_.contacts.push_back(std::move(part));
}

}  // namespace

void build_contact(SolidModel& solid, CaseModel& model, const CaseSections& sections, Diagnostics& diagnostics) {
  const Value* contact = sections.find("contact");
  if (!contact) return;
  if (model.march && model.march->scheme.is_explicit()) {
    const Value& scheme = (*sections.find("time"))["scheme"];
    diagnostics.error(scheme.position, scheme.yaml_path,
                      "'" + scheme.text() + "' moves bodies by forces of the state before, and nothing keeps that motion from going through another body",
                      "use an implicit scheme");
    return;
  }
  ContactBuilder builder(solid, model, sections, diagnostics);
  for (const Value& pair : *contact) builder.add(pair);
}

}  // namespace invar
