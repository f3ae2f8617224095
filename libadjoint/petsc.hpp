#pragma once
#include <petscksp.h>

#include <source_location>
#include <stdexcept>
#include <string>
#include <utility>

namespace invar {

/// An unexpected failure of a PETSc call.
class PetscError : public std::runtime_error {
 public:
  explicit PetscError(const std::string& what) : std::runtime_error(what) {}
};

/// Throws PetscError if a PETSc call returned an error code. Use as `check(VecSet(x, 0))`.
inline void check(PetscErrorCode code,
                  std::source_location at = std::source_location::current()) {
  if (code == 0) return;
  const char* text = nullptr;
  PetscErrorMessage(code, &text, nullptr);
  throw PetscError(std::string(at.file_name()) + ":" + std::to_string(at.line()) + ": PETSc error " +
                   std::to_string(code) + (text ? std::string(": ") + text : std::string()));
}

/// Owns one PETSc object; converts implicitly to the raw handle.
template <class T, PetscErrorCode (*Destroy)(T*)>
class PetscHandle {
 public:
  PetscHandle() = default;
  explicit PetscHandle(T object) : object_(object) {}
  PetscHandle(PetscHandle&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  PetscHandle& operator=(PetscHandle&& other) noexcept {
    if (this != &other) { reset(); object_ = std::exchange(other.object_, nullptr); }
    return *this;
  }
  PetscHandle(const PetscHandle&) = delete;
  PetscHandle& operator=(const PetscHandle&) = delete;
  ~PetscHandle() { reset(); }

  operator T() const { return object_; }
  T get() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }
  /// Address for a PETSc `…Create` call; destroys the present object.
  T* out() { reset(); return &object_; }
  void reset() {
    if (object_) Destroy(&object_);
    object_ = nullptr;
  }

 private:
  T object_ = nullptr;
};

using VecHandle = PetscHandle<Vec, VecDestroy>;
using MatHandle = PetscHandle<Mat, MatDestroy>;
using KspHandle = PetscHandle<KSP, KSPDestroy>;
using IsHandle = PetscHandle<IS, ISDestroy>;
using ScatterHandle = PetscHandle<VecScatter, VecScatterDestroy>;
using NullSpaceHandle = PetscHandle<MatNullSpace, MatNullSpaceDestroy>;

/// A zero vector with the layout of `like`.
inline VecHandle zeros_like(Vec like) {
  VecHandle x;
  check(VecDuplicate(like, x.out()));
  check(VecSet(x, 0.0));
  return x;
}

}  // namespace invar
