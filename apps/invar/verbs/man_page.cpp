#include "apps/invar/verbs/man_page.hpp"

#include "apps/invar/spec/command_table.hpp"
#include "apps/invar/spec/exit_codes.hpp"
#include "apps/invar/verbs/starters.hpp"

namespace invar {
namespace {

/// Text for roff: no letter of it is a command.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') out += "\\e";
    else if (c == '-') out += "\\-";
    else if (c == '\'') out += "\\(aq";
    else if (c == '.' && out.empty()) out += "\\&.";
    else out += c;
  }
  return out;
}

std::string entry(std::string_view bold, std::string_view rest, std::string_view doc) {
  return ".TP\n\\fB" + roff(bold) + "\\fR" + (rest.empty() ? "" : " \\fI" + roff(rest) + "\\fR") + '\n' + roff(doc) + '\n';
}

}  // namespace

std::string man_page() {
  std::string page = ".TH INVAR 1 \"\" \"invar " INVAR_VERSION "\" \"User Commands\"\n"
                     ".SH NAME\ninvar \\- inverse design of soft bodies and flows with exact discrete adjoints\n"
                     ".SH SYNOPSIS\n.B invar\n\\fIVERB\\fR [\\fISPEC\\fR] [\\fIoptions\\fR] [\\-\\- \\fIPETSC_OPTIONS\\fR...]\n"
                     ".SH DESCRIPTION\nA spec in YAML defines a finite-element simulation, design variables and an objective.\n"
                     ".B invar\nsolves it, checks the gradient in every run, and writes fields, fitted curves, error bars and a certificate\n"
                     "into a run folder.\nStart it on several processes by\n.BR mpirun (1).\n.SH VERBS\n";
  for (const VerbRow& v : verb_rows()) {
    const std::string synopsis = v.synopsis;
    const std::size_t blank = synopsis.find(' ');
    page += entry(v.name, blank == std::string::npos ? "" : synopsis.substr(blank + 1), v.doc);
  }
  page += ".SH OPTIONS\n";
  for (const OptionRow& o : option_rows())
    if (o.doc) page += entry(o.name, o.argument ? o.argument : "", std::string(o.doc) + " (" + o.verbs + ")");
  page += entry("--help", "", "the verbs, options and exit codes") + entry("--version", "", "the version; with -v of libraries, too") +
          entry("--", "PETSC_OPTIONS", "options of PETSc, passed unchanged");
  page += ".SH STARTER SPECS\nEach is written by\n.B invar init\n.IR NAME .\n";
  for (const std::string& name : starter_names()) page += entry(name, "", starter_summary(name));
  page += ".SH EXIT STATUS\n";
  for (const ExitCode code : all_exit_codes) page += entry(std::to_string(static_cast<int>(code)), "", describe(code));
  page += ".SH EXAMPLES\n.nf\ninvar init tensile\ninvar show tensile/tensile.yaml\ninvar run tensile/tensile.yaml\n.fi\n"
          ".SH SEE ALSO\n\\fBinvar schema \\-\\-markdown\\fR writes the reference of every section, key, unit and default of a spec.\n";
  return page;
}

}  // namespace invar
