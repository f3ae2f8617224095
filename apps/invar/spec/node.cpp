#include "apps/invar/spec/node.hpp"

#include <charconv>
#include <cmath>
#include <utility>

#include "apps/invar/spec/did_you_mean.hpp"
#include "apps/invar/spec/shortened.hpp"

namespace invar::spec {
namespace {

// What a spec's numbers may be in size, but for 0, so that products of two of them are numbers still.
constexpr double largest_number = 1e150, smallest_number = 1e-150;

bool digit(char c) { return c >= '0' && c <= '9'; }

/// Takes the digits at the front of `s`; how many there were.
std::size_t take_digits(std::string_view& s) {
  std::size_t n = 0;
  while (n < s.size() && digit(s[n])) ++n;
  s.remove_prefix(n);
  return n;
}

/// [+-] digits [. digits] [e [+-] digits], with a digit before or after the point.
bool decimal(std::string_view s) {
  if (!s.empty() && (s[0] == '+' || s[0] == '-')) s.remove_prefix(1);
  std::size_t digits = take_digits(s);
  if (!s.empty() && s[0] == '.') {
    s.remove_prefix(1);
    digits += take_digits(s);
  }
  if (digits == 0) return false;
  if (s.empty()) return true;
  if (s[0] != 'e' && s[0] != 'E') return false;
  s.remove_prefix(1);
  if (!s.empty() && (s[0] == '+' || s[0] == '-')) s.remove_prefix(1);
  return take_digits(s) > 0 && s.empty();
}

/// The number that is meant by one with a decimal comma, such as 0,35; empty: it is none.
std::string with_decimal_point(std::string text) {
  if (const std::size_t comma = text.find(','); comma != std::string::npos) text[comma] = '.';
  else return {};
  return decimal(text) ? text : std::string();
}

std::string_view without_sign(std::string_view s) {
  return !s.empty() && (s[0] == '+' || s[0] == '-') ? s.substr(1) : s;
}

bool infinite(std::string_view s) {
  s = without_sign(s);
  return s == ".inf" || s == ".Inf" || s == ".INF";
}
bool undefined(std::string_view s) { return s == ".nan" || s == ".NaN" || s == ".NAN"; }

bool leading_zero(std::string_view s) {
  s = without_sign(s);
  return s.size() > 1 && s[0] == '0' && digit(s[1]);
}

}  // namespace

const Node* Node::find(std::string_view wanted) const {
  if (form != Form::map) return nullptr;
  for (const Node& child : children)
    if (child.key == wanted) return &child;
  return nullptr;
}

Node* Node::find(std::string_view wanted) {
  return const_cast<Node*>(std::as_const(*this).find(wanted));
}

void Node::place(const SourcePosition& at) {
  position = key_position = at;
  for (Node& child : children) child.place(at);
}

std::vector<std::string> Node::keys() const {
  std::vector<std::string> out;
  if (form == Form::map)
    for (const Node& child : children) out.push_back(child.key);
  return out;
}

std::string Node::described() const {
  switch (form) {
    case Form::null: return "nothing";
    case Form::list: return "a list";
    case Form::map: return "a map";
    case Form::scalar: break;
  }
  return (quoted ? "the quoted text '" : "'") + shortened(text) + "'";
}

bool Node::looks_like_number() const {
  return form == Form::scalar && !quoted && (decimal(text) || infinite(text) || undefined(text));
}

std::optional<double> Node::number(Diagnostics& diagnostics, bool may_be_infinite) const {
  const auto fail = [&](const std::string& message, std::string allowed = {}) {
    diagnostics.error(position, path, message, std::move(allowed));
    return std::optional<double>();
  };
  if (form != Form::scalar) return fail("expected a number, got " + described());
  if (undefined(text) && !quoted) return fail("a number must not be undefined, got '.nan'");
  if (infinite(text) && !quoted) {
    if (may_be_infinite) return text[0] == '-' ? -INFINITY : INFINITY;
    return fail("a number must be finite, got '" + text + "'");
  }
  if (const std::string point = with_decimal_point(text); !point.empty()) return fail("expected a number, got " + described(), "numbers have a decimal point: " + point);
  if (!decimal(text)) return fail("expected a number, got " + described());
  if (quoted) return fail("expected a number, got " + described(), "write it without quotes");
  if (leading_zero(text))
    return fail("ambiguous number '" + shortened(text) + "'",
                "some YAML readers interpret a leading 0 as octal; write it without");
  double value = 0;
  const std::string_view digits = text[0] == '+' ? std::string_view(text).substr(1) : text;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (code != std::errc() || end != digits.data() + digits.size())
    return fail("the number '" + shortened(text) + "' does not fit into double precision");
  if (std::abs(value) > largest_number)
    return fail("the number '" + shortened(text) + "' is too large: its square would overflow", "at most 1e150, or other units");
  if (value != 0 && std::abs(value) < smallest_number)
    return fail("the number '" + shortened(text) + "' is too small: its square would vanish", "0, or at least 1e-150, or other units");
  return value + 0.0;  // -0 is 0
}

std::optional<long long> Node::integer(Diagnostics& diagnostics) const {
  constexpr double largest = 9007199254740992.0;  // 2^53: below it doubles hold integers exactly
  if (!looks_like_number()) {
    const bool only_quotes = form == Form::scalar && quoted && decimal(text);
    diagnostics.error(position, path, "expected an integer, got " + described(),
                      only_quotes ? "write it without quotes" : "");
    return {};
  }
  const std::optional<double> value = number(diagnostics);
  if (!value) return {};
  if (*value == std::floor(*value) && std::abs(*value) < largest)
    return static_cast<long long>(*value);
  diagnostics.error(position, path, "expected an integer, got " + described());
  return {};
}

std::optional<bool> Node::boolean(Diagnostics& diagnostics) const {
  if (form == Form::scalar && !quoted && text == "true") return true;
  if (form == Form::scalar && !quoted && text == "false") return false;
  diagnostics.error(position, path, "expected true or false, got " + described());
  return {};
}

std::optional<std::string> Node::string(Diagnostics& diagnostics) const {
  if (form == Form::scalar) return text;
  diagnostics.error(position, path, "expected text, got " + described());
  return {};
}

std::optional<std::string> Node::choice(const std::vector<std::string>& words,
                                        Diagnostics& diagnostics) const {
  if (form != Form::scalar) {
    diagnostics.error(position, path, "expected one word, got " + described(),
                      "allowed: " + comma_list(words));
    return {};
  }
  for (const std::string& word : words)
    if (word == text) return text;
  diagnostics.error(position, path,
                    "unknown value '" + shortened(text) + "'" + did_you_mean(text, words),
                    "allowed: " + comma_list(words));
  return {};
}

void assign_paths(Node& node, const std::string& path) {
  node.path = path;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    Node& child = node.children[i];
    if (node.form == Node::Form::list)
      assign_paths(child, path + '[' + std::to_string(i) + ']');
    else
      assign_paths(child, path.empty() ? child.key : path + '.' + child.key);
  }
}

}  // namespace invar::spec
