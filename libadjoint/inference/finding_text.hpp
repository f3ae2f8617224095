#pragma once
#include <Eigen/Dense>
#include <cmath>
#include <string>
#include <vector>

#include "libadjoint/solve/scientific.hpp"

/// Text building blocks for findings about fitted parameters.
namespace invar::finding_text {

/// 'a', 'b' and 'c'
inline std::string quoted_list(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += "'" + names[i] + "'";
  }
  return text;
}

/// 'a' by +1 % and 'b' by -2 %: the ratios of a direction of relative changes.
inline std::string relative_changes(const std::vector<std::string>& names,
                           const Eigen::VectorXd& direction) {
  const double unit = direction.cwiseAbs().maxCoeff() * (direction[0] < 0 ? -1 : 1);
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double percent = direction[static_cast<Eigen::Index>(i)] / unit;
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += "'" + names[i] + "' by " + (percent > 0 ? "+" : "") + short_number(percent) + " %";
  }
  return text;
}

/// 'a' · 'b', 'a' / 'b' or 'a' · 'b'^exponent
inline std::string power_product(const std::vector<std::string>& names, double exponent) {
  const std::string a = "'" + names[0] + "'", b = "'" + names[1] + "'";
  if (std::abs(exponent - 1) < 1e-3) return a + " · " + b;
  if (std::abs(exponent + 1) < 1e-3) return a + " / " + b;
  return a + " · " + b + "^" + short_number(exponent);
}

}  // namespace invar::finding_text
