#pragma once
#include <stdexcept>
#include <vector>

#include "apps/invar/spec/diagnostic.hpp"

namespace invar {

/// The input is wrong: every mistake found, in the order of the file. Ends the program with exit
/// code 3 (ExitCode::input).
class SpecError : public std::runtime_error {
 public:
  SpecError(const std::string& text, std::vector<Diagnostic> diagnostics)
      : std::runtime_error(text), diagnostics_(std::move(diagnostics)) {}
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace invar
