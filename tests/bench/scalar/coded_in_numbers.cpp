// Compiled without automatic vectorisation, see tests/CMakeLists.txt.
#include "tests/bench/scalar/hand_coded_tangent.hpp"

namespace invar::bench {

template <int N>
void coded_in_numbers(const BatchGroup& g, const double (*X)[3], const double (*U)[3], double (*K)[N][3][3]) {
  coded_by_hand<2, double, N>(g, X, U, K);
}

template void coded_in_numbers<8>(const BatchGroup&, const double (*)[3], const double (*)[3], double (*)[8][3][3]);
template void coded_in_numbers<10>(const BatchGroup&, const double (*)[3], const double (*)[3], double (*)[10][3][3]);
template void coded_in_numbers<27>(const BatchGroup&, const double (*)[3], const double (*)[3], double (*)[27][3][3]);

}  // namespace invar::bench
