#pragma once
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "libfem/solid/formulation.hpp"
#include "libfem/solid/material.hpp"
#include "libfem/solid/volumetric_law.hpp"

namespace invar {

/// A material law of the library and its options.
struct MaterialChoice {
  std::string_view name;  // one of material_names()
  Formulation formulation = Formulation::compressible;
  bool plane_stress = false;
  int terms = 1;  // number of terms of a law that is a sum ("ogden"); 1 for others
  VolumetricLaw volumetric = VolumetricLaw::quadratic;  // for compressible forms of laws with `has_volumetric_law`
  bool swelling = false;  // the law swells: one additional parameter, the last
  bool distributed = false;  // distributed material: two additional parameters after the law's own
  std::vector<double> rest_constants = {};  // constants for the linear law of void, if distributed
  bool growth = false;  // the law grows by a tensor: six additional parameters, the last; not with swelling, not isochoric but in plane stress
};

/// All names, in the order of the manual.
std::vector<std::string_view> material_names();

/// One line: the law's formula. Throws std::invalid_argument for an unknown name.
std::string_view material_doc(std::string_view name);

/// Largest number of terms; 1 if the law is not a sum of terms. Throws as above.
int max_material_terms(std::string_view name);

/// Whether the law is a volume-preserving part + U(J) with a selectable U. Throws as above.
bool has_volumetric_law(std::string_view name);

/// The constants of the chosen law, in the order of Material::evaluate; the same in plane stress. Throws as above.
std::vector<ParamSpec> material_parameters(const MaterialChoice& choice);

/// Creates the law. Throws std::invalid_argument for an unknown name, number of terms, or a volumetric law that is not
/// available.
std::unique_ptr<Material> make_material(const MaterialChoice& choice);

}  // namespace invar
