"""The command line: options in, calls to the rooms that do the work, tables out. No logic of its own."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from codegen import __version__
from codegen.errors import CheckFailed, FeatherError

if TYPE_CHECKING:
    from codegen.describe import Kernel
    from codegen.routine import Routine
    from codegen.verify import Row

MODEL = click.option(
    "--model", "-m", "models", multiple=True, type=click.Path(path_type=Path),
    help="Python file with kernels of your own; it is run.",
)  # fmt: skip


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    no_args_is_help=False,  # which would be an error of many lines
)
@click.version_option(__version__, prog_name="featherc")
def cli() -> None:
    """Derive rigid-body equations of motion and generate verified, dependency-free C99.

    Exit codes: 0 fine, 1 a check failed, 2 wrong input or environment, 3 a bug in featherc.
    """


def _models(paths: Iterable[Path]) -> dict[str, Kernel]:
    """The kernels of the model files; FeatherError when two, or one of the library, have one name."""
    from codegen.kernels import library
    from codegen.model import load_model
    from codegen.routines import routines

    found: dict[str, Kernel] = {}
    for path in paths:
        for name, kernel in load_model(path).items():
            if name in found or name in library() or name in routines():
                where = "among the models" if name in found else "in the library"
                raise FeatherError(f"{path}: there is another kernel {name} {where}; rename this one")
            found[name] = kernel
    return found


def _chosen(names: Sequence[str], models: dict[str, Kernel]) -> list[Kernel | Routine]:
    """What is named; without names all of the models, or of the library when there are no models."""
    from codegen.kernels import library
    from codegen.routines import routines

    everything: dict[str, Kernel | Routine] = {**library(), **routines()}
    if not names:
        return list((models or everything).values())
    return [_find(name, {**everything, **models}) for name in dict.fromkeys(names)]


def _find(name: str, known: Mapping[str, Kernel | Routine]) -> Kernel | Routine:
    import difflib

    if name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        hint = f"did you mean {near[0]}?" if near else "featherc list shows all"
        raise FeatherError(f"there is no kernel {name!r}; {hint}")
    return known[name]


@cli.command("list")
@MODEL
@click.option("--json", "as_json", is_flag=True, help="Machine-readable.")
def list_command(models: tuple[Path, ...], as_json: bool) -> None:
    """List the kernels of the library, and of your models."""
    from codegen.kernels import library
    from codegen.routines import routines

    kernels: list[Kernel | Routine] = [*library().values(), *routines().values(), *_models(models).values()]
    rows = [
        (k.module, k.name, ", ".join(a.name for a in k.inputs), ", ".join(a.name for a in k.outputs), k.title)
        for k in kernels
    ]
    columns = ("module", "kernel", "inputs", "outputs", "title")
    if as_json:
        click.echo(json.dumps([dict(zip(columns, row, strict=True)) for row in rows], indent=1))
    else:
        from codegen.show import table

        table(columns, rows)


@cli.command("generate")
@click.argument("kernels", nargs=-1, metavar="[KERNEL]...")
@click.option("--output", "-o", type=click.Path(path_type=Path), help="Directory for the C.")
@MODEL
@click.option("--bind", "-b", "bindings", multiple=True, type=click.Path(path_type=Path),
              help="TOML file with inputs to turn into constants.")  # fmt: skip
@click.option("--precision", "-p", multiple=True, help="f64, f32; both if not given.")
@click.option("--prefix", help="Prefix of every C name [fc_].")
@click.option("--layout", help="library (.h and .c) or header-only [library].")
@click.option("--interface", help="struct, or array for plain float v[3] arguments [struct].")
@click.option("--checks/--no-checks", default=None, help="Status codes and guards [checks].")
@click.option("--license", "license_", help="SPDX license of the generated files [MIT-0].")
@click.option("--config", type=click.Path(path_type=Path), help="Options file [./featherc.toml].")
def generate_command(
    kernels: tuple[str, ...],
    output: Path | None,
    models: tuple[Path, ...],
    bindings: tuple[Path, ...],
    config: Path | None,
    **choices: Any,
) -> None:
    """Generate C for the kernels; for all of the library, or of your models, if none is named."""
    from codegen.config import read_config
    from codegen.generate import generate
    from codegen.routine import with_calls
    from codegen.show import working
    from codegen.vehicle import bind_vehicle

    settings = read_config(config)
    directory = output or settings.path("output")
    if directory is None:
        raise FeatherError("say where to put the C: featherc generate -o DIR")
    options = _options(settings.generate, choices)
    known = _models(models or settings.paths("model"))
    chosen = _chosen(kernels or settings.generate.get("kernels", ()), known)
    bound, routines = with_calls(chosen)
    for path in bindings or settings.paths("bind"):
        bound = bind_vehicle(bound, path)
    count = len(bound) + len(routines)
    with working(f"generating {count} kernels"):
        tree = generate([*bound, *routines], options, directory)
    click.echo(f"{click.format_filename(directory)}: {count} kernels in {len(tree)} files")


def _options(settings: dict[str, Any], choices: dict[str, Any]) -> Any:
    """The options of the command line, else of the configuration, else the defaults."""
    from codegen.options import Options

    keys = ("prefix", "layout", "interface", "checks", "license")
    given: dict[str, Any] = {key: settings[key] for key in keys if key in settings}
    if "precision" in settings:
        given["precisions"] = tuple(settings["precision"])
    for name in ("prefix", "layout", "interface", "checks"):
        if choices[name] is not None:
            given[name] = choices[name]
    if choices["license_"] is not None:
        given["license"] = choices["license_"]
    if choices["precision"]:
        given["precisions"] = choices["precision"]
    return Options(**given)


@cli.command("verify")
@click.argument("directory", type=click.Path(path_type=Path), default=Path("generated"))
@MODEL
@click.option("--json", "as_json", is_flag=True, help="Machine-readable.")
def verify_command(directory: Path, models: tuple[Path, ...], as_json: bool) -> None:
    """Compile a generated tree and compare it with the reference, in every precision it has."""
    from codegen.kernels import library
    from codegen.show import progress
    from codegen.verify import verify

    known = {**library(), **_models(models)}
    rows = list(verify(directory, known, progress=lambda symbols: progress(symbols, "verifying")))
    if as_json:
        click.echo(json.dumps([{**asdict(r), "ok": r.ok} for r in rows], indent=1))
    else:
        _show_rows(rows)
    failed = [r for r in rows if not r.ok]
    for row in failed:
        click.echo(f"{row.symbol}: {row.problems[0] if row.problems else 'no case was run'}", err=True)
    if failed:
        raise CheckFailed(f"{len(failed)} of {len(rows)} functions are wrong")


def _show_rows(rows: Sequence[Row]) -> None:
    from codegen.render import cost_text
    from codegen.show import table

    columns = ("function", "mathematics", "cases", "ulp", "scaled", "limit", "cost", "verdict")
    table(
        columns,
        [
            (
                r.symbol, r.proof, str(r.cases), f"{r.worst_ulp:.3g}", f"{r.worst_scaled:.2f}",
                str(r.tolerance), cost_text(r.cost) if r.cost else "",
                "ok" if r.ok else f"FAILED {len(r.problems)}",
            )
            for r in rows
        ],
        right=("cases", "ulp", "scaled", "limit"),
    )  # fmt: skip


@cli.command("inspect")
@click.argument("kernel")
@MODEL
@click.option("--stage", type=click.Choice(["definition", "formula", "program", "c"]), default="formula",
              show_default=True, help="How far on its way to C.")  # fmt: skip
@click.option("--as", "form", type=click.Choice(["text", "latex"]), default="text", show_default=True)
@click.option("--precision", "-p", type=click.Choice(["f64", "f32"]), default="f64", show_default=True)
def inspect_command(kernel: str, models: tuple[Path, ...], stage: str, form: str, precision: str) -> None:
    """Show a kernel: its definition, the formula, the Program after all passes, or the C."""
    from codegen.inspect import inspect
    from codegen.options import Options

    (chosen,) = _chosen([kernel], _models(models))
    click.echo(inspect(chosen, stage, form, Options(precisions=(precision,))), nl=False)
