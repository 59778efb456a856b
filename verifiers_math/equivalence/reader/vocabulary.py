r"""The words of the reader: which names are functions, constants, signs, operators. Pure data."""

from __future__ import annotations

FUNCTIONS = {
    name: name
    for name in (
        "sin cos tan cot sec csc arcsin arccos arctan arccot arcsec arccsc sinh cosh tanh coth "
        "sech csch arsinh arcosh artanh arcoth arsech arcsch exp ln log max min gcd lcm arg"
    ).split()
}
FUNCTIONS |= {
    "tg": "tan",
    "ctg": "cot",
    "cosec": "csc",
    "sh": "sinh",
    "ch": "cosh",
    "th": "tanh",
    "arctg": "arctan",
    "arcctg": "arccot",
    "asin": "arcsin",
    "acos": "arccos",
    "atan": "arctan",
    "acot": "arccot",
    "asec": "arcsec",
    "acsc": "arccsc",
    "arcsinh": "arsinh",
    "arccosh": "arcosh",
    "arctanh": "artanh",
    "asinh": "arsinh",
    "acosh": "arcosh",
    "atanh": "artanh",
    "Re": "re",
    "Im": "im",
    "sgn": "sgn",
    "sign": "sgn",
    "abs": "abs",
    "floor": "floor",
    "ceil": "ceil",
    "lg": "lg",
    "lb": "lb",
    "HCF": "gcd",
    "GCD": "gcd",
    "LCM": "lcm",
}
"""Each spelling of a function and its name in the tree (``lg`` and ``lb`` become ``log``)."""

INVERSES = {
    "sin": "arcsin",
    "cos": "arccos",
    "tan": "arctan",
    "cot": "arccot",
    "sec": "arcsec",
    "csc": "arccsc",
    "sinh": "arsinh",
    "cosh": "arcosh",
    "tanh": "artanh",
    "coth": "arcoth",
    "sech": "arsech",
    "csch": "arcsch",
}
SHORT_FUNCTIONS = (
    "arcsin",
    "arccos",
    "arctan",
    "sin",
    "cos",
    "tan",
    "cot",
    "sec",
    "csc",
    "ln",
    "log",
)
"""Functions that are recognised although letters follow at once: ``sinx``, ``lnx``."""

LIST_FUNCTIONS = frozenset({"max", "min", "gcd", "lcm"})
"""Functions of several arguments, in parentheses or braces."""

OPERATORS = {
    "sum": "sum",
    "prod": "prod",
    "int": "int",
    "iint": "int",
    "iiint": "int",
    "oint": "int",
    "lim": "lim",
    "limsup": "limsup",
    "liminf": "liminf",
    "det": "det",
    "bigcup": "bigcup",
    "bigcap": "bigcap",
}

GREEK = frozenset(
    (
        "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu "
        "xi omicron rho varrho sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta "
        "Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega ell hbar"
    ).split()
)
SAME_LETTER = {
    "varepsilon": "epsilon",
    "vartheta": "theta",
    "varphi": "phi",
    "varrho": "rho",
    "varsigma": "sigma",
    "ell": "l",
}
GREEK_WORDS = frozenset(name for name in GREEK if len(name) > 2) - {"ell", "hbar"}
"""Greek letters that are recognised without a backslash; ``mu``, ``nu`` and ``xi`` are products."""

CONSTANTS = {
    "pi": "pi",
    "infty": "infinity",
    "inf": "infinity",
    "infinity": "infinity",
    "oo": "infinity",
}
NAMED_SETS = {"emptyset": "empty"}
BLACKBOARD = frozenset("RZNQC")

RELATIONS = {
    "=": "=",
    "==": "=",
    ":=": "=",
    "<": "<",
    ">": ">",
    "<=": "<=",
    ">=": ">=",
    "=<": "<=",
    "!=": "!=",
    "<>": "!=",
    "=/=": "!=",
    "\\le": "<=",
    "\\ge": ">=",
    "\\ne": "!=",
    "\\not=": "!=",
    "\\approx": "~",
    "\\simeq": "~",
    "\\doteq": "~",
    "\\sim": "similar",
    "\\cong": "similar",
    "\\equiv": "equiv",
    "\\in": "in",
    "\\notin": "notin",
    "\\subset": "subset",
    "\\subseteq": "subset",
    "\\propto": "similar",
    "\\parallel": "similar",
    "\\perp": "similar",
    "\\to": "to",
    "\\mapsto": "to",
}
SET_OPERATIONS = {"\\cup": "union", "\\cap": "intersection", "\\setminus": "difference"}

SEPARATORS = {
    ",": ",",
    ";": ";",
    "and": "and",
    "or": "or",
    "\\wedge": "and",
    "\\vee": "or",
    "\\quad": ",",
    "\\\\": ";",
    "&": "and",
}
"""What stands between the items of a list. A wide space counts only between whole relations."""

REMARK_WORDS = frozenset(
    (
        "if when where for with whenever provided such because since as otherwise unless while "
        "so therefore hence thus i.e. ie only"
    ).split()
)
"""Words that begin a condition or a remark behind a value."""

FUNCTION_LETTERS = frozenset("fghFGHPQWT")
"""Letters whose parentheses hold arguments; those of other letters hold a factor."""

FUNCTION_SYMBOLS = frozenset({"phi", "psi", "Phi", "Psi", "Gamma", "zeta", "sigma", "tau"})
"""Greek letters that are functions where parentheses follow at once and hold one symbol."""

ACCENTS = frozenset(
    (
        "vec hat widehat bar overline tilde widetilde dot ddot mathring overrightarrow "
        "overleftrightarrow boldsymbol mathcal mathscr mathfrak"
    ).split()
)
"""Commands that make another symbol of their argument."""

INVISIBLE = frozenset(
    (
        "large Large LARGE huge Huge small normalsize tiny footnotesize scriptsize boxed fbox "
        "underline mathstrut strut noindent hline rule mathop mathrel mathbin mathord ensuremath "
        "cancel displaylines"
    ).split()
)
"""Commands that only change how their argument looks."""

MATRICES = frozenset("matrix pmatrix bmatrix Bmatrix vmatrix Vmatrix smallmatrix array".split())
ROWS = frozenset("cases aligned align align* gathered gather split eqnarray dcases".split())

COMPLEX_LETTERS = ("i", "j")
