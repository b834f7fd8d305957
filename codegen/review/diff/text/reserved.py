"""The names of C, its preprocessor and its library: a macro of such a name changes what C means."""

from __future__ import annotations

import re

_KEYWORDS = """
auto break case char const continue default do double else enum extern float for goto if inline int long
register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
asm typeof alignas alignof bool constexpr false nullptr static_assert thread_local true typeof_unqual
defined
"""
_OF_ONE = """
acos asin atan cos sin tan acosh asinh atanh cosh sinh tanh exp exp2 expm1 log log10 log1p log2 cbrt fabs sqrt
erf erfc lgamma tgamma ceil floor nearbyint rint round trunc
"""
_OF_TWO = "atan2 hypot pow fmod remainder copysign nextafter fdim fmax fmin"
ARGUMENTS = {**dict.fromkeys(_OF_ONE.split(), 1), **dict.fromkeys(_OF_TWO.split(), 2), "fma": 3}
"""The number of arguments of functions of <math.h>, under their names for double."""

_MORE_FUNCTIONS = """
frexp ilogb ldexp logb modf scalbn scalbln lrint llrint lround llround remquo nan nexttoward exp10 pow10
sincos roundeven nextup nextdown llogb fmaxmag fminmag fmaximum fminimum fmaximum_num fminimum_num
fmaximum_mag fminimum_mag fmaximum_mag_num fminimum_mag_num canonicalize totalorder totalordermag getpayload
setpayload setpayloadsig fromfp ufromfp fromfpx ufromfpx fadd fsub fmul fdiv ffma fsqrt dadd dsub dmul
ddiv dfma dsqrt gamma drem significand finite isinf isnan scalb j0 j1 jn y0 y1 yn
"""
_REAL_FUNCTIONS = (*ARGUMENTS, *_MORE_FUNCTIONS.split())
_CPP_KEYWORDS = """
and and_eq bitand bitor catch char16_t char32_t char8_t class co_await co_return co_yield compl concept
const_cast consteval constexpr constinit decltype delete dynamic_cast explicit export friend mutable namespace
new noexcept not not_eq nullptr operator or or_eq private protected public reinterpret_cast requires
static_assert static_cast template this throw try typeid typename using virtual wchar_t xor xor_eq
"""
_OF_CPP = frozenset(_CPP_KEYWORDS.split())
_OTHERS = """
fpclassify isfinite isnormal signbit isgreater isgreaterequal isless islessequal islessgreater isunordered
float_t double_t signgam abs labs llabs div ldiv abort exit atexit malloc calloc realloc free memcpy memmove
memset memcmp memchr strlen strcmp strcpy offsetof size_t ptrdiff_t wchar_t assert errno NDEBUG complex
imaginary I and or not xor bitand bitor compl and_eq or_eq not_eq xor_eq arm mips sparc vax sun unused
"""
_OBJECT_MACROS = """
INFINITY NAN HUGE_VAL HUGE_VALF HUGE_VALL FP_FAST_FMA FP_FAST_FMAF math_errhandling NULL CHAR_BIT EOF MAXFLOAT
FLT_EVAL_METHOD FLT_ROUNDS bool true false unix linux i386
"""
_OF_HEADERS = """
AIO_PRIO_DELTA_MAX BITINT_MAXWIDTH BOOL_MAX BYTE_ORDER CHARCLASS_NAME_MAX COLL_WEIGHTS_MAX DECIMAL_DIG
DEC_EVAL_METHOD DEC_INFINITY DEC_NAN DELAYTIMER_MAX EXIT_FAILURE EXIT_SUCCESS EXPR_NEST_MAX FLT_RADIX
HAVE_INITFINI_ARRAY HOST_NAME_MAX INTMAX_C IOV_MAX LINE_MAX LOGIN_NAME_MAX LONG_BIT LONG_LONG_MAX
LONG_LONG_MIN MAX_CANON MAX_INPUT MB_CUR_MAX MB_LEN_MAX MQ_PRIO_MAX M_3PI_4 M_INVLN2 M_IVLN10 M_TWOPI NAME_MAX
NFDBITS NGROUPS_MAX NZERO PATH_MAX PIPE_BUF RAND_MAX RE_DUP_MAX RTSIG_MAX SEM_VALUE_MAX SIG_ATOMIC_MAX
SIG_ATOMIC_MIN TTY_NAME_MAX UINTMAX_C ULONG_LONG_MAX WNOHANG WNOWAIT WORD_BIT WUNTRACED alloca iscanonical
iseqsig issignaling issubnormal iszero strtodf
"""
"""Macros of the headers that are included without a doubt, in any standard of gcc and clang."""

