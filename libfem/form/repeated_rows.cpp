#include "libfem/form/repeated_rows.hpp"

#include <algorithm>
#include <cmath>

#include "libfem/math/simd.hpp"

namespace invar {

namespace {

constexpr double same_entry = 1e-13;  // relative to the largest: rounding differences of equal entries
// Limits of the number of kinds with which a row is compared: in total, and with the same distances. A box has 27 kinds; the limits
// avoid a long search in meshes without repeated rows.
constexpr std::size_t most_known = 4096, most_alike = 8;

}  // namespace

bool RepeatedRows::is(const Kind& kind, int row, std::span<const int> columns, std::span<const double> entries) const {
  if (kind.count != static_cast<int>(columns.size())) return false;
  double largest = 0;
  for (int k = 0; k < kind.count; ++k) {
    if (distance_[kind.begin + k] != columns[k] - row) return false;
    largest = std::max(largest, std::abs(entry_[kind.begin + k]));
  }
  for (int k = 0; k < kind.count; ++k)
    if (!(std::abs(entry_[kind.begin + k] - entries[k]) <= same_entry * largest)) return false;
  return true;
}

void RepeatedRows::add(std::span<const int> columns, std::span<const double> entries) {
  const int row = rows_++;
  if (!runs_.empty() && is(kinds_[runs_.back().kind], row, columns, entries)) {
    ++runs_.back().count;
    return;
  }
  std::size_t hash = columns.size();
  for (const int c : columns) hash = hash * 1000003 + static_cast<std::size_t>(c - row);
  const auto known = known_.find(hash);
  if (known != known_.end())
    for (const int kind : known->second)
      if (is(kinds_[kind], row, columns, entries)) {
        runs_.push_back({row, 1, kind});
        return;
      }
  const int kind = kinds();
  kinds_.push_back({distance_.size(), static_cast<int>(columns.size())});
  for (const int c : columns) distance_.push_back(c - row);
  entry_.insert(entry_.end(), entries.begin(), entries.end());
  runs_.push_back({row, 1, kind});
  if (known != known_.end() ? known->second.size() < most_alike : known_.size() < most_known) known_[hash].push_back(kind);
}

double RepeatedRows::largest_sum() const {
  double largest = 0;
  for (const Kind& kind : kinds_) {
    double sum = 0;
    for (int k = 0; k < kind.count; ++k) sum += std::abs(entry_[kind.begin + k]);
    largest = std::max(largest, sum);
  }
  return largest;
}

/// Sums of rows of one kind: of P packs from `row` on, and of one at `last`, which may overlap them. Several at once, to hide the
/// latency of the additions.
template <int P, class Take>
void RepeatedRows::add_packs(const Kind& kind, const double* x, int row, int last, const Take& take) const {
  constexpr int W = simd_width;
  Pack sum[P + 1];
  for (Pack& s : sum) s = Pack(0.0);
  for (std::size_t k = kind.begin; k < kind.begin + kind.count; ++k) {
    const double* p = x + distance_[k];
    const Pack e(entry_[k]);
    for (int j = 0; j < P; ++j) sum[j] += e * Pack::load(p + row + j * W);
    sum[P] += e * Pack::load(p + last);
  }
  for (int j = 0; j < P; ++j) take(row + j * W, sum[j]);
  const int next = row + P * W;
  if (last == next) take(last, sum[P]);
  else
    for (int r = next; r < last + W; ++r) take(r, Lane(sum[P][r - last]));
}

/// take(row, sums) of as many rows from `row` on as `sums` has lanes: packs for consecutive rows of one kind.
template <class Take>
void RepeatedRows::each_sum(const double* x, const Take& take) const {
  constexpr int W = simd_width, most = 8;
  for (const Run& run : runs_) {
    const Kind& kind = kinds_[run.kind];
    const int end = run.first + run.count;
    int row = run.first;
    if (run.count < W) {
      for (; row < end; ++row) {
        double sum = 0;
        for (std::size_t k = kind.begin; k < kind.begin + kind.count; ++k) sum += entry_[k] * x[row + distance_[k]];
        take(row, Lane(sum));
      }
      continue;
    }
    for (int packs = (run.count + W - 1) / W, blocks = (packs + most - 1) / most; blocks > 0; --blocks) {
      const int here = (packs + blocks - 1) / blocks, last = std::min(row + (here - 1) * W, end - W);
      switch (here) {
        case 1: add_packs<0>(kind, x, row, last, take); break;
        case 2: add_packs<1>(kind, x, row, last, take); break;
        case 3: add_packs<2>(kind, x, row, last, take); break;
        case 4: add_packs<3>(kind, x, row, last, take); break;
        case 5: add_packs<4>(kind, x, row, last, take); break;
        case 6: add_packs<5>(kind, x, row, last, take); break;
        case 7: add_packs<6>(kind, x, row, last, take); break;
        default: add_packs<7>(kind, x, row, last, take);
      }
      row = last + W;
      packs -= here;
    }
  }
}

void RepeatedRows::multiply(const double* x, double* y) const {
  each_sum(x, [y](int row, const auto& sum) { sum.store(y + row); });
}

void RepeatedRows::step(const double* x, const double* g, double p, double q, double s, double* y) const {
  each_sum(x, [=](int row, const auto& sum) {
    using T = std::remove_cvref_t<decltype(sum)>;
    (T(p) * T::load(x + row) + T(q) * (T::load(g + row) - sum) + T(s) * T::load(y + row)).store(y + row);
  });
}

}  // namespace invar
