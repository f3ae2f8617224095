// Products by rows that repeat against products entry by entry.
#include <gtest/gtest.h>

#include <cmath>

#include "libfem/form/repeated_rows.hpp"

namespace invar {
namespace {

/// A row of five entries beside the diagonal, far ones too, as on a grid of 37 columns; rows at the ends have fewer, every
/// 100th one has an entry of its own.
std::vector<double> dense_row(int row, int n) {
  std::vector<double> a(n, 0.0);
  const auto put = [&](int column, double v) {
    if (column >= 0 && column < n) a[column] = v;
  };
  put(row, 4 + (row % 100 == 99 ? 1e-12 * row : 1e-15 * (row % 3)));
  put(row - 1, -1), put(row + 1, -0.7), put(row - 37, -0.5), put(row + 37, -0.25);
  return a;
}

TEST(RepeatedRows, MultiplyAsEveryRowByItself) {
  for (const int n : {0, 1, 36, 75, 530}) {
    RepeatedRows rows;
    std::vector<double> x, g, y, product(n), stepped, expected;
    for (int i = 0; i < n; ++i) x.push_back(std::sin(1.3 * i)), g.push_back(std::cos(0.7 * i)), y.push_back(std::sin(0.4 * i));
    double largest = 0;
    for (int i = 0; i < n; ++i) {
      const std::vector<double> a = dense_row(i, n);
      std::vector<int> columns;
      std::vector<double> entries;
      double sum = 0, magnitude = 0;
      for (int j = 0; j < n; ++j) {
        if (a[j] == 0) continue;
        columns.push_back(j), entries.push_back(a[j]);
        sum += a[j] * x[j], magnitude += std::abs(a[j]);
      }
      rows.add(columns, entries);
      expected.push_back(sum);
      largest = std::max(largest, magnitude);
    }
    ASSERT_EQ(rows.count(), n);
    EXPECT_NEAR(rows.largest_sum(), largest, 1e-9);
    if (n == 530) {
      EXPECT_EQ(rows.kinds(), 5 + 5);  // the inner one, two at each end, five odd ones
    }
    rows.multiply(x.data(), product.data());
    stepped = y;
    rows.step(x.data(), g.data(), 1.5, 0.4, -0.5, stepped.data());
    for (int i = 0; i < n; ++i) {
      EXPECT_NEAR(product[i], expected[i], 1e-13);
      EXPECT_NEAR(stepped[i], 1.5 * x[i] + 0.4 * (g[i] - expected[i]) - 0.5 * y[i], 1e-13);
    }
  }
}

// Rows with the same distances but other entries are told apart, however many there are, and those that come again are known.
TEST(RepeatedRows, TellRowsApart) {
  RepeatedRows rows;
  const std::vector<double> x{1, 2, 3, 4, 5, 6};
  std::vector<double> y(6);
  for (int i = 0; i < 6; ++i) rows.add(std::vector<int>{i}, std::vector<double>{i % 2 ? 2.0 : 3.0});
  EXPECT_EQ(rows.kinds(), 2);
  rows.multiply(x.data(), y.data());
  EXPECT_EQ(y, (std::vector<double>{3, 4, 9, 8, 15, 12}));
  RepeatedRows many;
  std::vector<double> ones(500, 1.0), out(500);
  for (int i = 0; i < 500; ++i) many.add(std::vector<int>{i}, std::vector<double>{1.0 + i});
  EXPECT_EQ(many.kinds(), 500);
  many.multiply(ones.data(), out.data());
  for (int i = 0; i < 500; ++i) EXPECT_EQ(out[i], 1.0 + i);
}

}  // namespace
}  // namespace invar
