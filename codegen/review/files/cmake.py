"""What a change of CMakeLists.txt means: sources, options of the compiler, definitions, programs that run."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

_TOKEN = re.compile(
    r"#\[(?P<level>=*)\[|#[^\n]*|\[(?P<brackets>=*)\[|\"(?P<quoted>(?:[^\"\\]|\\.)*+)\"?"
    r"|[()]|[^ \t\r\n()#\"]+",
    re.DOTALL,
)


FILE = "CMakeLists.txt"


class Command(NamedTuple):
    """A command of CMake: its name in small letters, and its arguments."""

    name: str
    arguments: tuple[str, ...]

    def __str__(self) -> str:
        shown = " ".join(self.arguments)
        return f"{self.name}({shown if len(shown) <= 80 else shown[:77] + '...'})"


def commands(text: str) -> list[Command]:
    """The commands of a file in their order; parentheses inside of them are arguments.

    The quotes of a condition's words are kept: CMake takes no quoted word for a variable.
    """
    found, name, arguments, depth = list[Command](), "", list[str](), 0
    for token in _tokens(text):
        mark = "" if token.is_quoted else token.text
        if depth == 0 and mark != "(":
            name = token.text.lower()
        elif mark == "(" and depth == 0:
            depth, arguments = 1, []
        elif mark == ")" and depth == 1:
            depth = 0
            found.append(Command(name, tuple(arguments)))
        else:
            depth += (mark == "(") - (mark == ")")
            is_kept = token.is_quoted and name in _CONDITIONS
            arguments.append(f'"{token.text}"' if is_kept else token.text)
    return [*found, Command(name, tuple(arguments))] if depth else found


_CONDITIONS = ("if", "elseif", "while")


class _Token(NamedTuple):
    """A word or parenthesis, whether it stood in quotes or brackets, and its place in the text."""

    text: str
    is_quoted: bool
    start: int
    end: int


def _tokens(text: str) -> Iterator[_Token]:
    at = 0
    while found := _TOKEN.search(text, at):
        at = found.end()
        level = found["level"] if found["level"] is not None else found["brackets"]
        if level is not None:
            end = text.find(f"]{level}]", at)
            inside = text[at : end if end >= 0 else len(text)].removeprefix("\n")
            at = end + len(level) + 2 if end >= 0 else len(text)
            if found["brackets"] is not None:
                written = f"[{level}[{inside}]{level}]" if re.search(r"[$\\]", inside) else inside
                yield _Token(written, True, found.start(), at)  # which replaces nothing in it
        elif not found[0].startswith("#"):
            is_quoted = found["quoted"] is not None
            yield _Token(found["quoted"] if is_quoted else found[0], is_quoted, found.start(), at)


def misplaced(text: str) -> int | None:
    """The first line that CMake refuses: each command begins a line, with its name and ( on that line.

    Arguments stand apart from each other, and a comment in brackets is no layout between commands.
    """
    depth, end, name = 0, 0, ""
    for token in _tokens(text):
        between = _COMMENT.sub("#", text[end : token.start])
        opens = token.text == "(" and not token.is_quoted
        is_mark = opens or (token.text == ")" and not token.is_quoted)
        if depth == 0:
            *above, before = between.split("\n")
            starts = not name and (not end or bool(above)) and "#" not in before
            is_right = bool(name) and not between.strip(" \t") if opens else starts and not token.is_quoted
            if not is_right or token.text == ")":
                return text.count("\n", 0, token.start) + 1
            name = "" if opens else token.text
        elif not (is_mark or between or text[end - 1] in "()"):
            return text.count("\n", 0, token.start) + 1
        depth += opens - (is_mark and not opens)
        end = token.end
    return text.count("\n") + 1 if depth or name else None


_COMMENT = re.compile(r"#\[(=*)\[.*?\]\1\]|#[^\n]*", re.DOTALL)


def sources(text: str) -> set[str]:
    """The files that libraries are built from."""
    named = (c.arguments[1:] for c in commands(text) if c.name in ("add_library", "target_sources"))
    return {a for arguments in named for a in arguments}


def effects(old: str, new: str, moved: Collection[str] = ()) -> Iterator[str]:
    """What the change of a file means, one line for each difference; files that came or went are `moved`."""
    if (line := misplaced(new)) and not misplaced(old):
        yield f"cannot be read by CMake: line {line} is no command on lines of its own"
    before, after = (_without(_plain(commands(text)), moved) for text in (old, new))
    if before == after:
        return
    count = Counter(before), Counter(after)
    gone, added = list((count[0] - count[1]).elements()), list((count[1] - count[0]).elements())
    if not gone and not added:
        yield "has its commands in another order"
    for command in added:
        former = next((c for c in gone if _key(c) == _key(command)), None)
        if former is None:
            yield from _of_new(command)
        else:
            gone.remove(former)
            yield from _of_changed(former, command)
    for command in gone:
        yield f"no longer has {command}"


def _plain(given: Sequence[Command]) -> Iterator[Command]:
    """Commands without what CMake does not look at: the words of an end, parentheses around a condition.

    The description of an option is shown to people alone, unless the file has commands of its own.
    """
    is_own = any(c.name in ("function", "macro") for c in given)
    for name, arguments in given:
        plain = () if name in _ENDS else arguments
        while name in _CONDITIONS and _is_enclosed(plain):
            plain = plain[1:-1]
        if name == "option" and len(plain) == 3 and not (is_own or re.search(r"[$;\\]", plain[1])):
            plain = (plain[0], "", plain[2])
        yield Command(name, plain)


_ENDS = ("else", "endif", "endwhile", "endforeach", "endfunction", "endmacro", "endblock")


def _is_enclosed(arguments: Sequence[str]) -> bool:
    """Whether the first parenthesis closes with the last word; quoted ones keep their quotes."""
    depths = list(accumulate((a == "(") - (a == ")") for a in arguments))
    return len(depths) > 2 and depths[-1] == 0 and all(depths[:-1])


def adds_options_only(old: str, new: str, prefix: str) -> bool:
    """Whether a build file only gains options that are off, and blocks for where they are on.

    Their names begin with the prefix of the tree's names, and the old file has no such word: what CMake or
    a file before this one has set would be on although the option says OFF.
    """
    before, after = commands(old), commands(new)
    options = [c for c in after if c.name == "option" and c.arguments[2:] == ("OFF",)]
    own = {c.arguments[0] for c in options} - set(re.findall(r"\w+", old))
    own = {name for name in own if _is_own(name, prefix)}
    rest = [c for c in _outside(after, own) if c not in options or c.arguments[0] not in own]
    return bool(own) and rest == before


def _is_own(name: str, prefix: str) -> bool:
    """Whether a variable is of the tree alone: project(fc) and add_library(fc) set some of its prefix."""
    rest = name.removeprefix(prefix)
    if not prefix.endswith("_") or rest == name or prefix.upper().startswith(_OF_CMAKE):
        return False
    return re.fullmatch(r"\w+", rest, re.ASCII) is not None and not rest.upper().startswith(_OF_PROJECTS)


_OF_CMAKE = ("CMAKE_", "BUILD_", "CPACK_", "CTEST_", "PROJECT_", "ENV_", "CACHE_", "GNU", "MSVC_", "_")
_OF_PROJECTS = (
    *("SOURCE_DIR", "BINARY_DIR", "VERSION", "IS_TOP_LEVEL", "DESCRIPTION", "HOMEPAGE_URL", "LANGUAGES"),
    *("LIB_DEPENDS", "FOUND", "DIR", "ROOT", "CONFIG", "COMPAT_VERSION", "SPDX_LICENSE"),
)


def _outside(given: Sequence[Command], names: Collection[str]) -> Iterator[Command]:
    """The commands outside of blocks `if(NAME)` or `if(NAME AND ...)` without another branch."""
    depth = 0
    for command in given:
        opens = command.name == "if"
        if depth == 0 and opens and _needs(command.arguments, names):
            depth = 1
        elif depth == 0 or (depth == 1 and command.name in ("else", "elseif")):
            yield command
        else:
            depth += opens - (command.name == "endif")
    if depth:
        yield Command("if", ("without an end",))


def _needs(condition: Sequence[str], names: Collection[str]) -> bool:
    """Whether a condition holds only where a variable of these names is on."""
    if not condition or condition[0] not in names or tuple(condition[1:2]) not in ((), ("AND",)):
        return False
    return not any(word in ("OR", "NOT", "(", ")") or _MORE.search(word) for word in condition)


_MORE = re.compile(r"\$\w*[{<]|[;\\]")
"""A reference to a variable, a list or an escaped character, which may become more words of a condition."""


def _without(given: Iterable[Command], names: Collection[str]) -> list[Command]:
    return [Command(c.name, tuple(a for a in c.arguments if a not in names)) for c in given]


def _key(command: Command) -> tuple[str, ...]:
    """What stays the same where a command gets other arguments."""
    return (command.name, *command.arguments[:1])


def _of_new(command: Command) -> Iterator[str]:
    if command.name in _RUNNING:
        yield f"has {command}, which {_RUNNING[command.name]}"
        return
    said = list(_of_arguments(command, command.arguments))
    yield from said or [f"has {command}, which is new"]


def _of_changed(old: Command, new: Command) -> Iterator[str]:
    lost = list((Counter(old.arguments) - Counter(new.arguments)).elements())
    more = list((Counter(new.arguments) - Counter(old.arguments)).elements())
    if old.name == "add_library":
        yield from (f"no longer compiles {name}" for name in lost)
        yield from (f"compiles {name} as well" for name in more)
        return
    yield from _of_arguments(new, more)
    rest = [a for a in more if not list(_of_arguments(new, [a]))]
    if lost or rest:
        yield f"has {new} instead of {old}"


def _of_arguments(command: Command, arguments: Sequence[str]) -> Iterator[str]:
    """The meaning of options and definitions."""
    defining = command.name in ("target_compile_definitions", "add_compile_definitions")
    for word in (w for a in arguments for w in re.split(r"[\s;]+", a)):
        if defining and word not in ("PUBLIC", "PRIVATE", "INTERFACE", *command.arguments[:1]):
            yield _defined(word.removeprefix("-D"))
        elif word.startswith("-D") and len(word) > 2:
            yield _defined(word[2:])
        elif word.startswith("-") and len(word) > 1:
            meaning = next((m for flag, m in _FLAGS.items() if word.startswith(flag)), "")
            yield f"compiles with {word}{meaning}"


def _defined(text: str) -> str:
    name, equals, value = text.partition("=")
    return f"compiles every file with {name} standing for {value or (equals and 'nothing') or '1'}"


_NAN = ", so that tests for NaN and infinity are void"
_FLAGS = {
    "-ffast-math": f", which changes results{_NAN}",
    "-Ofast": f", which changes results{_NAN}",
    "-ffinite-math-only": _NAN,
    "-funsafe-math-optimizations": ", which changes results",
    "-fassociative-math": ", which changes results",
    "-freciprocal-math": ", which changes results",
    "-fno-signed-zeros": ", which changes results",
    "-fsingle-precision-constant": ", which computes double functions with constants in float",
    "-fshort-double": ", which computes double functions in float",
    "-include": ", which puts a file in front of every source",
    "-imacros": ", which puts the macros of a file in front of every source",
    "-fplugin": ", which loads a program into the compiler",
    "-B": ", which takes another compiler",
    "-w": ", which hides warnings",
}
"""The options of the compiler that change results, by their beginning."""

_RUNNING = {
    "execute_process": "runs a program while the build is configured",
    "exec_program": "runs a program while the build is configured",
    "try_run": "runs a program while the build is configured",
    "add_custom_command": "runs a program while the library is built",
    "add_custom_target": "runs a program while the library is built",
    "file": "reads, writes or downloads files",
    "include": "reads another build file",
    "add_subdirectory": "reads another build file",
    "find_package": "takes what the machine has",
    "fetchcontent_makeavailable": "downloads another project",
    "externalproject_add": "downloads another project",
}
"""Commands that do more than describe the library."""
