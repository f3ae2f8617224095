#pragma once

namespace invar {

/// An OpenGL context without window, display server or GPU (EGL, surfaceless platform, Mesa's software
/// renderer unless the environment says otherwise), current in this thread as long as it lives.
class PictureContext {
 public:
  /// Throws std::runtime_error where there is no such context, with what is missing.
  PictureContext();
  ~PictureContext();
  PictureContext(const PictureContext&) = delete;
  PictureContext& operator=(const PictureContext&) = delete;

 private:
  void* display_;  // EGLDisplay
  void* context_;  // EGLContext
};

}  // namespace invar