_OF_OTHER_HEADERS = """
errno complex BUFSIZ FILENAME_MAX FOPEN_MAX TMP_MAX L_tmpnam SEEK_SET SEEK_CUR SEEK_END stdin stdout stderr
CLOCKS_PER_SEC TIME_UTC SIG_IGN SIG_DFL SIG_ERR SIGABRT SIGFPE SIGILL SIGINT SIGSEGV SIGTERM LC_ALL
LC_COLLATE LC_CTYPE LC_MONETARY LC_NUMERIC LC_TIME FE_ALL_EXCEPT FE_DIVBYZERO FE_INEXACT FE_INVALID
FE_OVERFLOW FE_UNDERFLOW FE_DOWNWARD FE_TONEAREST FE_TOWARDZERO FE_UPWARD FE_DFL_ENV WEOF ONCE_FLAG_INIT
TSS_DTOR_ITERATIONS setjmp E2BIG EACCES EADDRINUSE EADDRNOTAVAIL EADV EAFNOSUPPORT EAGAIN EALREADY EBADE
EBADF EBADFD EBADMSG EBADR EBADRQC EBADSLT EBFONT EBUSY ECANCELED ECHILD ECHRNG ECOMM ECONNABORTED
ECONNREFUSED ECONNRESET EDEADLOCK EDESTADDRREQ EDOM EDOTDOT EDQUOT EEXIST EFAULT EFBIG EHOSTDOWN
EHOSTUNREACH EIDRM EILSEQ EINPROGRESS EINTR EINVAL EIO EISCONN EISDIR EISNAM EKEYEXPIRED EKEYREJECTED
EKEYREVOKED EL2HLT EL2NSYNC EL3HLT EL3RST ELIBACC ELIBBAD ELIBEXEC ELIBMAX ELIBSCN ELNRNG ELOOP EMEDIUMTYPE
EMFILE EMLINK EMSGSIZE EMULTIHOP ENAMETOOLONG ENAVAIL ENETDOWN ENETRESET ENETUNREACH ENFILE ENOANO ENOBUFS
ENOCSI ENODATA ENODEV ENOENT ENOEXEC ENOKEY ENOLCK ENOLINK ENOMEDIUM ENOMEM ENOMSG ENONET ENOPKG ENOPROTOOPT
ENOSPC ENOSR ENOSTR ENOSYS ENOTBLK ENOTCONN ENOTDIR ENOTEMPTY ENOTNAM ENOTRECOVERABLE ENOTSOCK ENOTSUP
ENOTTY ENOTUNIQ ENXIO EOVERFLOW EOWNERDEAD EPERM EPFNOSUPPORT EPIPE EPROTO EPROTONOSUPPORT EPROTOTYPE ERANGE
EREMCHG EREMOTE EREMOTEIO ERESTART ERFKILL EROFS ESHUTDOWN ESOCKTNOSUPPORT ESPIPE ESRCH ESRMNT ESTALE
ESTRPIPE ETIME ETIMEDOUT ETOOMANYREFS ETXTBSY EUCLEAN EUNATCH EUSERS EXDEV EXFULL
"""
"""Macros of the headers that programs may include before those of a tree."""

_FUNCTIONS = """
atof atoi atol atoll strtod strtof strtold strtol strtoll strtoul strtoull rand srand getenv system bsearch
qsort llabs lldiv mblen mbtowc wctomb mbstowcs wcstombs strcat strncat strncmp strncpy strcoll strxfrm strchr
strrchr strcspn strspn strpbrk strstr strtok strerror quick_exit at_quick_exit aligned_alloc random srandom
"""
"""Functions of <stdlib.h> and <string.h>."""

