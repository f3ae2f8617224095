#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/invar/problem/problem.hpp"
#include "apps/invar/report/console.hpp"
#include "libadjoint/inference/held_out.hpp"

namespace invar {

/// Data of weight 0, against what the fit predicts of them.
struct HeldOutData {
  std::string name;
  int case_index = 0, data_set = 0;
  HeldOutFit fit;
};

/// Of all such data at the optimum; empty without, and after a warning where their derivatives cannot be computed. Collective.
std::vector<HeldOutData> predict_held_out(Problem& problem, const DesignVector& theta, const Uncertainty& u, Console& console);

/// held_out.NAME: data, r_squared, root_mean_square, banded, outside, ratio, chance, widening; numbers that do not exist are left out.
nlohmann::ordered_json held_out_json(const std::vector<HeldOutData>& sets);
void say_held_out(const std::vector<HeldOutData>& sets, Console& console);

}  // namespace invar
