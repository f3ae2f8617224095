#pragma once
#include <functional>
#include <memory>
#include <vector>

namespace invar {

/// Several tasks of one thread that go on in turn: each runs on a stack of its own until it waits or ends, and when every task that has not
/// ended waits, their requests are served together. The order is always the same, so that ranks that run the same tasks meet in their
/// collective calls.
class Lockstep {
 public:
  /// serve: called whenever all tasks that have not ended wait; it must not throw.
  explicit Lockstep(std::function<void()> serve);
  ~Lockstep();
  Lockstep(const Lockstep&) = delete;
  Lockstep& operator=(const Lockstep&) = delete;

  /// Runs the tasks to their ends. The first exception that left a task is rethrown after all have ended. Throws std::bad_alloc without
  /// memory for stacks.
  void run(std::vector<std::function<void()>> tasks);
  /// Called by a task: returns after the next `serve`.
  void wait();
  /// Whether a task of this object is running.
  bool inside() const { return running_ != nullptr; }

 private:
  struct Task;
  static void enter();
  void resume(Task& task);

  std::function<void()> serve_;
  std::vector<std::unique_ptr<Task>> tasks_;
  Task* running_ = nullptr;
};

}  // namespace invar
