#pragma once
#include <cstdlib>
#include <string>

namespace invar::test {

/// Tests use the cuDSS that INVAR_CUDSS names, else its replacement on the host. Set before any test of the program.
inline const int cudss_is_named = setenv("INVAR_CUDSS", INVAR_CUDSS_STAND_IN, 0);

inline bool cudss_is_replaced() { return std::string(std::getenv("INVAR_CUDSS")) == INVAR_CUDSS_STAND_IN; }

}  // namespace invar::test
