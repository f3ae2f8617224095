#include "apps/invar/verbs/checkpoint.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>

#include "apps/invar/report/io_error.hpp"
#include "apps/invar/spec/spec_error.hpp"

namespace invar {
namespace {

using nlohmann::json;

// Arrays are kept byte by byte, as the machine has them.
json packed(const std::vector<double>& x) {
  std::vector<std::uint8_t> bytes(x.size() * sizeof(double));
  if (!x.empty()) std::memcpy(bytes.data(), x.data(), bytes.size());
  return json::binary(std::move(bytes));
}

std::vector<double> unpacked(const json& j) {
  const std::vector<std::uint8_t>& bytes = j.get_binary();
  std::vector<double> x(bytes.size() / sizeof(double));
  if (!x.empty()) std::memcpy(x.data(), bytes.data(), x.size() * sizeof(double));
  return x;
}

json to_json(const OptimizerResult& r) {
  return {{"shared", packed(r.theta.shared)},
          {"local", packed(r.theta.local)},
          {"numbers", packed({r.value, r.relative_gradient, r.violation})},
          {"counts", {r.iterations, r.evaluations, r.rejected}},
          {"flags", {r.feasible, r.converged, r.stopped}},
          {"reason", r.reason},
          {"last_rejection", r.last_rejection}};
}

OptimizerResult result_in(const json& j) {
  OptimizerResult r;
  r.theta = {unpacked(j.at("shared")), unpacked(j.at("local"))};
  const std::vector<double> numbers = unpacked(j.at("numbers"));
  r.value = numbers.at(0), r.relative_gradient = numbers.at(1), r.violation = numbers.at(2);
  r.iterations = j.at("counts").at(0), r.evaluations = j.at("counts").at(1), r.rejected = j.at("counts").at(2);
  r.feasible = j.at("flags").at(0), r.converged = j.at("flags").at(1), r.stopped = j.at("flags").at(2);
  r.reason = j.at("reason"), r.last_rejection = j.at("last_rejection");
  return r;
}

std::string bytes_of(const json& j) {
  std::string out;
  json::to_cbor(j, out);
  return out;
}

std::string bytes_of(const Checkpoint& c) {
  json done = json::array();
  for (const OptimizerResult& r : c.done) done.push_back(to_json(r));
  return bytes_of(json{{"identity", c.identity},
                       {"method", c.method},
                       {"numbers", packed({c.value_at_start, c.seconds})},
                       {"iteration", c.iteration},
                       {"stage", c.stage},
                       {"before", to_json(c.before)},
                       {"done", done},
                       {"optimum", c.optimum ? to_json(*c.optimum) : json()},
                       {"search", c.search},
                       {"history_at_end", c.history_at_end},
                       {"memory_at_end", packed(c.memory_at_end)},
                       {"history", c.history},
                       {"optimizer", packed(c.optimizer)},
                       {"memory", packed(c.memory)}});
}

Checkpoint checkpoint_in(const std::string& bytes) {
  const json j = json::from_cbor(bytes);
  Checkpoint c;
  j.at("identity").get_to(c.identity);
  j.at("method").get_to(c.method);
  const std::vector<double> numbers = unpacked(j.at("numbers"));
  c.value_at_start = numbers.at(0), c.seconds = numbers.at(1);
  j.at("iteration").get_to(c.iteration);
  j.at("stage").get_to(c.stage);
  c.before = result_in(j.at("before"));
  for (const json& r : j.at("done")) c.done.push_back(result_in(r));
  if (!j.at("optimum").is_null()) c.optimum = result_in(j.at("optimum"));
  c.search = j.at("search");
  c.history_at_end = j.at("history_at_end");
  c.memory_at_end = unpacked(j.at("memory_at_end"));
  j.at("history").get_to(c.history);
  c.optimizer = unpacked(j.at("optimizer"));
  c.memory = unpacked(j.at("memory"));
  return c;
}

struct Ranks {
  MPI_Comm comm;
  int here = 0, count = 1;
  explicit Ranks(MPI_Comm c) : comm(c) {
    MPI_Comm_rank(c, &here);
    MPI_Comm_size(c, &count);
  }
};

/// A message of MPI has at most 2^31 − 1 bytes; what a rank keeps may be longer.
template <class Bytes, class Pass>
void in_pieces(Bytes& bytes, Pass&& pass) {
  constexpr std::size_t piece = std::size_t(1) << 30;
  for (std::size_t at = 0; at < bytes.size(); at += piece)
    pass(bytes.data() + at, static_cast<int>(std::min(piece, bytes.size() - at)));
}

void send(const std::string& bytes, int to, MPI_Comm comm) {
  const std::uint64_t size = bytes.size();
  MPI_Send(&size, 1, MPI_UINT64_T, to, 0, comm);
  in_pieces(bytes, [&](const char* data, int count) { MPI_Send(data, count, MPI_BYTE, to, 0, comm); });
}

std::string receive(int from, MPI_Comm comm) {
  std::uint64_t size = 0;
  MPI_Recv(&size, 1, MPI_UINT64_T, from, 0, comm, MPI_STATUS_IGNORE);
  std::string bytes(size, '\0');
  in_pieces(bytes, [&](char* data, int count) { MPI_Recv(data, count, MPI_BYTE, from, 0, comm, MPI_STATUS_IGNORE); });
  return bytes;
}

/// Each rank's part as rank 0 finds them: the first word says what became of it.
std::vector<std::string> parts_in(const std::string& content, int ranks, std::string& complaint) {
  try {
    const json j = json::from_cbor(content);
    std::vector<std::string> parts;
    for (const json& part : j) parts.emplace_back(part.get_binary().begin(), part.get_binary().end());
    if (static_cast<int>(parts.size()) == ranks) return parts;
    const std::string n = std::to_string(parts.size());
    complaint = "the run was on " + n + (parts.size() == 1 ? " process" : " processes") + " and can only go on so; use " +
                (parts.size() == 1 ? std::string("no mpirun, or mpirun -n 1") : "mpirun -n " + n);
  } catch (const json::exception& e) {
    complaint = std::string("the checkpoint cannot be understood: ") + e.what();
  }
  return {};
}

}  // namespace

void write_checkpoint(CheckpointFolder& folder, const Checkpoint& checkpoint, MPI_Comm comm) {
  const Ranks ranks(comm);
  const std::string mine = bytes_of(checkpoint);
  if (ranks.here > 0) return send(mine, 0, comm);
  json parts = json::array();
  for (int r = 0; r < ranks.count; ++r) {
    const std::string part = r == 0 ? mine : receive(r, comm);
    parts.push_back(json::binary({part.begin(), part.end()}));
  }
  folder.write(bytes_of(parts));
}

std::optional<Checkpoint> read_checkpoint(const CheckpointFolder& folder, MPI_Comm comm, std::vector<std::string>& damaged) {
  const Ranks ranks(comm);
  std::string mine, complaint;
  if (ranks.here == 0) {
    std::vector<std::string> parts(static_cast<std::size_t>(ranks.count));
    if (const std::optional<std::string> content = folder.newest(damaged)) {
      parts = parts_in(*content, ranks.count, complaint);
      if (!complaint.empty()) parts.assign(static_cast<std::size_t>(ranks.count), "!" + complaint);
    }
    for (int r = 1; r < ranks.count; ++r) send(parts[static_cast<std::size_t>(r)], r, comm);
    mine = parts[0];
  } else {
    mine = receive(0, comm);
  }
  if (mine.empty()) return {};
  if (mine[0] == '!') throw SpecError(folder.path().string() + ": error: " + mine.substr(1) + "\n", {});
  try {
    return checkpoint_in(mine);
  } catch (const json::exception& e) {
    throw IoError(folder.path().string() + ": the checkpoint cannot be understood: " + e.what());
  }
}

}  // namespace invar