_OF_POSIX = """
a64l arc4random arc4random_buf arc4random_uniform atoff basename bcmp bcopy blkcnt_t blksize_t bzero caddr_t
cfree clearenv clock_t clockid_t daddr_t dev_t div_t drand48 drand48_r ecvt ecvt_r environ erand48 erand48_r
explicit_bzero fcvt fcvt_r fd_mask fd_set ffs ffsl ffsll fls flsl flsll fsblkcnt_t fsfilcnt_t fsid_t gamma_r
gammaf_r gcvt getloadavg getsubopt gid_t id_t index infinity infinityf initstate initstate_r ino_t int16_t
int32_t int64_t int8_t int_fast16_t int_fast32_t int_fast64_t int_fast8_t int_least16_t int_least32_t
int_least64_t int_least8_t intmax_t intptr_t itoa jrand48 jrand48_r key_t l64a lcong48 lcong48_r ldiv_t
lgamma_r lgammaf_r lgammal_r lldiv_t locale_t loff_t lrand48 lrand48_r max_align_t memccpy memmem mempcpy
memrchr mkdtemp mkstemp mkstemps mktemp mode_t mrand48 mrand48_r nlink_t nrand48 nrand48_r off_t on_exit
pid_t posix_memalign pselect pthread_attr_t pthread_barrier_t pthread_barrierattr_t pthread_cond_t
pthread_condattr_t pthread_key_t pthread_mutex_t pthread_mutexattr_t pthread_once_t pthread_rwlock_t
pthread_rwlockattr_t pthread_spinlock_t pthread_t putenv qecvt qecvt_r qfcvt qfcvt_r qgcvt qsort_r quad_t
rand_r random_r register_t
rawmemchr reallocarray reallocf realpath rindex rpmatch secure_getenv seed48 seed48_r select
setenv setstate setstate_r sigset_t srand48 srand48_r srandom_r ssize_t stpcpy stpncpy strcasecmp
strcasecmp_l strcasestr strchrnul strcoll_l strdup strerror_l strerror_r strlcat strlcpy strlwr strncasecmp
strncasecmp_l strndup strnlen strnstr strsep strsignal strtok_r strtoq strtouq strupr strverscmp strxfrm_l
suseconds_t time_t timer_t timingsafe_bcmp timingsafe_memcmp u_char u_int u_int16_t u_int32_t u_int64_t
u_int8_t u_long u_quad_t u_short uid_t uint uint16_t uint32_t uint64_t uint8_t uint_fast16_t uint_fast32_t
uint_fast64_t uint_fast8_t uint_least16_t uint_least32_t uint_least64_t uint_least8_t uintmax_t uintptr_t
ulong unsetenv ushort utoa valloc wint_t
"""
"""What the same headers declare in glibc and newlib, where -std=gnu11 or a macro asks for more than C."""

_OF_GNU = """
blkcnt64_t canonicalize_file_name comparison_fn_t fsblkcnt64_t fsfilcnt64_t getpt grantpt ino64_t memfrob
mkostemp mkostemp64 mkostemps mkostemps64 mkstemp64 mkstemps64 off64_t posix_openpt ptsname ptsname_r
sigabbrev_np sigdescr_np strdupa strerrordesc_np strerrorname_np strfromd strfromf strfroml strfry strndupa
strtod_l strtof_l strtol_l strtold_l strtoll_l strtoul_l strtoull_l unlockpt useconds_t
"""
"""What they declare in glibc for C++ in any case."""

_WORDS = (_KEYWORDS, _OTHERS, _OBJECT_MACROS, _OF_HEADERS, _OF_OTHER_HEADERS, _FUNCTIONS, _OF_POSIX, _OF_GNU)
_RESERVED = frozenset(" ".join(_WORDS).split()).union(
    name + suffix for name in _REAL_FUNCTIONS for suffix in ("", "f", "l")
)
_REAL = frozenset(name + suffix for name in _REAL_FUNCTIONS for suffix in ("", "f"))
_PATTERN = re.compile(
    r"_[_A-Z]\w*|M_(?:PI|E|LN|LOG|SQRT|[12]_)\w*"
    r"|FP_(?:NAN|INFINITE|ZERO|SUBNORMAL|NORMAL|ILOGB\w+|FAST_FMA\w*)|MATH_ERR\w+"
    r"|(?:FLT|DBL|LDBL)_(?:\w+_)?(?:DIG|MIN|MAX|EPSILON|EXP|SUBNORM)"
    r"|[SU]?(?:CHAR|SHRT|INT|LONG|LLONG|SIZE|INTMAX|INTPTR|PTRDIFF)_(?:MIN|MAX)|U?INT\w*\d+_(?:C|MIN|MAX)"
    r"|(?:[SU]?CHAR|BOOL|U?SHRT|U?INT\w*|U?L?LONG|SIZE|PTRDIFF|SIG_ATOMIC|WCHAR|WINT)_WIDTH"
    r"|DEC(?:32|64|128)_\w+|FP_(?:INT|LLOGB)\w+|(?:FLT|DBL|LDBL)_(?:SNAN|IS_IEC_60559)"
    r"|(?:HUGE_VAL_|SNAN)F(?:16|32X?|64X?|128X?)|SNAN[FL]?|NL_[A-Z]+MAX"
    r"|(?:SIG_ATOMIC|WCHAR|WINT)_(?:MIN|MAX)|[A-Z]+_ENDIAN|W(?:IF)?(?:EXIT|STOP|CONTINU|SIGNAL|TERM)\w+"
    r"|(?:PRI|SCN)[diouxX](?:LEAST|FAST)?(?:8|16|32|64|MAX|PTR)"
    r"|(?:be|le)(?:16|32|64)toh|hto(?:be|le)(?:16|32|64)|(?:FD|XATTR|PTHREAD|BC)_[A-Z_]+"
)

_WITH_PARAMETERS = frozenset(
    ["alloca", "iscanonical", "iseqsig", "issignaling", "issubnormal", "iszero", "strtodf"]
)
_EVERYWHERE = frozenset(f"{_OBJECT_MACROS} {_OF_HEADERS} {_OF_OTHER_HEADERS}".split()) - _WITH_PARAMETERS


