// Value::yaml: the resolved spec as YAML text.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "apps/invar/spec/value.hpp"
#include "libadjoint/number_text.hpp"

namespace invar::spec {
namespace {

/// Words that YAML readers take for something else than text, in any case.
bool is_special(std::string word) {
  for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const char* special : {"true", "false", "yes", "no", "on", "off", "null", "y", "n"})
    if (word == special) return true;
  return false;
}

/// Plain where that is safe, else in double quotes, where the escapes of JSON are those of YAML.
std::string text_in_yaml(const std::string& text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto plain = [&](char c) {
    return letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '/';
  };
  const bool safe = std::all_of(text.begin(), text.end(), plain);
  if (safe && !text.empty() && letter(text[0]) && !is_special(text)) return text;
  using nlohmann::json;
  std::string out = json(text).dump(-1, ' ', false, json::error_handler_t::replace);
  for (std::size_t at; (at = out.find('\x7f')) != std::string::npos;) out.replace(at, 1, "\\x7f");
  return out;
}

/// With a point, which older YAML readers want before an exponent.
std::string number_in_yaml(double value) {
  std::string text = number_text(value);
  const std::size_t e = text.find('e');
  if (e != std::string::npos && text.find('.') == std::string::npos) text.insert(e, ".0");
  return text;
}

bool is_block(const Value& v) { return (v.is_map() || v.is_list()) && v.size() > 0; }

std::string flow(const Value& v) {
  switch (v.kind) {
    case Value::Kind::number: return number_in_yaml(v.scalar);
    case Value::Kind::integer: return std::to_string(v.integer());
    case Value::Kind::boolean: return v.boolean() ? "true" : "false";
    case Value::Kind::text:
    case Value::Kind::expression: return text_in_yaml(v.text());
    case Value::Kind::path: return text_in_yaml(v.file().string());
    case Value::Kind::map: return "{}";
    case Value::Kind::invalid: return "null";
    case Value::Kind::list: break;
  }
  std::string out;
  for (const Value& child : v) out += (out.empty() ? "" : ", ") + flow(child);
  return '[' + out + ']';
}

bool in_one_line(const Value& v) {
  return !is_block(v) || (v.is_list() && std::none_of(v.begin(), v.end(), is_block));
}

void write(const Value& v, const std::string& indent, std::string& out) {
  for (const Value& child : v) {
    const std::string head = v.is_list() ? "-" : text_in_yaml(child.key) + ':';
    if (in_one_line(child)) {
      out += indent + head + ' ' + flow(child) + '\n';
    } else if (v.is_list()) {
      const std::size_t start = out.size();
      write(child, indent + "  ", out);
      out[start + indent.size()] = '-';
    } else {
      out += indent + head + '\n';
      write(child, indent + "  ", out);
    }
  }
}

}  // namespace

std::string Value::yaml() const {
  std::string out;
  if (in_one_line(*this)) return flow(*this) + '\n';
  write(*this, "", out);
  return out;
}

}  // namespace invar::spec
