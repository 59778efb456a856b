"""Words that add nothing to an answer: nouns behind a value, one condition, a label, a name.

Whatever joins, denies, hedges or counts, in any language, may hold a second answer. So words pass
only in shapes that are known to be harmless, and the lists of what taints them only narrow these.
"""

from __future__ import annotations

import re

from verifiers_math.equivalence.nouns import is_plural
from verifiers_math.equivalence.units import (
    VALUE_WORDS,
    is_counted,
    is_no_unit,
    is_unit_word,
)

MAX_NOUNS = 3
MAX_NAME_WORDS = 8

_NUMBER_WORDS = frozenset(
    (
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen twenty thirty forty fourty fifty sixty "
        "seventy eighty ninety hundred thousand million billion trillion dozen score half double "
        "triple twice thrice once first second third fourth fifth none nil nought naught both "
        "pair couple lakh crore gross googol "
        "null eins ein eine zwei drei vier fuenf sechs sieben acht neun zehn elf zwoelf hundert "
        "tausend un une deux trois quatre cinq sept huit neuf dix onze douze cent mille "
        "uno una dos tres cuatro cinco seis siete ocho nueve diez once doce cien mil "
        "due tre quattro cinque sei sette otto nove dieci undici dodici cento "
        "um uma dois duas quatro sete oito dez onze doze"
    ).split()
)
_JOINING = frozenset(
    (
        "or and nor but else otherwise unless except instead while whereas versus vs resp "
        "respectively alternatively alternative then thus therefore hence so also either neither "
        "plus minus times over through until till to from into by of between "
        "oder und aber sonst bzw beziehungsweise dann ou et mais sinon puis alors o y pero sino "
        "entonces e ma oppure allora mas senao ili ali lub albo eller och og of en ve veya huo "
        "atau dan"
    ).split()
)
_DENYING = frozenset(
    (
        "not no never wrong incorrect false untrue impossible invalid undefined other another "
        "different negative nope nein nicht kein falsch non pas faux falso falsa error mistake "
        "correct right true yes answer solution guess guessed choice option"
    ).split()
)
_HEDGING = frozenset(
    (
        "maybe perhaps possibly probably likely unlikely presumably supposedly apparently about "
        "around roughly approximately approx circa nearly almost unsure uncertain least most more "
        "less fewer greater smaller any some all every each only vielleicht quizas forse talvez"
    ).split()
)
_VERBS = frozenset(
    (
        "is are was were be been being am has have had do does did can could may might must shall "
        "should will would equals equal means makes gives becomes remains"
    ).split()
)
_OPERATING = frozenset(
    (
        "squared cubed root roots factorial factorials reciprocal inverse mod modulo log ln exp "
        "exclude remove reject discard add subtract multiply divide "
        "sin cos tan choose below above permille kilo mega base power cubed halves"
    ).split()
)
_TAINTED = _NUMBER_WORDS | _JOINING | _DENYING | _HEDGING | _VERBS | _OPERATING | VALUE_WORDS
_ROMAN = re.compile(r"m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})", re.IGNORECASE)
_NOUN = re.compile(r"[A-Za-z][a-z]{1,24}")
_UPRIGHT = re.compile(r"\\text ?\{([^{}]*)\}|\\[,;: ]|~")


def plain_words(text: str) -> str:
    """A remark without its markup."""
    return " ".join(_UPRIGHT.sub(r" \1 ", text).split())


def is_aside(text: str, *, of_one: bool = False) -> bool:
    """Whether a remark says what is counted: ``apples``, ``(red marbles)``, ``ways to choose``.

    Args:
        text: The remark.
        of_one: Whether the number before it is no more than 1, so that a noun may stand in the
            singular. Any other word may be a doubt, a scale or a denial in some language.
    """
    plain = plain_words(text)
    if plain[:1] == "(" and plain[-1:] == ")":
        plain = plain[1:-1]
    plain = _ADJECTIVE.sub("", plain.removesuffix("."))
    names = _HYPHEN.sub(" ", plain.replace("to choose", "to pick")).split()
    if names == ["only"]:
        return True
    if not 1 <= len(names) <= MAX_NAME_WORDS or not (_is_noun(names[0]) and _is_noun(names[-1])):
        return False
    if len(names) <= MAX_NOUNS and all(map(_is_noun, names)):
        return of_one or any(map(is_counted, names))
    return is_plural(names[0]) and all(map(_is_noun_or_link, names))


