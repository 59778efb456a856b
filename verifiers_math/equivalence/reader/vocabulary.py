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
    "arccoth": "arcoth",
    "arcsech": "arsech",
    "arccsch": "arcsch",
    "asinh": "arsinh",
    "acosh": "arcosh",
    "atanh": "artanh",
    "acoth": "arcoth",
    "asech": "arsech",
    "acsch": "arcsch",
    "argsinh": "arsinh",
    "argcosh": "arcosh",
    "argtanh": "artanh",
    "Arcsin": "arcsin",
    "Arccos": "arccos",
    "Arctan": "arctan",
    "Ln": "ln",
    "Log": "log",
    "Arg": "arg",
    "Re": "re",
    "Im": "im",
    "sgn": "sgn",
    "sign": "sgn",
    "abs": "abs",
    "Abs": "abs",
    "Max": "max",
    "Min": "min",
    "floor": "floor",
    "ceil": "ceil",
    "lg": "lg",
    "lb": "lb",
    "cis": "cis",
    "HCF": "gcd",
    "GCD": "gcd",
    "LCM": "lcm",
}
"""Each spelling of a function and its name in the tree; ``lg``, ``lb`` and ``cis`` go."""

SHORT_CONSTRUCTORS = frozenset("Eq Ne Pow pow set".split())
"""Calls, as algebra systems print them, whose names would be letters without parentheses."""

MODULES = frozenset("math cmath numpy sympy".split())
"""Modules of Python whose names may stand before a function: ``math.sqrt(2)``."""

PROSE_FUNCTIONS = frozenset(
    "max min Max Min Abs arg Arg sign sgn abs floor ceil Re Im sh ch Log cis".split()
)
"""Functions that are words as well: an opening bracket has to follow where no backslash stands."""

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
    "sinh",
    "cosh",
    "tanh",
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
    "max": "max",
    "min": "min",
    "sup": "sup",
    "inf": "inf",
    "argmax": "argmax",
    "argmin": "argmin",
}
UPRIGHT_OPERATORS = frozenset("lim limsup liminf det sup inf argmax argmin".split())
"""Operators that are also written upright; ``sum`` is then a word."""

UNIONS = {"bigcup": "\\cup", "bigcap": "\\cap"}
"""Operators that stand between two sets where they have no range."""

