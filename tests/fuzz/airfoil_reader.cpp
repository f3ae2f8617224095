#include "libfem/mesh/airfoil_profile.hpp"

#include <cmath>
#include <sstream>
#include <stdexcept>

#include "libfem/mesh/mesh_error.hpp"
#include "tests/fuzz/readers.hpp"

namespace invar::fuzz {

bool read_airfoil(std::string_view bytes) {
  try {
    std::istringstream file{std::string(bytes)};
    const AirfoilProfile profile = AirfoilProfile::parse(file, "section.dat");
    if (!(profile.nose() > 0 && profile.nose() < profile.length())) throw std::logic_error("the nose lies at an end");
    for (int k = 0; k <= 16; ++k)
      for (int order = 0; order < 3; ++order)
        if (const std::complex<double> d = profile.derivative(profile.length() * k / 16, order); !std::isfinite(d.real()) || !std::isfinite(d.imag()))
          throw std::logic_error("a point that is none");
    return true;
  } catch (const MeshError& e) {
    if (!std::string_view(e.what()).starts_with("section.dat:")) throw std::logic_error("a mistake without its place");
    return false;
  }
}

}  // namespace invar::fuzz
