#include "apps/invar/spec/command_line.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "apps/invar/spec/did_you_mean.hpp"
#include "apps/invar/spec/exit_codes.hpp"
#include "apps/invar/spec/usage_error.hpp"

namespace invar {
namespace {

struct VerbRow {
  Verb verb;
  const char *name, *synopsis, *doc;
};
constexpr std::array<VerbRow, 9> verbs = {{
    {Verb::validate, "validate", "validate SPEC", "report every mistake of a spec"},
    {Verb::run, "run", "run SPEC", "simulate or optimise"},
    {Verb::resume, "resume", "resume RUNDIR", "go on with a run that was interrupted"},
    {Verb::check, "check", "check SPEC", "gradient certificate"},
    {Verb::gradient, "gradient", "gradient SPEC", "objective, constraints and gradient at the start, into gradient.json"},
    {Verb::schema, "schema", "schema [PHYSICS]", "JSON Schema of a spec, for editors; of one physics (solid, flow) what its specs may say"},
    {Verb::sweep, "sweep", "sweep SPEC", "the runs of the spec's section sweep, or of --over, several at a time; again: those that are left"},
    {Verb::status, "status", "status DIR", "how the runs of a sweep stand, or one run"},
    {Verb::collect, "collect", "collect DIR", "results of a sweep into sweep.csv, and their summary"},
}};

struct OptionRow {
  const char *name, *argument, *verbs, *doc;
};
constexpr std::array<OptionRow, 11> options = {{
    {"--set", "PATH=VALUE", "validate run resume check gradient sweep", "override a value of the spec; repeatable"},
    {"--out", "DIR", "run check gradient sweep", "folder to write to; default of run results/<spec name>, of gradient and sweep that with _gradient and _sweep; check writes certificate.json only if it is given"},
    {"--expect", nullptr, "run resume", "hold the result against the expect section"},
    {"--markdown", nullptr, "schema", "write the reference page instead; of one physics with examples that run"},
    {"--over", "PATH=A,B,C", "sweep", "values of one key, in place of those in sweep.over; or PATH={from: A, to: B, n: N}; repeatable"},
    {"--jobs", "N", "sweep", "how many run at a time; default: the number of processors"},
    {"--rerun", "WHICH", "sweep", "failed, all or missing (those that have not ended, the default)"},
    {"--json", nullptr, "status", "for programs"},
    {"-v", nullptr, "validate run resume check gradient status", "say more; -vv says all"},
    {"-vv", nullptr, "validate run resume check gradient", nullptr},
    {"-q", nullptr, "validate run resume check gradient sweep", "say only how it ended"},
}};

const VerbRow* find_verb(std::string_view name) {
  const auto row = std::find_if(verbs.begin(), verbs.end(),
                                [&](const VerbRow& v) { return v.name == name; });
  return row == verbs.end() ? nullptr : &*row;
}

const VerbRow& verb_named(const std::string& name) {
  if (const VerbRow* row = find_verb(name)) return *row;
  std::vector<std::string> names;
  for (const VerbRow& v : verbs) names.emplace_back(v.name);
  if (name.ends_with(".yaml") || name.ends_with(".yml"))
    throw UsageError("no verb before '" + name + "'; did you mean 'invar run " + name + "'?");
  throw UsageError("unknown verb '" + name + "'" + did_you_mean(name, names) +
                   "\nverbs: " + comma_list(names));
}

bool applies(const OptionRow& option, std::string_view verb) {
  const std::string list = ' ' + std::string(option.verbs) + ' ';
  return list.find(' ' + std::string(verb) + ' ') != std::string::npos;
}

const OptionRow& option_named(const std::string& name, const VerbRow& verb) {
  std::vector<std::string> names = {"--help", "--version"};
  for (const OptionRow& option : options) {
    if (applies(option, verb.name)) names.emplace_back(option.name);
    if (option.name != name) continue;
    if (applies(option, verb.name)) return option;
    throw UsageError("option '" + name + "' does not apply to '" + verb.name + "'");
  }
  throw UsageError("unknown option '" + name + "'" + did_you_mean(name, names) +
                   "\noptions of '" + verb.name + "': " + comma_list(names) +
                   "\nPETSc options come after '--'");
}

/// One pass over the arguments behind the verb.
class Reader {
 public:
  Reader(std::span<const std::string> rest, const VerbRow& verb) : rest_(rest), verb_(verb) {
    line_.verb = verb.verb;
  }

  CommandLine read() {
    for (; at_ < rest_.size(); ++at_) {
      const std::string& word = rest_[at_];
      if (word == "--") {
        const std::span<const std::string> behind = rest_.subspan(at_ + 1);
        line_.petsc_options.assign(behind.begin(), behind.end());
        break;
      }
      if (word == "--help" || word == "-h") line_.help = true;
      else if (word == "--version") line_.version = true;
      else if (word.size() > 1 && word[0] == '-') read_option(word);
      else read_spec(word);
    }
    if (!line_.help && !line_.version && line_.spec.empty() && line_.verb != Verb::schema)
      throw UsageError('\'' + std::string(verb_.name) + "' needs a " +
                       wanted() + ": invar " +
                       verb_.synopsis);
    return line_;
  }

