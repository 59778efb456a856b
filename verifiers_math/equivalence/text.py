"""Answers that are no mathematics: words, yes or no, and times of day."""

from __future__ import annotations

import re

from verifiers_math.equivalence.dates import read_dates, weekday_of
from verifiers_math.equivalence.decision import Decision, different, equal
from verifiers_math.equivalence.normalize import is_words, normalize, tidy
from verifiers_math.equivalence.numbers import read_quantity
from verifiers_math.equivalence.phrases import SYMBOL_OF_PHRASE

STAGE = "text"

_VERDICTS = {"yes": True, "true": True, "no": False, "false": False}
_LEADING = re.compile(
    r"(yes|no|true|false)(?=$|\s?[.,;:!(]|\s(?:because|since|as)(?![a-z])|(?<=no)\ssuch\s)"
)
_HEDGES = (
    "maybe|perhaps|possibly|probably|likely|unlikely|depends|depending|sometimes|unless|unsure"
    "|uncertain|unclear|unknown|undecided|or|wait|oops|correction"
)
_AFFIRMED = (
    r"it(?: is|['\u2019]s)(?: indeed| always| certainly| clearly| still)? (?:possible|so|correct"
    r"|right|the case|doable|achievable|feasible|valid)(?=\s?(?:[.,;:!)}]|\Z))"
    r"|(?:it|they|(?<!no )such [a-z]{1,20}) (?:is|are|do|does|can|could|will|holds?|exists?|works?)"
    r"(?=\s?(?:[.,;:!)}]|\Z))"
    r"|there (?:is|are|exists?|do|does)(?: one| some| many| such [a-z]{1,20}| at least one)?"
    r"(?=\s?(?:[.,;:!)}]|\Z))"
    r"|(?:not|never|isn['\u2019]t) (?:impossible|false|wrong|incorrect|untrue|unsolvable)"
)
"""What affirms at the end of a clause, and takes back a No; ``it is possible that …`` may not."""
_HEDGED = {
    True: re.compile(
        rf"(?<![a-z])(?:no|false|not|never|nope|wrong|incorrect|untrue|impossible|cannot|refuted"
        rf"|disproved|disproven|hardly|neither|except|[a-z]+n['\u2019]t|{_HEDGES})(?![a-z])"
    ),
    False: re.compile(rf"(?<![a-z])(?:yes|true|yep|{_HEDGES}|{_AFFIRMED})(?![a-z])"),
}
_OTHER_VERDICT = {
    True: re.compile(r"(?<![a-z])(?:no|false|maybe|perhaps)(?![a-z])"),
    False: re.compile(r"(?<![a-z])(?:yes|true|maybe|perhaps)(?![a-z])"),
}
"""What takes back a verdict even in its reason, where a mere negation may belong to the reason."""
_REASON = re.compile(r"(?<![a-z])(?:because|since|as)(?![a-z])")
_SHORT_WORDS = frozenset("yes no odd all one two six ten true none even any".split())
_FUNCTIONS = (
    "arsinh",
    "arcosh",
    "artanh",
    "asin",
    "acos",
    "atan",
    "sin",
    "cos",
    "tan",
    "cot",
    "sec",
    "csc",
    "log",
    "exp",
    "sqrt",
    "arc",
    "ln",
)
_SYMBOL_NAMES = frozenset(
    (
        "alpha beta gamma delta epsilon zeta theta iota kappa lambda sigma omega infinity infty "
        "emptyset"
    ).split()
)
_PART = re.compile(r"[ '-]+")
"""What parts words: letters with minus signs between them are none."""
_ARTICLES = re.compile(r"\b(?:the|a|an) ")
_TIME = re.compile(r"(\d{1,2}) ?: ?(\d{2})(?: ?: ?(\d{2}))? ?(?:([ap])\.? ?m\.?)?")
_HOUR = re.compile(r"(\d{1,2})()() ?([ap])\.? ?m\.?")
"""``10 a.m.``, with the groups of a time."""


