"""Answers that are no mathematics: words, yes or no, and times of day."""

from __future__ import annotations

import re

from verifiers_math.equivalence.decision import Decision, different, equal
from verifiers_math.equivalence.normalize import is_words, normalize

STAGE = "text"

_VERDICTS = {"yes": True, "true": True, "no": False, "false": False}
_LEADING = re.compile(r"(yes|no|true|false)(?=$|\s?[.,;:!(]|\s(?:because|since|as)\b)")
_ANY_VERDICT = re.compile(r"(?<![a-z])(?:yes|no|true|false|maybe|perhaps)(?![a-z])")
_SHORT_WORDS = frozenset("yes no odd all one two six ten true none even any".split())
_FUNCTIONS = ("sin", "cos", "tan", "cot", "sec", "csc", "log", "exp", "sqrt", "arc", "ln")
_ARTICLES = re.compile(r"\b(?:the|a|an) ")
_TIME = re.compile(r"(\d{1,2}) ?: ?(\d{2})(?: ?: ?(\d{2}))? ?(?:([ap])\.? ?m\.?)?")


def compare_text(gold: str, answer: str) -> Decision | None:
    """Compares words with words; None where both sides may be mathematics.

    Args:
        gold: The gold as it was written.
        answer: The final answer as it was written.
    """
    gold_plain, answer_plain = normalize(gold).lower(), normalize(answer).lower()
    verdict = _VERDICTS.get(gold_plain)
    if verdict is not None:
        return _compare_verdicts(verdict, answer_plain)
    times = _TIME.fullmatch(gold_plain), _TIME.fullmatch(answer_plain)
    if times[0] is not None and times[1] is not None:
        return _compare_times(times[0], times[1])
    if only_words(gold) or only_words(answer):
        if _ARTICLES.sub("", gold_plain) == _ARTICLES.sub("", answer_plain):
            return equal(STAGE, "the same words")
        return different(STAGE, "the words are not the same")
    return None


def only_words(text: str) -> bool:
    """Returns whether an answer is made of words, so that only its text can be compared."""
    plain = normalize(text)
    if plain.lower() in _SHORT_WORDS:
        return True
    return (
        is_words(plain) and max(map(len, plain.split())) >= 4 and not plain.startswith(_FUNCTIONS)
    )


def _compare_verdicts(gold: bool, answer: str) -> Decision:
    leading = _LEADING.match(answer)
    if leading is None:
        return different(STAGE, "the answer does not begin with yes, no, true or false")
    if _ANY_VERDICT.search(answer, leading.end()):
        return different(STAGE, "the answer says both yes and no, or hedges")
    if _VERDICTS[leading[1]] is gold:
        return equal(STAGE, f"the answer says {leading[1]}")
    return different(STAGE, f"the answer says {leading[1]}")


def _compare_times(gold: re.Match[str], answer: re.Match[str]) -> Decision | None:
    """Times of day; where a part is too large for one, a ratio may be meant."""
    hours = [int(match[1]) for match in (gold, answer)]
    if max(hours) > 24 or any(int(match[2]) > 59 for match in (gold, answer)):
        return None
    clock = [
        (
            _hour(match),
            int(match[2]),
            int(match[3] or 0),
            match[4] if gold[4] and answer[4] else None,
        )
        for match in (gold, answer)
    ]
    if clock[0] == clock[1]:
        return equal(STAGE, "the same time of day")
    return different(STAGE, "the times are not the same")


def _hour(match: re.Match[str]) -> int:
    hour = int(match[1])
    return hour % 12 if match[4] else hour
