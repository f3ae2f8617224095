#pragma once
#include <vector>

namespace invar {

/// Smallest number of forward steps that provides S_{n−1}, …, S_1, S_0 in this order, if only S_0 is given and at most
/// `slots` states, S_0 included, are kept at a time: t(l, c) = r l − β(c+1, r−1) for l steps and c slots, where β(c, r)
/// = (c+r)!/(c! r!) and β(c, r−1) < l ≤ β(c, r). The count contains every step S_{k−1} → S_k with 0 < k < l, also those
/// of the first pass from S_0 to S_{l−1}; S_l is not needed. 0 for steps ≤ 1.
/// Griewank and Walther, ACM TOMS 26 (2000) 19; they count the l steps that are reversed at once in addition to t.
long binomial_advances(int steps, int slots);

/// States to keep besides S_0 in the first pass from S_0 to S_{steps−1} so that the count above is met: ascending, at
/// most slots − 1, all with 0 < k < steps − 1. Of equally good choices the earliest states, which are written least
/// often.
std::vector<int> binomial_checkpoints(int steps, int slots);

}  // namespace invar
