#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "tests/unit/spec/demo_table.hpp"

namespace invar::spec {
namespace {

/// What the parser alone says.
std::string said(const std::string& text) {
  Diagnostics diagnostics;
  parse(text, "s.yaml", diagnostics);
  const std::string all = diagnostics.empty() ? "" : diagnostics.text();
  return all.substr(0, all.rfind('\n'));
}

TEST(Parse, MalformedText) {
  EXPECT_EQ(said(""), "s.yaml: error: the file is empty\n    a spec is a map of sections");
  EXPECT_EQ(said("# only a comment\n"), said(""));
  EXPECT_EQ(said("a: 1\nb: [1, 2"), "s.yaml:2:4: error: malformed YAML: this '[' is never closed");
  EXPECT_EQ(said("a: {b: {c: 1}\n"), "s.yaml:1:4: error: malformed YAML: this '{' is never closed");
  EXPECT_EQ(said("a: 1\n  b: 2"),
            "s.yaml:2:4: error: malformed YAML: a ':' cannot stand here\n"
            "    check the indentation and the line before; text with ': ' needs quotes");
  EXPECT_EQ(said("a: *b"), "s.yaml:1:4: error: malformed YAML: this alias has no anchor");
  EXPECT_EQ(said("a: &x [1, *x]"), "s.yaml:1:11: error: this alias refers to itself");
}

TEST(Parse, WhatYamlAllowsAndASpecDoesNot) {
  EXPECT_EQ(said("a: 1\n---\nb: 2"),
            "s.yaml:2:1: error: a second document begins here\n"
            "    a spec is one document; remove the '---'");
  EXPECT_EQ(said("a:\n  b: 1\n\tc: 2"),
            "s.yaml:3:1: error: tab in the indentation\n    indent with spaces");
  EXPECT_EQ(said("a: 1\t# a tab behind a value is fine\n"), "");
  EXPECT_EQ(said("? [1]\n: 2"), "s.yaml:1:3: error: a key must be one word, got a list");
  EXPECT_EQ(said("~: 2"), "s.yaml:1:1: error: a key must be one word, got nothing");
  EXPECT_EQ(said("\"\": 2"), "s.yaml:1:1: error: a key must not be empty");
  EXPECT_EQ(said("m: [{b: 1}, {c: 1, c: 2}]"),
            "s.yaml:1:20: error: duplicate key 'c'\n"
            "    in m[1]; first given at s.yaml:1:14");
}

TEST(Parse, OnlyUtf8Text) {
  EXPECT_EQ(said("a: caf\xE9\n"), "s.yaml:1:7: error: not UTF-8 text\n    save the file as UTF-8");
  EXPECT_EQ(said("a: \xC0\x80"), "s.yaml:1:4: error: not UTF-8 text\n    save the file as UTF-8");
  EXPECT_EQ(said(std::string("a: \0b", 5)), "s.yaml:1:4: error: control character 0 in the text");
  EXPECT_EQ(said("\xEF\xBB\xBF" "a: 1"), "") << "a byte-order mark is left out";
  EXPECT_EQ(said("a: 1\r\nb: 2\r\n"), "") << "so are the line ends of Windows";
}

TEST(Parse, ColumnsCountCharacters) {
  EXPECT_EQ(said("a: 1\nä: {ö: 1, ö: 2}"),
            "s.yaml:2:11: error: duplicate key 'ö'\n    in ä; first given at s.yaml:2:5");
}

TEST(Parse, AliasesAreCopies) {
  Diagnostics diagnostics;
  const Node root = parse("a: &x {b: 3}\nc: *x", "s.yaml", diagnostics).value();
  ASSERT_TRUE(diagnostics.empty());
  EXPECT_EQ(root.find("c")->find("b")->number(diagnostics), 3);
  EXPECT_EQ(root.find("c")->find("b")->path, "c.b");
}

TEST(Parse, GrowthByAliasesAndDepthAreLimited) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; ++i) {
    const std::string alias = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + alias;
    for (int k = 0; k < 9; ++k) bomb += ", " + alias;
    bomb += "]\n";
  }
  EXPECT_NE(said(bomb).find("more than 200000 values"), std::string::npos);
  const std::string deep = std::string(65, '[') + std::string(65, ']');
  EXPECT_NE(said(deep).find("nested deeper than 64 levels"), std::string::npos);
  EXPECT_EQ(said("a: " + std::string(60, '[') + "1" + std::string(60, ']')), "");
  EXPECT_FALSE(said(std::string(100000, '[')).empty());
}

