#include "libadjoint/time/binomial.hpp"

#include <algorithm>
#include <cassert>

namespace invar {
namespace {

/// The repetition number r with β(c, r−1) < l ≤ β(c, r), and the binomial coefficients around it.
struct Repetition {
  long r;
  long beta;    // β(c, r)
  long before;  // β(c, r−1)
};

/// For l > 1, hence r ≥ 1. No product exceeds l (c + r).
Repetition repetition(long l, long c) {
  Repetition at{.r = 0, .beta = 1, .before = 0};
  while (at.beta < l) {
    ++at.r;
    at.before = at.beta;
    at.beta = at.beta * (c + at.r) / at.r;
  }
  return at;
}

/// Number of steps to the first kept state: the smallest m with t(l, c) = m + t(m, c) + t(l−m, c−1), which is m =
/// max(β(c, r−2), l − β(c−1, r)). Needs l > 1, c > 1.
long first_part(long l, long c) {
  const Repetition at = repetition(l, c);
  const long beta_r_2 = at.before * (at.r - 1) / (c + at.r - 1);
  const long beta_c_1 = at.beta - at.before;
  return std::max({beta_r_2, l - beta_c_1, 1L});
}

}  // namespace

long binomial_advances(int steps, int slots) {
  assert(slots >= 1);
  if (steps <= 1) return 0;
  const long c = slots;
  const Repetition at = repetition(steps, c);
  return at.r * steps - at.before * (c + at.r) / (c + 1);
}

std::vector<int> binomial_checkpoints(int steps, int slots) {
  assert(slots >= 1);
  std::vector<int> out;
  int base = 0;
  for (; slots > 1 && steps - base > 1; --slots) {
    base += static_cast<int>(first_part(steps - base, slots));
    if (base == steps - 1) break;  // present at the end of the pass
    out.push_back(base);
  }
  return out;
}

}  // namespace invar
