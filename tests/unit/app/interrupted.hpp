#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <map>
#include <thread>

#include "tests/unit/app/program.hpp"

namespace invar::test {

/// Rows of history.csv in a run folder, without the header; 0 while there is none.
inline int rows_in(const fs::path& run) {
  const std::string text = content(run / "history.csv");
  return std::max(0, static_cast<int>(std::count(text.begin(), text.end(), '\n')) - 1);
}

/// history.csv without the column of wall times.
inline std::string history_without_times(const fs::path& run) {
  std::istringstream in(content(run / "history.csv"));
  std::string out;
  for (std::string line; std::getline(in, line);) {
    std::size_t at = 0;
    for (int column = 0; column < 7; ++column) at = line.find(',', at) + 1;
    out += line.substr(0, at) + line.substr(std::min(line.find(',', at), line.size())) + '\n';
  }
  return out;
}

/// Everything of a run that knows no clock: files by name.
inline std::map<std::string, std::string> findings(const fs::path& run) {
  std::map<std::string, std::string> files = {{"history.csv", history_without_times(run)},
                                              {"results.json", content(run / "results.json")}};
  for (const char* file : {"design.json", "certificate.json"}) files[file] = content(run / file);
  for (const char* folder : {"fields", "states", "curves", "steps", "walls"})
    if (fs::exists(run / folder))
      for (const auto& entry : fs::recursive_directory_iterator(run / folder))
        if (entry.is_regular_file()) files[entry.path().lexically_relative(run).string()] = content(entry.path());
  return files;
}

/// The same to the last digit; the first difference is shown by its file.
inline void expect_same(const fs::path& a, const fs::path& b) {
  const auto in_a = findings(a), in_b = findings(b);
  std::string names_a, names_b;
  for (const auto& [name, text] : in_a) names_a += name + ' ';
  for (const auto& [name, text] : in_b) names_b += name + ' ';
  EXPECT_EQ(names_a, names_b);
  EXPECT_EQ(in_a.at("history.csv"), in_b.at("history.csv"));
  EXPECT_EQ(in_a.at("results.json"), in_b.at("results.json"));
  for (const auto& [name, text] : in_a) {
    const auto other = in_b.find(name);
    EXPECT_TRUE(other != in_b.end() && other->second == text) << name << " differs";
  }
}

/// Starts `invar run spec.yaml --out NAME…` and sends the signal as soon as history.csv has so many rows.
/// How it ended: a run that was faster than the signal has ended by itself.
inline Ended signalled(const Workplace& here, const std::string& name, int rows, int signal, int ranks = 1,
                       std::vector<std::string> more = {}) {
  more.insert(more.begin(), {"run", "spec.yaml", "--out", name});
  const pid_t child = here.start(more, ranks);
  const auto begin = std::chrono::steady_clock::now();
  const auto lives = [&] {
    siginfo_t info = {};
    return ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0;
  };
  while (rows_in(here.folder() / name) < rows && lives() && std::chrono::steady_clock::now() - begin < std::chrono::seconds(120))
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  ::kill(child, signal);
  return here.end_of(child);
}

}  // namespace invar::test
