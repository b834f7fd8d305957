"""Checks that a name is not reserved by C, C++ or the standard headers."""

import re

from codegen.errors import FeatherError

_C = """auto break case char const continue default do double else enum extern float for goto if inline
int long register restrict return short signed sizeof static struct switch typedef union unsigned void
volatile while"""

_CPP = """alignas alignof and and_eq asm bitand bitor bool catch class char8_t char16_t char32_t
co_await co_return co_yield compl concept const_cast consteval constexpr constinit decltype delete
dynamic_cast explicit export false friend mutable namespace new noexcept not not_eq nullptr operator or
or_eq private protected public reinterpret_cast requires static_assert static_cast template this
thread_local throw true try typeid typename using virtual wchar_t xor xor_eq"""

_HEADERS = """I NULL NAN INFINITY HUGE_VAL EOF complex imaginary errno assert main status j0 j1 jn y0 y1 yn
gamma signgam finite drem significand linux unix near far huge fpclassify isfinite isinf isnan isnormal
signbit isgreater isless isunordered"""

_LIBM = """acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs
fdim floor fma fmax fmin fmod frexp hypot ilogb ldexp lgamma llrint llround log log10 log1p log2 logb lrint
lround modf nan nearbyint nextafter nexttoward pow remainder remquo rint round scalbln scalbn sin sinh sqrt
tan tanh tgamma trunc abs"""

RESERVED = frozenset(
    [*_C.split(), *_CPP.split(), *_HEADERS.split()]
    + [name + suffix for name in _LIBM.split() for suffix in ("", "f", "l")]
)

LONGEST_SYMBOL = 200
"""Characters that common compilers tell apart: IAR's 200, Microsoft's 247, Microchip's 255, others all."""

LONGEST_PREFIX = 56
"""Characters of the longest prefix of all symbols."""

LONGEST_NAME = 128
"""Characters of the longest name of a kernel or argument, which leaves room for prefix, part and `_f32`."""

_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z")


def fits(name: str) -> bool:
    """Whether generated C can use a name as it is."""
    return (
        len(name) <= 31
        and _IDENTIFIER.match(name) is not None
        and name not in RESERVED
        and "__" not in name
        and not name.endswith("_")
    )


def check_name(name: str, what: str) -> str:
    """`name` itself; FeatherError when generated C cannot use it."""
    return check_length(check_spelling(name, what), what)


def check_spelling(name: str, what: str) -> str:
    """`name` itself; FeatherError when generated C cannot use it, however short it is."""
    what = _with_article(what)
    if not isinstance(name, str) or not _IDENTIFIER.match(name):
        raise FeatherError(
            f"{name!r} cannot name {what}: take a letter, then letters, digits and underscores"
        )
    if name in RESERVED:
        raise FeatherError(f"{name!r} cannot name {what}: C or its headers use it; choose another name")
    if name.endswith("_"):
        raise FeatherError(
            f"{name!r} cannot name {what}: with the underscore at its end, names in C that begin with it "
            "have double underscores, which C++ reserves; leave it out"
        )
    if "__" in name:
        raise FeatherError(
            f"{name!r} cannot name {what}: C++ reserves double underscores; choose another name"
        )
    return name


def check_length(name: str, what: str, longest: int = LONGEST_NAME) -> str:
    """`name` itself; FeatherError when it is too long for generated C."""
    if len(name) > longest:
        raise FeatherError(
            f"{name[:20]!r}... cannot name {_with_article(what)}: it is longer than {longest} characters, "
            f"and some compilers tell only {LONGEST_SYMBOL} of a whole symbol apart; choose a shorter name"
        )
    return name


def _with_article(what: str) -> str:
    return f"{'an' if what[0] in 'aeio' else 'a'} {what}"
