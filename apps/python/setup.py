"""Builds the extension module and the program with CMake; see README.md."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def version():
    text = (ROOT / "CMakeLists.txt").read_text()
    return re.search(r"project\(invar VERSION ([0-9.]+)", text).group(1)


class CMakeBuild(build_ext):
    """Builds in the project's own build tree, so that what is built already is not built twice."""

    def build_extension(self, extension):
        build = pathlib.Path(os.environ.get("INVAR_BUILD", ROOT / "build" / "release"))
        configure = ["cmake", "-S", str(ROOT), "-B", str(build), "-G", "Ninja", f"-DPython_EXECUTABLE={sys.executable}"]
        try:
            import pybind11  # this interpreter's own, which may be newer than the system's: NumPy 2 needs 2.12
            configure.append(f"-Dpybind11_DIR={pybind11.get_cmake_dir()}")
        except ImportError:
            pass
        subprocess.run(configure, check=True)
        subprocess.run(["cmake", "--build", str(build), "--target", "invar_python", "invar"], check=True)
        target = pathlib.Path(self.get_ext_fullpath(extension.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        module = next((build / "apps" / "python" / "invar").glob("_core*.so"))
        shutil.copy2(module, target.parent / module.name)
        (target.parent / "bin").mkdir(exist_ok=True)
        for file in filter(pathlib.Path.exists, (build / "apps" / name for name in ("invar", "invar_pictures.so"))):
            shutil.copy2(file, target.parent / "bin")


setup(version=version(), ext_modules=[Extension("invar._core", sources=[])], cmdclass={"build_ext": CMakeBuild})
