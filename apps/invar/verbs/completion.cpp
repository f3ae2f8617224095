#include <iostream>

#include "apps/invar/physics/physics.hpp"
#include "apps/invar/spec/did_you_mean.hpp"
#include "apps/invar/spec/usage_error.hpp"
#include "apps/invar/verbs/shell_completion.hpp"
#include "apps/invar/verbs/spec_paths.hpp"
#include "apps/invar/verbs/starters.hpp"
#include "apps/invar/verbs/verbs.hpp"

namespace invar {

ExitCode completion(const CommandLine& line) {
  CompletionWords words;
  for (const Physics& p : all_physics()) words.of["PHYSICS"].push_back(p.word());
  words.of["NAME"] = starter_names();
  words.of["WHICH"] = {"failed", "all", "missing"};  // of --rerun
  for (const auto& [shell, write] : shell_writers()) words.of["SHELL"].push_back(shell);
  for (const std::string& path : spec_paths())
    for (const char* assignment : {"PATH=VALUE", "PATH=A,B,C"}) words.of[assignment].push_back(path + '=');
  const auto writer = shell_writers().find(line.word);
  if (writer == shell_writers().end())
    throw UsageError("unknown shell '" + line.word + '\'' + did_you_mean(line.word, words.of["SHELL"]) +
                     "\nshells: " + comma_list(words.of["SHELL"]));
  std::cout << writer->second(words);
  return ExitCode::ok;
}

}  // namespace invar
