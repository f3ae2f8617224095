// The reference page as a reader uses it: headings have anchors, rows have keys, links lead to headings.
#include "apps/invar/spec/reference_page.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <sstream>

#include "apps/invar/problem/spec_table.hpp"
#include "apps/invar/verbs/physics_page.hpp"
#include "tests/unit/spec/demo_table.hpp"

namespace invar::spec {
namespace {

struct Row {
  std::vector<std::string> keys;
  std::string text;
};
struct Section {
  std::string heading, body;
  int level = 0;
  std::vector<Row> rows;
  std::map<std::string, std::string> variants;  // word -> anchor
};

class ReadPage {
 public:
  explicit ReadPage(const std::string& page) {
    std::istringstream lines(page);
    bool code = false;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("```")) code = !code;
      if (code) continue;
      if (std::smatch m; std::regex_match(line, m, std::regex("(#+) (.*)"))) {
        order.push_back(anchor(m[2]));
        ++headings;
        at_ = &sections[order.back()];
        at_->heading = m[2];
        at_->level = static_cast<int>(m[1].length());
      } else {
        read(line);
      }
    }
  }

  std::map<std::string, Section> sections;  // by anchor
  std::vector<std::string> order, links;
  std::size_t headings = 0;

 private:
  /// Of GitHub: lower case, no punctuation but - and _, spaces become -, a repeated one is numbered.
  std::string anchor(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
    text = std::regex_replace(text, std::regex("[`<>.,:;()\\[\\]'\"!?/=+*]"), "");
    std::ranges::replace(text, ' ', '-');
    const int before = seen_[text]++;
    return before ? text + '-' + std::to_string(before) : text;
  }
  void read(const std::string& line) {
    at_->body += line + '\n';
    const std::regex link(R"(\[(`?)([^\]]*?)`?\]\(#([^)]*)\))");
    const bool row = line.starts_with("| `");
    for (std::sregex_iterator i(line.begin(), line.end(), link), end; i != end; ++i) {
      links.push_back((*i)[3]);
      if (!row && (*i)[1] == "`") at_->variants.emplace((*i)[2], (*i)[3]);
    }
    if (!row) return;
    Row r{{}, line};
    const std::string keys = line.substr(0, line.find(" | "));
    const std::regex key("`([^`]*)`");
    for (std::sregex_iterator i(keys.begin(), keys.end(), key), end; i != end; ++i) r.keys.push_back((*i)[1]);
    at_->rows.push_back(std::move(r));
  }

  std::map<std::string, int> seen_;
  Section* at_ = nullptr;
};

std::string in_cell(const std::string& text) { return std::regex_replace(text, std::regex("\\|"), "\\|"); }

/// Whether a row says all of an entry; of three keys in one row the meaning differs by the axis.
bool says(const Row& row, const Table::Entry& e) {
  if (std::ranges::count(row.keys, e.key) == 0) return false;
  const std::string standard = e.default_text ? '`' + in_cell(*e.default_text) + '`' : e.required ? "required" : "";
  const std::string meaning = row.keys.size() == 1 ? in_cell(e.doc) + (e.beside.empty() ? "" : "; only beside `" + e.beside + '`') + " |" : "";
  return row.text.find(" | " + standard + " | " + meaning) != std::string::npos;
}
bool says(const Section& section, const Table::Entry& e) {
  return std::ranges::any_of(section.rows, [&](const Row& row) { return says(row, e); });
}

const Table* table_of(const Type& type) {
  if (type.table && type.kind != Type::Kind::map) return type.table.get();
  for (const Type& t : type.inner)
    if (const Table* table = table_of(t)) return table;
  return nullptr;
}

/// Reads what the section says of a table, and of all below it.
void expect_described(const ReadPage& page, const Table& table, const std::string& anchor, std::size_t& keys) {
  const Section& section = page.sections.at(anchor);
  const auto expect_entry = [&](const Table::Entry& e, const std::vector<const Section*>& places) {
    ++keys;
    const Row* found = nullptr;
    for (const Section* s : places)
      for (const Row& row : s->rows)
        if (says(row, e)) found = &row;
    ASSERT_TRUE(found) << e.key << " under " << section.heading;
    if (e.type.kind == Type::Kind::map && e.type.table) {
      for (const Table::Entry& named : e.type.table->entries())
        EXPECT_NE(found->text.find('`' + named.key + "`: " + in_cell(named.doc)), std::string::npos) << found->text;
    }
    std::smatch link;
    if (const Table* below = table_of(e.type)) {
      ASSERT_TRUE(std::regex_search(found->text, link, std::regex("\\(#([^)]*)\\)"))) << found->text;
      expect_described(page, *below, link[1], keys);
    }
  };
  for (const Table::Entry& e : table.entries()) expect_entry(e, {&section});
  for (const Table& v : table.variants()) {
    ASSERT_TRUE(section.variants.contains(v.name())) << v.name() << " under " << section.heading;
    std::vector<const Section*> places{&section, &page.sections.at(section.variants.at(v.name()))};
    ASSERT_TRUE(places[1]->heading.ends_with(": " + v.name() + '`'));
    std::smatch as;
    if (std::regex_search(places[1]->body, as, std::regex("^\nAs \\[[^\\]]*\\]\\(#([^)]*)\\)")))
      places.push_back(&page.sections.at(as[1]));
    for (const Table::Entry& e : v.entries()) expect_entry(e, places);
  }
}

