#include "apps/invar/spec/json_schema.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "apps/invar/spec/reference_page.hpp"
#include "tests/unit/spec/bad_specs.hpp"

namespace invar::spec {
namespace {

using Json = nlohmann::ordered_json;

bool has_type(const Json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "number") return value.is_number();
  if (type == "integer") return value.is_number() && value.get<double>() == value.get<long long>();
  throw std::logic_error("type " + type);
}

/// The part of JSON Schema 2020-12 that the program writes, after the standard's own words; an
/// unknown keyword is an error, so that nothing is passed over.
bool valid(const Json& value, const Json& schema) {
  const auto every = [&](const Json& list) {
    return std::all_of(list.begin(), list.end(), [&](const Json& s) { return valid(value, s); });
  };
  const auto count = [&](const Json& list) {
    return std::count_if(list.begin(), list.end(), [&](const Json& s) { return valid(value, s); });
  };
  for (const auto& [word, what] : schema.items()) {
    bool ok = true;
    const Json& limit = what;
    if (word == "type") {
      ok = what.is_string() ? has_type(value, what)
                            : std::any_of(what.begin(), what.end(),
                                          [&](const Json& t) { return has_type(value, t); });
    } else if (word == "enum") {
      ok = std::find(what.begin(), what.end(), value) != what.end();
    } else if (word == "const") {
      ok = value == what;
    } else if (word == "required") {
      for (const Json& key : what) ok = ok && (!value.is_object() || value.contains(key));
    } else if (word == "dependentRequired") {
      for (const auto& [key, others] : what.items())
        for (const Json& other : others) ok = ok && (!value.contains(key) || value.contains(other));
    } else if (word == "properties") {
      for (const auto& [key, s] : what.items())
        ok = ok && (!value.contains(key) || valid(value[key], s));
    } else if (word == "additionalProperties") {
      const Json known = schema.value("properties", Json::object());
      if (value.is_object())
        for (const auto& [key, v] : value.items())
          if (!known.contains(key)) ok = ok && !what.is_boolean() && valid(v, what);
    } else if (word == "items") {
      for (const Json& v : value) ok = ok && valid(v, what);
    } else if (word == "minItems" || word == "minProperties") {
      ok = !value.is_structured() || value.size() >= limit.get<std::size_t>();
    } else if (word == "maxItems" || word == "maxProperties") {
      ok = !value.is_structured() || value.size() <= limit.get<std::size_t>();
    } else if (word == "minimum") {
      ok = !value.is_number() || value >= limit;
    } else if (word == "maximum") {
      ok = !value.is_number() || value <= limit;
    } else if (word == "exclusiveMinimum") {
      ok = !value.is_number() || value > limit;
    } else if (word == "exclusiveMaximum") {
      ok = !value.is_number() || value < limit;
    } else if (word == "allOf") {
      ok = every(what);
    } else if (word == "anyOf") {
      ok = count(what) > 0;
    } else if (word == "oneOf") {
      ok = count(what) == 1;
    } else if (word == "not") {
      ok = !valid(value, what);
    } else if (word != "$schema" && word != "title" && word != "description" && word != "default") {
      throw std::logic_error("keyword " + word);
    }
    if (!ok) return false;
  }
  return true;
}

/// A YAML tree by the YAML core schema, as an editor sees it.
Json as_json(const Node& node) {
  Diagnostics ignored;
  Json out;
  switch (node.form) {
    case Node::Form::null: return nullptr;
    case Node::Form::list:
      out = Json::array();
      for (const Node& child : node.children) out.push_back(as_json(child));
      return out;
    case Node::Form::map:
      out = Json::object();
      for (const Node& child : node.children) out[child.key] = as_json(child);
      return out;
    case Node::Form::scalar: break;
  }
  if (node.looks_like_number()) return node.number(ignored, true).value_or(0);
  if (!node.quoted && (node.text == "true" || node.text == "false")) return node.text == "true";
  return node.text;
}

Json json_of(const std::string& text) {
  Diagnostics diagnostics;
  return as_json(parse(text, "spec.yaml", diagnostics).value());
}

TEST(JsonSchema, AgreesWithTheValidation) {
  const Json schema = json_schema(demo_table());
  EXPECT_TRUE(valid(json_of(good_spec), schema));
  for (const BadSpec& bad : bad_specs()) {
    if (!bad.schema_sees_it) continue;
    EXPECT_FALSE(valid(json_of(changed(bad.right, bad.wrong)), schema)) << bad.name;
  }
}

TEST(JsonSchema, AcceptsTheResolvedSpec) {
  Diagnostics diagnostics;
  const Node root = parse(good_spec, "spec.yaml", diagnostics).value();
  const std::string resolved = validate(root, demo_table(), "/somewhere", diagnostics).yaml();
  EXPECT_TRUE(valid(json_of(resolved), json_schema(demo_table())));
}

TEST(JsonSchema, KeysWithAnEffectBesideOthersOnly) {
  const Table spring = Table("spring", "A spring.").optional("stiffness", number("N/m"), "").defaulted("rest", number("m"), "0", "").beside("stiffness", {"rest"});
  EXPECT_TRUE(valid(json_of("{stiffness: 2, rest: 1}"), json_schema(spring)));
  EXPECT_FALSE(valid(json_of("{rest: 1}"), json_schema(spring)));
  EXPECT_NE(mistakes("{rest: 1}", spring).find("1:2: error: 'rest' has no effect without 'stiffness'"), std::string::npos) << mistakes("{rest: 1}", spring);
  Diagnostics none;
  EXPECT_FALSE(validate(parse("{}", "spec.yaml", none).value(), spring, "", none).has("rest"));
  EXPECT_EQ(validate(parse("{stiffness: 2}", "spec.yaml", none).value(), spring, "", none)["rest"].number(), 0);
}

TEST(JsonSchema, SaysWhatTheTableSays) {
  const Json schema = json_schema(demo_table());
  EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
  const Json& linear = schema["properties"]["materials"]["additionalProperties"]["oneOf"][0];
  EXPECT_EQ(linear["properties"]["model"]["const"], "linear");
  EXPECT_EQ(linear["properties"]["young"]["exclusiveMinimum"], 0.0);
  EXPECT_EQ(linear["properties"]["young"]["description"], "Young's modulus [Pa]");
  EXPECT_EQ(linear["properties"]["poisson"]["default"], 0.3);
  EXPECT_EQ(linear["required"], Json({"model", "young"}));
  EXPECT_EQ(schema["properties"]["solver"]["default"]["rtol"], 1e-8);
}

void collect_keys(const Type& type, std::set<std::string>& keys);
void collect_keys(const Table& table, std::set<std::string>& keys) {
  for (const Table::Entry& e : table.entries()) {
    keys.insert("| `" + e.key + "` | ");
    collect_keys(e.type, keys);
  }
  for (const Table& v : table.variants()) collect_keys(v, keys);
}
void collect_keys(const Type& type, std::set<std::string>& keys) {
  for (const Type& t : type.inner) collect_keys(t, keys);
  if (type.table) collect_keys(*type.table, keys);
}

TEST(ReferencePage, HasEveryKeyWithItsRow) {
  const std::string page = reference_page(demo_table());
  std::set<std::string> keys;
  collect_keys(demo_table(), keys);
  ASSERT_GT(keys.size(), 25u);
  for (const std::string& key : keys) EXPECT_NE(page.find(key), std::string::npos) << key;
  EXPECT_NE(page.find("| `c1` | a number > 0 [Pa] | required | first constant |\n"),
            std::string::npos);
  EXPECT_NE(page.find("### `materials.<name>, model: yeoh`\n"), std::string::npos);
  EXPECT_NE(page.find("| `model` | a word, below | required | the law |\n"), std::string::npos);
}

}  // namespace
}  // namespace invar::spec
