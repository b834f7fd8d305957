"""What takes a file of a name: compilers, builds, linkers and git."""

from __future__ import annotations

import re
from pathlib import PurePosixPath


def taken(path: str) -> str:
    """What takes a file of this path; empty where nothing does."""
    if is_precompiled(path):
        return _PRECOMPILED
    name = PurePosixPath(_VERSION.sub("", path.lower()).removesuffix(".in")).name
    if any(PurePosixPath(part).suffix in _DIRECTORIES for part in path.lower().split("/")):
        return _READS
    return _SMALL.get(name) or _SMALL.get(PurePosixPath(name).suffix) or ""


def enters_programs(path: str) -> bool:
    """Whether a compiler or linker takes a file of this path: a source, a header, an object or a library."""
    return taken(path) in (_COMPILES, _PRECOMPILED, _LINKS)


def is_precompiled(path: str) -> bool:
    """Whether the file, or a directory in which it is, has the name of a precompiled header."""
    return any(part.lower().endswith((".gch", ".pch")) for part in PurePosixPath(path).parts)


_PRECOMPILED = "a compiler takes it in place of the header"
_COMPILES = "a build that compiles every source of the directory takes it"
_READS = "a build reads it"
_LINKS = "a build that links every object of the directory takes it"
_GIT = "git treats the files of the tree otherwise"
_TAKEN = {
    **dict.fromkeys(
        (".c", ".h", ".cc", ".cpp", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".inc", ".inl"), _COMPILES
    ),
    **dict.fromkeys((".cp", ".h++", ".hp", ".tcc", ".ixx", ".cppm", ".ino", ".pde"), _COMPILES),
    **dict.fromkeys((".f", ".f90", ".f95", ".for", ".go", ".rs", ".zig", ".pyx"), _COMPILES),
    **dict.fromkeys(
        (".s", ".asm", ".sx", ".def", ".ipp", ".tpp", ".m", ".mm", ".cu", ".i", ".ii"), _COMPILES
    ),
    **dict.fromkeys(
        (".o", ".obj", ".a", ".lib", ".so", ".dll", ".dylib", ".bc", ".ll", ".ld", ".lds"), _LINKS
    ),
    **dict.fromkeys(
        (".cmake", ".mk", ".mak", ".ninja", ".bazel", ".bzl", ".pro", ".vcxproj", ".am", ".ac"), _READS
    ),
    **dict.fromkeys((".d", ".modulemap", ".gyp", ".gypi", ".pri", ".qbs", ".cproject", ".uvprojx"), _READS),
    **dict.fromkeys(("Makefile", "makefile", "GNUmakefile", "meson.build", "meson_options.txt"), _READS),
    **dict.fromkeys(("BUILD", "WORKSPACE", "SConstruct", "SConscript", "configure", "Kconfig"), _READS),
    **dict.fromkeys(("Kbuild", "idf_component.yml", "component.mk", "wscript", "BUILD.gn"), _READS),
    **dict.fromkeys(
        ("CMakeLists.txt", "CMakePresets.json", "CMakeUserPresets.json", "platformio.ini", "library.json"),
        _READS,
    ),
    **dict.fromkeys(
        ("library.properties", "conanfile.py", "conanfile.txt", "build.zig", "build.rs", ".bazelrc"), _READS
    ),
    **dict.fromkeys((".pc", "Cargo.toml", "setup.py", "package.json", "module.yml", "west.yml"), _READS),
    **dict.fromkeys(
        ("xmake.lua", "premake4.lua", "premake5.lua", "Package.swift", "dub.json", "BUCK"), _READS
    ),
    **dict.fromkeys(("vcpkg.json", "vcpkg-configuration.json", "Jamfile", "Jamroot", "Tupfile"), _READS),
    **dict.fromkeys(("prj.conf", "sdkconfig", "sdkconfig.defaults", ".buckconfig", "Rakefile"), _READS),
    **dict.fromkeys((".gradle", ".kts", ".props", ".targets", ".vcproj", ".sln", ".ewp", ".uvproj"), _READS),
    **dict.fromkeys(("Android.bp", "Android.mk", "meson.options", "setup.cfg", "pyproject.toml"), _READS),
    **dict.fromkeys(("Kconfig.projbuild", "SConstruct.py", "SConscript.py", "module.map"), _READS),
    **dict.fromkeys((".cbp", ".dsp", ".dsw", ".ioc", ".mxproject", ".project", ".eww", ".ewd"), _READS),
    **dict.fromkeys((".uvoptx", ".uvopt", ".uvmpw", ".slnx", ".slnf", ".pbxproj", ".xcconfig"), _READS),
    **dict.fromkeys((".emProject", ".ccsproject", ".mcp", ".wsp", ".mcw", ".dep", ".cmd"), _READS),
    **dict.fromkeys((".lo", ".la", ".icf", ".sct", ".scf", ".xcl", ".lcf"), _LINKS),
    **dict.fromkeys((".gitattributes", ".gitmodules", ".gitconfig"), _GIT),
}
"""Names and suffixes: what takes such a file."""

_SMALL = {name.lower(): meaning for name, meaning in _TAKEN.items()}
"""In small letters: on some machines the case of a file's name means nothing."""

_VERSION = re.compile(r"(?<=\.so)(?:\.\d+)+$|(?<=\.dylib)(?:\.\d+)+$", re.ASCII)
"""The version behind the name of a library."""

_DIRECTORIES = (".xcodeproj", ".xcworkspace")
