#include "libadjoint/sampling/lockstep.hpp"

#include <cxxabi.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstring>
#include <exception>
#include <new>
#include <utility>

namespace invar {

struct Lockstep::Task {
  /// Memory of a stack, which the system provides where it is used; the page below it cannot be written.
  class Stack {
   public:
    Stack() {
      constexpr std::size_t megabyte = 1 << 20;
      const std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
      bytes_ = 8 * megabyte;
      memory_ = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
      if (memory_ == MAP_FAILED) throw std::bad_alloc();
      ::mprotect(memory_, page, PROT_NONE);
    }
    ~Stack() { ::munmap(memory_, bytes_); }
    Stack(const Stack&) = delete;
    Stack& operator=(const Stack&) = delete;
    void* begin() const { return memory_; }
    std::size_t size() const { return bytes_; }

   private:
    void* memory_ = nullptr;
    std::size_t bytes_ = 0;
  };

  /// What the C++ runtime knows of the exceptions that are being handled; it belongs to a stack, and the runtime keeps it per thread (Itanium
  /// C++ ABI, exception handling, 2.2.2).
  struct HandledExceptions {
    void* caught = nullptr;
    unsigned int uncaught = 0;

    static HandledExceptions exchange(const HandledExceptions& other) {
      HandledExceptions before;
      void* const of_thread = abi::__cxa_get_globals();
      std::memcpy(&before, of_thread, sizeof before);
      std::memcpy(of_thread, &other, sizeof other);
      return before;
    }
  };

  std::function<void()> work;
  Stack stack;
  ucontext_t here{}, caller{};
  HandledExceptions exceptions{};
  std::exception_ptr failure;
  bool ended = false;
};

namespace {

Lockstep* entered = nullptr;  // whose task is begun: `makecontext` passes no pointers

}  // namespace

Lockstep::Lockstep(std::function<void()> serve) : serve_(std::move(serve)) {}
Lockstep::~Lockstep() = default;

/// First function on a task's stack.
void Lockstep::enter() {
  Task& task = *entered->running_;
  try {
    task.work();
  } catch (...) {
    task.failure = std::current_exception();
  }
  task.ended = true;
  ::swapcontext(&task.here, &task.caller);
}

void Lockstep::resume(Task& task) {
  running_ = &task;
  entered = this;
  const Task::HandledExceptions own = Task::HandledExceptions::exchange(task.exceptions);
  ::swapcontext(&task.caller, &task.here);
  task.exceptions = Task::HandledExceptions::exchange(own);
  running_ = nullptr;
}

void Lockstep::wait() { ::swapcontext(&running_->here, &running_->caller); }

void Lockstep::run(std::vector<std::function<void()>> tasks) {
  tasks_.clear();
  for (std::function<void()>& work : tasks) {
    tasks_.push_back(std::make_unique<Task>());
    Task& task = *tasks_.back();
    task.work = std::move(work);
    ::getcontext(&task.here);
    task.here.uc_stack.ss_sp = task.stack.begin();
    task.here.uc_stack.ss_size = task.stack.size();
    task.here.uc_link = nullptr;
    ::makecontext(&task.here, &Lockstep::enter, 0);
  }
  for (bool some = !tasks_.empty(); some;) {
    some = false;
    for (const auto& task : tasks_) {
      if (!task->ended) resume(*task);
      some |= !task->ended;
    }
    if (some) serve_();
  }
  std::exception_ptr first;
  for (const auto& task : tasks_)
    if (task->failure && !first) first = task->failure;
  tasks_.clear();
  if (first) std::rethrow_exception(first);
}

}  // namespace invar
