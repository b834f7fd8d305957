"""The command line: it parses options, calls the packages that do the work, and prints the results."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from codegen import __version__
from codegen.errors import CheckFailed, FeatherError, naming
from codegen.notation.prose import plain

if TYPE_CHECKING:
    from codegen.cli.config import Config
    from codegen.emit.options import Options
    from codegen.emit.render import Tree
    from codegen.modeling.kernel import Kernel
    from codegen.modeling.routine import Routine
    from codegen.modeling.vehicle import Binding
    from codegen.review.reports.report import Report
    from codegen.review.waivers import Waivers
    from codegen.verify.verify import Verification

MODEL = click.option(
    "--model", "-m", "models", multiple=True, type=click.Path(path_type=Path),
    help="Python file that defines kernels; featherc executes it (README: What a model may contain). "
         "Or a URDF or MJCF file: all functions of the robot. Or a tree that records a robot.",
)  # fmt: skip


BIND = click.option(
    "--bind", "-b", "bindings", multiple=True, metavar="[NAME=]FILE",
    help="TOML file with input values to compile in as constants; with NAME, functions of their own for "
         "that vehicle.",
)  # fmt: skip
CONFIG = click.option("--config", type=click.Path(path_type=Path), help="Options file [./featherc.toml].")


_SINCOS = (
    "libm, or pairs: a generated function for the sine and cosine of one angle [pairs for robots, else libm]."
)

_FORM = (
    click.option("--precision", "-p", multiple=True, help="f64 or f32 [both]."),
    click.option("--prefix", help="Prefix of every C name [fc_]."),
    click.option("--interface", help="struct, or array for arguments such as float v[3] [struct]."),
    click.option("--checks/--no-checks", default=None,
                 help="Status flags and guards at singularities [checks]."),
    click.option("--no-alias/--alias", "no_alias", default=None,
                 help="No output overlaps an input: pointers are restrict [--alias]."),
    click.option("--sincos", help=_SINCOS),
    click.option("--license", "license_", help="SPDX license identifier of the generated files [MIT-0]."),
    click.option("--gitattributes", is_flag=True, default=None,
                 help="Add .gitattributes: GitHub collapses the files, git keeps line endings."),
    click.option("--trace", is_flag=True, default=None,
                 help="Add trace.json: equation, derivation step and inputs of each statement."),
)  # fmt: skip


_FILES = "library (.h and .c) or header-only [library]"


def with_form(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options for the form of the C that it writes."""
    for option in reversed(_FORM):
        command = option(command)
    return command


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    no_args_is_help=False,  # click would report an error of many lines
)
@click.version_option(__version__, prog_name="featherc")
def cli() -> None:
    """Derive rigid-body equations of motion and generate verified, dependency-free C99.

    Exit codes: 0 success, 1 a check failed, 2 wrong input or environment, 3 a bug in featherc.
    """


def _models(
    paths: Sequence[Path], names: Collection[str] = (), manifest: Mapping[str, Any] | None = None
) -> dict[str, Kernel]:
    """The kernels of the model files; FeatherError when two kernels, or one of the library, share a name.

    Only the formulas of those named are tried, without names all. Robots are generated with the options that
    the manifest of a tree records.
    """
    if not paths:  # what reads models imports much, also that of robots
        return {}
    from codegen.library import library
    from codegen.library.routines import routines
    from codegen.loading.model_file import robot_like

    found: dict[str, Kernel] = {}
    for path in paths:
        for name, kernel in robot_like(path, manifest or {}, names).items():
            if name in found or name in library() or name in routines():
                where = "among the models" if name in found else "in the library"
                raise FeatherError(f"{path}: there is another kernel {name} {where}; rename this one")
            found[name] = kernel
    return found


def _kernels_in(manifest: Mapping[str, Any]) -> set[str]:
    """The kernels whose functions a tree has."""
    return {str(f["kernel"]) for f in manifest["functions"]}


def _chosen(names: Sequence[str], models: dict[str, Kernel]) -> list[Kernel | Routine]:
    """The named kernels, or all those of a named block; without names all of the models or the library."""
    from codegen.library import library
    from codegen.library.routines import routines

    everything: dict[str, Kernel | Routine] = {**library(), **routines()}
    if not names:
        return list((models or everything).values())
    blocks: dict[str, list[str]] = {}
    for kernel in models.values():
        if kernel.block:
            blocks.setdefault(kernel.block.name, []).append(kernel.name)
    functions = [f for name in names for f in ([name] if name in models else blocks.get(name, [name]))]
    return [_find(name, {**everything, **models}) for name in dict.fromkeys(functions)]


