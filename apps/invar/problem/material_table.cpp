#include "apps/invar/physics/physics.hpp"
#include "apps/invar/problem/spec_sections.hpp"

namespace invar {

using namespace spec;

Table material_table(SomePhysics some) {
  return Table("material", "What a part of the body is made of, or which fluid flows there.")
      .defaulted("region", text(), "all", "cell region, or 'all'")
      .tagged("model", "the law", tables_of(some, &Physics::materials));
}

}  // namespace invar
