#pragma once
#include <vector>

namespace invar {

/// Fewest steps forward with which S_{n−1}, …, S_1, S_0 can be had one after the other when only
/// S_0 is given and at most `slots` states, S_0 among them, are kept at a time: t(l, c) = r l −
/// β(c+1, r−1) for l steps and c slots, where β(c, r) = (c+r)!/(c! r!) and β(c, r−1) < l ≤ β(c, r).
/// Counted is every step S_{k−1} → S_k for 0 < k < l, also those of the first way from S_0 to
/// S_{l−1}; S_l is not asked for. 0 for steps ≤ 1.
/// Griewank and Walther, ACM TOMS 26 (2000) 19: there the l steps that are reversed at once come on
/// top of t.
long binomial_advances(int steps, int slots);

/// The states to keep beside S_0 on the first way from S_0 to S_{steps−1}, so that the count above
/// is met: ascending, at most slots − 1, all within 0 < k < steps − 1. Where several choices are
/// as good, the earliest states, which are written least often.
std::vector<int> binomial_checkpoints(int steps, int slots);

}  // namespace invar
