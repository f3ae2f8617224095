#pragma once
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/unit/app/program_server.hpp"

namespace invar::test {

namespace fs = std::filesystem;

inline std::string content(const fs::path& file) {
  std::stringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

inline nlohmann::json json_of(const fs::path& file) { return nlohmann::json::parse(content(file)); }

/// What a program said and how it ended: its exit code, or minus the signal that killed it.
struct Ended {
  int code = -1;
  std::string out, err;
  std::string said() const { return out + err; }
};

/// A folder of its own for every test, removed at the end; the program runs in it.
class Workplace {
 public:
  Workplace() {
    std::string name = (room() / "invar_app_XXXXXX").string();
    if (!::mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    path = name;
    fs::create_directory(path / "in");
  }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  ~Workplace() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }

  fs::path folder() const { return path / "in"; }
  fs::path run_folder() const { return folder() / "results/spec"; }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder() / name, std::ios::binary) << text;
  }

  /// Runs `invar arguments…`, on `ranks` processes when more than one.
  Ended invar(const std::vector<std::string>& arguments, int ranks = 1) const { return end_of(start(arguments, ranks)); }

  /// The same without waiting; gives the process, which must be waited for. The file of the program itself is started where
  /// there are several ranks, and where the program asks for its own file (`sweep` and `slurm` start it again).
  pid_t start(std::vector<std::string> arguments, int ranks = 1) const {
    const bool by_file = ranks > 1 || (!arguments.empty() && (arguments[0] == "sweep" || arguments[0] == "slurm"));
    arguments.insert(arguments.begin(), INVAR_PROGRAM);
    if (ranks > 1) {
      const std::vector<std::string> mpi = {"mpirun", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1", "-n",
                                            std::to_string(ranks)};
      arguments.insert(arguments.begin(), mpi.begin(), mpi.end());
    }
    if (by_file) return spawn(arguments);
    return ProgramServer::instance().start(arguments, environment(), folder().string(), (path / "out").string(), (path / "err").string());
  }
  Ended end_of(pid_t child) const {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), content(path / "out"), content(path / "err")};
  }

 private:
  /// In memory where that has room for many runs: a run waits for the disk with every file that it replaces.
  static fs::path room() {
    std::error_code none;
    const fs::path memory = "/dev/shm";
    const bool fits = ::access(memory.c_str(), W_OK) == 0 && fs::space(memory, none).available > (1u << 29) && !none;
    return fits ? memory : fs::temp_directory_path();
  }

  pid_t spawn(std::vector<std::string>& arguments) const {
    const std::string out = (path / "out").string(), err = (path / "err").string();
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, folder().c_str());
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    std::vector<std::string> variables = environment();
    std::vector<char*> argv = pointers(arguments), env = pointers(variables);
    pid_t child = 0;
    const int failed = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), env.data());
    posix_spawn_file_actions_destroy(&actions);
    if (failed) throw std::runtime_error(std::string(argv[0]) + ": " + std::strerror(failed));
    return child;
  }

  /// Without what MPI left behind for the tests' own process: the program is a job of its own, and looks for no
  /// network; mpirun does not grant a second to ranks that have ended, which it does where their exit code is not 0.
  static std::vector<std::string> environment() {
    std::vector<std::string> kept = {"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
                                     "OMPI_MCA_pml=ob1", "OMPI_MCA_hwloc_base_binding_policy=none",
                                     "OMPI_MCA_odls_base_sigkill_timeout=0", "OPENBLAS_NUM_THREADS=1"};
    for (char** v = environ; *v; ++v) {
      const std::string variable = *v;
      bool of_mpi = variable.starts_with("OPENBLAS_NUM_THREADS=");
      for (const char* prefix : {"OMPI_", "PMIX_", "PMI_", "ORTE_", "OPAL_", "HWLOC_"})
        of_mpi |= variable.starts_with(prefix);
      if (!of_mpi) kept.push_back(variable);
    }
    return kept;
  }
  static std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> out;
    for (std::string& t : texts) out.push_back(t.data());
    out.push_back(nullptr);
    return out;
  }

  fs::path path;
};

}  // namespace invar::test
