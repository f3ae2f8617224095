// Loads of fluid–structure interaction: those of flows on the fluid, those of solids on bodies.
#include <algorithm>

#include "apps/invar/physics/flow_checks.hpp"
#include "apps/invar/physics/fsi_case_builder.hpp"
#include "apps/invar/physics/term_table.hpp"
#include "libfem/form/common_terms.hpp"
#include "libfem/mesh/region_flags.hpp"
#include "libfluid/fsi/fsi_forms.hpp"

namespace invar {

using spec::Value;

namespace {

/// Adds a term on facets of the fluid to the equation and to what its forces are computed from.
void add_to_fluid(CaseModel& model, FsiCase& fsi, FlowBoundary what, const std::string& region, std::vector<ControlledValue> values, FormUse use) {
  const auto make = [dofs = model.dofs, kind = fsi.kind, what, region, degree = fsi.facet_degree, at = FsiComponents{model.mesh->dim}] {
    return make_moving_boundary(kind, what, CellBatches::on_facets(dofs, region, degree, at.v_d()));
  };
  model.residual->add_form(make(), values, std::move(use));
  fsi.forms.loads.push_back({make, std::move(values)});
}

}  // namespace

FsiBuilder::Within FsiBuilder::cells_within(const std::string& region) const {
  const Mesh& mesh = *model_.mesh;
  const auto meets = [&](const std::string& part) {
    if (region.empty()) return true;
    const std::vector<char> asked = members_in(mesh.cells, *mesh.find_region(region)), in = members_in(mesh.cells, *mesh.find_region(part));
    int any = 0;
    for (std::size_t c = 0; c < in.size(); ++c) any |= asked[c] && in[c];
    MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, model_.dofs->comm());
    return any != 0;
  };
  Within found{.fluid = meets(fsi_.fluid.region)};
  for (const MaterialPart& body : fsi_.bodies) found.bodies |= meets(body.region);
  return found;
}

const Value* FsiBuilder::load_on_fluid(std::string_view type) {
  const Value *loads = sections_.find("loads"), *found = nullptr;
  if (loads)
    for (const Value& l : *loads) {
      const std::string& where = l["region"].text();
      if (l["type"].text() != type || (where != "all" && where != fsi_.fluid.region)) continue;
      if (found)
        diagnostics_.error(l.position, l.yaml_path, "'" + fsi_.fluid.region + "' already has the load '" + found->key + "'", "give one with the sum of the two");
      found = &l;
    }
  return found;
}

/// A load on the scalar, which `add_scalar` reads.
void FsiBuilder::scalar_load(const FlowLoad& load, const Value& l) {
  const std::string& region = l["region"].text();
  if (region != "all" && region != fsi_.fluid.region)
    diagnostics_.error(l["region"].position, l["region"].yaml_path, "the load '" + std::string(load.name) + "' acts on the whole fluid: name its region, or 'all'");
  if (!fsi_.scalar) refuse_load_of_scalar(l, diagnostics_);
}

std::vector<ControlledValue> FsiBuilder::load_of_body(const SolidLoad& load, const Value& l, const TermSetting& setting, CellBatches domain) {
  std::vector<ControlledValue> values = coefficients(load, l, "loads." + l.key);
  residual_.add_form(with_velocity(load.make(fsi_.solid_kind(), setting, std::move(domain)), -1), values, used_as(l));
  return values;
}

void FsiBuilder::load_in_body(const SolidLoad& load, const Value& l, const TermSetting& setting, const std::string& region) {
  const int form = residual_.form_count();
  std::vector<ControlledValue> values = load_of_body(load, l, setting, cells(region, mass_degree_, at_.d()));
  if (load.active_stress) fsi_.muscles.push_back({AddedStress::Kind::active, region, std::move(values), form});
}

/// Loads on cells. In the fluid a body force is part of the equation.
void FsiBuilder::volume_load(const SolidLoad& load, const Value& l, const TermSetting& setting, const std::string& region) {
  const bool in_fluid = load.name == body_force_term().name;
  const Within within = cells_within(region);
  if (within.fluid && !region.empty() && (!in_fluid || region != fsi_.fluid.region)) {
    diagnostics_.error(l["region"].position, l["region"].yaml_path,
                       in_fluid ? "a body force acts on the whole fluid or on bodies: name the region of the fluid, a region within bodies, or 'all'"
                                : "the load '" + std::string(load.name) + "' acts in bodies: name a region within them, or 'all'");
    return;
  }
  for (const MaterialPart& body : fsi_.bodies)
    if (region.empty()) load_in_body(load, l, setting, body.region);
  if (!region.empty() && within.bodies) load_in_body(load, l, setting, region);
}