/// Keys that all variants of a table have alike stand once, above the variants.
void expect_factored(const ReadPage& page, const Table& table, const std::string& anchor) {
  const Section& section = page.sections.at(anchor);
  for (const Table::Entry& e : table.entries())
    if (const Table* below = table_of(e.type)) {
      std::smatch link;
      for (const Row& row : section.rows)
        if (says(row, e) && std::regex_search(row.text, link, std::regex("\\(#([^)]*)\\)"))) expect_factored(page, *below, link[1]);
    }
  if (table.variants().size() < 2) return;
  for (const Table::Entry& e : table.variants()[0].entries()) {
    const bool common = std::ranges::all_of(table.variants(), [&](const Table& v) {
      const Table::Entry* other = v.find(e.key);
      return other && other->doc == e.doc && other->default_text == e.default_text && other->required == e.required &&
             other->type.described() == e.type.described();
    });
    EXPECT_TRUE(!common || says(section, e)) << e.key << " under " << section.heading;
  }
  for (const auto& [word, where] : section.variants)
    for (const Row& row : page.sections.at(where).rows)
      for (const Row& above : section.rows) EXPECT_NE(row.text, above.text) << "above " << word << " and under it";
}

void expect_links_lead_somewhere(const ReadPage& page) {
  EXPECT_EQ(page.sections.size(), page.headings) << "two headings of one anchor";
  EXPECT_GT(page.links.size(), 8u);
  for (const std::string& link : page.links) EXPECT_TRUE(page.sections.contains(link)) << link;
}

void expect_nothing_twice(const ReadPage& page) {
  std::map<std::string, std::string> bodies;  // of the last part of a heading and what stands below it
  for (const auto& [anchor, s] : page.sections) {
    const std::string name = s.heading.substr(s.heading.rfind(s.level == 3 ? ':' : '.') + 1);
    const auto [first, fresh] = bodies.emplace(name + s.body, anchor);
    EXPECT_TRUE(fresh) << anchor << " repeats " << first->second;
  }
}

TEST(ReferencePage, DescribesTheWholeSpecOnceWithLinksThatWork) {
  for (const Table& table : {demo_table(), spec_table()}) {
    const ReadPage page(reference_page(table));
    std::size_t keys = 0;
    expect_links_lead_somewhere(page);
    expect_described(page, table, page.order[0], keys);
    expect_factored(page, table, page.order[0]);
    expect_nothing_twice(page);
    EXPECT_GT(keys, table.name() == demo_table().name() ? 25u : 1000u);
  }
}

TEST(ReferencePage, SharedKeysStandAboveTheVariantsThatHaveThem) {
  const Type metres = number("m");
  const auto variant = [&](const char* name) { return Table(name, std::string("Of ") + name).required("own_" + std::string(name), metres, "own"); };
  std::vector<Table> variants;
  for (const char* name : {"a", "b", "c"}) variants.push_back(variant(name).defaulted("all", metres, "1", "in all"));
  variants[0].optional("most", metres, "in two of three");
  variants[1].optional("most", metres, "in two of three");
  variants[2].optional("most", metres, "other words");
  const std::string page = reference_page(Table("t", "T.").tagged("type", "which", variants));
  const auto count = [&](const std::string& text) {
    std::size_t n = 0;
    for (std::size_t at = page.find(text); at != std::string::npos; at = page.find(text, at + 1)) ++n;
    return n;
  };
  EXPECT_EQ(count("| `all` |"), 1u) << page;
  EXPECT_EQ(count("| in two of three |"), 1u) << page;
  EXPECT_EQ(count("Of every `type` but `c`:"), 1u) << page;
  EXPECT_EQ(count("| other words |"), 1u) << page;
  EXPECT_LT(page.find("| in two of three |"), page.find("### ")) << page;
  EXPECT_GT(page.find("| other words |"), page.find("### `type: c`")) << page;
}

TEST(PhysicsPage, DescribesWhatDependsOnThePhysicsWithExamples) {
  for (const Physics& physics : all_physics()) {
    const std::string text = physics_page(physics);
    const ReadPage page(text);
    expect_links_lead_somewhere(page);
    expect_nothing_twice(page);
    const Table spec = spec_table({&physics, 1});
    std::size_t keys = 0;
    const Section& sections = page.sections.at("sections");
    for (const char* key : {"physics", "materials", "boundary", "loads", "initial", "objective", "constraints"}) {
      const Table::Entry& e = *spec.find(key);
      const auto row = std::ranges::find_if(sections.rows, [&](const Row& r) { return says(r, e); });
      ASSERT_NE(row, sections.rows.end()) << key;
      std::smatch link;
      ASSERT_TRUE(std::regex_search(row->text, link, std::regex("\\(#([^)]*)\\)"))) << row->text;
      expect_described(page, *table_of(e.type), link[1], keys);
      expect_factored(page, *table_of(e.type), link[1]);
    }
    EXPECT_GT(keys, 100u) << physics.word();
    for (const Physics& other : all_physics())
      for (const Table& m : other.materials)
        EXPECT_EQ(text.find("model: " + m.name() + '`') != std::string::npos,
                  std::ranges::any_of(physics.materials, [&](const Table& own) { return own.name() == m.name(); })) << m.name();
    EXPECT_GE(physics.examples.size(), 2u);
    bool designed = false;
    for (const Example& e : physics.examples) {
      EXPECT_NE(text.find("### " + e.title + "\n\n```yaml\n" + e.yaml + "```\n"), std::string::npos) << e.title;
      EXPECT_LE(std::ranges::count(e.yaml, '\n'), 25) << e.title;
      designed |= e.yaml.find("\nobjective:") != std::string::npos && e.yaml.find("\ndesign:") != std::string::npos;
    }
    EXPECT_TRUE(designed) << physics.word();
  }
}

}  // namespace
}  // namespace invar::spec
