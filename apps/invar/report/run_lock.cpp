#include "apps/invar/report/run_lock.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "apps/invar/report/busy_error.hpp"
#include "apps/invar/report/file_descriptor.hpp"
#include "apps/invar/report/io_error.hpp"
#include "libfem/io/folder_entries.hpp"

namespace invar {
namespace {

namespace fs = std::filesystem;

constexpr double beats_until_stale = 3;
constexpr const char* lock_prefix = "lock.";
constexpr const char* lock_suffix = ".json";
constexpr const char* draft_prefix = ".lock.";

/// N of lock.N.json; 0 of another file.
long lock_number(const std::string& name) {
  if (!name.starts_with(lock_prefix) || !name.ends_with(lock_suffix)) return 0;
  const std::string digits = name.substr(5, name.size() - 10);
  if (digits.empty() || digits.size() > 9 || digits.find_first_not_of("0123456789") != std::string::npos) return 0;
  return std::stol(digits);
}

fs::path lock_file(const fs::path& folder, long number) { return folder / (lock_prefix + std::to_string(number) + lock_suffix); }

double seconds_of(const timespec& t) { return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec); }

std::vector<fs::path> parts_of(const fs::path& folder) {
  std::vector<fs::path> out;
  std::error_code code;
  for (const fs::path& file : entries_of(folder, code))
    if (RunLock::is_part(file)) out.push_back(file);
  return out;
}

long newest_in(const fs::path& folder) {
  long newest = 0;
  for (const fs::path& file : parts_of(folder)) newest = std::max(newest, lock_number(file.filename().string()));
  return newest;
}

/// Removes drafts of killed processes.
void remove_old_drafts(const fs::path& folder, double now) {
  constexpr double old = 60;  // seconds
  struct stat facts = {};
  for (const fs::path& file : parts_of(folder))
    if (lock_number(file.filename().string()) == 0 && ::stat(file.c_str(), &facts) == 0 && now - seconds_of(facts.st_mtim) > old)
      ::unlink(file.c_str());
}

/// Opens the file, so that NFS asks its server for the newest time; nothing when it has gone.
std::optional<RunLock::State> state_of_lock(const fs::path& file, double now) {
  constexpr std::size_t most = 1 << 16;  // bytes; more are of no lock
  const int handle = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (handle < 0) return {};
  struct stat facts = {};
  const bool known = ::fstat(handle, &facts) == 0 && facts.st_nlink > 0;
  std::string text;
  char buffer[4096];
  for (ssize_t n; S_ISREG(facts.st_mode) && text.size() < most && (n = ::read(handle, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(n));
  ::close(handle);
  if (!known) return {};
  RunLock::State out;
  out.holder = LockHolder::read(nlohmann::json::parse(text, nullptr, false));
  out.age = std::max(0.0, now - seconds_of(facts.st_mtim));
  const double beat = out.holder.beat > 0 ? out.holder.beat : RunLock::usual_beat;
  const LockHolder::Life life = out.holder.life();
  const bool stale = life == LockHolder::Life::dead || (life == LockHolder::Life::unknown && out.age >= beats_until_stale * beat);
  out.kind = stale ? RunLock::State::Kind::stale : RunLock::State::Kind::live;
  return out;
}

/// The lock before it has its name: written whole, and by its time the clock of the file system.
class Draft {
 public:
  Draft(const fs::path& folder, const std::string& text, const std::string& host)
      : file_(folder / (draft_prefix + host + '.' + std::to_string(::getpid()))) {
    FileDescriptor out(file_, O_WRONLY | O_CREAT | O_TRUNC);
    out.write(text);
    out.close();
    renew();
  }
  ~Draft() { ::unlink(file_.c_str()); }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  /// The time of the file system now.
  double renew() const {
    struct stat facts = {};
    if (::utimensat(AT_FDCWD, file_.c_str(), nullptr, 0) != 0 || ::stat(file_.c_str(), &facts) != 0)
      throw IoError("cannot read '" + file_.string() + "': " + std::strerror(errno));
    return seconds_of(facts.st_mtim);
  }
  /// False when another process has made a file of this name.
  bool becomes(const fs::path& file, const std::string& text) const {
    if (::link(file_.c_str(), file.c_str()) == 0) return true;
    const int why = errno;
    struct stat facts = {};
    // the link was created, but the server's answer was lost
    if (::stat(file_.c_str(), &facts) == 0 && facts.st_nlink == 2) return true;
    if (why == EEXIST) return false;
    if (why != EPERM && why != ENOSYS && why != EOPNOTSUPP && why != EMLINK)
      throw IoError("cannot make '" + file.string() + "': " + std::strerror(why));
    const int handle = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);  // no links there
    if (handle < 0 && errno == EEXIST) return false;
    if (handle < 0) throw IoError("cannot make '" + file.string() + "': " + std::strerror(errno));
    const bool written = ::write(handle, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    ::close(handle);
    if (written) return true;
    ::unlink(file.c_str());
    throw IoError("cannot write '" + file.string() + "'");
  }

 private:
  fs::path file_;
};

}  // namespace

RunLock::RunLock(const fs::path& folder, std::function<void()> on_loss, double beat)
    : folder_(folder), on_loss_(std::move(on_loss)), owner_(::getpid()) {
  constexpr int tries = 100;
  const LockHolder me = LockHolder::this_process(beat);
  const std::string text = me.json().dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
  {
    const Draft draft(folder, text, me.host);
    for (int i = 0; number_ == 0; ++i) {
      const long newest = newest_in(folder);
      const std::optional<State> there = newest > 0 ? state_of_lock(lock_file(folder, newest), draft.renew()) : std::nullopt;
      if (there && there->kind == State::Kind::live) refuse(folder, *there);
      if ((newest == 0 || there) && draft.becomes(lock_file(folder, newest + 1), text)) number_ = newest + 1;
      else if (i == tries) throw BusyError("'" + folder.string() + "' is being locked by other processes; nothing was changed");
      else std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    remove_old_drafts(folder, draft.renew());
  }
  file_ = lock_file(folder, number_);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // signals are the program's
  beats_ = std::thread([this, beat] { keep_beating(beat); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

RunLock::~RunLock() {
  if (owner_ != ::getpid()) {
    beats_.detach();  // there is no such thread in a child
    return;
  }
  {
    const std::lock_guard guard(mutex_);
    ends_ = true;
  }
  ended_.notify_all();
  beats_.join();
  if (superseded()) return;
  // stale ones first, so that at every moment the newest is there or none
  for (const fs::path& file : parts_of(folder_))
    if (file != file_ && lock_number(file.filename().string()) > 0) ::unlink(file.c_str());
  ::unlink(file_.c_str());
}

bool RunLock::superseded() const {
  struct stat facts = {};
  const bool gone = ::stat(file_.c_str(), &facts) != 0 && errno == ENOENT;
  return gone || ::stat(lock_file(folder_, number_ + 1).c_str(), &facts) == 0;
}

void RunLock::require() const {
  if (!superseded()) return;
  const State now = look(folder_);
  throw BusyError("'" + folder_.string() + "' was taken over by " + (now.kind == State::Kind::none ? "somebody who removed its lock" : now.holder.text()) +
                  ", because this process did not renew its lock in time; it ends without further output");
}

void RunLock::keep_beating(double beat) {
  std::unique_lock guard(mutex_);
  while (!ended_.wait_for(guard, std::chrono::duration<double>(beat), [this] { return ends_; })) {
    if (superseded()) {
      if (on_loss_) on_loss_();
      return;
    }
    ::utimensat(AT_FDCWD, file_.c_str(), nullptr, 0);  // one that fails is tried again at the next beat
  }
}

RunLock::State RunLock::look(const fs::path& folder) {
  timespec now = {};
  clock_gettime(CLOCK_REALTIME, &now);
  for (int i = 0; i < 10; ++i) {
    const long newest = newest_in(folder);
    if (newest == 0) return {};
    if (std::optional<State> found = state_of_lock(lock_file(folder, newest), seconds_of(now))) {
      found->number = newest;
      return *found;
    }
  }
  return {};
}

void RunLock::refuse(const fs::path& folder, const State& there) {
  throw BusyError("'" + folder.string() + "' is in use by " + there.holder.text() + ", whose last heartbeat was " +
                  std::to_string(std::lround(there.age)) + " s ago; nothing was changed");
}

bool RunLock::is_part(const fs::path& file) {
  const std::string name = file.filename().string();
  return lock_number(name) > 0 || name.starts_with(draft_prefix);
}

}  // namespace invar
