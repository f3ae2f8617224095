#include "apps/invar/picture/render.hpp"

#include <chrono>
#include <cstdlib>
#include <exception>

#include "apps/invar/picture/process.hpp"
#include "apps/invar/report/atomic_file.hpp"

namespace invar {

std::string render(const std::filesystem::path& png, const std::function<std::string()>& draw) try {
  const ChildReply reply = run_in_child(
      [&] {
        ::setenv("VTK_SMP_BACKEND_IN_USE", "Sequential", 1);  // pools of threads do not survive a fork
        return draw();
      },
      std::chrono::seconds(60));
  if (!reply.failure.empty()) return reply.failure;
  write_atomically(png, reply.data);
  return {};
} catch (const std::exception& e) {
  return e.what();
}

}  // namespace invar
