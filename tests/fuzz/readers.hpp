#pragma once
#include <array>
#include <string_view>

namespace invar::fuzz {

// What the program does with input from outside, from its bytes on. True: accepted; false: refused with a message of the
// reader's own. Anything else that happens is a defect of the reader, and so is a message that names no place.

/// A spec, read, overridden and validated. Lines "#set a.b=c" are `--set` arguments. What is accepted is written resolved
/// and read again.
bool read_spec(std::string_view bytes);
/// A formula as specs have them, evaluated at a few points.
bool read_formula(std::string_view bytes);
/// A mesh of Gmsh, uncompressed.
bool read_mesh(std::string_view bytes);
/// The surface of an obstacle, as each of the formats that it may have.
bool read_surface(std::string_view bytes);
/// Coordinates of an airfoil.
bool read_airfoil(std::string_view bytes);
/// Measured data.
bool read_csv(std::string_view bytes);
/// A file of checkpoints/, with or without its checksum.
bool read_checkpoint(std::string_view bytes);

struct Reader {
  const char* name;  // of the fuzzer's target and of its folder in corpus/
  bool (*read)(std::string_view bytes);
};
inline constexpr std::array<Reader, 7> readers = {{{"spec", read_spec},
                                                   {"formula", read_formula},
                                                   {"mesh", read_mesh},
                                                   {"surface", read_surface},
                                                   {"airfoil", read_airfoil},
                                                   {"csv", read_csv},
                                                   {"checkpoint", read_checkpoint}}};

}  // namespace invar::fuzz
