// Every q-function of the libraries runs on devices, under test, or stands here with the reason why not: a new one without either fails. That
// each instance in the libraries' lists is compared with the host is required by the compiler (listed_forms.hpp).
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

namespace invar::device_test {
namespace {

namespace fs = std::filesystem;

/// Structs of the libraries that have slots, but for kinematics, which q-functions take theirs from.
std::set<std::string> q_functions() {
  std::set<std::string> found;
  const std::regex begins("^(?:template <.*> )?struct (\\w+).*"), slots("  static constexpr .*[ >]slots( =|\\{).*");
  for (const char* library : {"libfem", "libfluid"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(INVAR_SOURCE_DIR) / library)) {
      if (entry.path().extension() != ".hpp" && entry.path().extension() != ".cpp") continue;
      std::ifstream in(entry.path());
      std::string line, name;
      while (std::getline(in, line)) {
        std::smatch m;
        if (std::regex_match(line, m, begins)) name = m[1];
        if (std::regex_match(line, slots) && !name.ends_with("Kinematics")) found.insert(name);
      }
    }
  return found;
}

/// What the tests of this folder compare with the host.
std::string tests_of_forms() {
  std::stringstream text;
  for (const auto& entry : fs::directory_iterator(fs::path(INVAR_SOURCE_DIR) / "tests/unit/device"))
    if (entry.path().filename() != "registry_device_test.cpp" && entry.path().extension() != ".cu") text << std::ifstream(entry.path()).rdbuf();
  return text.str();
}

const char *flow = "of flows the steady equations, boundaries, inertia and linearised convection are on devices so far", *memory = "devices keep no history variables yet",
           *functional = "no solve reads it, so that the host integrates it", *contact = "surfaces are not on devices yet",
           *shape = "design of shapes and meshes is not on devices yet";

const std::map<std::string, const char*> not_on_devices{
    {"BodyVelocity", flow}, {"Centrifugal", "rotating bodies are not on devices yet"},
    {"CorrectedMomentum", flow}, {"DeformedVolume", functional}, {"Dissipation", flow},
    {"FinitePlasticFlow", memory}, {"FlowBoundaryTerm", flow}, {"FlowPseudoMass", flow}, {"MassMoment", functional}, {"MaxwellBranches", memory},
    {"MeshDensity", functional}, {"MeshElasticity", shape}, {"MixingEnergy", flow}, {"MixingOperator", flow}, {"Moving", flow},
    {"PairPoint", contact}, {"PassiveScalar", flow}, {"PlasticFlow", memory},
    {"PressureCorrection", flow}, {"PressureDensity", flow}, {"PressureOperator", flow}, {"RigidContact", contact},
    {"ScalarContent", flow}, {"ScalarConvection", flow}, {"ScalarOutflow", flow},
    {"SpalartAllmaras", flow}, {"SpalartAllmarasBranch", flow}, {"SquaredDisplacement", functional}, {"StabilisedInertia", flow},
    {"StressForm", functional}, {"SurfaceMass", shape}, {"SurfaceSobolev", shape}, {"TotalPressureFlux", flow}, {"TransposedShearWork", functional}, {"UnitVolume", functional}, {"VelocityDensity", flow}};

TEST(DeviceRegistry, EveryQFunctionIsOnDevicesOrSaysWhyNot) {
  const std::string tests = tests_of_forms();
  const auto offered = q_functions();
  for (const auto& [name, reason] : not_on_devices) EXPECT_TRUE(offered.contains(name)) << name << " is no q-function: " << reason;
  for (const std::string& name : offered) {
    const bool tested = std::regex_search(tests, std::regex("\\b" + name + "<"));
    EXPECT_NE(tested, not_on_devices.contains(name)) << name << (tested ? " is tested: it needs no reason" : " has neither a test nor a reason");
  }
}

}  // namespace
}  // namespace invar::device_test
