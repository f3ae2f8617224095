#pragma once
#include <memory>
#include <utility>

#include "libfem/objective/function_of.hpp"

namespace invar {

/// y = a / b of two numbers: a mean over a region that may change its size.
inline std::shared_ptr<FunctionOf> make_quotient(std::shared_ptr<Observable> numerator, std::shared_ptr<Observable> denominator) {
  return FunctionOf::make<2>({std::move(numerator), std::move(denominator)}, [](const auto& a) { return a[0] / a[1]; });
}

}  // namespace invar
