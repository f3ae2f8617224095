#pragma once
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "libfem/solid/formulation.hpp"
#include "libfem/solid/material.hpp"

namespace invar {

/// A material law of the library, and in which form.
struct MaterialChoice {
  std::string_view name;  // one of material_names()
  Formulation formulation = Formulation::compressible;
  bool plane_stress = false;
  int terms = 1;  // of a law that is a sum of terms ("ogden"); 1 for any other
};

/// All names, in the order of the manual.
std::vector<std::string_view> material_names();

/// One line: the law's formula. Throws std::invalid_argument for an unknown name.
std::string_view material_doc(std::string_view name);

/// How many terms the law may have; 1 where it is not a sum of terms. Throws as above.
int max_material_terms(std::string_view name);

/// The constants that the choice asks for, in the order of Material::evaluate; plane stress
/// changes nothing. Throws as above.
std::span<const ParamSpec> material_parameters(const MaterialChoice& choice);

/// The chosen law. Throws std::invalid_argument for an unknown name or number of terms.
std::unique_ptr<Material> make_material(const MaterialChoice& choice);

}  // namespace invar
