#include <bit>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "libfem/space/expression.hpp"
#include "tests/fuzz/readers.hpp"

namespace invar::fuzz {

bool read_formula(std::string_view bytes) {
  try {
    Expression f{std::string(bytes)};
    std::vector<double> values;
    const double places[] = {0.0, 1.5, -1e308, std::numeric_limits<double>::quiet_NaN()};
    for (const double x : places) values.push_back(f(x, 2, -x, 0.5));
    // Formulas are moved into lists; they are the same there.
    Expression moved(std::move(f));
    Expression again("x");
    again = std::move(moved);
    for (std::size_t k = 0; k < values.size(); ++k)
      if (const double value = again(places[k], 2, -places[k], 0.5); std::bit_cast<std::uint64_t>(value) != std::bit_cast<std::uint64_t>(values[k]))
        throw std::logic_error("a formula that was moved has another value");
    return true;
  } catch (const ExpressionError&) {
    return false;
  }
}

}  // namespace invar::fuzz
