// A target of libFuzzer: INVAR_READER is the reader that it feeds. An exception that the reader does not foresee ends
// it.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/readers.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  invar::fuzz::INVAR_READER({reinterpret_cast<const char*>(data), size});
  return 0;
}
