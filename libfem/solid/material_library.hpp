#pragma once
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "libfem/solid/formulation.hpp"
#include "libfem/solid/material.hpp"
#include "libfem/solid/volumetric_law.hpp"

namespace invar {

/// A material law of the library, and in which form.
struct MaterialChoice {
  std::string_view name;  // one of material_names()
  Formulation formulation = Formulation::compressible;
  bool plane_stress = false;
  int terms = 1;  // of a law that is a sum of terms ("ogden"); 1 for any other
  VolumetricLaw volumetric = VolumetricLaw::quadratic;  // another one: of compressible forms of laws with `has_volumetric_law`
  bool swelling = false;  // the law swells: one more parameter, the last
  bool distributed = false;  // its material is there in part: two more parameters after the law's own
  std::vector<double> rest_constants = {};  // of a distributed law: its own, for the linear law of voids
};

/// All names, in the order of the manual.
std::vector<std::string_view> material_names();

/// One line: the law's formula. Throws std::invalid_argument for an unknown name.
std::string_view material_doc(std::string_view name);

/// How many terms the law may have; 1 where it is not a sum of terms. Throws as above.
int max_material_terms(std::string_view name);

/// Whether the law is a volume-preserving part + U(J), which the user may choose. Throws as above.
bool has_volumetric_law(std::string_view name);

/// The constants that the choice asks for, in the order of Material::evaluate; plane stress
/// changes nothing. Throws as above.
std::vector<ParamSpec> material_parameters(const MaterialChoice& choice);

/// The chosen law. Throws std::invalid_argument for an unknown name, number of terms, or volumetric law where it has none.
std::unique_ptr<Material> make_material(const MaterialChoice& choice);

}  // namespace invar
