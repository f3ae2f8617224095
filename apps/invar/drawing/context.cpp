#include "apps/invar/drawing/context.hpp"

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <cstdlib>
#include <sstream>
#include <stdexcept>

namespace invar {
namespace {

[[noreturn]] void fail(const char* what, EGLDisplay display = EGL_NO_DISPLAY) {
  std::ostringstream text;
  text << "no off-screen OpenGL: " << what << " (EGL error 0x" << std::hex << ::eglGetError()
       << "); it is part of the Debian packages libegl1, libegl-mesa0 and libgl1-mesa-dri";
  if (display != EGL_NO_DISPLAY) ::eglTerminate(display);  // with its contexts
  throw std::runtime_error(text.str());
}

}  // namespace

PictureContext::PictureContext() : display_(EGL_NO_DISPLAY), context_(EGL_NO_CONTEXT) {
  // For the same picture on every machine, independent of graphics cards and their permissions.
  ::setenv("LIBGL_ALWAYS_SOFTWARE", "1", /*overwrite=*/0);
  // Mesa without threads of its own, and without its cache of shaders, which has one: a picture without end was seen once and not
  // reproduced, and may have waited for one. Without the cache nothing is left in the user's home.
  ::setenv("LP_NUM_THREADS", "0", /*overwrite=*/0);
  ::setenv("MESA_SHADER_CACHE_DISABLE", "true", /*overwrite=*/0);
  display_ = ::eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
  if (display_ == EGL_NO_DISPLAY) fail("no surfaceless display");
  if (!::eglInitialize(display_, nullptr, nullptr)) fail("the surfaceless display does not start");
  const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 2,
                            EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
  if (::eglBindAPI(EGL_OPENGL_API))
    context_ = ::eglCreateContext(display_, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, version);
  if (context_ == EGL_NO_CONTEXT) fail("no OpenGL 3.2", display_);
  if (!::eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_))
    fail("a context needs a surface", display_);
}

PictureContext::~PictureContext() {
  ::eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  ::eglDestroyContext(display_, context_);
  ::eglTerminate(display_);
}

}  // namespace invar
