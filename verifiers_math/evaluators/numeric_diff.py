"""How far two numbers lie apart, as a score from 0 to 1."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from numbers import Rational, Real
from typing import Any, ClassVar, Final, Literal, NamedTuple

from verifiers_math.answers import golds_of
from verifiers_math.checks import check_choice
from verifiers_math.equivalence.normalize import tidy
from verifiers_math.equivalence.verdict import Status
from verifiers_math.evaluators.evaluator import Evaluator, Result, text_of, unscored

Denominator = Literal["unit", "max", "sum"]

MAX_TEXT_CHARS: Final = 100_000
"""A number is looked for in this many characters at the start of a text."""

MAX_DIGITS: Final = 1000
MAX_EXPONENT: Final = 4000


class NumericDiff(Evaluator):
    """The distance of two numbers: ``1 - |a - b| / max(|a|, |b|, 1)``, from 0 to 1.

    Each side is a number, or a text whose first numeric token counts: digits with a sign,
    thousands separators, a decimal point, an exponent or a fraction bar. The arithmetic is exact.

    Args:
        denominator: ``"unit"`` is the formula above: absolute below 1, relative above.
            ``"max"`` divides by the larger of the two, ``"sum"`` by ``|a| + |b|``, which is the
            formula of ``autoevals``. Equal numbers score 1 by each.
        threshold: The score from which a result passes.

    Raises:
        ValueError: If the denominator is unknown, or the threshold is not from 0 to 1.

    Examples:
        >>> NumericDiff().score(0.0302, "about 0.03024")
        {'score': 0.99996, 'label': 'close', 'passed': True}
        >>> NumericDiff(denominator="sum").score("0.0302", "0.03024")["score"]
        0.99933818663137
    """

    name: ClassVar[str] = "numeric_diff"
    summary: ClassVar[str] = "how close the first numbers are: 1 - |a - b| / max(|a|, |b|, 1)"

    def __init__(self, *, denominator: Denominator = "unit", threshold: float = 0.99) -> None:
        check_choice("denominator", denominator, _DENOMINATORS)
        if not 0 <= threshold <= 1:
            raise ValueError(f"threshold is from 0 to 1, not {threshold!r}")
        self.denominator: Denominator = denominator
        self.threshold = threshold

    def score(self, expected: Any, output: Any) -> dict[str, Any]:
        """Scores a pair of numbers; which of them comes first makes no difference.

        Args:
            expected: The gold: a number, or text with one in it.
            output: What was predicted: a number, or text with one in it.

        Returns:
            ``score`` from 0.0 to 1.0, ``label`` ("equal", "close" or "far"), and ``passed``.

        Raises:
            ValueError: If one of them is missing, holds no number, or is not finite; the message
                says which.
        """
        judged = self._judge(_wanted("expected", expected), _wanted("output", output))
        return {name: judged[name] for name in ("score", "label", "passed")}

    def evaluate(self, expected: Any, output: Any, prompt: Any = None) -> Result:
        """See `Evaluator.evaluate`; where a side holds no number there is no score.

        Of several golds the nearest counts.
        """
        given = _number_in(output if _is_number(output) else text_of(output))
        golds = [_number_in(gold) for gold in golds_of(expected)]
        values = [gold.value for gold in golds if gold.value is not None]
        if not values:
            return unscored(Status.GOLD_UNREADABLE, f"expected {golds[0].fault}")
        if given.value is None:
            return unscored(Status.ANSWER_UNREADABLE, f"output {given.fault}")
        output_value = given.value
        return self._judge(min(values, key=lambda gold: abs(gold - output_value)), output_value)

    def _judge(self, gold: Fraction, output: Fraction) -> Result:
        error = abs(gold - output)
        size = _DENOMINATORS[self.denominator](abs(gold), abs(output))
        score = float(max(1 - error / size, Fraction(0))) if error else 1.0
        passed = score >= self.threshold
        return Result(
            score=score,
            label="equal" if not error else "close" if passed else "far",
            passed=passed,
            status=(Status.CORRECT if passed else Status.INCORRECT).value,
            detail=f"the numbers are {_as_float(error):.6g} apart" if error else "the same number",
            absolute_error=_as_float(error),
        )


_DENOMINATORS: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "unit": lambda one, other: max(one, other, Fraction(1)),
    "max": max,
    "sum": lambda one, other: one + other,
}


class _Found(NamedTuple):
    """A number, or what is wrong with the place where it should be."""

    value: Fraction | None
    fault: str = ""


def _wanted(side: str, value: Any) -> Fraction:
    found = _number_in(value)
    if found.value is None:
        raise ValueError(f"{side} {found.fault}: {value!r:.80}")
    return found.value


def _is_number(value: Any) -> bool:
    return isinstance(value, (Real, Decimal)) and not isinstance(value, bool)


def _number_in(value: Any) -> _Found:
    """The number that a side is, or the first one in its text."""
    if value is None:
        return _Found(None, "is missing")
    if isinstance(value, str):
        return _first_number(value)
    if not _is_number(value):
        return _Found(None, f"is neither a number nor text, but {type(value).__name__}")
    if isinstance(value, Rational):
        return _Found(Fraction(value))
    # The decimal that was written, not its binary neighbour; and a Decimal may be of any size.
    return _first_number(str(value))


_NUMERAL = r"(?:[0-9]{1,3}(?:,[0-9]{3})++(?![0-9])|[0-9]++)(?:\.[0-9]*+)?+|\.[0-9]++"
_SIGNED = rf"[-+]?(?:{_NUMERAL})"
_INTEGER = r"[-+]?[0-9]++"
_TEN_TO = r"10\s?\^\s?\{?\s?"
_TOKEN = re.compile(
    r"(?<![0-9A-Za-z_.\\])(?:"
    rf"(?P<sign>[-+]?)\\frac\s?\{{\s?(?P<top>{_SIGNED})\s?\}}\s?\{{\s?(?P<bottom>{_SIGNED})\s?\}}"
    rf"|(?P<ten_sign>[-+]?){_TEN_TO}(?P<ten>{_INTEGER})"
    rf"|(?P<number>{_SIGNED})"
    rf"(?:[eE](?P<e>{_INTEGER}))?+"
    rf"(?:\s?\*\s?{_TEN_TO}(?P<times>{_INTEGER})"
    rf"|\s?/\s?(?P<over>{_SIGNED})(?:[eE](?P<over_e>{_INTEGER}))?+)?+"
    r")"
)
_NOT_FINITE = re.compile(r"\s*[-+]?\s*(?:s?nan|inf|infinity|\\infty)\s*", re.IGNORECASE)
_THOUSANDS = re.compile(r"(?<=[0-9])(?:\\[,!]|\{,\}|[\u00a0\u2009\u202f])(?=[0-9]{3}(?![0-9]))")
"""What separates thousands besides the comma."""


def _first_number(text: str) -> _Found:
    if not text.strip():
        return _Found(None, "is missing")
    if _NOT_FINITE.fullmatch(text):
        return _Found(None, f"is not finite: {text.strip()}")
    token = _TOKEN.search(tidy(_THOUSANDS.sub(",", text[:MAX_TEXT_CHARS])))
    if token is None:
        return _Found(None, "holds no number")
    if max(map(len, token.groups(""))) > MAX_DIGITS:
        return _Found(None, f"holds a number of more than {MAX_DIGITS} digits")
    return _value(token)


def _value(token: re.Match[str]) -> _Found:
    """The value of a token; its size is bounded before anything is computed."""
    if token.lastgroup == "number":  # nothing behind it
        return _Found(_exact(token["number"]))
    power = sum(_exponent(token[name]) for name in ("ten", "e", "times"))
    over_power = _exponent(token["over_e"])
    if max(abs(power), abs(over_power)) > MAX_EXPONENT:
        return _Found(None, f"holds a number beyond 10^{MAX_EXPONENT}")
    sign = -1 if "-" in (token["sign"], token["ten_sign"]) else 1
    top = _scaled(sign * _exact(token["top"] or token["number"] or "1"), power)
    below = token["bottom"] or token["over"]
    if not below:
        return _Found(top)
    bottom = _scaled(_exact(below), over_power)
    return _Found(top / bottom) if bottom else _Found(None, "divides by zero")


def _scaled(value: Fraction, power: int) -> Fraction:
    return value * Fraction(10) ** power if power else value


def _exponent(digits: str | None) -> int:
    return int(digits or "0") if len(digits or "") < 10 else MAX_EXPONENT + 1


def _exact(numeral: str) -> Fraction:
    return Fraction(numeral.replace(",", "").removesuffix("."))


def _as_float(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf
