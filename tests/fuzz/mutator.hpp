#pragma once
#include <array>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <string_view>

namespace invar::fuzz {

/// Changes seeds in ways that readers of text and of binary data stumble over. The same number gives the same mutants
/// everywhere.
class Mutator {
 public:
  explicit Mutator(std::uint32_t number) : random_(number) {}

  /// One of the seeds with one change, or up to six; not longer than 64 kB.
  std::string mutant(std::span<const std::string> seeds) {
    constexpr std::size_t longest = 1 << 16;
    std::string text = seeds[below(seeds.size())];
    for (std::size_t n = below(2) ? 1 : 1 + below(6); n > 0; --n) change(text, seeds[below(seeds.size())]);
    if (text.size() > longest) text.resize(longest);
    return text;
  }

 private:
  std::size_t below(std::size_t n) { return n ? random_() % n : 0; }

  void change(std::string& text, const std::string& other) {
    using namespace std::string_view_literals;
    static constexpr std::array words = {
        "nan"sv, ".nan"sv, ".inf"sv, "-inf"sv, "1e308"sv, "-1e308"sv, "1e309"sv, "4.9e-324"sv, "1e-310"sv, "-0"sv, "0"sv, "-1"sv,
        "2147483647"sv, "-2147483648"sv, "4294967296"sv, "9007199254740993"sv, "9223372036854775807"sv, "-9223372036854775808"sv,
        "18446744073709551616"sv, "99999999999999999999999999"sv, "0x10"sv, "010"sv, "1_000"sv, "+"sv, ".5."sv, "true"sv, "null"sv,
        "~"sv, "<<"sv, "*a"sv, "&a "sv, "!!binary "sv, "---\n"sv, "...\n"sv, "\t"sv, "\r\n"sv, "\r"sv, "\0"sv, "\x7f"sv, "\xEF\xBB\xBF"sv,
        "\xC3"sv, "\xF0\x9F\x8C\x8A"sv, "\xED\xA0\x80"sv, "{"sv, "["sv, "{[{["sv, "((((((((("sv, "\""sv, "'"sv, "\\x00"sv, ": "sv, "- "sv,
        "#"sv, ","sv, ";"sv, ".."sv, "../../etc/passwd"sv, "/dev/zero"sv, "?"sv, ":"sv, "^"sv, "x*x/0"sv, "$EndNodes\n"sv, "$Elements\n"sv};
    const std::size_t at = below(text.size() + 1), size = below(16) ? 1 + below(8) : 1 + below(400);
    switch (below(12)) {
      case 0: if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8))); break;
      case 1: if (at < text.size()) text[at] = static_cast<char>(random_()); break;
      case 2: text.insert(at, 1, static_cast<char>(random_())); break;
      case 3: text.erase(at, size); break;
      case 4: text.insert(at, text.substr(below(text.size() + 1), size)); break;
      case 5: text.insert(at, other.substr(below(other.size() + 1), size)); break;
      case 6: text = text.substr(0, at) + other.substr(below(other.size() + 1)); break;
      case 7: text.insert(at, words[below(words.size())]); break;
      case 8:
      case 9: replace_number(text, at, words[below(words.size())]); break;
      case 10: replace_bytes(text, at); break;
      case 11: if (!below(8)) text.resize(at); break;
    }
  }

  /// The next run of digits, points and signs becomes a word.
  void replace_number(std::string& text, std::size_t from, std::string_view word) {
    const char* of_numbers = "+-.0123456789eE";
    const std::size_t begin = text.find_first_of("0123456789", from);
    if (begin == text.npos) return;
    text.replace(begin, std::min(text.find_first_not_of(of_numbers, begin), text.size()) - begin, word);
  }

  /// Two, four or eight bytes become a number at the edge of what they can hold.
  void replace_bytes(std::string& text, std::size_t at) {
    static constexpr std::uint64_t edges[] = {0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 0x7fffffffffffffff,
                                              0x8000000000000000, 0xffffffffffffffff, 0x7ff0000000000000, 0x7ff8000000000001, 0x0000000000000003};
    const std::uint64_t value = edges[below(std::size(edges))];
    const std::size_t size = std::size_t(2) << below(3);
    for (std::size_t i = 0; i < size && at + i < text.size(); ++i) text[at + i] = static_cast<char>(value >> (8 * i));
  }

  std::mt19937 random_;
};

}  // namespace invar::fuzz