void FsiBuilder::load_of_fluid(const FlowLoad& load, const Value& l, const std::string& region) {
  std::vector<ControlledValue> values;
  if (load.reads_density) values.push_back(fsi_.fluid.constants[0]);
  std::ranges::copy(coefficients(load, l, "loads." + l.key), std::back_inserter(values));
  add_to_fluid(model_, fsi_, *load.boundary, region, std::move(values), used_as(l));
}

/// The cells behind the facets decide whether it is a load of flows or of solids.
void FsiBuilder::facet_load(const Value& l, const std::string& region) {
  const std::string& type = l["type"].text();
  const BehindFacets behind = behind_facets(*model_.mesh, fsi_.fluid.region, fsi_.body_regions(), *model_.mesh->find_region(region));
  const auto refuse = [&](const std::string& what, const std::string& hint) {
    diagnostics_.error(l["region"].position, l["region"].yaml_path, "'" + region + "' " + what, hint);
  };
  if (behind.between) return refuse("lies between the fluid and a body, whose interaction is part of the equations", "name a part of the outer boundary");
  if (behind.fluid && behind.body) return refuse("is on the boundaries of the fluid and of a body, for which the load '" + type + "' differs", "give each a separate region");
  if (!behind.fluid && !behind.body) return refuse("lies inside the fluid or a body", "name a part of the outer boundary");
  if (behind.fluid) {
    if (const auto* load = find_term(flow_loads(), type); load && setting_of(*load, l)) return load_of_fluid(*load, l, region);
    if (!find_term(flow_loads(), type)) refuse("bounds the fluid, and the load '" + type + "' is for solids", "name a part of a body's boundary");
    return;
  }
  const auto* load = find_term(solid_loads(), type);
  if (!load) return refuse("bounds a body, and the load '" + type + "' is for flows", "name a part of the fluid's boundary");
  if (const auto setting = setting_of(*load, l)) load_of_body(*load, l, *setting, CellBatches::on_facets(model_.dofs, region, mass_degree_, at_.d()));
}

std::string push_periodic_fsi(CaseModel& model, const std::string& side, ControlledValue more) {
  FsiCase& fsi = *model.as<FsiCase>();
  const BehindFacets behind = behind_facets(*model.mesh, fsi.fluid.region, fsi.body_regions(), *model.mesh->find_region(side));
  if (!behind.fluid) return {};
  if (behind.body)
    return "is on the boundaries of the fluid and of a body, and the mean gradient of the pressure is that of the fluid";
  add_to_fluid(model, fsi, FlowBoundary::pressure, side, {std::move(more)}, {.name = "the pressure beyond '" + side + "'"});
  return {};
}

void FsiBuilder::loads() {
  const Value* loads = sections_.find("loads");
  if (!loads) return;
  for (const Value& l : *loads) {
    const std::string& type = l["type"].text();
    if (const auto* of_flow = find_term(flow_loads(), type); of_flow && of_flow->of_scalar) {
      scalar_load(*of_flow, l);
      continue;
    }
    const auto* of_solid = find_term(solid_loads(), type);
    using Domain = TermSpec::Domain;
    const Domain domain = of_solid ? of_solid->domain : Domain::facets;
    const std::optional<std::string> where = region_of(l, domain == Domain::points ? 0 : model_.mesh->dim - (domain == Domain::facets ? 1 : 0));
    if (!where) continue;
    if (domain == Domain::facets) {
      facet_load(l, *where);
      continue;
    }
    const std::optional<TermSetting> setting = setting_of(*of_solid, l);
    if (!setting) continue;
    if (domain == Domain::cells) volume_load(*of_solid, l, *setting, *where);
    else if (!touches_body(*where))
      diagnostics_.error(l["region"].position, l["region"].yaml_path, "the load '" + type + "' acts on bodies, and '" + *where + "' is not a point of a body");
    else load_of_body(*of_solid, l, *setting, CellBatches::on_points(model_.dofs, *where, at_.d()));
  }
}

}  // namespace invar
