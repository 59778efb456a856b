r"""The string normaliser: one spelling for the many ways to write the same mathematics.

Two steps. `tidy` rewrites commands, Unicode and white space by one table and keeps what separates
numbers; `normalize` also settles braces, drops the spaces that mean nothing and folds the case of
words. Equal normal forms are equal answers; different ones prove nothing.

Every step is one pass over the text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

from verifiers_math.equivalence.number_words import in_digits
from verifiers_math.equivalence.phrases import as_formula
from verifiers_math.equivalence.spellings import SUBSCRIPTS, SUPERSCRIPTS, TABLE
from verifiers_math.equivalence.vectors import with_crosses

_IJK = r"\\?[ijk](?:math)?(?![A-Za-z])"
_BOLD_IJK = rf"\\(?:mathbf|mathrm|boldsymbol|bm)(?:\s?\{{\s?{_IJK}\s?\}}| {_IJK})"
_TOKEN = re.compile(
    r"\\operatorname\*|,?\\!\s*|\\(?:hspace|vspace|[hv]?phantom|label)\*?\s?\{[^{}]*\}"
    rf"|(?P<vector>\\hat\s?(?:{_IJK}|\{{\s?(?:{_IJK}|{_BOLD_IJK})\s?\}}))"
    r"|(?P<blank>(?<=.)\\text\s?\{\s*\.?\s*\}(?=\s*\Z))"
    r"|(?P<nothing>(?<=[\d)])\{\s?\}|(?<!\.)[.;,]\s*(?=\\end\s?\{))"
    r"|(?P<bare>(?<![\^_A-Za-z])\{\s?(?:[:=]|\\,)\s?\})"
    r"|\\[A-Za-z]+|\\.|[~%$]|[^\x00-\x7f]+|\s+|\{,\}"
    r"|(?P<degree>\^\s?(?:\{\s?\\(?:circ|degree)\s?\}|\\(?:circ|degree)(?![A-Za-z]))"
    r"|(?<=\d)\^\s?(?:\{\s?o\s?\}|o(?![A-Za-z])))",
    re.DOTALL,
)
_UNIT_VECTOR = re.compile(r"[ijk](?=math(?![A-Za-z])|[\s}]*\Z)")
_REWRITTEN: dict[str, Callable[[str], str]] = {
    "vector": lambda token: f"{_UNIT_VECTOR.findall(token)[-1]} ",  # \hat{\imath} is i
    "blank": lambda token: " ",
    "nothing": lambda token: "",  # 12{} is 12
    "bare": lambda token: token[1:-1].strip().replace("\\,", " "),  # 3{:}4 is 3:4
    "degree": lambda token: r"^\circ",
}
"""What is written for the groups of a token that have a name."""
_KNOWN = (
    "frac|dfrac|tfrac|sqrt|pi|cdot|times|text|left|right|infty|pm|boxed|circ|cup|le|ge|leq|geq|neq"
    "|ne|in|sin|cos|tan|log|ln|bigg?[lr]?|Bigg?[lr]?|quad|mathrm|mathbb|mathbf|alpha|beta|theta|binom"
)
_DOUBLED = re.compile(rf"\\\\(?={_KNOWN})(?![A-Za-z]*\\\\)")
_LOST = re.compile(r"(?<![\\A-Za-z])(?=(?:d?frac|sqrt|boxed)\{)")


_BOLD_DIGITS = re.compile(r"\\mathbf ?\{ ?\d(?: [\d.])+ ?\}")
"""Data sets write bold numerals with a space between their digits: ``\\mathbf{2 5}``."""

_ROUNDED_ASIDE = re.compile(
    r"(?:(?<=\s)|(?<=\$))(?:\\text ?\{ ?)?"
    r"\( ?\$?(?:\\approx|\u2248|about|approximately|approx\.?|roughly)(?: ?\})?"
    r"[ $]*(?P<value>\d{1,15}(?:\.\d{1,15})?(?:\\?%)?)[ $]*\)(?: ?\})?\Z"
)
"""A rounded value behind the exact one: ``24\\pi (about 75.4)``."""
_ROUNDING_WORDS = ("approx", "about", "roughly", "\u2248")
_MONEY = re.compile(r"[-+ ]*(?:US ?)?\$")


def tidy(text: str) -> str:
    r"""Returns the text with one spelling for each command, character and white space.

    ``\text{…}`` groups, braces and the spaces between tokens stay.
    """
    return _remembered_tidy(text) if len(text) <= MAX_REMEMBERED_CHARS else _tidied(text)


def _tidied(text: str) -> str:
    text = text.strip()
    if "(" in text and any(map(text.__contains__, _ROUNDING_WORDS)):
        text = _ROUNDED_ASIDE.sub(r" \\approx \g<value>", text)
    if text.endswith("\\") and not text.endswith("\\\\"):  # of a space "\\ " at the end
        text = text[:-1].rstrip()
    if text.isascii() and text.isalnum():
        return in_digits(text)
    if "\\mathbf" in text:
        text = _BOLD_DIGITS.sub(lambda match: match[0].replace(" ", ""), text)
    if text[:1] in "\\{":
        text = _unwrapped(text)
    if "\\text{,}" in text:
        text = text.replace("\\text{,}", ",")
    if "\\\\" in text and "\\begin" not in text:
        text = _DOUBLED.sub(lambda _: "\\", text)
    if "frac{" in text or "sqrt{" in text:
        text = _LOST.sub(lambda _: "\\", text)
    if text[:1] in "*`" and text[-1:] == text[:1]:  # bold, or code
        text = text.strip("*`").strip()
    text = with_crosses(text)
    money = text.count("$") - text.count("\\$") == 1 and _MONEY.match(text) is not None
    if money:
        text = text.replace("$", "\\$", 1)
    text = _without_edges(_SPACES.sub(" ", _TOKEN.sub(_rewrite, text)))
    if "\\mathcal" in text:
        text = _SCRIPT_NAME.sub(r"\1", text)
    if "\\mathbb" in text:
        text = _RESIDUES.sub(_residues, _BLACKBOARD.sub(r"\\mathbb{\1}", text))
    return in_digits(text)


_SCRIPT_NAME = re.compile(r"\\mathcal ?\{?([A-Z])\}?(?= ?\()")
"""``\\mathcal{O}(n)`` and ``\\mathcal{N}(0, 1)``, which are also written without the font."""
_BLACKBOARD = re.compile(r"\\mathbb ?([A-Z])(?![A-Za-z])")
_RESIDUES = re.compile(
    r"\\mathbb ?\{?Z\}? ?/ ?(?:\(?(?P<modulus>\d{1,9}|[a-z]) ?\\mathbb ?\{?Z\}?\)?"
    r"|(?:\( ?|\\langle ?)?(?P<alone>\d{1,9}|[a-z])(?: ?\)| ?\\rangle)?(?![\d\w^_.(]))"
)
"""The integers modulo a number, as a quotient; a data set may write the number alone."""

_WRAPPING = re.compile(
    r"\\(?:tiny|small|normalsize|[lL]arge|LARGE|[hH]uge)(?![A-Za-z])\s*"
    r"|(?:\\(?:mathbf|boldsymbol|bm|pmb|mathit|(?:text)?color\s?\{\w+\})\s?"
    r"|(?P<upright>\\(?:text(?:bf|it|rm)?|mathrm|mbox)\s?)"
    r"|(?=\{\s?\\text))\{"
)
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_HAS_FORMULA = re.compile(r"\\[A-Za-z]|[\^_=]")
_HAS_WORD = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{2}")
MAX_WRAPPINGS = 4


def _unwrapped(text: str) -> str:
    r"""What stands inside a size, a colour or a font, as ``\mathbf{98,634}`` or ``\mathrm{x^2}``.

    Upright words stay as they are.
    """
    for _ in range(MAX_WRAPPINGS):
        opening = _WRAPPING.match(text)
        if opening is None:
            return text
        if not opening[0].endswith("{"):
            text = text[opening.end() :]
            continue
        if not _closes_at_end(text, opening.end()):
            return text
        inner = text[opening.end() : -1].strip()
        is_formula = _HAS_FORMULA.search(inner) and not _HAS_WORD.search(inner)
        if not inner or (opening["upright"] and not is_formula):
            return text
        text = inner
    return text


def _closes_at_end(text: str, start: int) -> bool:
    """Whether the brace before ``start`` is closed by the last character."""
    depth = 1
    for match in _BRACE.finditer(text, start):
        depth += (match[0] == "{") - (match[0] == "}")
        if depth == 0:
            return match.end() == len(text)
    return False


def _residues(match: re.Match[str]) -> str:
    return rf"\mathbb{{Z}}_{{{match['modulus'] or match['alone']}}}"


def _rewrite(match: re.Match[str]) -> str:
    token = match[0]
    if match.lastgroup is not None:
        return _REWRITTEN[match.lastgroup](token)
    known = TABLE.get(token)
    if known is not None:
        return (
            known + " "
            if known[:1] == "\\" and token[:1] != "\\" and known[-1].isalpha()
            else known
        )
    if token.lstrip("{,").startswith(("}", r"\!")):  # they pull together: 1,\! 234 is 1,234
        if "," not in token or _groups_digits(match):
            return ""
        return "." if _is_decimal_comma(match) else ","
    if len(token) > 2 and token.endswith("}") and token.startswith("\\"):
        return r"\quad " if token.startswith(r"\hspace") else " "
    first = token[0]
    if first.isspace():
        return " "
    if first == "$":  # two formulas side by side stay apart
        return " "
    return token if first == "\\" else _spelled_out(token)


_GROUP_BEFORE = re.compile(r"(?:(?<![\d.])(?<![^\\],)[1-9]\d{0,2}|(?<=,\})\d{3}|(?<=\\!)\d{3})\Z")
_GROUP_BEHIND = re.compile(r"\d{3}(?!\d)")


def _groups_digits(match: re.Match[str]) -> bool:
    """Whether a comma that is set close stands between groups of three digits."""
    before = match.string[max(match.start() - 6, 0) : match.start()]
    behind = _GROUP_BEHIND.match(match.string, match.end())
    return behind is not None and _GROUP_BEFORE.search(before) is not None


_ONE_DIGIT = re.compile(r"\d")


def _is_decimal_comma(match: re.Match[str]) -> bool:
    """Whether ``{,}`` is a decimal comma: ``0{,}5``; between groups it would stand again."""
    text = match.string
    inside = _ONE_DIGIT.match(text, max(match.start() - 1, 0)) and _ONE_DIGIT.match(
        text, match.end()
    )
    # Looking for a second one ends at the nearest, so that many of them cost no more than one.
    is_only = text.rfind("{,}", 0, match.start()) < 0 and text.find("{,}", match.end()) < 0
    return bool(inside) and match[0] == "{,}" and is_only


def _spelled_out(run: str) -> str:
    """A run of non-ASCII characters, character by character; raised and lowered digits too."""
    return _RAISED.sub(_script, "".join(_one(char) for char in run))


def _one(char: str) -> str:
    if "\U0001d400" <= char <= "\U0001d7ff":  # mathematical letters and digits
        char = unicodedata.normalize("NFKC", char)
    known = TABLE.get(char)
    if known is None:
        return " " if char.isspace() or "\U0001f300" <= char <= "\U0001faff" else char
    return known + " " if known[:1] == "\\" and known[-1].isalpha() else known


_RAISED = re.compile(f"[{''.join(SUPERSCRIPTS)}]+|[{''.join(SUBSCRIPTS)}]+")


def _script(match: re.Match[str]) -> str:
    run = match[0]
    sign, digits = ("^", SUPERSCRIPTS) if run[0] in SUPERSCRIPTS else ("_", SUBSCRIPTS)
    return f"{sign}{{{''.join(digits[char] for char in run)}}}"


_SPACES = re.compile(r" {2,}")
_LEADING = re.compile(r"\s*(?:(?:=>?|\\(?:approx|to|Rightarrow|therefore)(?![A-Za-z]))\s*)?")


def _without_edges(text: str) -> str:
    """Drops a leading equals sign, closing punctuation, and what surrounds the whole."""
    text = _ALL.sub("", _without_closing_sign(text))
    if text.lstrip().startswith("\\text"):
        text = _without_lead(as_formula(without_closing_marks(text.lstrip())))
    start = _LEADING.match(text)
    text = without_closing_marks(text[start.end() :] if start else text.strip())
    upright = _UPRIGHT_VALUE.fullmatch(text) or _UPRIGHT_FORMULA.fullmatch(text)
    if upright is not None:
        return without_closing_marks(upright[1])
    inner = text[1:-1].strip()
    if text[:1] == text[-1:] == '"' and inner and '"' not in inner:
        return inner
    if text[:1] == "{" and text[-1:] == "}" and inner and not _SEPARATES.search(inner):
        return inner
    return text


_ALL = re.compile(
    r"\A\s*(?:for )?(?:all|any|every) {1,3}(?=[a-z] ?(?:\\[lg]e(?![a-z])|[<>=]|\\in ))"
)
"""The first words of ``all $n \\ge 3$``."""
_LEAD = re.compile(
    r"\\text\s?\{\s?(?:(?:(?:the )?(?:final |correct )?answer(?: is)?|ans|exactly|precisely"
    r"|therefore|thus|hence|so|(?:the )?(?:vertex|cent(?:er|re)|focus|directrix|[xy]-intercept"
    r"|point|line|circle|plane|curve|function|number|vector|matrix|pair|triple|interval)"
    r"|all|all real(?: number)?s?"
    r"|all values of)\s?[:.]?\s?(?P<end>\}\s?)"
    r"|(?:(?:the )?(?:final )?answer|ans|exactly|precisely)\s?[:.]?\s(?=[-+$\d.\\]))",
    re.IGNORECASE,
)
"""Words that only announce the answer behind them."""
_NAMED = re.compile(
    r"\\text\s?\{\s?(?P<name>[A-Za-z][A-Za-z ]{1,60}?)\s?(?::|(?P<equals>=|\bis))\s?"
    r"(?:\}\s?(?=\S)|(?P<value>[-+]?(?:\\\$)?\.?\d[^{}A-Za-z]*)\}\Z)"
)
"""Words that name the value behind them, with their sign: ``\\text{Number of ways: } 12``."""
_MONEY_BEFORE = re.compile(
    r"\\text\s?\{\s?(?:(?P<rupees>Rs\.?)|USD|US ?\\?\$)\s?\}\s?(?=\d)", re.IGNORECASE
)


def _without_lead(text: str) -> str:
    r"""``\text{The point } (1, 2)`` without its first words, ``\text{USD } 5`` as ``\$5``."""
    if not text.startswith("\\text"):
        return text
    lead = _LEAD.match(text)
    if lead is not None and lead.end() < len(text):
        return ("" if lead["end"] else "\\text{") + text[lead.end() :]
    named = _NAMED.match(text)
    if named is not None:
        value = named["value"] or text[named.end() :]
        return f"\\text{{{named['name']}}}{'=' if named['equals'] else ': '}{value}"
    money = _MONEY_BEFORE.match(text)
    if money is None:
        return text
    return ("Rs. " if money["rupees"] else "\\$") + text[money.end() :]


_SEPARATES = re.compile(r"[{,:|]")
_UPRIGHT_VALUE = re.compile(
    r"\\text\s?\{\s?((?:[A-Za-z]\s?=\s?)?[-+]?(?:\\\$)?\.?\d[^{}]*|\\text ?\{[^{}]*\} ?)\}"
)
"""A number set as text, as ``\\text{12 cm}`` and ``\\text{\\$12}``."""
_UPRIGHT_FORMULA = re.compile(
    r"\\text\s?\{\s?(?!\(?[A-J]\s?[.:)])(?=[^{}]*[\d=<>(\[+*/^|])((?:[^{}A-Za-z\\]|\\[A-Za-z]+"
    r"|(?<![A-Za-z])(?:[A-Za-z]|sqrt|cbrt|pi|sin|cos|tan|log|ln|exp|abs|floor|ceil|or|and|inf)"
    r"(?![A-Za-z]))*)\}"
)
"""A formula set as text: ``\\text{(2, 3)}``, ``\\text{x > 5}``."""
_CLOSING_SIGN = re.compile(r"(?:\\(?:blacksquare|square|checkmark|qed|Box)|[■□∎✓✔✅])\Z")
_LONGEST_SIGN = len(r"\blacksquare")
_BEFORE_SIGN = frozenset("_)}]|!")


def _without_closing_sign(text: str) -> str:
    """Drops what is set behind the end of a proof or of a checked answer.

    From the end, step by step: an expression that allows blanks before the sign would try anew
    from each of them.
    """
    kept = text.rstrip().removesuffix(".").rstrip()
    sign = _CLOSING_SIGN.search(kept, max(0, len(kept) - _LONGEST_SIGN))
    if sign is None:
        return text
    end = sign.start()
    while text[end - 1 : end].isspace() or text.endswith(r"\quad", 0, end):
        end -= 1 if text[end - 1].isspace() else len(r"\quad")
    last = text[end - 1 : end]
    return text[:end] if last.isalnum() or last in _BEFORE_SIGN else text


_WHITE_SPACE = (
    "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006"
    "\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
"""Every character that counts as white space."""
_CLOSING_MARKS = _WHITE_SPACE + ".,;"


def without_closing_marks(text: str) -> str:
    r"""Drops closing punctuation; an ellipsis, and the spaces ``\,`` and ``\;``, stay."""
    end = len(text.rstrip(_CLOSING_MARKS))
    ellipsis = text.rfind("..", end)
    if ellipsis >= 0:
        end = ellipsis + 2
    elif text.endswith("\\", 0, end) and text.startswith((",", ";"), end):
        end += 1
    return text[:end]


# --- the normal form ---------------------------------------------------------------------------

# Each step stands behind a piece of text without which it has nothing to do.
_STEPS: tuple[tuple[str, re.Pattern[str], str], ...] = (
    (".", re.compile(r"(?<=[A-Za-z]{2})\s?\.(?=\s?\}\Z)"), ""),  # \text{Alice.}
    ("\\text", re.compile(r"\\text\s?\{\s?([^{}]*?)\s?\}"), r" \1 "),
    ("\\quad", re.compile(r"\\quad"), " "),
    ("  ", re.compile(r" +"), " "),
    (" ", re.compile(r"(?<![0-9A-Za-z.]) | (?![0-9A-Za-z.])"), ""),
    (" ", re.compile(r"(?<=\.) (?![0-9])|(?<![0-9]) (?=\.)"), ""),  # "1. 5" is not "1.5"
    # A letter or a command joins its number, a word does not: "is 17" keeps its space.
    (" ", re.compile(r"(?<=[0-9]) (?=[A-Za-z](?![A-Za-z]))"), ""),
    (" ", re.compile(r"(\\[A-Za-z]+|(?<![A-Za-z])[A-Za-z]) (?=[0-9])"), r"\1"),
    ("frac", re.compile(r"\\frac(?=[0-9a-zA-Z])([0-9a-zA-Z])"), r"\\frac{\1}"),
    ("frac", re.compile(r"(\\frac\{[^{}]*\})([0-9a-zA-Z])"), r"\1{\2}"),
    ("sqrt", re.compile(r"\\sqrt([0-9]+|[a-zA-Z])"), r"\\sqrt{\1}"),
    ("**", re.compile(r"\*\*"), "^"),
    ("^", re.compile(r"\^([A-Za-z]|-?[0-9]+)"), r"^{\1}"),  # x^10 is x^{10}, x^{1}0 is not
    ("_", re.compile(r"_([A-Za-z]|[0-9](?![0-9]))"), r"_{\1}"),
)
MAX_REMEMBERED_CHARS = 2000
"""Normal forms of longer texts (prompts) are not kept in memory."""
_WORDS = re.compile(r"[A-Za-z][A-Za-z '-]*[A-Za-z]")
_THREE_LETTERS = re.compile(r"[A-Za-z]{3}")
_PLAIN_CASE = re.compile(r"(?:(?:[A-Z]?[a-z]+|[A-Z]+)(?:[ '-]+|$))+")
_LETTER = re.compile(r"\(?([A-Za-z])\)?[.:]?")


def normalize(text: str) -> str:
    r"""Returns the normal form of an answer.

    Examples:
        >>> normalize(r"\dfrac12") == normalize(r"\frac{1}{2}")
        True
        >>> normalize(r"\text{Even}.") == normalize("even")
        True
    """
    return _remembered(text) if len(text) <= MAX_REMEMBERED_CHARS else _normal_form(text)


def _normal_form(text: str) -> str:
    text = tidy(text)
    for piece, pattern, replacement in _STEPS:
        if piece in text:
            text = pattern.sub(replacement, text)
    text = text.strip()
    letter = _LETTER.fullmatch(text)
    if letter:
        return letter[1]
    return _fold(text)


_remembered = lru_cache(maxsize=4096)(_normal_form)
_remembered_tidy = lru_cache(maxsize=4096)(_tidied)


def _fold(text: str) -> str:
    """Words lose their case; names of a few capitals, and formulas (``abC``), keep it."""
    is_words = _THREE_LETTERS.search(text) and _PLAIN_CASE.fullmatch(text)
    is_name = (
        text.isupper() and len(text) <= 5 and text not in ("YES", "TRUE", "FALSE", "EVEN", "ODD")
    )
    return text.lower() if is_words and not is_name else text


def is_words(text: str) -> bool:
    """Returns whether a normal form is plain words, so that only its text can be compared."""
    return _WORDS.fullmatch(text) is not None and len(text.replace(" ", "")) > 2
