r"""The table of spellings: what each command and character is rewritten to.

Several ways to write one thing become one: ``\dfrac`` and ``\tfrac`` become ``\frac``, the Unicode
minus becomes ``-``, ``½`` becomes ``\frac{1}{2}``. Pure data.
"""

from __future__ import annotations

_DROPPED = (
    r"\left \right \bigl \bigr \Bigl \Bigr \biggl \biggr \Biggl \Biggr \big \Big \bigg "
    r"\Bigg \bigm \middle \displaystyle \textstyle \scriptstyle \limits \nolimits \! "
    r"\/ \bf \rm \it \tt \sf \boldmath \centering \nobreak \allowbreak "
).split()
_SPACES = [
    *r"\, \; \: \> ~ \space \thinspace \enspace \enskip \( \) \[ \]".split(),
    "\\ ",
    "\\\n",
    "\\\t",
]
_WIDE_SPACES = [r"\quad", r"\qquad", r"\hspace", r"\newline", r"\hfill"]
_UPRIGHT = (
    r"\text \mathrm \textrm \textbf \textit \textsf \texttt \mbox \hbox \textnormal "
    r"\textup \operatorname \operatorname* \mathsf \mathtt "
).split()
_BOLD = [r"\mathbf", r"\boldsymbol", r"\bm", r"\mathit", r"\mathnormal", r"\pmb"]
_ALIASES = {
    r"\dfrac": r"\frac",
    r"\tfrac": r"\frac",
    r"\nicefrac": r"\frac",
    r"\sfrac": r"\frac",
    r"\Pr": "P",
    r"\cr": r"\\",
    r"\forall": r"\text{ for all }",
    r"\exists": r"\text{ there exists }",
    r"\mathdollar": r"\$",
    r"\cfrac": r"\frac",
    r"\dbinom": r"\binom",
    r"\tbinom": r"\binom",
    r"\cdot": "*",
    r"\times": "*",
    r"\ast": "*",
    r"\div": "/",
    r"\colon": ":",
    r"\leq": r"\le",
    r"\leqslant": r"\le",
    r"\geq": r"\ge",
    r"\geqslant": r"\ge",
    r"\neq": r"\ne",
    r"\lt": "<",
    r"\gt": ">",
    r"\lbrace": r"\{",
    r"\rbrace": r"\}",
    r"\lbrack": "[",
    r"\rbrack": "]",
    r"\lvert": "|",
    r"\rvert": "|",
    r"\vert": "|",
    r"\lVert": r"\|",
    r"\rVert": r"\|",
    r"\Vert": r"\|",
    r"\lparen": "(",
    r"\rparen": ")",
    r"\top": "T",
    r"\imath": "i",
    r"\jmath": "j",
    r"\mid": "|",
    r"\degree": r"^\circ",
    r"\percent": r"\%",
    r"\dots": r"\ldots",
    r"\cdots": r"\ldots",
    r"\dotsc": r"\ldots",
    r"\dotsb": r"\ldots",
    r"\varnothing": r"\emptyset",
    r"\rightarrow": r"\to",
    r"\dollar": r"\$",
    r"\textdollar": r"\$",
    r"\bar": r"\overline",
    r"\implies": r"\Rightarrow",
    r"\land": r"\wedge",
    r"\lor": r"\vee",
    r"\backslash": r"\setminus",
    r"\infin": r"\infty",
}
_UNICODE = {
    "\u2212": "-",
    "\u2013": "-",
    "\u2010": "-",
    "\u2011": "-",
    "\ufe63": "-",
    "\uff0d": "-",
    "\uff0b": "+",
    "\u00d7": "*",
    "\u2217": "*",
    "\u22c5": "*",
    "\u00b7": "*",
    "\u2062": "",
    "\u00f7": "/",
    "\u2215": "/",
    "\u2044": "/",
    "\uff0f": "/",
    "\uff1d": "=",
    "\uff0c": ",",
    "\u3001": ",",
    "\uff1b": ";",
    "\uff1a": ":",
    "\uff08": "(",
    "\uff09": ")",
    "\u3002": ".",
    "\uff0e": ".",
    "\uff05": r"\%",
    "%": r"\%",
    "\u00b0": r"^\circ",
    "\u2264": r"\le",
    "\u2265": r"\ge",
    "\u2260": r"\ne",
    "\u00b1": r"\pm",
    "\u2213": r"\mp",
    "\u221e": r"\infty",
    "\u2026": r"\ldots",
    "\u22ef": r"\ldots",
    "\u2208": r"\in",
    "\u222a": r"\cup",
    "\u2229": r"\cap",
    "\u2205": r"\emptyset",
    "\u00d8": r"\emptyset",
    "\u211d": r"\mathbb{R}",
    "\u2124": r"\mathbb{Z}",
    "\u2115": r"\mathbb{N}",
    "\u211a": r"\mathbb{Q}",
    "\u2102": r"\mathbb{C}",
    "\u2032": "'",
    "\u2019": "'",
    "\u2018": "'",
    "\u201c": '"',
    "\u201d": '"',
    "\u2248": r"\approx",
    "\u2243": r"\approx",
    "\u2261": r"\equiv",
    "\u2245": r"\cong",
    "\u223c": r"\sim",
    "\u2209": r"\notin",
    "\u2282": r"\subset",
    "\u2286": r"\subseteq",
    "\u2216": r"\setminus",
    "\u2223": "|",
    "\u2225": r"\parallel",
    "\u22a5": r"\perp",
    "\u2220": r"\angle",
    "\u25b3": r"\triangle",
    "\u2206": r"\Delta",
    "\u2202": r"\partial",
    "\u2211": r"\sum",
    "\u220f": r"\prod",
    "\u222b": r"\int",
    "\u2227": r"\wedge",
    "\u2228": r"\vee",
    "\u21d2": r"\Rightarrow",
    "\u27f9": r"\Rightarrow",
    "\u21d4": r"\Leftrightarrow",
    "\u2234": r"\therefore",
    "\u230a": r"\lfloor",
    "\u230b": r"\rfloor",
    "\u2308": r"\lceil",
    "\u2309": r"\rceil",
    "\u2113": r"\ell",
    "\u2147": "e",
    "\u2148": "i",
    "\u2219": "*",
    "\u2022": "*",
    "\u2715": "*",
    "\u2716": "*",
    "\u2a7d": r"\le",
    "\u2a7e": r"\ge",
    "\u03d5": r"\phi",
    "\u03d1": r"\theta",
    "\u03f5": r"\epsilon",
    "\u2033": "''",
    "\u2192": r"\to",
    "\u27e8": r"\langle",
    "\u27e9": r"\rangle",
    "\u20ac": r"\euro",
    "\u200b": "",
    "\u200c": "",
    "\u200d": "",
    "\u2060": "",
    "\ufeff": "",
}
FRACTIONS = {
    "\u00bd": (1, 2),
    "\u2153": (1, 3),
    "\u2154": (2, 3),
    "\u00bc": (1, 4),
    "\u00be": (3, 4),
    "\u2155": (1, 5),
    "\u2156": (2, 5),
    "\u2157": (3, 5),
    "\u2158": (4, 5),
    "\u2159": (1, 6),
    "\u215a": (5, 6),
    "\u2150": (1, 7),
    "\u215b": (1, 8),
    "\u215c": (3, 8),
    "\u215d": (5, 8),
    "\u215e": (7, 8),
    "\u2151": (1, 9),
    "\u2152": (1, 10),
}
SUPERSCRIPTS = dict(
    zip(
        "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207a\u207b\u207f"
        "\u207d\u207e\u02e3\u1d4f\u2071",
        "0123456789+-n()xki",
        strict=True,
    )
)
SUBSCRIPTS = dict(
    zip(
        "\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087\u2088\u2089"
        "\u208a\u208b\u2099\u2096\u1d62\u2c7c\u2093\u2098",
        "0123456789+-nkijxm",
        strict=True,
    )
)
_GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi "
    "rho varsigma sigma tau upsilon phi chi psi omega "
).split()
_GREEK_CAPITALS = {
    "Gamma": "Γ",
    "Delta": "Δ",
    "Theta": "Θ",
    "Lambda": "Λ",
    "Pi": "Π",
    "Sigma": "Σ",
} | {
    "Phi": "Φ",
    "Psi": "Ψ",
    "Omega": "Ω",
}


_FULL_WIDTH = range(0xFF01, 0xFF5F)
"""ASCII as East Asian text writes it."""


def _table() -> dict[str, str]:
    table = dict.fromkeys(_DROPPED, "")
    table |= dict.fromkeys(_SPACES, " ")
    table |= dict.fromkeys(_WIDE_SPACES, r"\quad ")
    table |= dict.fromkeys(_UPRIGHT, r"\text")
    table |= dict.fromkeys(_BOLD, "")
    table |= _ALIASES | _UNICODE
    table |= {char: rf"\frac{{{top}}}{{{bottom}}}" for char, (top, bottom) in FRACTIONS.items()}
    table |= {chr(0x03B1 + i): f"\\{name}" for i, name in enumerate(_GREEK)}
    table |= {char: f"\\{name}" for name, char in _GREEK_CAPITALS.items()}
    table |= {chr(code): table.get(chr(code), chr(code - 0xFEE0)) for code in _FULL_WIDTH}
    return table


TABLE = _table()
"""What a command or a character is rewritten to. All that is not here stays."""
