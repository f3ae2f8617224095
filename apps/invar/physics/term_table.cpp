#include "apps/invar/physics/term_table.hpp"

#include "libadjoint/number_text.hpp"

namespace invar {

using namespace spec;

std::vector<std::string> keys_of(const TermParameter& parameter, int dim) {
  const std::string key(parameter.spec.key);
  if (!parameter.per_axis) return {key};
  std::vector<std::string> keys{key + "x", key + "y"};
  if (dim == 3) keys.push_back(key + "z");
  return keys;
}

Table term_table(const TermSpec& term) {
  Table table{std::string(term.name), std::string(term.doc)};
  if (term.domain == TermSpec::Domain::facets) table.required("region", text(), "facet region");
  else if (term.domain == TermSpec::Domain::points) table.required("region", text(), "region of points, such as a corner of a rectangle");
  else table.defaulted("region", text(), "all", "cell region, or 'all'");
  if (term.choice) {
    std::vector<Type::Choice> words;
    for (const auto& [word, doc] : term.choice->words) words.push_back({std::string(word), std::string(doc)});
    table.required(std::string(term.choice->key), choice(std::move(words)), std::string(term.choice->doc));
  }
  if (term.other_region) table.optional(std::string(term.other_region->key), text(), std::string(term.other_region->doc));
  for (const TermParameter& p : term.parameters) {
    const Type value = number_of(p.spec), type = p.may_be_formula ? either({value, expression(std::string(p.spec.unit))}) : value;
    const std::vector<std::string> keys = keys_of(p, 3);
    for (const std::string& key : keys) {
      const std::string doc = std::string(p.spec.doc) + (p.per_axis ? std::string(" along ") + key.back() : "");
      if (p.spec.default_value) table.defaulted(key, type, number_text(*p.spec.default_value), doc);
      else if (p.per_axis) table.optional(key, type, doc);
      else table.required(key, type, doc);
    }
    if (p.per_axis && !p.spec.default_value) table.at_least_one_of(keys);
  }
  return table;
}

}  // namespace invar
