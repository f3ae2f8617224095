#pragma once
#include <memory>
#include <optional>
#include <string_view>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfem/solid/solid_forms.hpp"

namespace invar {

/// Most branches of `make_maxwell_branches`.
int max_maxwell_branches(SolidKind kind);

// Stresses with history variables, for transient cases; not in plane stress (std::invalid_argument).
/// See MaxwellBranches.
std::unique_ptr<WeakForm> make_maxwell_branches(SolidKind kind, int branches, CellBatches cells);
/// See PlasticFlow: beside linear_elastic.
std::unique_ptr<WeakForm> make_plastic_flow(SolidKind kind, CellBatches cells);
/// See FinitePlasticFlow: beside hencky.
std::unique_ptr<WeakForm> make_finite_plastic_flow(SolidKind kind, CellBatches cells);

/// The plasticity form that belongs to a law of the library; nothing: none.
enum class PlasticStrain { small, finite };
std::optional<PlasticStrain> plasticity_of(std::string_view law);

}  // namespace invar