def is_macro(name: str) -> bool:
    """Whether compilers or headers of the library may replace a name wherever it stands."""
    return name in _EVERYWHERE or _PATTERN.fullmatch(name) is not None


_HEADERS = """
assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg
stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype
"""
STANDARD_HEADERS = frozenset(f"<{name}.h>" for name in _HEADERS.split())
"""The headers of the C library."""

_INNER_HEADERS = frozenset(
    f"{name}.h" for name in (
        "alloca", "byteswap", "endian", "features", "features-time64", "ieeefp", "newlib", "reent",
        "stdc-predef", "strings", "syslimits", "xlocale",
    )
)  # fmt: skip
_INNER_DIRECTORIES = frozenset(("asm", "asm-generic", "bits", "gnu", "linux", "machine", "newlib", "sys"))


def is_inner_header(path: str) -> bool:
    """Whether headers of the library may include a file of this path: <math.h> includes <features.h>."""
    *directories, name = path.split("/")
    return name in _INNER_HEADERS or (name.endswith(".h") and not _INNER_DIRECTORIES.isdisjoint(directories))


HARMLESS_HEADERS = frozenset(
    f"<{name}.h>" for name in ("float", "limits", "math", "stdbool", "stddef", "stdint", "stdlib", "string")
)
"""Of these, those that give no other meaning to what the reader accepts."""


def is_harmless(header: str, path: str) -> bool:
    """Whether a file that includes this header of the library means the same as without it.

    <assert.h> defines a macro of which programs may have their own, so that no header should include it.
    """
    return header in HARMLESS_HEADERS or (header == "<assert.h>" and not path.endswith(".h"))


STANDARD_TYPES = frozenset(
    f"{sign}int{kind}{bits}_t"
    for sign in ("", "u")
    for kind in ("", "_fast", "_least")
    for bits in (8, 16, 32, 64)
) | {"bool", "size_t", "ptrdiff_t", "intmax_t", "uintmax_t"}
"""Types of the library that are read."""

_EXTENSION = re.compile(r"_[_A-Z]\w*|asm|typeof|typeof_unqual|alignas|thread_local")
_STANDARD_WORDS = frozenset(["_Bool", "__func__", "__VA_ARGS__"])
EXPECT = "__builtin_expect"
"""A function of compilers that returns its first argument, and says which value of it is likely."""


def is_extension(word: str) -> bool:
    """Whether a word may be an attribute or a pragma: such can run code before main, or rename a symbol."""
    return _EXTENSION.fullmatch(word) is not None and word not in (*_STANDARD_WORDS, EXPECT)


def is_reserved(name: str) -> bool:
    """Whether a name is a keyword or belongs to the compiler or the library."""
    return name in _RESERVED or _PATTERN.fullmatch(name) is not None or _is_of_interchange(name)


_FORMAT = r"f(?:16|32x?|64x?|128x?)"
_OF_FORMAT = re.compile(rf"{_FORMAT}(?:add|div|fma|mul|sqrt|sub){_FORMAT}|(\w+?){_FORMAT}(?:_[lr])?")


def _is_of_interchange(name: str) -> bool:
    """Whether a name is that of a function for another format of numbers: cosf64, f32addf64."""
    found = _OF_FORMAT.fullmatch(name)
    return found is not None and (found[1] is None or found[1] in _REAL or found[1] in ("strto", "strfrom"))


_OF_MATH = _REAL | {
    "isfinite", "isinf", "isnan", "isgreater", "isgreaterequal", "isless", "islessequal",
}  # fmt: skip
_INFINITE = frozenset(["INFINITY", "HUGE_VAL", "HUGE_VALF"])
_CALLED = {
    "<math.h>": _OF_MATH,
    "<string.h>": frozenset(["memcpy", "memset"]),
    "<assert.h>": frozenset(["assert"]),
}
_OF_FLOAT = re.compile(r"(?:FLT|DBL)_(?:MAX|MIN|EPSILON|MANT_DIG)|FLT_RADIX")


def header_of(name: str, is_called: bool) -> str:
    """The header of the library that a name needs which is read; empty for other names."""
    if is_called:
        return next((header for header, names in _CALLED.items() if name in names), "")
    if name in _INFINITE:
        return "<math.h>"
    if name in ("bool", "true", "false"):
        return "<stdbool.h>"
    if name in ("size_t", "ptrdiff_t", "NULL"):
        return "<stddef.h>"
    if name in STANDARD_TYPES:
        return "<stdint.h>"
    if name == "CHAR_BIT":
        return "<limits.h>"
    return "<float.h>" if _OF_FLOAT.fullmatch(name) else ""


def is_of_cpp(name: str) -> bool:
    """Whether a name is a keyword of C++ and not of C: programs in C++ cannot include it."""
    return name in _OF_CPP
