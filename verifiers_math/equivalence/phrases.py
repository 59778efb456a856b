r"""Words for which mathematics has a symbol, and formulas that are said in words."""

from __future__ import annotations

import re

_EMPTY = (
    "no solution|no solutions|no real solution|no real solutions|empty set|the empty set"
    "|there is no solution|there are no solutions|there is no real solution"
    "|there are no real solutions|the equation has no solution|the equation has no solutions"
    "|the equation has no real solution|the equation has no real solutions|it has no solution"
    "|the system has no solution|the system has no solutions"
)
_REALS = (
    "all real numbers|all reals|the real numbers|real numbers|all real values|every real number"
    "|the set of real numbers|the set of all real numbers|set of real numbers"
    "|set of all real numbers"
)
SYMBOL_OF_PHRASE = {
    "infinity": "infinity",
    "positive infinity": "infinity",
    **dict.fromkeys(_EMPTY.split("|"), "empty"),
    **dict.fromkeys(_REALS.split("|"), "R"),
    "all positive real numbers": "R+",
    "all positive reals": "R+",
    "all integers": "Z",
    "the integers": "Z",
    "all positive integers": "Z+",
    "all rational numbers": "Q",
    "all complex numbers": "C",
}
"""Each phrase, in lower case, and the name of the constant or set that it stands for."""

_ALL = r"(?:(?:for )?all real(?: numbers?| values)?(?: of)?|every real number)"
_LETTER = r"(?: ?\}? ?[a-z] ?(?:\\text ?\{)?)?"
_EXCEPT = re.compile(
    rf"\\text ?\{{ ?{_ALL}{_LETTER} ?(?:except|but|other than)(?: for)?(?: ?\}} ?| )"
    r"(?:[a-z] ?= ?)?(?P<values>[^{}A-Za-z]{1,60}(?:\\text ?\{ ?and ?\}[^{}A-Za-z]{1,60})?)\}?",
    re.IGNORECASE,
)
_EVERY_LETTER = re.compile(
    rf"\\text ?\{{ ?{_ALL} ?(?P<closed>\}})? ?[a-z] ?(?(closed)|\}})", re.IGNORECASE
)

_OF_LETTER = re.compile(
    r"\\text ?\{ ?(?P<phrase>all [a-z ]{3,40}?) ?\}? ?[a-z] ?\}?", re.IGNORECASE
)


def as_formula(text: str) -> str:
    r"""Returns ``\text{all real numbers except } 2`` as a formula, and any other text as it is.

    Args:
        text: A tidied answer that begins with upright words.
    """
    if _EVERY_LETTER.fullmatch(text):
        return r"\mathbb{R}"
    of_letter = _OF_LETTER.fullmatch(text)
    if of_letter is not None and of_letter["phrase"].lower() in SYMBOL_OF_PHRASE:
        return rf"\text{{{of_letter['phrase']}}}"
    excepted = _EXCEPT.fullmatch(text)
    if excepted is None:
        return text
    return rf"\mathbb{{R}}\setminus\{{{excepted['values'].strip()}\}}"
