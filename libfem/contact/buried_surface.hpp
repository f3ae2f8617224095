#pragma once
#include <array>
#include <optional>

#include "libfem/contact/contact_surface.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfem/space/dof_map.hpp"

namespace invar {

/// A place [m] where a facet of the surfaces lies inside a body at this state; the surface of a body that is wholly inside another one crosses
/// nothing. There, cells other than the facet's own one contain the points next to it on both sides. On one side only they do where the facet lies
/// on a body, to which it may be tied. Surfaces without cells have no inside: they may enclose a body. Nothing if there is no such place.
/// Collective; the same result on all ranks of the mesh.
std::optional<std::array<double, 3>> buried_place(const ContactSurface& surface, const DofMap& dofs, const FormState& at);

}  // namespace invar
