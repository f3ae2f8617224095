#include "apps/invar/spec/diagnostics.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "apps/invar/spec/spec_error.hpp"

namespace invar {
namespace {

std::string file_of(const Diagnostic& d) { return d.position.file ? *d.position.file : ""; }

std::string join(const std::vector<Diagnostic>& all) {
  constexpr std::size_t shown = 200;  // more are not useful
  std::string out;
  for (std::size_t i = 0; i < std::min(shown, all.size()); ++i) out += all[i].text() + '\n';
  if (all.size() > shown) out += "... and " + std::to_string(all.size() - shown) + " more\n";
  return out + std::to_string(all.size()) + (all.size() == 1 ? " mistake" : " mistakes");
}

}  // namespace

void Diagnostics::warning(const SourcePosition& at, const std::string& message) {
  std::string text = at.text() + ": " + message;
  if (std::ranges::find(warnings_, text) == warnings_.end()) warnings_.push_back(std::move(text));
}

std::vector<Diagnostic> Diagnostics::sorted() const {
  std::map<std::string, std::size_t> order;
  for (const Diagnostic& d : found_) order.emplace(file_of(d), order.size());
  const auto key = [&](const Diagnostic& d) {
    return std::tuple(order.at(file_of(d)), d.position.line, d.position.column);
  };
  std::vector<Diagnostic> out = found_;
  std::stable_sort(out.begin(), out.end(),
                   [&](const auto& a, const auto& b) { return key(a) < key(b); });
  const auto same = [](const auto& a, const auto& b) { return a.text() == b.text(); };
  out.erase(std::unique(out.begin(), out.end(), same), out.end());
  return out;
}

std::string Diagnostics::text() const { return join(sorted()); }

void Diagnostics::throw_if_any() const {
  if (found_.empty()) return;
  std::vector<Diagnostic> all = sorted();
  const std::string text = join(all);
  throw SpecError(text, std::move(all));
}

}  // namespace invar
