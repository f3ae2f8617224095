// Solids on a device: a law of no list by its type against the virtual Material of the host. The other laws differ in their energies only, whose
// derivatives are tested for every law in room `solid`; those of the libraries' list are tested one by one (`ListedForms`).
#include "libfem/solid/displacement_form.hpp"
#include "libfem/solid/law/mooney_rivlin.hpp"
#include "tests/unit/device/listed_solid_forms.hpp"

namespace invar::device_test {
namespace {

TEST(LawDevice, SecondInvariantsAreThoseOfTheHost) {
  using MooneyRivlinForm = DisplacementForm<SpatialKinematics, LawMaterial<MooneyRivlin, CompressibleForm>>;
  expect_same_as_host(form_case("mooney_rivlin", MooneyRivlinForm{}, Domain::cells, displacement(3), {2, 0.5, 30}, [](CellBatches cells) {
    return make_displacement_form(SolidKind::spatial, make_material({.name = MooneyRivlin::name}), std::move(cells));
  }));
}

TEST(LawDevice, TurnedOverCellsAreSeen) {
  const FormCase planar = ListedForm<DeviceDisplacement<PlanarKinematics, NeoHookean>>::cases().front();
  Comparison(planar, Shape::triangle, 2, make_device(Device::Kind::emulation)).expect_inadmissible();
}

}  // namespace
}  // namespace invar::device_test
