#include "apps/invar/verbs/shell_completion.hpp"

#include "apps/invar/spec/command_table.hpp"

namespace invar {
namespace {

using Kind = Placeholder::Kind;

constexpr const char* common[] = {"--help", "--version"};

std::string by_blanks(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& w : words) out += (out.empty() ? "" : " ") + w;
  return out;
}

std::vector<std::string> words_for(const std::string& name, const CompletionWords& words) {
  const auto found = words.of.find(name);
  return found == words.of.end() ? std::vector<std::string>() : found->second;
}

std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + '\'';
}

std::string bash_action(const std::string& name, const CompletionWords& words) {
  switch (placeholder(name).kind) {
    case Kind::spec: return "_invar_specs";
    case Kind::folder: return "_invar_folders";
    case Kind::assignment: return "compopt -o nospace; _invar_words " + in_quotes(by_blanks(words_for(name, words)));
    case Kind::word: break;
  }
  return "_invar_words " + in_quotes(by_blanks(words_for(name, words)));
}

std::string bash(const CompletionWords& words) {
  std::string verbs, of_verbs, of_options;
  for (const VerbRow& v : verb_rows()) {
    verbs += std::string(v.name) + ' ';
    std::string options;
    for (const OptionRow& o : option_rows())
      if (o.applies(v.name)) options += std::string(o.name) + ' ';
    for (const char* o : common) options += std::string(o) + ' ';
    of_verbs += "    " + std::string(v.name) + ") options=" + in_quotes(options) + '\n';
    const std::string operand = v.operand();
    of_verbs += "      [[ $cur != -* ]] && { " + (operand.empty() ? ":" : bash_action(operand, words)) + "; return; } ;;\n";
  }
  for (const OptionRow& o : option_rows())
    if (o.argument) of_options += "    " + std::string(o.name) + ") " + bash_action(o.argument, words) + "; return ;;\n";
  // Bash takes `--out=x` apart at the sign, and a path `a=b` likewise.
  return R"sh(# bash completion of invar, written by 'invar completion bash'
_invar_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur"); }
_invar_folders() { compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$cur"); }
_invar_specs() {
  compopt -o filenames
  mapfile -t COMPREPLY < <(compgen -d -- "$cur"; compgen -f -X '!*.yaml' -- "$cur"; compgen -f -X '!*.yml' -- "$cur")
}
_invar() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} options='' word
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    _invar_words ')sh" + verbs + R"sh(--help --version'
    return
  fi
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do [[ $word == -- ]] && return; done
  if [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; elif [[ $cur == = ]]; then cur=''; fi
  case $prev in
)sh" + of_options + R"sh(  esac
  case ${COMP_WORDS[1]} in
)sh" + of_verbs + R"sh(  esac
  _invar_words "$options"
}
complete -F _invar invar
)sh";
}

std::string zsh_action(const std::string& name, const CompletionWords& words) {
  switch (placeholder(name).kind) {
    case Kind::spec: return "_files -g \"*.(yaml|yml)\"";
    case Kind::folder: return "_files -/";
    case Kind::assignment: return "compadd -S \"\" -- " + by_blanks(words_for(name, words));
    case Kind::word: break;
  }
  return '(' + by_blanks(words_for(name, words)) + ')';
}

std::string zsh(const CompletionWords& words) {
  std::string out = "#compdef invar\n# zsh completion of invar, written by 'invar completion zsh'\n_invar() {\n  local -a verbs\n  verbs=(\n";
  for (const VerbRow& v : verb_rows()) out += "    " + in_quotes(std::string(v.name) + ':' + v.doc) + '\n';
  out += "  )\n  if ((CURRENT == 2)); then\n    _describe verb verbs\n    return\n  fi\n"
         "  local verb=$words[2]\n  shift words\n  ((CURRENT--))\n  case $verb in\n";
  for (const VerbRow& v : verb_rows()) {
    out += "    " + std::string(v.name) + ")\n      _arguments -s";
    for (const OptionRow& o : option_rows()) {
      if (!o.applies(v.name)) continue;
      std::string text = std::string("*") + o.name + '[';
      for (const char c : std::string(o.doc ? o.doc : "say all"))  // brackets and colons mean something there
        text += std::string(c == '[' || c == ']' || c == ':' ? "\\" : "") + c;
      text += ']';
      if (o.argument) text += std::string(":") + o.argument + ':' + zsh_action(o.argument, words);
      out += " \\\n        " + in_quotes(text);
    }
    out += " \\\n        '--help[verbs, options and exit codes]'";
    if (const std::string operand = v.operand(); !operand.empty())
      out += " \\\n        " + in_quotes("1:" + operand + ':' + zsh_action(operand, words));
    out += " ;;\n";
  }
  return out + "  esac\n}\n_invar \"$@\"\n";
}

std::string fish_action(const std::string& name, const CompletionWords& words) {
  switch (placeholder(name).kind) {
    case Kind::spec: return "-a '(__fish_complete_suffix .yaml)'";
    case Kind::folder: return "-a '(__fish_complete_directories)'";
    default: return "-a " + in_quotes(by_blanks(words_for(name, words)));
  }
}

std::string fish(const CompletionWords& words) {
  std::string out = "# fish completion of invar, written by 'invar completion fish'\ncomplete -c invar -f\n";
  for (const VerbRow& v : verb_rows()) {
    out += "complete -c invar -n __fish_use_subcommand -a " + std::string(v.name) + " -d " + in_quotes(v.doc) + '\n';
    if (const std::string operand = v.operand(); !operand.empty())
      out += "complete -c invar -n '__fish_seen_subcommand_from " + std::string(v.name) + "' " + fish_action(operand, words) + '\n';
  }
  for (const OptionRow& o : option_rows()) {
    const std::string name = o.name;
    out += "complete -c invar -n '__fish_seen_subcommand_from " + std::string(o.verbs) + "' ";
    out += name.starts_with("--") ? "-l " + name.substr(2) : name.size() == 2 ? "-s " + name.substr(1) : "-o " + name.substr(1);
    if (o.argument) out += " -x " + fish_action(o.argument, words);
    out += " -d " + in_quotes(o.doc ? o.doc : "say all") + '\n';
  }
  return out + "complete -c invar -l help -d 'verbs, options and exit codes'\ncomplete -c invar -l version -d 'the version'\n";
}

}  // namespace

const std::map<std::string, std::function<std::string(const CompletionWords&)>>& shell_writers() {
  static const std::map<std::string, std::function<std::string(const CompletionWords&)>> writers = {
      {"bash", bash}, {"fish", fish}, {"zsh", zsh}};
  return writers;
}

}  // namespace invar
