#include "apps/invar/physics/physics.hpp"
#include "apps/invar/problem/spec_sections.hpp"

namespace invar {

using namespace spec;

Table material_table(SomePhysics some) {
  return Table("material", "Material of a part of the body, or the fluid.")
      .defaulted("region", text(), "all", "cell region, or 'all'")
      .tagged("model", "the law", tables_of(some, &Physics::materials));
}

}  // namespace invar
