#include "apps/invar/verbs/physics_page.hpp"

#include "apps/invar/problem/spec_table.hpp"
#include "apps/invar/spec/reference_page.hpp"

namespace invar {
namespace {

using spec::Table;

constexpr const char* sections_of_a_physics[] = {"physics", "materials", "boundary", "loads", "contact",
                                                 "initial", "objective", "constraints", "output"};

/// The sections above; of the output the quantities.
Table sections(const Table& spec, const Physics& physics) {
  Table page("The physics `" + physics.word() + '`', physics.options.doc());
  for (const char* key : sections_of_a_physics) {
    if (!spec.find(key)) continue;  // of another physics
    const Table::Entry& e = *spec.find(key);
    if (e.key != "output") {
      page.optional(e.key, e.type, e.doc);
      continue;
    }
    const Table::Entry& quantities = *e.type.table->find("quantities");
    page.optional(e.key, record(Table("output", "What is reported.").optional(quantities.key, quantities.type, quantities.doc)), e.doc);
  }
  return page;
}

}  // namespace

std::string physics_page(const Physics& physics) {
  const Table spec = spec_table({&physics, 1});
  const Table page = sections(spec, physics);
  std::string others, preface;
  for (const Table::Entry& e : spec.entries())
    if (!page.find(e.key)) others += (others.empty() ? "`" : ", `") + e.key + '`';
  for (const Example& example : physics.examples)
    preface += (preface.empty() ? "## Examples\n\n### " : "### ") + example.title + "\n\n```yaml\n" + example.yaml + "```\n\n";
  preface += "## Sections\n\nThese sections depend on the physics. For the others, which are the same for every physics, see `invar schema --markdown`:\n" + others +
             ", and the other keys of `output`.\n\n";
  return spec::reference_page(page, preface);
}

}  // namespace invar
