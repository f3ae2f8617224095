#include "apps/invar/spec/command_line.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "apps/invar/spec/command_table.hpp"
#include "apps/invar/spec/did_you_mean.hpp"
#include "apps/invar/spec/exit_codes.hpp"
#include "apps/invar/spec/usage_error.hpp"

namespace invar {

std::optional<double> time_limit(std::string_view text) {
  const auto number = [&]() -> std::optional<double> {
    int n = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (code != std::errc() || n < 0 || end == text.data()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return n;
  };
  const auto first = number();
  if (!first) return std::nullopt;
  const bool days = text.starts_with('-');
  std::vector<double> parts{*first};
  for (char before = days ? '-' : ':'; !text.empty(); before = ':') {
    if (text[0] != before) return std::nullopt;
    text.remove_prefix(1);
    const auto next = number();
    if (!next) return std::nullopt;
    parts.push_back(*next);
  }
  if (parts.size() > (days ? 4u : 3u)) return std::nullopt;
  if (!days && parts.size() < 3) parts.insert(parts.begin(), 0);  // minutes[:seconds]
  if (!days) parts.insert(parts.begin(), 0);
  parts.resize(4, 0);
  const double seconds = ((parts[0] * 24 + parts[1]) * 60 + parts[2]) * 60 + parts[3];
  return seconds > 0 ? std::optional(seconds) : std::nullopt;
}

namespace {

constexpr VerbRow verbs[] = {
    {Verb::validate, "validate", "validate SPEC", "report every mistake of a spec"},
    {Verb::run, "run", "run SPEC", "simulate or optimise"},
    {Verb::resume, "resume", "resume RUNDIR", "continue a run that was interrupted"},
    {Verb::verify, "verify", "verify RUNDIR", "solve the optimum of a finished run again with other settings; default: on a finer mesh"},
    {Verb::check, "check", "check SPEC", "gradient certificate"},
    {Verb::gradient, "gradient", "gradient SPEC", "evaluate objective, constraints and gradient at the start; write gradient.json"},
    {Verb::schema, "schema", "schema [PHYSICS]", "JSON Schema of a spec, for editors; with a physics only the keys of its specs"},
    {Verb::sweep, "sweep", "sweep SPEC", "run the variants of the spec's section sweep, or of --over, several at a time; repeated: those not finished"},
    {Verb::slurm, "slurm", "slurm SPEC|DIR", "write a Slurm script: a job for a spec, an array for a sweep or for the unfinished runs of a folder"},
    {Verb::status, "status", "status DIR", "state of a run, of the runs of a sweep, or of all runs in a folder"},
    {Verb::collect, "collect", "collect DIR", "write the results of a sweep into sweep.csv, with a summary; those of other runs in a folder into runs.csv"},
    {Verb::report, "report", "report DIR", "HTML report of a run, a sweep or a folder of runs: problem, result, fits, certificate, verification, methods"},
    {Verb::init, "init", "init [NAME]", "write a starter spec with comments, and its data, into a folder of that name"},
    {Verb::show, "show", "show SPEC", "draw mesh, regions, boundary conditions, loads and probes without solving"},
    {Verb::completion, "completion", "completion SHELL", "write the completion script for bash, zsh or fish"},
};

constexpr OptionRow options[] = {
    {"--set", "PATH=VALUE", "validate run resume verify check gradient show sweep slurm", "override a value of the spec; repeatable"},
    {"--out", "DIR", "run check gradient init show sweep report slurm", "folder to write to (report: the file); default: results/<spec name>, for gradient, show and sweep with _gradient, _show and _sweep appended, for init its name; check writes certificate.json only with this option"},
    {"--expect", nullptr, "run resume verify", "compare the result with the section expect"},
    {"--markdown", nullptr, "schema", "write the reference page instead; of one physics with examples that run"},
    {"--man", nullptr, "schema", "write the man page of the program instead"},
    {"--list", nullptr, "init", "list the starter specs"},
    {"--over", "PATH=A,B,C", "sweep slurm", "values of one key, instead of those in sweep.over; or PATH={from: A, to: B, n: N}; repeatable"},
    {"--jobs", "N", "sweep slurm", "number of simultaneous runs; default for sweep: the number of processors, for slurm: no limit"},
    {"--rerun", "WHICH", "sweep slurm run", "failed, all or missing (not finished; the default); of run with --task or --resume"},
    {"--resume", nullptr, "run", "continue the run in the folder if it has begun there; a finished run is left unchanged"},
    {"--task", "N,M,...", "run", "SPEC is the folder of a sweep: run its variant N, or continue it; for batch systems. Several: together in one process, as sweep.together says"},
    {"--ranks", "N", "slurm", "processes of each run; default 1"},
    {"--time", "LIMIT", "run resume slurm", "wall-clock limit of the run (slurm: of each run) in the format of sbatch, e.g. 30 (minutes), 0:45 (minutes:seconds) or 2-12:00:00; a run that reaches it ends with exit code 75 and a checkpoint from which it can be resumed (slurm: it continues in a new job)"},
    {"--json", nullptr, "status", "machine-readable output"},
    {"-v", nullptr, "validate run resume verify check gradient status", "print more; -vv prints everything"},
    {"-vv", nullptr, "validate run resume verify check gradient", nullptr},
    {"-q", nullptr, "validate run resume verify check gradient sweep slurm", "print only the result"},
};

using Follows = Placeholder::Kind;
constexpr Placeholder placeholders[] = {
    {"SPEC", Follows::spec, "spec file", "spec"},
    {"RUNDIR", Follows::folder, "run folder", "run folder"},
    {"SWEEPDIR", Follows::folder, "sweep folder", "sweep folder"},
    {"DIR", Follows::folder, "folder", "folder"},
    {"SPEC|DIR", Follows::spec, "spec file or a folder", "spec or folder"},
    {"PHYSICS", Follows::word, "physics", "physics"},
    {"NAME", Follows::word, "name", "name"},
    {"SHELL", Follows::word, "shell", "shell"},
    {"N", Follows::word, "number", "number"},
    {"N,M,...", Follows::word, "number", "numbers"},
    {"LIMIT", Follows::word, "time", "time"},
    {"WHICH", Follows::word, "choice", "choice"},
    {"PATH=A,B,C", Follows::assignment, "path and its values", "values"},
    {"PATH=VALUE", Follows::assignment, "path and its value", "value"},
};

const VerbRow* find_verb(std::string_view name) {
  const auto row = std::ranges::find_if(verbs, [&](const VerbRow& v) { return v.name == name; });
  return row == std::end(verbs) ? nullptr : row;
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

const OptionRow& option_named(const std::string& name, const VerbRow& verb) {
  std::vector<std::string> names = {"--help", "--version"};
  for (const OptionRow& option : options) {
    if (option.applies(verb.name)) names.emplace_back(option.name);
    if (option.name != name) continue;
    if (option.applies(verb.name)) return option;
    throw UsageError("option '" + name + "' does not apply to '" + verb.name + "'");
  }
  throw UsageError("unknown option '" + name + "'" + did_you_mean(name, names) +
                   "\noptions of '" + verb.name + "': " + comma_list(names) +
                   "\nPETSc options come after '--'");
}

/// One pass over the arguments behind the verb.
class Reader {
 public:
  Reader(std::span<const std::string> rest, const VerbRow& verb)
      : rest_(rest), verb_(verb), operand_(placeholder(verb.operand())) {
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
      else read_operand(word);
    }
    if (line_.verb == Verb::run && line_.rerun != "missing" && line_.tasks.empty() && !line_.resume)
      throw UsageError("'--rerun' of 'run' needs --task or --resume: without them a run always starts from the beginning");
    if (!line_.tasks.empty() && (line_.out || !line_.sets.empty()))
      throw UsageError("'--task' takes no --out and no --set: the sweep defines its runs");
    if (!line_.help && !line_.version && !given_ && verb_.operand_required())
      throw UsageError('\'' + std::string(verb_.name) + "' needs a " + operand_.words + ": invar " + verb_.synopsis);
    return line_;
  }

 private:
  void read_operand(const std::string& word) {
    if (word.empty()) throw UsageError("an empty argument");
    if (verb_.operand().empty()) throw UsageError('\'' + std::string(verb_.name) + "' takes no '" + word + '\'');
    const bool is_word = operand_.kind == Follows::word;
    if (given_)
      throw UsageError(std::string("one ") + operand_.brief + " at a time, got '" +
                       (is_word ? line_.word : line_.spec.string()) + "' and '" + word + "'");
    given_ = true;
    if (is_word) line_.word = word;
    else line_.spec = word;
  }

  void read_option(const std::string& word) {
    const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
    const OptionRow& option = option_named(word.substr(0, equals), verb_);
    const std::string name = option.name;
    if (option.argument) return read_argument(option, word, equals);
    if (equals != std::string::npos) throw UsageError("option '" + name + "' takes no value");
    if (name == "--expect") line_.expect = true;
    if (name == "--markdown") line_.markdown = true;
    if (name == "--man") line_.man = true;
    if (name == "--list") line_.list = true;
    if (name == "--json") line_.json = true;
    if (name == "--resume") line_.resume = true;
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
      line_.jobs = count(name, argument, 4096);
    } else if (name == "--ranks") {
      line_.ranks = count(name, argument, 1 << 20);
    } else if (name == "--task") {
      read_tasks(argument);
    } else if (name == "--time") {
      read_time(argument);
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

  static int count(const std::string& name, const std::string& argument, int most) {
    int n = 0;
    const auto [end, code] = std::from_chars(argument.data(), argument.data() + argument.size(), n);
    if (code != std::errc() || end != argument.data() + argument.size() || n < 1 || n > most)
      throw UsageError('\'' + name + ' ' + argument + "' is no number between 1 and " + std::to_string(most));
    return n;
  }

  void read_tasks(const std::string& argument) {
    if (!line_.tasks.empty()) throw UsageError("option '--task' is given twice");
    for (std::size_t begin = 0; begin <= argument.size();) {
      const std::size_t end = std::min(argument.find(',', begin), argument.size());
      line_.tasks.push_back(count("--task", argument.substr(begin, end - begin), 100000));
      if (std::ranges::count(line_.tasks, line_.tasks.back()) > 1) throw UsageError("'--task " + argument + "' names run " + std::to_string(line_.tasks.back()) + " twice");
      begin = end + 1;
    }
  }

  void read_time(const std::string& argument) {
    if (!time_limit(argument)) throw UsageError("'--time " + argument + "' is no time: minutes, minutes:seconds, hours:minutes:seconds or days-hours:minutes:seconds");
    line_.time = argument;
  }

  void set_verbosity(const std::string& name) {
    const int level = name == "-q" ? -1 : name == "-v" ? 1 : 2;
    if (line_.verbosity * level < 0) throw UsageError("-q and -v exclude each other");
    line_.verbosity = level == 1 && line_.verbosity > 0 ? 2 : level;
  }

  std::span<const std::string> rest_;
  const VerbRow& verb_;
  const Placeholder operand_;
  bool given_ = false;  // the operand
  std::size_t at_ = 0;
  CommandLine line_;
};

std::string left_aligned(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size() + 1), ' ');
  return text;
}

}  // namespace

std::string VerbRow::operand() const {
  const std::string all = synopsis;
  std::size_t from = all.find(' ');
  if (from == std::string::npos) return {};
  from += all[from + 1] == '[' ? 2 : 1;
  return all.substr(from, all.find_first_of("] ", from) - from);
}

bool VerbRow::operand_required() const { return !operand().empty() && std::string_view(synopsis).find('[') == std::string_view::npos; }

bool OptionRow::applies(std::string_view verb) const {
  const std::string list = ' ' + std::string(verbs) + ' ';
  return list.find(' ' + std::string(verb) + ' ') != std::string::npos;
}

std::span<const VerbRow> verb_rows() { return verbs; }

std::span<const OptionRow> option_rows() { return options; }

Placeholder placeholder(std::string_view name) {
  for (const Placeholder& p : placeholders)
    if (p.name == name) return p;
  return {"", Follows::word, "word", "word"};
}

CommandLine CommandLine::parse(std::span<const std::string> arguments) {
  CommandLine line;
  if (arguments.empty()) throw UsageError("no verb given; to begin with: invar init --list, invar validate SPEC, invar run SPEC");
  const std::string& first = arguments[0];
  if (first == "--help" || first == "-h" || first == "help") {
    line.help = true;
    return line;
  }
  if (first == "--version") {
    line.version = true;
    for (const std::string& more : arguments.subspan(1)) {
      if (more != "-v") throw UsageError("'--version' takes no '" + more + "', only -v");
      line.verbosity = 1;
    }
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
  out += "  " + left_aligned("--help", 18) + "this page\n  " + left_aligned("--version", 18) + "the version; with -v of libraries, too\n";
  out += "\nexit codes:";
  for (const ExitCode code : all_exit_codes) {
    std::string number = std::to_string(static_cast<int>(code));
    number.insert(0, 4 - number.size(), ' ');
    out += '\n' + number + "  " + describe(code);
  }
  return out + '\n';
}

}  // namespace invar
