#include "apps/invar/batch/child_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "apps/invar/report/io_error.hpp"

namespace invar {

pid_t start_child(const std::vector<std::string>& arguments, const std::filesystem::path& complaints) {
  std::error_code code;
  const std::string program = std::filesystem::read_symlink("/proc/self/exe", code).string();
  if (code) throw IoError("cannot find this program: " + code.message());
  std::vector<std::string> words = {program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  argv.push_back(nullptr);
  const std::string file = complaints.string();
  const pid_t starter = ::getpid(), child = ::fork();
  if (child < 0) throw IoError(std::string("cannot start a process: ") + std::strerror(errno));
  if (child > 0) return child;
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != starter) ::_exit(75);  // the parent died meanwhile
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int s : {SIGINT, SIGTERM, SIGUSR1}) ::signal(s, SIG_DFL);
  const int null = ::open("/dev/null", O_RDWR), err = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (null < 0 || err < 0) ::_exit(74);
  ::dup2(null, 0);
  ::dup2(null, 1);
  ::dup2(err, 2);
  ::close(null);
  ::close(err);
  ::setenv("OPENBLAS_NUM_THREADS", "1", 1);
  ::setenv("OMP_NUM_THREADS", "1", 1);
  ::execv(argv[0], argv.data());
  ::_exit(74);
}

}  // namespace invar