def compare_text(gold: str, answer: str) -> Decision | None:
    """Compares words with words; None where both sides may be mathematics.

    Args:
        gold: The gold as it was written.
        answer: The final answer as it was written.
    """
    gold_plain, answer_plain = normalize(gold).lower(), normalize(answer).lower()
    verdict = _VERDICTS.get(gold_plain, _verdict_of_sentence(gold_plain))
    if verdict is not None:
        return _compare_verdicts(verdict, normalize(answer.replace("**", "")).lower())
    times = _time(gold_plain), _time(answer_plain)
    if times[0] is not None and times[1] is not None:
        return _compare_times(times[0], times[1])
    if times != (None, None) and (
        _is_time_and_number(times[0], answer) or _is_time_and_number(times[1], gold)
    ):
        return different(STAGE, "a time of day is not a number")
    if gold_plain[-1:].isdigit() or answer_plain[-1:].isdigit():
        by_numerals = _compare_spaced(gold, answer) or _compare_divided(gold_plain, answer_plain)
        if by_numerals is not None:
            return by_numerals
    by_date = _compare_dates(gold_plain, answer_plain)
    if by_date is not None:
        return by_date
    properties = _PROPERTY.fullmatch(gold_plain), _PROPERTY.fullmatch(answer_plain)
    if only_words(gold) or only_words(answer) or all(properties):
        if same_words(gold_plain, answer_plain):
            return equal(STAGE, "the same words")
        return different(STAGE, "the words are not the same")
    return None


_EXPLAINED = re.compile(r"(yes|no)[,.;:!] ?[a-z][a-z ,.'-]{2,}")


def _is_time_and_number(time: re.Match[str] | None, other: str) -> bool:
    """Whether one side has a.m. or p.m., and the other is a number, with a name or without."""
    return (
        time is not None and bool(time[4]) and read_quantity(other.rpartition("=")[2]) is not None
    )


_NUMERAL = r"[-+]?\d{1,30}(?:\.\d{1,30})?"
_SPACED = re.compile(rf"{_NUMERAL}(?: {_NUMERAL})+")
"""Numerals with nothing but spaces between them, which are neither a product nor a sum."""


def _compare_spaced(gold: str, answer: str) -> Decision | None:
    if " " not in gold and " " not in answer:
        return None
    gold, answer = tidy(gold), tidy(answer)
    spaced = _SPACED.fullmatch(gold), _SPACED.fullmatch(answer)
    if not any(spaced) or read_quantity(gold) or read_quantity(answer):
        return None
    if all(spaced) and gold.split() == answer.split():
        return equal(STAGE, "the same numerals in the same order")
    return different(STAGE, "not the same numerals in the same order")


_DIVIDED = re.compile(
    r"(-?\d{1,30}),? ?(?:(?:with |and )?(?:a )?(?:remainder|rem\.?|r)(?: of| is|:)?) ?(\d{1,30})"
)
"""A quotient with its remainder: ``23 R 4``, ``23 remainder 4``."""


def _compare_divided(gold_plain: str, answer_plain: str) -> Decision | None:
    gold, answer = _DIVIDED.fullmatch(gold_plain), _DIVIDED.fullmatch(answer_plain)
    if gold is None and answer is None:
        return None
    if gold is None or answer is None:
        return different(STAGE, "one side has a remainder")
    if list(map(int, gold.groups())) == list(map(int, answer.groups())):
        return equal(STAGE, "the same quotient and remainder")
    return different(STAGE, "not the same quotient and remainder")


def _verdict_of_sentence(gold: str) -> bool | None:
    """``No, it is not possible`` is a no; what holds a formula asks for more."""
    if not gold.startswith(("yes", "no")):
        return None
    sentence = _EXPLAINED.fullmatch(gold)
    return None if sentence is None else _VERDICTS[sentence[1]]


def only_words(text: str) -> bool:
    """Returns whether an answer is made of words, so that only its text can be compared."""
    plain = normalize(text)
    if plain.lower() in _SHORT_WORDS:
        return True
    pieces = _PART.split(plain)
    lengths = [len(piece) for piece in pieces]
    return (
        is_words(plain)
        and (max(lengths) >= 4 or (len(lengths) > 1 and min(lengths) >= 3))
        and not plain.startswith(_FUNCTIONS)
        and not all(piece.lower() in _SYMBOL_NAMES for piece in pieces)
        and plain.lower() not in SYMBOL_OF_PHRASE
    )


_SAME_WORDS = {
    spelling: name
    for name, spellings in {
        "does not exist": "dne|doesn't exist|limit does not exist|limit doesn't exist",
        "diverges": "divergent|is divergent|diverge|does not converge|doesn't converge",
        "converges": "convergent|is convergent|converge",
        "infinitely many": "infinite|infinitely many solutions|infinite solutions|infinite number"
        "|infinite number of solutions|there are infinitely many solutions",
        "monday": "mon",
        "tuesday": "tue|tues",
        "wednesday": "wed",
        "thursday": "thu|thur|thurs",
        "friday": "fri",
        "saturday": "sat",
        "sunday": "sun",
    }.items()
    for spelling in spellings.split("|")
}
_SUBJECT = re.compile(
    r"\A(?:it|(?:this |that )?(?:limit|series|integral|sequence|function|statement|triangle|graph"
    r"|figure|shape|conic|curve|quadrilateral|point)) "
    r"(?:is |(?=diverge|converge|does(?:n't| not) ))"
    r"|\Aon (?=[a-z]+day\Z)"
)
"""What a sentence is about, before the words that answer."""
_NOUN = re.compile(r" (?:function|triangle)\Z")


