// The forms that the program sends to devices, each instance of the libraries' lists: all verbs against the host.
#include <algorithm>
#include <set>

#include "libfluid/flow/navier_stokes.hpp"
#include "tests/unit/device/listed_flow_forms.hpp"
#include "tests/unit/device/listed_solid_forms.hpp"

namespace invar::device_test {
namespace {

// What is in no list has no comparison here, and one of a list without it does not compile.
static_assert(!HasComparison<NavierStokes<PlanarFlow, true>> && !HasComparison<MassDamping<2, false>>);

std::vector<FormCase> listed_forms() {
  std::vector<FormCase> all = cases_of(SolidDeviceForms{}, solid_device_forms());
  std::ranges::move(cases_of(FlowDeviceForms{}, flow_device_forms()), std::back_inserter(all));
  return all;
}

class ListedForms : public testing::TestWithParam<FormCase> {};

/// Under watch on all types of cells: forms of the most kinds of access, by rows of several levels, of a density and of two spaces.
bool watched_everywhere(const FormCase& c) {
  static const std::set<std::string> names{"neo_hookean_spatial",  "neo_hookean_planar",    "mixed_neo_hookean_isochoric_planar", "damping_planar",
                                           "carreau_flow_spatial", "newtonian_flow_planar", "pressure_spatial",                   "linearised_convection_planar"};
  return names.contains(c.name);
}

TEST_P(ListedForms, AreThoseOfTheHost) { expect_same_as_host(GetParam(), watched_everywhere(GetParam())); }
INSTANTIATE_TEST_SUITE_P(Device, ListedForms, testing::ValuesIn(listed_forms()), [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace invar::device_test