_ADJECTIVE = re.compile(r"\A(?:(?:different|distinct|possible|such|total)\s)+")
_HYPHEN = re.compile(r"(?<=[a-z]{3})-(?=[a-z]{3})")
_LINKS = frozenset("to of in on for from at the a an".split())


def _is_noun_or_link(word: str) -> bool:
    return word in _LINKS or _is_noun(word)


def _is_noun(word: str) -> bool:
    if is_unit_word(word):
        return True
    if _NOUN.fullmatch(word) is None or _ROMAN.fullmatch(word) is not None:
        return False
    return word.lower() not in _TAINTED and not is_no_unit(word)


_CONDITION_WORD = r"\b(?:if|when|where|for|with|whenever|provided|such|because|since|as)\b"
_CONDITION = re.compile(
    rf"\(? ?(?:(?:is )?(?:achieved|attained|reached)(?: only)? (?=(?:at|by|for|if|when)\b)"
    rf"|{_CONDITION_WORD})"
)
_CONDITION_WORDS = re.compile(_CONDITION_WORD)
_OTHER_CASE = re.compile(
    r"\?|\b(?:or|else|otherwise|unless|except|instead|maybe|perhaps|possibly|probably|likely|while"
    r"|whereas|but|versus|vs|then|resp|alternatively|alternative|oder|sonst|ou|sinon|sino|wrong"
    r"|incorrect)\b"
)
_PARTING = re.compile(r"[,;:]|\band\b")
_RELATION = re.compile(r"[=<>≤≥≠∈]|\\(?:leq?|geq?|neq?|in|leqslant|geqslant)(?![a-z])")
_DOMAIN = re.compile(
    r"\b(?:integers?|natural|reals?|rational|positive|negative|nonnegative|constants?|nonzero"
    r"|odd|even|prime|arbitrary|parameters?|numbers?)\b"
)
_LETTER = re.compile(r"(?<![A-Za-z\\])[a-z](?![A-Za-z])|\\(?!text)[a-z]+")
_WORD = re.compile(r"[a-z]+")


_BOUND = re.compile(
    r"\( ?[a-z] ?(?:\\(?:neq?|geq?|leq?|in)(?![a-z])|[<>\u2260]) ?[^(),;=<>]{1,30}\)"
)
"""Where a letter lies, alone in brackets: ``(x \\ne 0)``."""


def is_condition(text: str) -> bool:
    """Whether a remark in lower case begins as a condition, and holds this one alone."""
    plain = plain_words(text).lstrip(" ,;")
    if _BOUND.fullmatch(plain):
        return not _OTHER_CASE.search(plain)
    if not _CONDITION.match(plain) or len(_CONDITION_WORDS.findall(plain)) > 1:
        return False
    return not (_OTHER_CASE.search(plain) or _states_more(plain) or _is_foreign(plain))


def _states_more(text: str) -> bool:
    """Whether a value stands there, and not in a relation: ``if x > 0, 4``; ``since 4 fails``."""
    if not _RELATION.search(text) and _counts(text):
        return True
    parts = _PARTING.split(text)[1:]
    return any(_states_value(part, parts[at + 1 :]) for at, part in enumerate(parts))


def _counts(text: str) -> bool:
    found = set(_WORD.findall(text)) - {"zero"}
    return any(map(str.isdigit, text)) or not _NUMBER_WORDS.isdisjoint(found)


def _states_value(part: str, behind: list[str]) -> bool:
    if _RELATION.search(part):
        return False
    if any(map(str.isdigit, part)) or not _NUMBER_WORDS.isdisjoint(_WORD.findall(part)):
        return True
    if not _LETTER.search(part) or _DOMAIN.search(part):
        return False
    listed = len(part.strip()) == 1  # a, b > 0
    return not (listed and any(_RELATION.search(it) or _DOMAIN.search(it) for it in behind))


