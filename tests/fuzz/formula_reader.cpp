#include <limits>

#include "libfem/space/expression.hpp"
#include "tests/fuzz/readers.hpp"

namespace invar::fuzz {

bool read_formula(std::string_view bytes) {
  try {
    const Expression f{std::string(bytes)};
    for (const double x : {0.0, 1.5, -1e308, std::numeric_limits<double>::quiet_NaN()}) f(x, 2, -x, 0.5);
    return true;
  } catch (const ExpressionError&) {
    return false;
  }
}

}  // namespace invar::fuzz