 private:
  /// What stands behind the verb.
  std::string wanted() const {
    switch (line_.verb) {
      case Verb::resume: return "run folder";
      case Verb::status:
      case Verb::collect: return "folder";
      default: return line_.spec.empty() ? "spec file" : "spec";
    }
  }

  void read_spec(const std::string& word) {
    if (word.empty()) throw UsageError("an empty argument");
    if (line_.verb == Verb::schema) {
      if (!line_.physics.empty())
        throw UsageError("one physics at a time, got '" + line_.physics + "' and '" + word + "'");
      line_.physics = word;
      return;
    }
    if (!line_.spec.empty())
      throw UsageError("one " + wanted() + " at a time, got '" + line_.spec.string() + "' and '" + word + "'");
    line_.spec = word;
  }

  void read_option(const std::string& word) {
    const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
    const OptionRow& option = option_named(word.substr(0, equals), verb_);
    const std::string name = option.name;
    if (option.argument) return read_argument(option, word, equals);
    if (equals != std::string::npos) throw UsageError("option '" + name + "' takes no value");
    if (name == "--expect") line_.expect = true;
    if (name == "--markdown") line_.markdown = true;
    if (name == "--json") line_.json = true;
    if (name == "-v" || name == "-vv" || name == "-q") set_verbosity(name);
  }

  void read_argument(const OptionRow& option, const std::string& word, std::size_t equals) {
    const std::string name = option.name;
    const bool next = equals == std::string::npos && at_ + 1 < rest_.size();
    const std::string argument = equals != std::string::npos ? word.substr(equals + 1)
                                 : next                      ? rest_[++at_]
                                                             : std::string();
    if (argument.empty() || argument.starts_with("--"))
      throw UsageError("option '" + name + "' needs a value: " + name + ' ' + option.argument);
    if (name == "--out") {
      if (line_.out) throw UsageError("option '--out' is given twice");
      line_.out = argument;
    } else if (name == "--jobs") {
      read_jobs(argument);
    } else if (name == "--rerun") {
      if (argument != "failed" && argument != "all" && argument != "missing")
        throw UsageError("unknown '--rerun " + argument + "'" + did_you_mean(argument, {"failed", "all", "missing"}) + "\nallowed: failed, all, missing");
      line_.rerun = argument;
    } else {
      const std::size_t sign = argument.find('=');
      if (sign == std::string::npos || sign == 0)
        throw UsageError('\'' + name + ' ' + argument + "' is not of the form " + name + ' ' + option.argument);
      (name == "--set" ? line_.sets : line_.overs).push_back(argument);
    }
  }

  void read_jobs(const std::string& argument) {
    const auto [end, code] = std::from_chars(argument.data(), argument.data() + argument.size(), line_.jobs);
    if (code != std::errc() || end != argument.data() + argument.size() || line_.jobs < 1 || line_.jobs > 4096)
      throw UsageError("'--jobs " + argument + "' is no number of runs: between 1 and 4096");
  }

  void set_verbosity(const std::string& name) {
    const int level = name == "-q" ? -1 : name == "-v" ? 1 : 2;
    if (line_.verbosity * level < 0) throw UsageError("-q and -v exclude each other");
    line_.verbosity = level == 1 && line_.verbosity > 0 ? 2 : level;
  }

  std::span<const std::string> rest_;
  const VerbRow& verb_;
  std::size_t at_ = 0;
  CommandLine line_;
};

std::string left_aligned(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size() + 1), ' ');
  return text;
}

}  // namespace

CommandLine CommandLine::parse(std::span<const std::string> arguments) {
  CommandLine line;
  if (arguments.empty()) throw UsageError("no verb given\n\n" + usage());
  const std::string& first = arguments[0];
  if (first == "--help" || first == "-h" || first == "help") {
    line.help = true;
    return line;
  }
  if (first == "--version") {
    line.version = true;
    return line;
  }
  return Reader(arguments.subspan(1), verb_named(first)).read();
}

std::string CommandLine::usage() {
  std::string out = "usage: invar VERB SPEC [options] [-- PETSC_OPTIONS...]\n\n";
  for (const VerbRow& v : verbs) out += "  " + left_aligned(v.synopsis, 18) + v.doc + '\n';
  out += '\n';
  for (const OptionRow& o : options) {
    if (!o.doc) continue;
    const std::string name = o.argument ? std::string(o.name) + ' ' + o.argument : o.name;
    out += "  " + left_aligned(name, 18) + o.doc + " (" + o.verbs + ")\n";
  }
  out += "  " + left_aligned("--help", 18) + "this page\n  " + left_aligned("--version", 18) + "the version\n";
  out += "\nexit codes:";
  for (ExitCode code : {ExitCode::ok, ExitCode::usage, ExitCode::input, ExitCode::solve,
                        ExitCode::not_converged, ExitCode::optimiser, ExitCode::gradient_check,
                        ExitCode::bug, ExitCode::io, ExitCode::interrupted}) {
    std::string number = std::to_string(static_cast<int>(code));
    number.insert(0, 4 - number.size(), ' ');
    out += '\n' + number + "  " + describe(code);
  }
  return out + '\n';
}

}  // namespace invar
