#include <iostream>

#include "apps/invar/problem/spec_table.hpp"
#include "apps/invar/spec/did_you_mean.hpp"
#include "apps/invar/spec/json_schema.hpp"
#include "apps/invar/spec/reference_page.hpp"
#include "apps/invar/spec/usage_error.hpp"
#include "apps/invar/verbs/man_page.hpp"
#include "apps/invar/verbs/physics_page.hpp"
#include "apps/invar/verbs/verbs.hpp"

namespace invar {
namespace {

/// Those that the command line asks for.
SomePhysics chosen(const std::string& word) {
  if (word.empty()) return all_physics();
  std::vector<std::string> words;
  for (const Physics& p : all_physics()) {
    if (p.word() == word) return {&p, 1};
    words.push_back(p.word());
  }
  throw UsageError("unknown physics '" + word + '\'' + did_you_mean(word, words) + "\nphysics: " + comma_list(words));
}

}  // namespace

ExitCode schema(const CommandLine& line) {
  const SomePhysics some = chosen(line.word);
  if (line.man) std::cout << man_page();
  else if (!line.markdown) std::cout << spec::json_schema(spec_table(some)).dump(2) << '\n';
  else if (line.word.empty()) std::cout << spec::reference_page(spec_table());
  else std::cout << physics_page(some.front());
  return ExitCode::ok;
}

}  // namespace invar
