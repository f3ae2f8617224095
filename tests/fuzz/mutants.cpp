// Feeds a reader with every seed of a folder and with mutants of them, the same ones every time, in any build:
//   fuzz_mutants READER FOLDER COUNT [FIRST]
// ends with 1 where the reader does anything but accept or refuse; what it was given is then in READER.defect.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "tests/fuzz/mutator.hpp"
#include "tests/fuzz/readers.hpp"

namespace {

using namespace invar::fuzz;

constexpr unsigned patience = 20;                // seconds for one input
constexpr rlim_t most_memory = rlim_t(6) << 30;  // bytes, with the libraries

std::string_view given;  // what the reader has at present
char defect_file[64];

/// All that a signal's handler may do.
void keep_input() {
  const int file = ::open(defect_file, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0 || ::write(file, given.data(), given.size()) < 0) return;
  ::close(file);
}

extern "C" void on_signal(int signal) {
  keep_input();
  const char* text = signal == SIGALRM ? "the reader takes too long\n" : "the reader crashed\n";
  if (::write(STDERR_FILENO, text, std::strlen(text)) < 0) ::_exit(2);
  ::_exit(1);
}

std::vector<std::string> seeds_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<std::string> seeds;
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return seeds;
}

bool read(const Reader& reader, const std::string& input) {
  given = input;
  ::alarm(patience);
  try {
    return reader.read(input);
  } catch (const std::exception& e) {
    keep_input();
    std::fprintf(stderr, "%s: %s\n", reader.name, e.what());
    std::exit(1);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto reader = std::find_if(readers.begin(), readers.end(), [&](const Reader& r) { return argc > 1 && r.name == std::string_view(argv[1]); });
  if (argc < 4 || reader == readers.end()) {
    std::fprintf(stderr, "usage: fuzz_mutants READER FOLDER COUNT [FIRST]\n");
    return 2;
  }
  std::snprintf(defect_file, sizeof defect_file, "%s.defect", reader->name);
#ifndef INVAR_SANITIZED
  const rlimit limit{most_memory, most_memory};
  ::setrlimit(RLIMIT_AS, &limit);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) ::signal(signal, on_signal);
#endif
  ::signal(SIGALRM, on_signal);
  const std::vector<std::string> seeds = seeds_in(argv[2]);
  const long count = std::strtol(argv[3], nullptr, 10), first = argc > 4 ? std::strtol(argv[4], nullptr, 10) : 0;
  std::vector<std::string> good;  // from which every second mutant is made: what is wrong already is refused early
  for (const std::string& seed : seeds)
    if (read(*reader, seed)) good.push_back(seed);
  const long accepted = static_cast<long>(good.size());
  long accepted_mutants = 0;
  for (long k = first; k < first + count; ++k)
    accepted_mutants += read(*reader, Mutator(static_cast<std::uint32_t>(k)).mutant(k % 2 && accepted > 0 ? good : seeds));
  std::printf("%s: %ld of %zu seeds and %ld of %ld mutants accepted, the others refused\n", reader->name, accepted, seeds.size(),
              accepted_mutants, count);
  const bool both = accepted > 0 && (count == 0 || (accepted_mutants > 0 && accepted_mutants < count));
  if (!both) std::fprintf(stderr, "%s: a reader that never accepts, or never refuses, is not tested\n", reader->name);
  return both ? 0 : 1;
}