TEST(Parse, Files) {
  const TemporaryFolder folder;
  const auto said_of = [](const std::filesystem::path& file) {
    Diagnostics diagnostics;
    parse_file(file, diagnostics);
    return diagnostics.sorted().at(0).text();
  };
  const std::string missing = (folder.path / "no.yaml").string();
  EXPECT_EQ(said_of(missing), missing + ": error: no such file");
  EXPECT_EQ(said_of(folder.path),
            folder.path.string() + ": error: this is a folder, not a spec");
}

TEST(Parse, Numbers) {
  Diagnostics diagnostics;
  const auto number = [&](const std::string& text) {
    return parse_value(text, SourcePosition::whole("x"), diagnostics)->number(diagnostics);
  };
  EXPECT_EQ(number("1e5"), 100000.0);
  EXPECT_EQ(number("+.5"), 0.5);
  EXPECT_EQ(number("-3."), -3.0);
  EXPECT_EQ(number("0"), 0.0);
  EXPECT_EQ(number("0.1"), 0.1);
  EXPECT_EQ(number("6.02E+23"), 6.02e23);
  for (const char* zero : {"-0", "-0.0", "-0e7"}) EXPECT_FALSE(std::signbit(number(zero).value())) << zero;  // which resolve as 0
  ASSERT_TRUE(diagnostics.empty()) << diagnostics.text();
  int wrong = 0;
  for (const char* text : {"1_000", "0x1f", "0o17", "1e", "e5", ".", "+", "1 2", "1,5", "00", "'1'",
                           "1e5x", "1:30", "inf", "nan", "--1", "1d3"}) {
    EXPECT_EQ(number(text), std::nullopt) << text;
    EXPECT_EQ(diagnostics.size(), static_cast<std::size_t>(++wrong)) << text;
  }
}

TEST(Parse, IntegersMayBeWrittenWithAnExponent) {
  Diagnostics diagnostics;
  const auto integer = [&](const std::string& text) {
    return parse_value(text, SourcePosition::whole("x"), diagnostics)->integer(diagnostics);
  };
  EXPECT_EQ(integer("1e5"), 100000);
  EXPECT_EQ(integer("-7"), -7);
  EXPECT_EQ(integer("9007199254740991"), 9007199254740991);
  ASSERT_TRUE(diagnostics.empty());
  for (const char* text : {"1.5", "1e16", "010", "true", ".inf"})
    EXPECT_EQ(integer(text), std::nullopt) << text;
  EXPECT_EQ(diagnostics.size(), 5u);
}

TEST(Parse, NearestWord) {
  EXPECT_EQ(mistakes("yonug: 1", Table("t", "").optional("young", number(), "")),
            "spec.yaml:1:1: error: unknown key 'yonug'; did you mean 'young'?\n"
            "    allowed: young\n1 mistake");
  EXPECT_EQ(mistakes("youngs_modulus: 1", Table("t", "").optional("young", number(), "")),
            "spec.yaml:1:1: error: unknown key 'youngs_modulus'; did you mean 'young'?\n"
            "    allowed: young\n1 mistake");
  EXPECT_EQ(mistakes("colour: 1", Table("t", "").optional("young", number(), "")),
            "spec.yaml:1:1: error: unknown key 'colour'\n    allowed: young\n1 mistake");
}

}  // namespace
}  // namespace invar::spec