def _find(name: str, known: Mapping[str, Kernel | Routine]) -> Kernel | Routine:
    import difflib

    if name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        hint = f"did you mean {near[0]}?" if near else "featherc list shows all"
        raise FeatherError(f"there is no kernel {name!r}; {hint}")
    return known[name]


@cli.command("list")
@MODEL
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_command(models: tuple[Path, ...], as_json: bool) -> None:
    """List the kernels of the model files, and those of the library."""
    from codegen.library import library
    from codegen.library.routines import routines

    kernels: list[Kernel | Routine] = [*_models(models).values(), *library().values(), *routines().values()]
    rows = [
        (
            k.module,
            k.name,
            ", ".join(a.name for a in k.inputs),
            ", ".join(a.name for a in k.outputs),
            plain(k.title),
        )
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
@click.option("--output", "-o", type=click.Path(path_type=Path), help="Directory to write the C files to.")
@MODEL
@BIND
@click.option("--layout", help=f"{_FILES}.")
@with_form
@CONFIG
def generate_command(
    kernels: tuple[str, ...],
    output: Path | None,
    models: tuple[Path, ...],
    bindings: tuple[str, ...],
    config: Path | None,
    **choices: Any,
) -> None:
    """Generate C for the named kernels; without names for all of the library, or of the model files."""
    from codegen.cli.config import read_config
    from codegen.emit.idle import idle_inputs
    from codegen.modeling.equations.uncompared import misread_equations
    from codegen.modeling.kernel import Kernel
    from codegen.proof.claims import untrue_claims
    from codegen.proof.outcomes import check_failures
    from codegen.proof.proof import in_library

    settings = read_config(config)
    directory = output or settings.path("output")
    if directory is None:
        raise FeatherError("no output directory is given: use featherc generate -o DIR")
    options = _options(settings.generate, choices)
    subjects = _subjects(kernels, models, bindings, settings)
    own = [s for s in subjects if isinstance(s, Kernel) and not in_library(s) and s.robot is None]
    for kernel in own:
        check_failures(kernel)
    tree = _generated(subjects, options, directory)
    click.echo(f"{click.format_filename(directory)}: {len(subjects)} kernels in {len(tree)} files")
    _note(f"{kernel.name}: {line}" for kernel in own for line in kernel.notes)
    _note(misread_equations(own))
    _note(f"{kernel.name}: {problem}" for kernel in own for problem in untrue_claims(kernel))
    _note(idle_inputs(own, options.checks))


def _note(lines: Iterable[str]) -> None:
    """Say what is no error, but what the author of a model or a robot should know."""
    for line in lines:
        click.echo(f"note: {line}", err=True)


@cli.command("robot")
@click.argument("description", type=click.Path(path_type=Path))
@click.option("--output", "-o", type=click.Path(path_type=Path), required=True, help="Directory to write to.")
@click.option("--functions", "-f", help="Functions, separated by commas [all]: rnea, bias_forces, "
              "gravity_forces, crba, forward_dynamics, com, momentum, kinetic_energy, potential_energy, "
              "pose, jacobian, jacobian_local, twist, acceleration; and, only where named, "
              "rnea_derivatives, rnea_base_derivatives, forward_dynamics_derivatives, "
              "forward_dynamics_base_derivatives, momentum_matrix, regressor, base_regressor, "
              "base_parameters, jacobian_spatial, jacobian_base, jacobian_local_base, jacobian_rate, "
              "jacobian_local_rate, jacobian_spatial_rate, delassus, "
              "forward_dynamics_in_contact, impulse_response and, with the zeros between branches left "
              "out, crba_nonzeros, rnea_derivatives_nonzeros, forward_dynamics_derivatives_nonzeros, "
              "regressor_nonzeros and base_regressor_nonzeros.")  # fmt: skip
@click.option(
    "--frame",
    "frames",
    multiple=True,
    help="Link for pose, jacobian, twist and acceleration [one at the end of each branch].",
)
@click.option(
    "--floating", is_flag=True, help="The base moves freely; its attitude, twist and wrench are arguments."
)
@click.option("--lock", "locked", multiple=True, help="Joint that is fixed at zero.")
@click.option("--damping", is_flag=True, help="The forces of joints overcome the damping that is described.")
@click.option("--friction", metavar="CREEP",
              help="The forces of joints overcome the Coulomb friction that is described, times "
              "tanh(v / CREEP), or times the sign of v with 0.")  # fmt: skip
@click.option("--armature", "armatures", multiple=True, metavar="JOINT=VALUE",
              help="Rotor inertia of a joint, as the joint feels it, in kg m^2 or kg.")  # fmt: skip
@click.option("--gravity", help="Gravity in m/s^2, along -z of the base [9.81, or that of the MJCF file]; "
              "`input` makes it an argument, a vector.")  # fmt: skip
@click.option("--force", "forces", multiple=True, metavar="LINK",
              help="Link on which an external wrench acts, an argument of the dynamics.")  # fmt: skip
@click.option("--payload", "payloads", multiple=True, metavar="LINK",
              help="Link that carries a further inertia, an argument.")  # fmt: skip
@click.option("--contact", "contacts", multiple=True, metavar="LINK",
              help="Link whose origin touches the ground, for delassus, forward_dynamics_in_contact and "
              "impulse_response.")  # fmt: skip
@click.option("--inertia", "inertias", multiple=True, metavar="LINK",
              help="Link whose inertia is an argument.")  # fmt: skip
@click.option("--layout", help="Of the functions: auto, straight, limbs (loops over limbs that are alike), "
              "joints (loops over joints in a row), and function=layout for one of them [auto]. Of the "
              f"files: {_FILES}. Several are separated by commas, as in "
              "straight,crba=limbs,header-only.")  # fmt: skip
@click.option("--flash", metavar="BYTES",
              help="Flash that there is for the functions, as 20000 or 32K: auto chooses the fastest layouts "
              "that fit, by an estimate for a Cortex-M4F in float.")  # fmt: skip
@click.option("--name", default="", help="Name of the robot in C [that in the description].")
@click.option("--snap", default="1e-9", show_default=True,
              help="Angles this close to a multiple of 90 degrees are taken for it, rad.")  # fmt: skip
@with_form
def robot_command(
    description: Path,
    output: Path,
    functions: str | None,
    frames: tuple[str, ...],
    floating: bool,
    locked: tuple[str, ...],
    damping: bool,
    friction: str | None,
    armatures: tuple[str, ...],
    gravity: str | None,
    forces: tuple[str, ...],
    payloads: tuple[str, ...],
    inertias: tuple[str, ...],
    contacts: tuple[str, ...],
    layout: str | None,
    flash: str | None,
    name: str,
    snap: str,
    **choices: Any,
) -> None:
    """Generate C for the kinematics and dynamics of a robot that a URDF or an MJCF file describes.

    The manifest records the robot and the options, so that `featherc verify DIR` and `featherc check DIR`
    need no model file. With --model FILE they compare with that file, read with the same options.
    """
    from codegen.mechanisms.description.inputs import Inputs
    from codegen.mechanisms.description.reading import read_robot
    from codegen.mechanisms.description.written import exact
    from codegen.mechanisms.kernels.budget import flash_limit
    from codegen.mechanisms.kernels.functions import FUNCTIONS, laid_out
    from codegen.mechanisms.kernels.layouts import AUTO, Layouts
    from codegen.mechanisms.kernels.report import remarks
    from codegen.mechanisms.kernels.robot import Robot

    inputs = Inputs(gravity == "input", forces, payloads, inertias, contacts)
    constant = None if inputs.gravity else gravity
    mechanism = read_robot(
        description, floating=floating, gravity=constant, name=name, damping=damping, friction=friction
    ).locked(*locked)
    mechanism = mechanism.with_armature(**dict(map(_assignment, armatures))).with_inputs(inputs)
    wanted = FUNCTIONS if functions is None else [f.strip() for f in functions.split(",")]
    with naming("--snap"):
        robot = Robot(mechanism, exact(snap))
    files, of_functions = _parted(layout or "")
    with naming("--layout"):
        layouts = Layouts.of(of_functions or AUTO)
    with naming("--flash"):
        limit = None if flash is None else flash_limit(flash)
    kernels, _, of_layouts = laid_out(robot, wanted, frames, layouts, limit)
    _note(remarks(mechanism, robot.snap))
    if of_functions or any(kernel.notes for kernel in kernels):
        _note(of_layouts)
    _note(f"{kernel.name}: {line}" for kernel in kernels for line in kernel.notes)
    tree = _generated(kernels, _options({}, {**choices, "layout": files}), output)
    click.echo(f"{click.format_filename(output)}: {len(kernels)} functions in {len(tree)} files")


def _parted(layout: str) -> tuple[str | None, str]:
    """The layout of the files, None where there is none, and those of functions, of what --layout states."""
    from codegen.emit.options import LAYOUTS

    words = [word.strip() for word in layout.split(",")]
    files = [word for word in words if word in LAYOUTS]
    if len(files) > 1:
        raise FeatherError(f"--layout: the layouts {' and '.join(files)} are both for files: choose one")
    return next(iter(files), None), ",".join(word for word in words if word not in LAYOUTS)


def _assignment(text: str) -> tuple[str, str]:
    """The name and the value of NAME=VALUE."""
    name, equals, value = text.partition("=")
    if not equals:
        raise FeatherError(f"--armature {text} is not JOINT=VALUE, such as elbow=0.02")
    return name, value


def _generated(subjects: Sequence[Kernel | Routine], options: Options, directory: Path) -> Tree:
    """Generate a tree; a terminal shows which kernel is optimised, then that C is written, and the time."""
    from codegen.modeling.kernel import Kernel
    from codegen.passes.pipeline import prepared
    from codegen.show import progress, working
    from codegen.tree.write import generate

    kernels = [subject for subject in subjects if isinstance(subject, Kernel)]
    named = progress(kernels, "optimising", lambda kernel: kernel.name)
    for _ in zip(named, prepared(kernels, options.checks), strict=True):
        pass
    with working(f"writing the C of {len(subjects)} kernels"):
        return generate(subjects, options, directory)


def _subjects(
    names: Sequence[str], models: Sequence[Path], bindings: Sequence[str], settings: Config
) -> list[Kernel | Routine]:
    """The kernels named on the command line, else in the configuration, bound, and what routines call."""
    from codegen.library.routines import with_calls
    from codegen.modeling.vehicle import bind_all

    names = names or settings.generate.get("kernels", ())
    known = _models(models or settings.paths("model"), names)
    bound, routines = with_calls(_chosen(names, known))
    return [*bind_all(bound, _bindings(bindings, settings)), *routines]


def _bindings(given: Sequence[str], settings: Config | None = None) -> list[Binding]:
    """The vehicle files of the command line, else those of the configuration."""
    from codegen.modeling.vehicle import read_binding

    if given or settings is None:
        return [read_binding(text) for text in given]
    return [read_binding(text, settings.directory) for text in settings.generate.get("bind", [])]


def _options(settings: dict[str, Any], choices: dict[str, Any]) -> Any:
    """Each option from the command line, else from the configuration, else its default."""
    from codegen.emit.options import Options

    keys = ("prefix", "layout", "interface", "checks", "sincos", "license", "gitattributes", "trace")
    given: dict[str, Any] = {key: settings[key] for key in keys if key in settings}
    if "precision" in settings:
        given["precisions"] = tuple(settings["precision"])
    if "no-alias" in settings:
        given["no_alias"] = settings["no-alias"]
    for name in ("prefix", "layout", "interface", "checks", "no_alias", "sincos", "gitattributes", "trace"):
        if choices.get(name) is not None:
            given[name] = choices[name]
    if choices.get("license_") is not None:
        given["license"] = choices["license_"]
    if choices.get("precision"):
        given["precisions"] = choices["precision"]
    return Options(**given)


@cli.command("check")
@click.argument("directory", type=click.Path(path_type=Path), required=False)
@click.option("--diff", "show_diff", is_flag=True, help="Print the difference to the expected files.")
@MODEL
@BIND
@CONFIG
def check_command(
    directory: Path | None,
    show_diff: bool,
    models: tuple[Path, ...],
    bindings: tuple[str, ...],
    config: Path | None,
) -> None:
    """Check that a generated tree is up to date with its definitions; write nothing.

    DIRECTORY defaults to the output that featherc.toml names, or to generated. That output is compared with
    what `featherc generate` would write. Any other tree is generated again in memory, from the options,
    kernels and bound values that its manifest.json records.
    """
    from codegen.cli.config import read_config
    from codegen.library import library
    from codegen.library.routines import routines
    from codegen.loading.recorded import recorded_robots
    from codegen.review.check import (
        compare_files,
        expected_tree,
        manifest_of,
        remedy,
        summary,
        unified,
        unrecorded,
    )
    from codegen.show import DIFF, lines, printable, table, working
    from codegen.tree.assemble import render_tree
    from codegen.tree.snapshot import read_directory

    settings = read_config(config)
    directory = directory or settings.path("output") or Path("generated")
    there = read_directory(directory)
    manifest = manifest_of(there, directory)
    with working(f"generating {len(manifest['functions'])} functions in memory"):
        if settings.is_output(directory):
            subjects = _subjects((), models, bindings, settings)
            expected = render_tree(subjects, _options(settings.generate, {}))
        else:
            own = _models(models or settings.paths("model"), _kernels_in(manifest), manifest)
            known: dict[str, Kernel | Routine] = {
                **library(),
                **routines(),
                **recorded_robots(manifest),
                **own,
            }
            _note(f"the tree does not contain the kernel {name}" for name in unrecorded(manifest, own))
            expected = expected_tree(manifest, known, _bindings(bindings, settings))
    findings = compare_files(there, expected, manifest)
    notable = [f for f in findings if f.notable]
    if notable:
        table(("file", "state", "detail"), [(printable(f.path), f.state.value, f.detail) for f in notable],
              styles=["" if f.ok else "red" for f in notable])  # fmt: skip
    if show_diff:
        lines(unified(findings, there, expected), DIFF)
    message = f"{click.format_filename(directory)}: {summary(findings)}"
    if not all(f.ok for f in findings):
        raise CheckFailed(f"{message}; {remedy(manifest)}")
    click.echo(message)


FORMAT = click.option(
    "--format", "form", default="text", show_default=True,
    type=click.Choice(["text", "html", "json", "markdown", "junit", "sarif", "github", "gitlab", "waivers"]),
)  # fmt: skip
OUTPUT = click.option(
    "--output", "-o", type=click.Path(path_type=Path), help="Write the report to this file."
)
SUMMARY = click.option(
    "--summary", is_flag=True, help="Append Markdown to the file that $GITHUB_STEP_SUMMARY names."
)
TODAY = click.option(
    "--today", type=click.DateTime(["%Y-%m-%d"]), help="The day on which waivers must hold [today in UTC]."
)


@cli.command("diff")
@click.argument("old")
@click.argument("new")
@click.option(
    "--fail-on", help="Classes that fail, limits on growth and on round-off: changed,cost>5%,ulp>16."
)
@FORMAT
@OUTPUT
@click.option(
    "--callers", multiple=True, type=click.Path(path_type=Path), metavar="DIRECTORY",
    help="Show where C and C++ below it names a changed function.",
)  # fmt: skip
@SUMMARY
@TODAY
@CONFIG
def diff_command(
    old: str,
    new: str,
    fail_on: str | None,
    form: str,
    output: Path | None,
    callers: tuple[Path, ...],
    summary: bool,
    today: datetime | None,
    config: Path | None,
) -> None:
    """Classify how each generated function has changed, and fail when a change is outside the policy.

    OLD and NEW are directories, archives (.tar.gz or .zip, with :PATH after them for a tree inside), or
    REVISION:PATH in the current git repository, such as HEAD~1:generated. They are untrusted: nothing in them
    is compiled or run. The policy is --fail-on, else fail-on in the table [diff] of featherc.toml, and the
    budgets of that table. Changes that a [[waiver]] of featherc.toml names do not fail; --format waivers
    prints the entries for those that do.
    """
    from codegen.cli.config import read_config
    from codegen.review.callers import read_calls
    from codegen.review.comparison import compare
    from codegen.review.policy import parse_policy
    from codegen.review.reports import FORMATS, append_summary, text
    from codegen.review.review import review
    from codegen.show import progress

    settings = read_config(config)
    items = settings.diff.get("fail-on", []) if fail_on is None else fail_on.split(",")
    if (items or fail_on is not None) and not "".join(items).strip():
        where = "fail-on of the configuration" if fail_on is None else "--fail-on"
        raise FeatherError(f"{where} is empty: list classes and limits, or omit it")
    policy = parse_policy(items, settings.diff.get("budget", {}))
    waivers = _waivers(settings, today)
    compared = compare(old, new, lambda names: progress(names, "comparing", str))
    report = review(compared, policy, waivers, read_calls(callers, compared.symbols))
    _warn(report)
    with _into(output):
        if form == "text":
            text.show(report)
        else:
            click.echo(FORMATS[form](report), nl=False)
    if summary:
        append_summary(report)
    if report.outside:
        raise CheckFailed(
            f"{len(report.outside)} of {len(report.rows)} {report.subjects} are outside the policy"
        )


@contextmanager
def _into(output: Path | None) -> Iterator[None]:
    """Write what is printed within to a file, if one is named."""
    from codegen.review.reports import write_report

    if output is None:
        yield
        return
    printed = io.StringIO()
    with redirect_stdout(printed):
        yield
    write_report(output, printed.getvalue())


def _waivers(settings: Config, today: datetime | None) -> Waivers:
    """The waivers of the configuration, on a day or today."""
    from codegen.review.waivers import Waivers, parse_waivers

    return Waivers(parse_waivers(settings.waivers), (today or datetime.now(UTC)).date())


def _warn(report: Report) -> None:
    from codegen.show import printable

    for warning in report.warnings:
        click.echo(f"featherc: warning: {printable(warning)}", err=True)


@cli.command("release")
@click.argument("baseline")
@click.argument("tree")
@click.option("--version", "new", metavar="VERSION", help="The version of the tree [its git tag].")
@click.option(
    "--baseline-version", "old", metavar="VERSION", help="The version of the baseline [its git tag]."
)
@FORMAT
@OUTPUT
@SUMMARY
@TODAY
@CONFIG
def release_command(
    baseline: str,
    tree: str,
    new: str | None,
    old: str | None,
    form: str,
    output: Path | None,
    summary: bool,
    today: datetime | None,
    config: Path | None,
) -> None:
    """Say which version bump the changes since a release require, and fail when --version is too low.

    BASELINE is the tree of the last release and TREE that of the next one: a git tag or revision with its
    path (v1.2.0:generated), a directory, or an archive (fc-1.2.0.tar.gz, with :PATH after it for a tree
    inside). `featherc rules` shows what each class of change requires; the table [release] of featherc.toml
    may require more or less, and its [[waiver]]s excuse single changes (--format waivers prints them).
    Without --version and a tag of TREE, the required version is printed. Below 1.0.0, the first number that
    is not 0 counts as the major one.
    """
    from codegen.cli.config import read_config
    from codegen.review.comparison import compare
    from codegen.review.release.gate import Declared, judge, parse_bumps
    from codegen.review.release.report import as_json, as_report, conclusion, show
    from codegen.review.release.versions import baseline_version, version_of
    from codegen.review.reports import FORMATS, append_summary
    from codegen.show import progress

    settings = read_config(config)
    bumps, waivers = parse_bumps(settings.release.get("bump", {})), _waivers(settings, today)
    declared = Declared(baseline_version(baseline, old), version_of(tree, new, "--version"))
    if declared.new and not declared.old:
        raise FeatherError(f"the version of {baseline} is not known: state --baseline-version, or name a tag")
    compared = compare(baseline, tree, lambda names: progress(names, "comparing", str))
    verdict = judge(compared, bumps, waivers, declared)
    report = as_report(verdict, waivers)
    _warn(report)
    with _into(output):
        if form == "text":
            show(verdict, report)
        else:
            click.echo(as_json(verdict) if form == "json" else FORMATS[form](report), nl=False)
    if summary:
        append_summary(report)
    if not verdict.passes:
        raise CheckFailed(conclusion(verdict))
    if form == "text":
        click.echo(conclusion(verdict))
    else:
        click.echo(f"featherc: {conclusion(verdict)}", err=True)


@cli.command("rules")
@click.argument("rule", required=False)
@click.option("--markdown", is_flag=True, help="Print the pages in Markdown.")
def rules_command(rule: str | None, markdown: bool) -> None:
    """Explain a class of change: its meaning, the version bump that it requires, an example, the remedy.

    Without RULE, all rules are listed.
    """
    from codegen.review.rules import RULES, as_markdown, as_text, find_rule
    from codegen.show import table

    chosen = [find_rule(rule)] if rule else list(RULES.values())
    if rule or markdown:
        click.echo("\n".join(map(as_markdown if markdown else as_text, chosen)), nl=False)
    else:
        table(("rule", "requires", "meaning"), [(r.name, str(r.bump), r.meaning) for r in chosen])


@cli.command("verify")
@click.argument("directory", type=click.Path(path_type=Path), required=False)
@click.argument("kernels", nargs=-1, metavar="[KERNEL]...")
@MODEL
@CONFIG
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def verify_command(
    directory: Path | None,
    kernels: tuple[str, ...],
    models: tuple[Path, ...],
    config: Path | None,
    as_json: bool,
) -> None:
    """Compile a generated tree and compare its functions with the references, in every precision.

    DIRECTORY defaults to the output that featherc.toml names, or to generated, and its kernels to those of
    the library and of the models that featherc.toml names. Bound values are those that the manifest.json of
    the tree records.

    KERNELs name those of the tree whose functions are compared; without any, all of them are.
    """
    from codegen.cli.config import read_config
    from codegen.library import library
    from codegen.loading.recorded import recorded_robots
    from codegen.modeling.equations.uncompared import misread_equations
    from codegen.show import progress
    from codegen.verify.manifest import read_manifest
    from codegen.verify.verify import verify

    bar = as_json or not sys.stdout.isatty()  # on a terminal, the rows show how far the work is
    settings = read_config(config)
    directory = directory or settings.path("output") or Path("generated")
    manifest = read_manifest(directory)
    robots = recorded_robots(manifest)
    own = {**robots, **_models(models or settings.paths("model"), kernels or _kernels_in(manifest), manifest)}
    known = {**library(), **own}
    _check_defined(kernels, manifest, known)
    made = verify(
        directory,
        known,
        progress=lambda names: progress(names, "verifying", str) if bar else names,
        names=[k.name for k in _chosen(kernels, own)] if kernels else None,
    )
    if as_json:
        rows = list(made)
        click.echo(json.dumps([{**asdict(r), "ok": r.ok} for r in rows], indent=1))
    else:
        rows = _show_rows(made, [f["symbol"] for f in manifest["functions"]])
    unproven = {r.symbol for r in rows if r.verdict in ("own formula only", "proven in part")}
    names = dict.fromkeys(f["kernel"] for f in manifest["functions"] if f["symbol"] in unproven)
    _note(misread_equations(known[name] for name in names if name in known))
    failed = [r for r in rows if not r.ok]
    for row in failed:
        click.echo(f"{row.symbol}: {row.failure}", err=True)
    _note(row.hint for row in failed if row.hint)
    if failed:
        raise CheckFailed(f"{len(failed)} of {len(rows)} functions failed verification")


def _check_defined(names: Sequence[str], manifest: Mapping[str, Any], known: Mapping[str, Kernel]) -> None:
    """FeatherError when one of the kernels or blocks of a tree that are named is not known."""
    from codegen.library.routines import routines
    from codegen.verify.manifest import base_name, undefined

    for f in manifest["functions"]:
        name = base_name(f)
        if not {name, f.get("block")}.isdisjoint(names) and name not in known and name not in routines():
            raise undefined(f, manifest["prefix"])


def _show_rows(made: Iterable[Verification], symbols: Sequence[str]) -> list[Verification]:
    """Print the rows as they are made; all of them."""
    from codegen.show import growing_table, lines
    from codegen.verify.verify import left_out_in_words, mathematics_in_words, reasons_in_words

    longest = max(map(len, symbols), default=0)
    columns = {
        "function": longest, "mathematics": 25, "cases": 5, "left out": 0, "ulp": 8, "scaled": 6, "limit": 5,
        "verdict": 10, "cost": 0,
    }  # fmt: skip
    rows: list[Verification] = []

    def cells() -> Iterator[Sequence[str]]:
        for row in made:
            rows.append(row)
            yield _cells(row)

    growing_table(columns, cells(), right=("cases", "left out", "ulp", "scaled", "limit"))
    lines(reasons_in_words(rows), {})
    lines(mathematics_in_words(rows), {})
    lines(left_out_in_words(rows), {})
    return rows


def _scaled(error: float) -> str:
    return f"{error:.2f}" if error < 1e6 else f"{error:.3g}"


def _cells(row: Verification) -> tuple[str, ...]:
    from codegen.ir.cost import cost_text

    return (
        row.symbol, row.verdict, str(row.cases), str(row.trials_left_out), f"{row.worst_ulp:.3g}",
        _scaled(row.worst_scaled), str(row.tolerance), "ok" if row.ok else f"FAILED {len(row.problems)}",
        cost_text(row.cost) if row.cost else "",
    )  # fmt: skip


@cli.command("inspect")
@click.argument("kernel", required=False)
@MODEL
@click.option("--stage", type=click.Choice(["definition", "formula", "program", "c"]),
              help="Show one stage on the way to C [all].")  # fmt: skip
@click.option("--as", "form", default="text", show_default=True,
              type=click.Choice(["text", "latex", "markdown", "html", "json", "dot", "svg"]))  # fmt: skip
@click.option("--precision", "-p", type=click.Choice(["f64", "f32"]), help="Precision of the C [f64].")
@click.option("--from-symbol", "symbol", help="Choose the kernel by the name of its C function.")
@click.option("--compare", nargs=2, metavar="A B", help="Two kernels side by side, and where they agree.")
def inspect_command(
    kernel: str | None,
    models: tuple[Path, ...],
    stage: str | None,
    form: str,
    precision: str | None,
    symbol: str | None,
    compare: tuple[str, str] | None,
) -> None:
    """Show a kernel: its signature, derivation, formula, Program, C, cost and behaviour at singularities."""
    from codegen.emit.options import Options
    from codegen.explain.inspection.inspect import inspect, named_by

    known = _models(models, [kernel] if kernel else compare or ())
    options = Options(precisions=(precision or "f64",))
    if compare:
        from codegen.explain.inspection.comparison import comparison

        click.echo(comparison(_chosen(compare, known), form, options), nl=False)
        return
    if symbol:
        kernel, found = named_by(symbol, [k.name for k in _chosen((), {})] + list(known))
        options = Options(precisions=(precision or found,))
    if kernel is None:
        raise click.UsageError("Missing argument 'KERNEL'.")
    (chosen,) = _chosen([kernel], known)
    click.echo(inspect(chosen, stage or "", form, options), nl=False)


@cli.command("trace")
@click.argument("place", metavar="FILE:LINE")
@MODEL
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def trace_command(place: str, models: tuple[Path, ...], as_json: bool) -> None:
    """Trace a line of generated C back to its equation, derivation step and inputs."""
    from codegen.explain.inspection.whereabouts import find
    from codegen.library import library
    from codegen.library.routines import routines

    answer = find(place, {**library(), **routines(), **_beside(place), **_models(models)})
    click.echo(answer.json if as_json else answer.text, nl=False)


def _beside(place: str) -> dict[str, Kernel]:
    """The kernels of the robots that the tree of a FILE:LINE records; none where it is in no tree."""
    from codegen.loading.model_file import recorded_in

    return recorded_in(Path(place.rpartition(":")[0]).parent)


@cli.command("cost")
@click.argument("kernels", nargs=-1, metavar="[KERNEL]...")
@MODEL
@BIND
@click.option("--checks/--no-checks", default=True, help="Status flags and guards at singularities [checks].")
@click.option("--precision", "-p", multiple=True, default=("f64", "f32"), help="f64 or f32 [both].")
@click.option("--sincos", default="auto", help=_SINCOS)
@click.option("--target", "-t", "targets", multiple=True,
              help="m0plus, m4f, m7 or host, or several separated by commas [all].")  # fmt: skip
@click.option(
    "--run/--no-run", default=True, help="Execute the functions in QEMU and count instructions [run]."
)
@click.option("--json", "form", flag_value="json", help="Print JSON.")
@click.option("--markdown", "form", flag_value="markdown", help="Print a Markdown table.")
def cost_command(
    kernels: tuple[str, ...],
    models: tuple[Path, ...],
    bindings: tuple[str, ...],
    checks: bool,
    precision: tuple[str, ...],
    sincos: str,
    targets: tuple[str, ...],
    run: bool,
    form: str | None,
) -> None:
    """Show the cost of kernels: operations and, per target, instructions, bytes of flash and stack, cycles.

    Executed instructions are those of one call in QEMU, libm included, at a point of the input domain, with
    angles below 100 rad where it has such. Static instructions are those of the function's own code. Flash
    includes the tables that a function reads. The C is compiled by gcc with -O2 -ffp-contract=fast. Cycles
    are estimated by llvm-mca: a trend only.
    """
    from codegen.emit.options import Options
    from codegen.library.routines import with_calls
    from codegen.measure.measure import measure
    from codegen.measure.report import as_json, markdown, missing_text, table
    from codegen.measure.targets import chosen, lacks
    from codegen.modeling.vehicle import bind_all
    from codegen.show import table as show_table
    from codegen.show import working

    machines, options = chosen(targets), Options(checks=checks, precisions=precision, sincos=sincos)
    bound, routines = with_calls(_chosen(kernels, _models(models, kernels)))
    bound = bind_all(bound, _bindings(bindings))
    missing = lacks(machines, run)
    with working("measuring"):
        rows = measure([*bound, *routines], options, machines, run)
    if form == "json":
        click.echo(as_json(rows, checks, missing))
    elif form == "markdown":
        click.echo(markdown(table(rows)))
    else:
        show_table(*table(rows), right=table(rows).columns[1:])
    if missing:
        click.echo(missing_text(missing), err=True)


@cli.command("book")
@click.argument("kernels", nargs=-1, metavar="[KERNEL]...")
@click.option("--output", "-o", type=click.Path(path_type=Path), required=True, help="Output directory.")
@MODEL
@click.option(
    "--record",
    type=click.Path(path_type=Path),
    help="Output of featherc verify --json: verdicts and errors that the book shows.",
)
def book_command(
    kernels: tuple[str, ...], output: Path, models: tuple[Path, ...], record: Path | None
) -> None:
    """Write a static site about the named kernels; without names, all of the library or of the models."""
    from codegen.explain.book.site import build
    from codegen.show import progress

    own = _models(models, kernels)
    names = [k.name for k in _chosen(kernels, own)]
    count = build(names, own, output, record, lambda pages: progress(pages, "writing the book", str))
    click.echo(f"{click.format_filename(output / 'index.html')}: {count} functions")