GREEK = frozenset(
    (
        "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu "
        "xi omicron rho varrho sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta "
        "Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega ell hbar partial"
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
GREEK_WORDS = frozenset(name for name in GREEK if len(name) > 2) - {"ell", "hbar", "partial"}
"""Greek letters that are recognised without a backslash; ``mu``, ``nu`` and ``xi`` are products."""

CONSTANTS = {
    "pi": "pi",
    "infty": "infinity",
    "inf": "infinity",
    "Infinity": "infinity",
    "infinity": "infinity",
    "oo": "infinity",
}
NAMED_SETS = {"emptyset": "empty"}
BLACKBOARD = frozenset("RZNQC")
SETS_OF_SIGN = {">0": "+", "<0": "-", "ge1": "+"}
"""What a condition behind the letter of a set is called: ``Q>0`` is ``Q+``."""

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
    "\\cong": "congruent",
    "\\equiv": "equiv",
    "\\in": "in",
    "\\notin": "notin",
    "\\ni": "ni",
    "\\subset": "subset",
    "\\subseteq": "subset",
    "\\coloneqq": "=",
    "\\triangleq": "=",
    "\\thickapprox": "~",
    "\\subsetneq": "subset",
    "\\supset": "supset",
    "\\supseteq": "supset",
    "\\propto": "proportional",
    "\\parallel": "parallel",
    "\\perp": "perpendicular",
    "\\to": "to",
    "\\longrightarrow": "to",
    "\\mapsto": "maps",
}
SET_OPERATIONS = {
    "\\cup": "union",
    "\\sqcup": "union",
    "\\uplus": "union",
    "\\cupdot": "union",
    "\\cap": "intersection",
    "\\setminus": "difference",
    "\\smallsetminus": "difference",
}
IMPLIES = frozenset(
    (
        "\\Rightarrow \\Longrightarrow \\Leftrightarrow \\Longleftrightarrow \\iff \\therefore "
        "\\implies \\Leftarrow"
    ).split()
)
"""Arrows: what stands behind the last one is the answer."""

ARROWS = {
    "\\Rightarrow": "implies",
    "\\Longrightarrow": "implies",
    "\\Leftarrow": "implied",
    "\\Leftrightarrow": "iff",
    "\\Longleftrightarrow": "iff",
    "\\iff": "iff",
}
"""Arrows between two statements that are letters, which belong to the answer."""

STATEMENTS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZpqrs")
"""Letters of statements."""

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

FACTOR_LETTERS = frozenset("PQWT")
"""Function letters that are quantities too: ``P(1+r)`` is a product, ``P(x)`` is none."""

FUNCTION_SYMBOLS = frozenset("phi psi Phi Psi zeta sigma tau mu delta eta chi Lambda".split())
"""Greek letters that are functions where parentheses follow at once and hold one symbol."""

VARIABLES_OF = dict.fromkeys("uypqr", "xt") | dict.fromkeys("xwzsNV", "t")
"""The letters that, alone in its parentheses, make a function of another; ``k(t)`` is a product."""

CALLED = frozenset({"O", "o", "Theta", "Omega", "zeta", "Phi"})
"""Orders of growth, the zeta function and the normal distribution, which are no factors."""

OPERATORS_OF_CHANCE = {
    "E": "E",
    "D": "Var",
    "V": "Var",
    "P": "P",
    "mathbb E": "E",
    "mathbb V": "Var",
    "mathbb P": "P",
}
"""Letters of the expectation, the variance and the probability, and how they are called."""

RANDOM_VARIABLES = frozenset("XYZ")

NAMED_CALLS = {
    name: name
    for name in (
        "Var Cov Corr Std SD tr rank span erf erfc Li Si Ci ord sinc rect Res Ker Hom Aut Gal End "
        "Bin Exp Poisson Beta div curl grad adj"
    ).split()
} | {
    "var": "Var",
    "cov": "Cov",
    "corr": "Corr",
    "std": "Std",
    "Tr": "tr",
    "trace": "tr",
    "ker": "Ker",
    "rot": "curl",
}
"""Each spelling of a word that is a function where a bracket follows at once, and its name."""

ACCENTS = frozenset(
    (
        "vec hat widehat bar overline tilde widetilde dot ddot mathring overrightarrow "
        "overleftrightarrow overparen overarc wideparen mathcal mathscr mathfrak dim deg"
    ).split()
)
"""Commands that make another symbol of their argument."""

INVISIBLE = frozenset(
    (
        "large Large LARGE huge Huge small normalsize tiny footnotesize scriptsize boxed fbox "
        "underline mathstrut strut noindent mathop mathrel mathbin mathord ensuremath "
        "displaylines scriptscriptstyle"
    ).split()
)
"""Commands that only change how their argument looks."""

MATRICES = frozenset(
    (
        "matrix pmatrix bmatrix Bmatrix vmatrix Vmatrix smallmatrix psmallmatrix bsmallmatrix "
        "array pmatrix* bmatrix* matrix*"
    ).split()
)
ALIGNED = frozenset(
    (
        "aligned align align* alignedat gathered gather gather* split eqnarray eqnarray* equation "
        "equation* multline multline* flalign flalign*"
    ).split()
)
"""Environments whose columns mean nothing."""
CASES = frozenset("cases dcases rcases cases* dcases*".split())
CONDITION_WORDS = frozenset(
    ("if", "for", "when", "where", "with", "for all", "for any", "for some", "for every", "in case")
)
"""Words before the condition of a case."""
