#include "apps/invar/spec/json_schema.hpp"

#include <cmath>

#include "apps/invar/spec/validate.hpp"

namespace invar::spec {
namespace {

using Json = nlohmann::ordered_json;
using Kind = Type::Kind;

Json table_schema(const Table& table);

void add_range(const Type& type, Json& out) {
  if (std::isfinite(type.lower)) out[type.lower_open ? "exclusiveMinimum" : "minimum"] = type.lower;
  if (std::isfinite(type.upper)) out[type.upper_open ? "exclusiveMaximum" : "maximum"] = type.upper;
}

void add_size(const Type& type, const char* least, const char* most, Json& out) {
  if (type.min_size > 0) out[least] = type.min_size;
  if (type.max_size != Type::any_size) out[most] = type.max_size;
}

Json type_schema(const Type& type) {
  Json out;
  switch (type.kind) {
    case Kind::number:
    case Kind::integer:
      out["type"] = type.kind == Kind::number ? "number" : "integer";
      add_range(type, out);
      break;
    case Kind::boolean: out["type"] = "boolean"; break;
    case Kind::text:
    case Kind::path: out["type"] = {"string", "number", "boolean"}; break;
    case Kind::expression: out["type"] = {"string", "number"}; break;
    case Kind::choice: out["enum"] = type.choice_names(); break;
    case Kind::list:
      out["type"] = "array";
      out["items"] = type_schema(type.inner[0]);
      add_size(type, "minItems", "maxItems", out);
      break;
    case Kind::map:
      out["type"] = "object";
      if (type.table)
        for (const Table::Entry& e : type.table->entries()) out["properties"][e.key] = type_schema(e.type), out["properties"][e.key]["description"] = e.doc;
      out["additionalProperties"] = type_schema(type.inner[0]);
      add_size(type, "minProperties", "maxProperties", out);
      break;
    case Kind::record: return table_schema(*type.table);
    case Kind::any: return Json::object();
    case Kind::either:
      for (const Type& t : type.inner) out["anyOf"].push_back(type_schema(t));
      break;
  }
  return out;
}

}  // namespace

nlohmann::ordered_json as_json(const Value& v) {
  switch (v.kind) {
    case Value::Kind::number: return std::isfinite(v.scalar) ? Json(v.scalar) : Json();
    case Value::Kind::integer: return v.integer();
    case Value::Kind::boolean: return v.boolean();
    case Value::Kind::list: {
      Json out = Json::array();
      for (const Value& child : v) out.push_back(as_json(child));
      return out;
    }
    case Value::Kind::map: {
      Json out = Json::object();
      for (const Value& child : v) out[child.key] = as_json(child);
      return out;
    }
    case Value::Kind::invalid: return nullptr;
    default: return v.text();
  }
}

namespace {

Json default_of(const Table::Entry& entry) {
  Node empty;
  empty.form = Node::Form::map;
  Diagnostics none;
  Table alone("default", "");
  alone.defaulted(entry.key, entry.type, *entry.default_text, entry.doc);
  return as_json(validate(empty, alone, {}, none)[entry.key]);
}

void add_entries(const Table& table, Json& properties, Json& required, Json& beside) {
  for (const Table::Entry& entry : table.entries()) {
    Json schema = type_schema(entry.type);
    const std::string& unit = entry.type.unit;
    schema["description"] = entry.doc + (unit.empty() || unit == "1" ? "" : " [" + unit + ']');
    if (entry.default_text) schema["default"] = default_of(entry);
    properties[entry.key] = std::move(schema);
    if (entry.required) required.push_back(entry.key);
    if (!entry.beside.empty()) beside[entry.key] = {entry.beside};
  }
}

/// At least `least` and at most `most` of the keys.
void add_rules(const Table& table, Json& all_of) {
  for (const Table::Rule& rule : table.rules()) {
    Json any = Json::array(), pairs = Json::array();
    for (const std::string& key : rule.keys) any.push_back({{"required", {key}}});
    if (rule.least == 1) all_of.push_back({{"anyOf", any}});
    if (rule.most != 1) continue;
    for (std::size_t i = 0; i < rule.keys.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        pairs.push_back({{"required", {rule.keys[j], rule.keys[i]}}});
    all_of.push_back({{"not", {{"anyOf", pairs}}}});
  }
}

/// The record with the keys of one variant, or of none.
Json closed_record(const Table& table, const Table* variant) {
  Json out, properties = Json::object(), required = Json::array(), beside = Json::object(), all_of = Json::array();
  out["type"] = "object";
  add_entries(table, properties, required, beside);
  add_rules(table, all_of);
  if (variant) {
    out["description"] = variant->doc();
    add_entries(*variant, properties, required, beside);
    add_rules(*variant, all_of);
    properties[table.tag()]["const"] = variant->name();
    properties[table.tag()].erase("enum");
    // Without the key only the default variant is meant.
    const auto& word = table.find(table.tag())->default_text;
    if (word && *word != variant->name()) required.push_back(table.tag());
  } else {
    out["description"] = table.doc();
  }
  out["properties"] = std::move(properties);
  if (!required.empty()) out["required"] = std::move(required);
  if (!beside.empty()) out["dependentRequired"] = std::move(beside);
  if (!all_of.empty()) out["allOf"] = std::move(all_of);
  if (!table.path_doc().empty()) out["patternProperties"]["^[^.]+\\.."] = {{"description", table.path_doc()}};
  out["additionalProperties"] = false;
  return out;
}

Json table_schema(const Table& table) {
  if (table.variants().empty()) return closed_record(table, nullptr);
  Json out;
  out["description"] = table.doc();
  for (const Table& variant : table.variants())
    out["oneOf"].push_back(closed_record(table, &variant));
  return out;
}

}  // namespace

nlohmann::ordered_json json_schema(const Table& table) {
  Json out;
  out["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  out["title"] = table.name();
  out.update(table_schema(table));
  return out;
}

}  // namespace invar::spec
