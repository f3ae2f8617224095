#include "libfem/solid/material_library.hpp"

#include <stdexcept>
#include <string>
#include <utility>

#include "libfem/solid/distributed_material.hpp"
#include "libfem/solid/law/arruda_boyce.hpp"
#include "libfem/solid/law/convex_network.hpp"
#include "libfem/solid/law/corotated.hpp"
#include "libfem/solid/law/gent.hpp"
#include "libfem/solid/law/hencky.hpp"
#include "libfem/solid/law/holzapfel_gasser_ogden.hpp"
#include "libfem/solid/incompressible_plane_stress_material.hpp"
#include "libfem/solid/law/linear_elastic.hpp"
#include "libfem/solid/material_forms.hpp"
#include "libfem/solid/law/mooney_rivlin.hpp"
#include "libfem/solid/law/neo_hookean.hpp"
#include "libfem/solid/law/neo_hookean_isochoric.hpp"
#include "libfem/solid/law/ogden.hpp"
#include "libfem/solid/law/orthotropic.hpp"
#include "libfem/solid/plane_stress_material.hpp"
#include "libfem/solid/law/saint_venant_kirchhoff.hpp"
#include "libfem/solid/law/transversely_isotropic.hpp"
#include "libfem/solid/law/yeoh.hpp"
#include "libfem/solid/grown_material.hpp"
#include "libfem/solid/swollen_material.hpp"
#include "libfem/solid/volumetric_material.hpp"

namespace invar {

namespace {

struct Entry {
  std::string_view name, doc;
  int terms;  // at most
  bool coupled;
  std::span<const ParamSpec> (*compressible_parameters)(int terms);
  std::span<const ParamSpec> (*isochoric_parameters)(int terms);
  std::unique_ptr<Material> (*make)(Formulation, int terms);
};

template <class Law>
constexpr Entry entry() {
  return {Law::name, Law::doc, max_terms<Law>, CoupledLaw<Law>, &CompressibleForm<Law>::parameters_of, &IsochoricForm<Law>::parameters_of,
          &make_material_model<Law>};
}

constexpr Entry entries[] = {
    entry<LinearElastic>(), entry<Orthotropic>(),         entry<SaintVenantKirchhoff>(),
    entry<NeoHookean>(),    entry<NeoHookeanIsochoric>(), entry<MooneyRivlin>(),
    entry<Yeoh>(),          entry<Ogden>(),               entry<Gent>(),
    entry<ArrudaBoyce>(),   entry<ConvexNetwork>(),
    entry<Corotated>(),     entry<TransverselyIsotropic>(), entry<HolzapfelGasserOgden>(),
    entry<Hencky>(),
};

const Entry& find(std::string_view name, int terms = 1) {
  for (const Entry& e : entries)
    if (e.name == name && 1 <= terms && terms <= e.terms) return e;
  std::string message = "unknown material '";
  message.append(name).append("'; use one of");
  for (const std::string_view known : material_names()) {
    if (known == name) {
      message = "material '";
      message.append(name).append("' has 1 to ").append(std::to_string(max_material_terms(name)));
      throw std::invalid_argument(message.append(" terms, not ").append(std::to_string(terms)));
    }
    message.append(" ").append(known);
  }
  throw std::invalid_argument(message);
}

}  // namespace

std::vector<std::string_view> material_names() {
  std::vector<std::string_view> names;
  for (const Entry& e : entries) names.push_back(e.name);
  return names;
}

std::string_view material_doc(std::string_view name) { return find(name).doc; }

int max_material_terms(std::string_view name) { return find(name).terms; }

bool has_volumetric_law(std::string_view name) { return !find(name).coupled; }

std::vector<ParamSpec> material_parameters(const MaterialChoice& choice) {
  const Entry& e = find(choice.name, choice.terms);
  const auto of_law = (choice.formulation == Formulation::isochoric ? e.isochoric_parameters : e.compressible_parameters)(choice.terms);
  std::vector<ParamSpec> all(of_law.begin(), of_law.end());
  if (choice.volumetric != VolumetricLaw::quadratic) all.back() = elastic_constants::bulk_of_volumetric_law;
  if (choice.distributed) all.insert(all.end(), {material_share_parameter, finite_share_parameter});
  if (choice.swelling) all.push_back(swelling_parameter);
  if (choice.growth) all.insert(all.end(), growth_parameters.begin(), growth_parameters.end());
  return all;
}

std::unique_ptr<Material> make_material(const MaterialChoice& choice) {
  const Entry& e = find(choice.name, choice.terms);
  std::unique_ptr<Material> made;
  if (choice.volumetric == VolumetricLaw::quadratic) {
    made = e.make(choice.formulation, choice.terms);
  } else {
    if (e.coupled || choice.formulation == Formulation::isochoric)
      throw std::invalid_argument("this form of '" + std::string(choice.name) + "' has no volumetric law to choose");
    made = std::make_unique<VolumetricMaterial>(e.make(Formulation::isochoric, choice.terms), choice.volumetric);
  }
  if (choice.plane_stress && choice.formulation == Formulation::isochoric)
    made = std::make_unique<IncompressiblePlaneStressMaterial>(std::move(made));
  else if (choice.plane_stress)
    made = std::make_unique<PlaneStressMaterial>(std::move(made));
  if (choice.distributed) made = std::make_unique<DistributedMaterial>(std::move(made), choice.rest_constants);
  if (choice.growth) {
    if (choice.swelling || (choice.formulation == Formulation::isochoric && !choice.plane_stress))
      throw std::invalid_argument("a law grows by a tensor without swelling, and with volume changes or in plane stress");
    made = std::make_unique<GrownMaterial>(std::move(made));
  }
  if (choice.swelling) {
    const bool of_shape_alone = choice.formulation == Formulation::isochoric && !choice.plane_stress;
    made = std::make_unique<SwollenMaterial>(std::move(made), of_shape_alone);
  }
  return made;
}

}  // namespace invar
