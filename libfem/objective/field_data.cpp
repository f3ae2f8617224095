// Data: the unknown in a region compared with formulas.
#include "libfem/objective/known_field.hpp"
#include "libfem/objective/quantity_entry.hpp"
#include "libfem/objective/sampled_displacement.hpp"

namespace invar {
namespace {

std::vector<MeasuredSet> make_field_misfit(const QuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  const KnownField wanted(c.dofs, v, mistakes);
  if (mistakes.any()) return {};
  const std::string& region = v.text("region");
  MeasuredSet set;
  set.observable = make_field_samples(
      c.dofs, region == "all" ? "" : region, c.names_facets(region) ? c.dim() - 1 : c.dim(), 4, wanted.components(),
      [&](int component, const double* x) { return wanted(component, x, c.time); }, set.targets);
  return {std::move(set)};
}

}  // namespace

DataEntry<QuantityCase> field_data(std::string_view name, std::string_view doc) {
  using enum EntryParameter::Kind;
  return {.name = name,
          .doc = doc,
          .parameters = {{.key = "region", .kind = body_region,
                          .doc = "cell or facet region, or 'all', with places and weights of the mesh as given. The mean square over it "
                                 "(axisymmetric: over the meridian plane) counts as one value, and without `noise` it is a design goal"},
                         {.key = "wanted", .kind = components, .doc = "wanted"}},
          .make = &make_field_misfit};
}

}  // namespace invar