def same_words(gold: str, answer: str) -> bool:
    """Whether two answers in words, in lower case, say the same; a subject may be left out.

    Args:
        gold: The normal form of the gold.
        answer: The normal form of the answer.
    """
    one, other = (_said(_ARTICLES.sub("", text)) for text in (gold, answer))
    return (
        one == other
        or _predicate(one) == other
        or one == _predicate(other)
        or _NOUN.sub("", one) == _SUBJECT.sub("", other)
        or _SUBJECT.sub("", one) == _NOUN.sub("", other)
    )


_PROPERTY = re.compile(
    r"(?P<letter>[a-z]) (?:is )?(?P<what>even|odd|prime|composite)"
    r"|(?P<what1>even|odd|prime|composite) (?P<letter1>[a-z])"
)


def _said(words: str) -> str:
    of = _PROPERTY.fullmatch(words)
    if of is not None:
        return f"{of['letter'] or of['letter1']} is {of['what'] or of['what1']}"
    return _SAME_WORDS.get(words, words)


def _predicate(words: str) -> str:
    """``The limit does not exist`` without its subject, ``odd function`` without its noun."""
    return _said(_NOUN.sub("", _SUBJECT.sub("", words, count=1)))


def _compare_verdicts(gold: bool, answer: str) -> Decision:
    leading = _LEADING.match(answer)
    if leading is None:
        return different(STAGE, "the answer does not begin with yes, no, true or false")
    said = _VERDICTS[leading[1]]
    reason = _REASON.search(answer, leading.end())
    end = len(answer) if reason is None else reason.start()
    if _HEDGED[said].search(answer, leading.end(), end) or _OTHER_VERDICT[said].search(answer, end):
        return different(STAGE, "the answer says both yes and no, or hedges")
    if said is gold:
        return equal(STAGE, f"the answer says {leading[1]}")
    return different(STAGE, f"the answer says {leading[1]}")


def _compare_dates(gold: str, answer: str) -> Decision | None:
    """Dates of any habit; ``1/5/2024`` may be two dates, and is the same only as it stands."""
    dates, others = read_dates(gold), read_dates(answer)
    if dates and others:
        weekdays = weekday_of(gold), weekday_of(answer)
        if all(weekdays) and weekdays[0] != weekdays[1]:
            return different(STAGE, "the days of the week are not the same")
        if dates == others and (len(dates) == 1 or _numbers(gold) == _numbers(answer)):
            return equal(STAGE, "the same date")
        one_habit = len(dates) == len(others)
        unsure = not one_habit and not dates.isdisjoint(others)
        return None if unsure else different(STAGE, "the dates are not the same")
    if (dates or others) and read_quantity(answer if dates else gold) is not None:
        return different(STAGE, "a date is not a number")
    return None


def _numbers(plain: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", plain)]


def _time(plain: str) -> re.Match[str] | None:
    """A time of day; no pattern looks at what does not begin with a digit."""
    if not plain[:1].isdigit() or plain.isdigit():
        return None
    return _TIME.fullmatch(plain) or _HOUR.fullmatch(plain)


def _compare_times(gold: re.Match[str], answer: re.Match[str]) -> Decision | None:
    """Times of day; where a part is too large for one, or is a third, a ratio may be meant."""
    both = (gold, answer)
    minutes = [(int(match[2] or 0), int(match[3] or 0)) for match in both]
    if any(int(match[1]) > 24 for match in both) or max(map(max, minutes)) > 59:
        return None
    if minutes[0] == minutes[1] and _same_hour(gold, answer):
        return equal(STAGE, "the same time of day")
    if gold[3] and answer[3]:
        return None
    return different(STAGE, "the times are not the same")


def _same_hour(gold: re.Match[str], answer: re.Match[str]) -> bool:
    """Without a.m. or p.m. an hour up to 12 may mean either half of the day."""
    if bool(gold[4]) == bool(answer[4]):
        return _hour(gold) == _hour(answer)
    marked, plain = (gold, answer) if gold[4] else (answer, gold)
    return int(plain[1]) in (_hour(marked), int(marked[1]))


def _hour(match: re.Match[str]) -> int:
    """The hour of 24, where a half of the day is named; else as written."""
    hour = int(match[1])
    return hour % 12 + 12 * (match[4] == "p") if match[4] else hour
