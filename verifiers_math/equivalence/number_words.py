r"""Numbers in words: ``twelve``, ``one hundred and five``, ``two thirds``, ``two and a half``.

Only a text that is one number and nothing else is read; whatever stands beside it keeps it words.
"""

from __future__ import annotations

import re
from fractions import Fraction

_SMALL = {
    word: value
    for value, word in enumerate(
        (
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
            "fifteen sixteen seventeen eighteen nineteen"
        ).split()
    )
}
_TENS = {
    word: 10 * value
    for value, word in enumerate(
        "twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2
    )
}
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_ONE_PART = {
    "half": 2,
    "third": 3,
    "quarter": 4,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
    "ninth": 9,
    "tenth": 10,
    "eleventh": 11,
    "twelfth": 12,
    "hundredth": 100,
    "thousandth": 1000,
}
_PARTS = {f"{word}s": bottom for word, bottom in _ONE_PART.items() if word != "half"} | {
    "halves": 2
}
_SIGNS = ("minus", "negative")
_FIRST = frozenset({*_SMALL, *_TENS, *_SIGNS, "a", "an", "half"})
_NUMBER = re.compile(r"(?:\\text ?\{ ?)?(?P<words>(?P<first>[A-Za-z]+)(?:[ -][A-Za-z]+)*) ?\}?")
MAX_CHARS = 120


def in_digits(text: str) -> str:
    r"""Returns a number in words as a numeral, and any other text as it is.

    Examples:
        >>> in_digits("forty-two"), in_digits("Two thirds"), in_digits("two to one")
        ('42', '\\frac{2}{3}', 'two to one')
    """
    if len(text) > MAX_CHARS or not (text[:1].isalpha() or text.startswith("\\text")):
        return text
    match = _NUMBER.fullmatch(text)
    if match is None or match["first"].lower() not in _FIRST:
        return text
    value = spelled_number(match["words"])
    if value is None:
        return text
    sign = "-" if value < 0 else ""
    top, bottom = abs(value.numerator), value.denominator
    return f"{sign}{top}" if bottom == 1 else rf"{sign}\frac{{{top}}}{{{bottom}}}"


def spelled_number(text: str) -> Fraction | None:
    """Returns the number that English words spell out, or None where they say anything else."""
    if "hundred-thousandth" in text.lower():  # one part, and not 100 of another
        return None
    words = text.lower().replace("-", " ").split()
    negative = words[:1] in ([sign] for sign in _SIGNS)
    value = _unsigned(words[negative:])
    return -value if negative and value is not None else value


def _unsigned(words: list[str]) -> Fraction | None:
    value = _fraction(words)
    if value is not None:
        return value
    if "and" in words:  # "two and a half"
        at = len(words) - words[::-1].index("and")
        whole, part = _count(words[: at - 1]), _fraction(words[at:])
        if whole is not None and part is not None and part < 1:
            return whole + part
    count = _count(words)
    return None if count is None else Fraction(count)


def _fraction(words: list[str]) -> Fraction | None:
    """``half``, ``a third``, ``two thirds``; ``twenty-fifth`` is an ordinal."""
    if not words:
        return None
    *above, part = words
    if part in _ONE_PART:
        is_one = above in (["a"], ["an"], ["one"]) or (not above and part == "half")
        return Fraction(1, _ONE_PART[part]) if is_one else None
    top = _count(above) if part in _PARTS else None
    return Fraction(top, _PARTS[part]) if top is not None and top > 1 else None


def _count(words: list[str]) -> int | None:
    """A whole number: groups below a thousand, each with its scale, the largest first."""
    if words[:1] == ["a"] and words[1:2] and (words[1] == "hundred" or words[1] in _SCALES):
        words = ["one", *words[1:]]
    if not words:
        return None
    if words == ["zero"]:
        return 0
    total, group, scale, before = 0, 0, 10**15, ""
    for at, word in enumerate(words):
        if word == "and":
            if before not in ("hundred", *_SCALES) or at == len(words) - 1:
                return None
        elif word in _SCALES:
            if not group or _SCALES[word] >= scale:
                return None
            scale = _SCALES[word]
            total, group = total + group * scale, 0
        else:
            grown = _grown(group, word)
            if grown is None:
                return None
            group = grown
        before = word
    return total + group


def _grown(group: int, word: str) -> int | None:
    """A group below a thousand with one more word; None where the word cannot follow."""
    if word == "hundred":
        return 100 * group if 0 < group < 10 else None
    if word in _TENS:
        return group + _TENS[word] if group % 100 == 0 else None
    value = _SMALL.get(word, 0)
    behind_tens = group % 10 == 0 and group % 100 >= 20 and value < 10
    return group + value if value and (group % 100 == 0 or behind_tens) else None
