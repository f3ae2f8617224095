#include "apps/invar/spec/value.hpp"

#include <stdexcept>

namespace invar::spec {

void Value::wrong_kind(const char* wanted) const {
  throw std::logic_error("spec value '" + yaml_path + "' is not " + wanted);
}

double Value::number() const {
  if (!is_number()) wrong_kind("a number");
  return scalar;
}

long long Value::integer() const {
  if (kind != Kind::integer) wrong_kind("an integer");
  return static_cast<long long>(scalar);
}

bool Value::boolean() const {
  if (kind != Kind::boolean) wrong_kind("a truth value");
  return scalar != 0;
}

const std::string& Value::text() const {
  if (kind != Kind::text && kind != Kind::expression && kind != Kind::path) wrong_kind("text");
  return scalar_text;
}

std::filesystem::path Value::file() const {
  if (kind != Kind::path) wrong_kind("a file");
  return (folder / scalar_text).lexically_normal();
}

std::vector<double> Value::numbers() const {
  if (!is_list()) wrong_kind("a list");
  std::vector<double> out;
  for (const Value& v : children) out.push_back(v.number());
  return out;
}

std::vector<std::string> Value::texts() const {
  if (!is_list()) wrong_kind("a list");
  std::vector<std::string> out;
  for (const Value& v : children) out.push_back(v.text());
  return out;
}

const Value* Value::find(std::string_view wanted) const {
  if (!is_map()) return nullptr;
  for (const Value& v : children)
    if (v.key == wanted) return v.kind == Kind::invalid ? nullptr : &v;
  return nullptr;
}

const Value& Value::operator[](std::string_view wanted) const {
  const Value* found = find(wanted);
  if (!found) throw std::logic_error("spec value '" + yaml_path + "' has no '" +
                                     std::string(wanted) + "'");
  return *found;
}

const Value& Value::operator[](std::size_t index) const {
  if (!is_list() || index >= children.size()) wrong_kind("a list that long");
  return children[index];
}

}  // namespace invar::spec
