"""All files of a generated tree: the C, its self-test, the trace sidecar, the build file and the manifest."""

from __future__ import annotations

from collections.abc import Sequence

from codegen.emit.function import Function, functions
from codegen.emit.manifest import manifest
from codegen.emit.options import Options
from codegen.emit.render import Tree, library_files, render, struct_types
from codegen.emit.routine import RoutineFunction
from codegen.errors import FeatherError
from codegen.library.routines import with_calls
from codegen.modeling.kernel import Kernel
from codegen.modeling.routine import Routine
from codegen.provenance.trace import SIDECAR, sidecar
from codegen.verify.selftest import selftest_context


def render_tree(chosen: Sequence[Kernel | Routine], options: Options) -> Tree:
    """Every file of the generated library, in order of its path."""
    kernels, routines = with_calls(chosen)
    made: list[Function | RoutineFunction] = [
        *functions(kernels, options),
        *(RoutineFunction(r, p, options) for p in options.formats for r in routines),
    ]
    _check_unique(made, options)
    tree = library_files(made, options)
    tree["selftest.c"] = render(
        "selftest.c.j2",
        license=options.license,
        header=f"{options.name}.h",
        **selftest_context(made, options),
    )
    if options.gitattributes:
        tree[".gitattributes"] = render("gitattributes.j2", license=options.license)
    if options.trace:
        tree[SIDECAR] = sidecar(made, options)
    tree["manifest.json"] = manifest(made, options, tree)
    return dict(sorted(tree.items()))


def _check_unique(made: Sequence[Function | RoutineFunction], options: Options) -> None:
    """FeatherError when a function has the name of a type or of another function."""
    taken = {s.name for s in struct_types(made, options)}
    for f in made:
        if f.symbol in taken:
            raise FeatherError(f"{f.symbol} would be defined twice in C: rename the kernel {f.subject.name}")
        taken.add(f.symbol)
