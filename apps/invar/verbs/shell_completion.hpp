#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace invar {

/// What may stand for placeholders of the command line that are words, by the name of the placeholder.
struct CompletionWords {
  std::map<std::string, std::vector<std::string>> of;
};

/// By the name of the shell, what writes its completion from the tables of the command line.
const std::map<std::string, std::function<std::string(const CompletionWords&)>>& shell_writers();

}  // namespace invar