def _is_foreign(text: str) -> bool:
    """Whether letters stand in it that are neither Latin nor used in formulas."""
    if text.isascii():
        return False
    return any(char.isalpha() and not _in_formulas(char) for char in text)


def _in_formulas(char: str) -> bool:
    return char.isascii() or "\u0370" <= char <= "\u03ff" or "\u2100" <= char <= "\u214f"


_LABELS = frozenset(
    (
        "answer|the answer|the answer is|final answer|the final answer|the final answer is|ans"
        "|my answer|our answer|solution|the solution|solution is|the solution is|solutions"
        "|the solutions are|solution set|result|the result|the result is|value|the value"
        "|the value is|total|sum|final result"
    ).split("|")
)


def is_label(text: str) -> bool:
    """Whether words before a colon only say that the answer follows, or name it in plain nouns."""
    plain = plain_words(text)
    return plain.lower() in _LABELS or (
        is_name(plain) and all(map(_is_noun_or_link, plain.split()))
    )


_NAME_WORD = re.compile(r"[A-Za-z][A-Za-z'-]*")
_NO_NAME = frozenset(
    (
        "or nor but not no never wrong incorrect false untrue impossible invalid other another "
        "alternative alternatively maybe perhaps possibly probably guess oder ou nicht falsch faux "
        "falso versus vs error mistake unlikely"
    ).split()
)
MAX_COUNTED = 3
"""A name of more words may count what it names: the sum of the first two terms."""


def is_name(text: str) -> bool:
    """Whether words name a quantity: ``area``, ``number of apples``; a number word does not."""
    found = [word.lower() for word in _NAME_WORD.findall(plain_words(text))]
    if not found or _is_foreign(text):
        return False
    if len(found) == 1 and (found[0] in _OF_ANOTHER or is_roman(found[0])):
        return False
    if found[0] in _NO_FIRST or is_of_answer(" ".join(found)):
        return False
    if len(found[-1]) == 1 and not _OF_LETTER.isdisjoint(found):
        return False
    counted = found if len(found) <= MAX_COUNTED else found[-1:]
    return _NO_NAME.isdisjoint(found) and _NUMBER_WORDS.isdisjoint(counted)


_OF_ANOTHER = frozenset(
    "opposite reciprocal inverse negative negation complement square squared cube cubed".split()
)
"""A name that is one of these says how the value is made of another."""
_OF_LETTER = (_OF_ANOTHER - {"complement"}) | frozenset("minus plus times root log twice".split())
"""``the square of n`` is no name of ``n``, as ``n^2`` is none."""
_NO_FIRST = frozenset(
    "about around roughly approximately nearly almost more less at minus plus over under".split()
)
_OF_ANSWER = re.compile(
    r"\b(?:twice|thrice|half|double|triple|squared?|cubed?|root|reciprocal|inverse|opposite|negative"
    r"|negation|complement|minus|plus|times|than)(?: of)? (?:the|my|our|this) (?:final )?"
    r"(?:answer|result|solution)\b"
    r"|\b(?:square|cube|reciprocal|inverse|opposite|half) of \$?[A-Za-z]\$? (?:is|equals|=)\Z"
    r"|\b(?:answer|result|solution) (?:squared|cubed|plus|minus|times|divided|doubled|halved)\b",
    re.IGNORECASE,
)


def is_of_answer(text: str) -> bool:
    """Whether words name what is made of the answer: ``twice the answer``."""
    return _OF_ANSWER.search(text) is not None


def is_roman(word: str) -> bool:
    """Whether a word of two letters or more is a Roman numeral."""
    return len(word) > 1 and _ROMAN.fullmatch(word) is not None


def is_denied(text: str) -> bool:
    """Whether prose says that what it states is wrong."""
    return _DENIAL.search(text) is not None


_DENIAL = re.compile(r"(?<![A-Za-z])(?:wrong|incorrect|untrue|false)(?![A-Za-z])", re.IGNORECASE)
