#include "apps/invar/verbs/checkpoint.hpp"

#include <algorithm>
#include <cstdint>

#include "apps/invar/report/io_error.hpp"
#include "apps/invar/spec/spec_error.hpp"
#include "apps/invar/verbs/checkpoint_bytes.hpp"

namespace invar {
namespace {

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

}  // namespace

void write_checkpoint(CheckpointFolder& folder, const Checkpoint& checkpoint, MPI_Comm comm) {
  const Ranks ranks(comm);
  const std::string mine = checkpoint_bytes(checkpoint);
  if (ranks.here > 0) return send(mine, 0, comm);
  std::vector<std::string> parts = {mine};
  for (int r = 1; r < ranks.count; ++r) parts.push_back(receive(r, comm));
  folder.write(joined_parts(parts));
}

std::optional<Checkpoint> read_checkpoint(const CheckpointFolder& folder, MPI_Comm comm, std::vector<std::string>& damaged) {
  const Ranks ranks(comm);
  std::string mine, complaint;
  if (ranks.here == 0) {
    std::vector<std::string> parts(static_cast<std::size_t>(ranks.count));
    if (const std::optional<std::string> content = folder.newest(damaged)) {
      parts = checkpoint_parts(*content, ranks.count, complaint);
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
  } catch (const std::runtime_error& e) {
    throw IoError(folder.path().string() + ": the checkpoint cannot be read: " + e.what());
  }
}

}  // namespace invar
