r"""The string normaliser: one spelling for the many ways to write the same mathematics.

Two steps. `tidy` rewrites commands, Unicode and white space by one table and keeps what separates
numbers; `normalize` also settles braces, drops the spaces that mean nothing and folds the case of
words. Equal normal forms are equal answers; different ones prove nothing.

Every step is one pass over the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

# --- the table ---------------------------------------------------------------------------------

_DROPPED = (
    r"\left \right \bigl \bigr \Bigl \Bigr \biggl \biggr \Biggl \Biggr \big \Big \bigg \Bigg"
    r" \bigm \middle \displaystyle \textstyle \scriptstyle \limits \nolimits \! \( \) \[ \] \/"
    r" \bf \rm \it \boldmath \centering \hfill \newline \nobreak \allowbreak"
).split()
_SPACES = r"\, \; \: \> ~ \space \thinspace \enspace \enskip".split() + ["\\ ", "\\\n", "\\\t"]
_WIDE_SPACES = r"\quad \qquad \hspace".split()
_UPRIGHT = (
    r"\text \mathrm \textrm \textbf \textit \textsf \texttt \mbox \hbox \textnormal \textup"
    r" \operatorname \operatorname* \mathsf \mathtt"
).split()
_BOLD = r"\mathbf \boldsymbol \bm \mathit \mathnormal \pmb".split()
_ALIASES = {
    r"\dfrac": r"\frac",
    r"\tfrac": r"\frac",
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
    r"\mid": "|",
    r"\degree": r"^\circ",
    r"\percent": r"\%",
    r"\dots": r"\ldots",
    r"\cdots": r"\ldots",
    r"\dotsc": r"\ldots",
    r"\dotsb": r"\ldots",
    r"\varnothing": r"\emptyset",
    r"\arcsin": r"\arcsin",
    r"\to": r"\to",
    r"\rightarrow": r"\to",
    r"\dollar": r"\$",
    r"\textdollar": r"\$",
    r"\bar": r"\overline",
    r"\implies": r"\Rightarrow",
    r"\land": r"\wedge",
    r"\lor": r"\vee",
    r"\setminus": r"\setminus",
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
_FRACTIONS = {
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
_SUPERSCRIPTS = dict(
    zip(
        "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207a\u207b\u207f",
        "0123456789+-n",
        strict=True,
    )
)
_SUBSCRIPTS = dict(
    zip("\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087\u2088\u2089", "0123456789", strict=True)
)
_GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho"
    " varsigma sigma tau upsilon phi chi psi omega"
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


def _table() -> dict[str, str]:
    table = dict.fromkeys(_DROPPED, "")
    table |= dict.fromkeys(_SPACES, " ")
    table |= dict.fromkeys(_WIDE_SPACES, r"\quad ")
    table |= dict.fromkeys(_UPRIGHT, r"\text")
    table |= dict.fromkeys(_BOLD, "")
    table |= _ALIASES | _UNICODE
    table |= {char: rf"\frac{{{top}}}{{{bottom}}}" for char, (top, bottom) in _FRACTIONS.items()}
    table |= {chr(0x03B1 + i): f"\\{name}" for i, name in enumerate(_GREEK)}
    table |= {char: f"\\{name}" for name, char in _GREEK_CAPITALS.items()}
    table |= {chr(0xFF10 + digit): str(digit) for digit in range(10)}
    return table


TABLE = _table()
"""What a command or a character is rewritten to. All that is not here stays."""

_TOKEN = re.compile(
    r"\\operatorname\*|\\[A-Za-z]+|\\.|[~%$]|[^\x00-\x7f]+|\s+|\{,\}|\^\s?\{?\s?\\(?:circ|degree)\s?\}?",
    re.DOTALL,
)
_KNOWN = "frac|dfrac|tfrac|sqrt|pi|cdot|times|text|left|right|infty|pm|boxed|circ|cup|le|ge|leq|geq"
_DOUBLED = re.compile(rf"\\\\(?={_KNOWN})(?![A-Za-z]*\\\\)")
_LOST = re.compile(r"(?<![\\A-Za-z])(?=(?:d?frac|sqrt|boxed)\{)")


def tidy(text: str) -> str:
    """Returns the text with one spelling for each command, character and white space.

    ``\\text{…}`` groups, braces and the spaces between tokens stay.
    """
    text = text.strip()
    if text.isascii() and text.isalnum():
        return text
    if "\\\\" in text and "\\begin" not in text:
        text = _DOUBLED.sub(lambda _: "\\", text)
    if "frac{" in text or "sqrt{" in text:
        text = _LOST.sub(lambda _: "\\", text)
    money = text.count("$") - text.count("\\$") == 1 and text.lstrip("-+ ").startswith("$")
    if money:
        text = text.replace("$", "\\$", 1)
    text = _TOKEN.sub(_rewrite, text)
    return _without_edges(text)


def _rewrite(match: re.Match[str]) -> str:
    token = match[0]
    known = TABLE.get(token)
    if known is not None:
        return (
            known + " "
            if known[:1] == "\\" and token[:1] != "\\" and known[-1].isalpha()
            else known
        )
    first = token[0]
    if first.isspace():
        return " "
    if first == "$":
        return ""
    if first == "{":
        return ","
    if first == "^":
        return r"^\circ"
    return token if first == "\\" else _spelled_out(token)


def _spelled_out(run: str) -> str:
    """A run of non-ASCII characters, character by character; raised and lowered digits too."""
    return _RAISED.sub(_script, "".join(_one(char) for char in run))


def _one(char: str) -> str:
    known = TABLE.get(char)
    if known is None:
        return " " if char.isspace() else char
    return known + " " if known[:1] == "\\" and known[-1].isalpha() else known


_RAISED = re.compile(f"[{''.join(_SUPERSCRIPTS)}]+|[{''.join(_SUBSCRIPTS)}]+")


def _script(match: re.Match[str]) -> str:
    run = match[0]
    sign, digits = ("^", _SUPERSCRIPTS) if run[0] in _SUPERSCRIPTS else ("_", _SUBSCRIPTS)
    return f"{sign}{{{''.join(digits[char] for char in run)}}}"


_LEADING = re.compile(r"\s*(?:(?:=|\\approx)\s*)?")


def _without_edges(text: str) -> str:
    """Drops a leading equals sign, closing punctuation, and braces around the whole."""
    start = _LEADING.match(text)
    text = text[start.end() :].rstrip() if start else text.strip()
    while text.endswith((".", ",", ";")) and not text.endswith(".."):
        text = text[:-1].rstrip()
    if text.startswith("{") and text.endswith("}") and "{" not in text[1:] and "," not in text:
        return text[1:-1].strip()
    return text


# --- the normal form ---------------------------------------------------------------------------

_STEPS: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r"\\text\s?\{\s?([^{}]*?)\s?\}"), r" \1 "),
    (re.compile(r"\\quad"), " "),
    (re.compile(r"\s+"), " "),
    (re.compile(r"(?<![0-9A-Za-z]) | (?![0-9A-Za-z])"), ""),
    (re.compile(r"(?<=[0-9]) (?=[A-Za-z])|(?<=[A-Za-z]) (?=[0-9])"), ""),
    (re.compile(r"\\frac(?=[0-9a-zA-Z])([0-9a-zA-Z])"), r"\\frac{\1}"),
    (re.compile(r"(\\frac\{[^{}]*\})([0-9a-zA-Z])"), r"\1{\2}"),
    (re.compile(r"\\sqrt([0-9a-zA-Z])"), r"\\sqrt{\1}"),
    (re.compile(r"([\^_])\{([0-9A-Za-z])\}"), r"\1\2"),
    (re.compile(r"\*\*"), "^"),
)
_WORDS = re.compile(r"[A-Za-z][A-Za-z '-]*[A-Za-z]")
_LETTER = re.compile(r"\(?([A-Za-z])\)?[.:]?")
_SIGNED_NUMBER = re.compile(r"(?<![0-9.])0+(?=[0-9])")


@lru_cache(maxsize=4096)
def normalize(text: str) -> str:
    r"""Returns the normal form of an answer.

    Examples:
        >>> normalize(r"\dfrac12") == normalize(r"\frac{1}{2}")
        True
        >>> normalize(r"\text{Even}.") == normalize("even")
        True
    """
    text = tidy(text)
    for pattern, replacement in _STEPS:
        text = pattern.sub(replacement, text)
    text = text.strip()
    letter = _LETTER.fullmatch(text)
    if letter:
        return letter[1]
    return _fold(text)


def _fold(text: str) -> str:
    """Words lose their case; names of a few capitals, and formulas, keep it."""
    is_words = _WORDS.fullmatch(text) is not None and len(text) > 2
    is_name = (
        text.isupper() and len(text) <= 5 and text not in ("YES", "TRUE", "FALSE", "EVEN", "ODD")
    )
    return text.lower() if is_words and not is_name else text


def is_words(text: str) -> bool:
    """Returns whether a normal form is plain words, so that only its text can be compared."""
    return _WORDS.fullmatch(text) is not None and len(text.replace(" ", "")) > 2
