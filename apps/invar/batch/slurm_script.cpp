#include "apps/invar/batch/slurm_script.hpp"

#include <string_view>

namespace invar {
namespace {

/// Text quoted as one word of a shell.
std::string shell_word(const std::string& text) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
  if (!text.empty() && text.find_first_not_of(plain) == std::string::npos) return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + '\'';
}

/// Words of a command, each after a blank.
std::string words_of(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += ' ' + shell_word(word);
  return out;
}

/// A value after #SBATCH, where sbatch splits at blanks.
std::string sbatch_value(const std::string& text) {
  if (text.find_first_of(" \t\"'\\#") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return out + '"';
}

}  // namespace

std::string ranges_text(const std::vector<int>& ascending) {
  std::string out;
  for (std::size_t i = 0; i < ascending.size();) {
    std::size_t last = i;
    while (last + 1 < ascending.size() && ascending[last + 1] == ascending[last] + 1) ++last;
    out += (out.empty() ? "" : ",") + std::to_string(ascending[i]);
    if (last > i) out += '-' + std::to_string(ascending[last]);
    i = last + 1;
  }
  return out;
}

std::string SlurmScript::text() const {
  std::string out = "#!/bin/bash\n# " + about + "\n# Options on the command line of sbatch, e.g. --partition, --account or --mem, take precedence over those below: sbatch --partition=P SCRIPT\n";
  const auto sbatch = [&](const std::string& option, const std::string& value) { out += "#SBATCH --" + option + '=' + sbatch_value(value) + '\n'; };
  sbatch("job-name", name);
  if (!tasks.empty()) sbatch("array", ranges_text(tasks) + (most_at_once > 0 ? '%' + std::to_string(most_at_once) : ""));
  sbatch("ntasks", std::to_string(ranks));
  sbatch("cpus-per-task", "1");
  if (!time.empty()) sbatch("time", time);
  out += "#SBATCH --signal=USR1@120\n#SBATCH --requeue\n#SBATCH --open-mode=append\n";
  sbatch("output", output);
  sbatch("chdir", folder);
  out += R"(
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1

# USR1, and TERM on preemption, are sent to the run only. If TERM is also sent to this script, the job was cancelled.
cancelled=
trap 'cancelled=yes' TERM

code=0
)";
  if (!arguments.empty()) {
    out += "case \"$SLURM_ARRAY_TASK_ID\" in\n";
    for (std::size_t i = 0; i < tasks.size(); ++i) out += "  " + std::to_string(tasks[i]) + ") arguments=(" + words_of(arguments[i]).substr(1) + ") ;;\n";
    out += "  *) echo \"there is no task $SLURM_ARRAY_TASK_ID\" >&2; exit 2 ;;\nesac\n";
  }
  out += ranks > 1 ? "srun --mpi=\"${INVAR_SRUN_MPI:-pmix}\" --kill-on-bad-exit=0" : "srun --kill-on-bad-exit=0";
  out += words_of(command);
  if (!arguments.empty()) out += " \"${arguments[@]}\"";
  else if (!tasks.empty()) out += " --task \"$SLURM_ARRAY_TASK_ID\"";
  if (!petsc_options.empty()) out += " --" + words_of(petsc_options);
  return out + R"( || code=$?

# 75: the run has written a checkpoint and must be continued. Without RequeueExit=75 in Slurm's configuration, requeue here.
if [ "$code" -eq 75 ] && [ -z "$cancelled" ]; then
  if ! scontrol show config | grep -Eq '^RequeueExit +=.*[ ,]75(,|$)'; then
    scontrol requeue "$SLURM_JOB_ID" || echo "Slurm does not requeue job $SLURM_JOB_ID: submit this script again" >&2
  fi
fi
exit "$code"
)";
}

}  // namespace invar
