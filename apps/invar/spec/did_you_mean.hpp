#pragma once
#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace invar {

/// Fewest insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`
/// (optimal string alignment distance), ignoring case.
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  const auto same = [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) ==
           std::tolower(static_cast<unsigned char>(y));
  };
  std::vector<std::size_t> two_above, above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    two_above = above;
    above = row;
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1,
                         above[j - 1] + (same(a[i - 1], b[j - 1]) ? 0u : 1u)});
      const bool swapped =
          i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]);
      if (swapped) row[j] = std::min(row[j], two_above[j - 2] + 1);
    }
  }
  return row[b.size()];
}

/// The word of `words` most like `wrong`, or empty when none is near: at most a third of the
/// letters differ, or one is the beginning of the other.
inline std::string nearest(std::string_view wrong, const std::vector<std::string>& words) {
  constexpr std::size_t longest = 64;  // no user misspells longer words; keeps the cost bounded
  if (wrong.size() > longest) return {};
  std::string best, longest_prefix;
  std::size_t best_distance = std::max<std::size_t>(1, wrong.size() / 3) + 1;
  for (const std::string& word : words) {
    if (word.size() > longest) continue;
    if (const std::size_t d = edit_distance(wrong, word); d < best_distance && d < word.size()) {
      best = word;
      best_distance = d;
    }
    const std::size_t shorter = std::min(word.size(), wrong.size());
    const bool prefix = shorter >= 3 && word.substr(0, shorter) == wrong.substr(0, shorter);
    if (prefix && word.size() > longest_prefix.size()) longest_prefix = word;
  }
  return best.empty() ? longest_prefix : best;
}

/// "; did you mean 'young'?" or nothing.
inline std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& words) {
  const std::string best = nearest(wrong, words);
  return best.empty() ? std::string() : "; did you mean '" + best + "'?";
}

/// "a, b, c".
inline std::string comma_list(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

}  // namespace invar
