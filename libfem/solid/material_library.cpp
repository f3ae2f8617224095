#include "libfem/solid/material_library.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "libfem/solid/law/arruda_boyce.hpp"
#include "libfem/solid/law/convex_network.hpp"
#include "libfem/solid/law/gent.hpp"
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
#include "libfem/solid/law/yeoh.hpp"

namespace invar {

namespace {

struct Entry {
  std::string_view name, doc;
  int terms;
  std::span<const ParamSpec> compressible_parameters, isochoric_parameters;
  std::unique_ptr<Material> (*make)(Formulation);
};

template <class Law>
constexpr Entry entry(int terms = 1) {
  return {Law::name, Law::doc, terms, CompressibleForm<Law>::parameters,
          IsochoricForm<Law>::parameters, &make_material_model<Law>};
}

/// The laws; the entries of one name have 1, 2, … terms.
constexpr Entry entries[] = {
    entry<LinearElastic>(), entry<Orthotropic>(),         entry<SaintVenantKirchhoff>(),
    entry<NeoHookean>(),    entry<NeoHookeanIsochoric>(), entry<MooneyRivlin>(),
    entry<Yeoh>(),          entry<Ogden<1>>(1),           entry<Ogden<2>>(2),
    entry<Ogden<3>>(3),     entry<Gent>(),                entry<ArrudaBoyce>(),
    entry<ConvexNetwork<1>>(1), entry<ConvexNetwork<2>>(2), entry<ConvexNetwork<3>>(3), entry<ConvexNetwork<4>>(4),
};

const Entry& find(std::string_view name, int terms = 1) {
  for (const Entry& e : entries)
    if (e.name == name && e.terms == terms) return e;
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
  for (const Entry& e : entries)
    if (e.terms == 1) names.push_back(e.name);
  return names;
}

std::string_view material_doc(std::string_view name) { return find(name).doc; }

int max_material_terms(std::string_view name) {
  int terms = find(name).terms;
  for (const Entry& e : entries)
    if (e.name == name) terms = std::max(terms, e.terms);
  return terms;
}

std::span<const ParamSpec> material_parameters(const MaterialChoice& choice) {
  const Entry& e = find(choice.name, choice.terms);
  return choice.formulation == Formulation::isochoric ? e.isochoric_parameters
                                                      : e.compressible_parameters;
}

std::unique_ptr<Material> make_material(const MaterialChoice& choice) {
  std::unique_ptr<Material> solid = find(choice.name, choice.terms).make(choice.formulation);
  if (!choice.plane_stress) return solid;
  if (choice.formulation == Formulation::isochoric)
    return std::make_unique<IncompressiblePlaneStressMaterial>(std::move(solid));
  return std::make_unique<PlaneStressMaterial>(std::move(solid));
}

}  // namespace invar
