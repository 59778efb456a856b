r"""Numerals and quantities as exact values.

Reads integers, decimals, repeating decimals, thousands in every habit, scientific notation, small
integer powers, fractions, mixed numbers, percent signs, money, units and numbers with a base into
a `Quantity` whose value is a `Fraction`. Anything else is None: a number is never cut out of a
larger answer. All sizes are bounded before a value is made.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from verifiers_math.equivalence.foreign_units import read_foreign_unit
from verifiers_math.equivalence.normalize import tidy
from verifiers_math.equivalence.spellings import FRACTIONS
from verifiers_math.equivalence.units import CURRENCIES, Unit, read_unit

MAX_NUMERAL_CHARS = 4096
MAX_EXPONENT = 4000
MAX_POWER_DIGITS = 4000


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as an answer states it.

    Attributes:
        value: The exact value, with percent applied and in the unit as written.
        places: Written decimal places for a decimal (percent applied), None for an exact form.
        significant: Written significant digits; 0 for an exact form.
        trailing_zero: Whether a decimal's last written digit is 0.
        percent: Whether it has a percent sign.
        unit: The unit behind it (or the currency before it), if any.
        base: The base it is written in, if it says so.
        text: The digits as written, for numbers in a base.
        integral: Whether it is written as an integer.
    """

    value: Fraction
    places: int | None = None
    significant: int = 0
    trailing_zero: bool = False
    percent: bool = False
    unit: Unit | None = None
    base: int | None = None
    text: str = ""
    integral: bool = False

    @property
    def is_decimal(self) -> bool:
        """Whether it is written with decimals, so that it may stand for a rounded value."""
        return self.decimals > 0

    @property
    def decimals(self) -> int:
        """Its written decimal places; 0 for an exact form."""
        return self.places or 0

    @property
    def measure(self) -> Fraction:
        """The value in the base unit of its dimensions."""
        return self.value if self.unit is None else self.value * self.unit.factor


_D = r"\d{1,400}"
_GROUPS = (
    r"[1-9]\d{0,2}(?:,\d{3}){1,99}|[1-9]\d{0,2}(?: \d{3}){1,99}|[1-9]\d{0,2}(?:_\d{3}){1,99}"
    r"|[1-9]\d?(?:,\d{2}){1,9},\d{3}|[1-9]\d{0,2}(?:'\d{3}){1,99}"
)
_DECIMAL = rf"(?:(?:{_GROUPS}|{_D})(?:\.\d{{0,400}})?|\.\d{{1,400}})"
_EUROPEAN = r"\d{1,3}(?:\.\d{3}){1,99},\d{1,400}|[1-9]\d{0,2}(?:\.\d{3}){2,99}"
_REPEATING = (
    r"(?P<rep_whole>\d{0,100})\.(?P<rep_fixed>\d{0,100})"
    r"(?:\\overline ?\{(?P<rep_bar>\d{1,100})\}|\((?P<rep_paren>\d{1,100})\)"
    r"|(?P<rep_dots>\\ldots|\.\.\.))"
)
_EXPONENT = r"(?:\{ ?(?P<{0}b>[-+]?\d{{1,9}}) ?\}|(?P<{0}>[-+]?\d{{1,9}}))"
_SIGNED = rf"[-+]? ?{_DECIMAL}"
_FRACTION = (
    rf"\\frac ?(?:\{{ ?(?P<top>{_SIGNED}) ?\}}|(?P<top1>\d))"
    rf" ?(?:\{{ ?(?P<bottom>{_SIGNED}) ?\}}|(?P<bottom1>\d))"
)
_SLASH = rf"(?P<num>{_DECIMAL}) ?/ ?(?P<den>{_DECIMAL})"

_BODY = re.compile(
    "|".join(
        (
            r"(?P<mixed>\d{1,40}) ?" + _FRACTION.replace("?P<", "?P<m_"),
            r"(?P<mixed_slash>\d{1,40}) (?P<m_num>\d{1,40}) ?/ ?(?P<m_den>\d{1,40})",
            _FRACTION,
            _REPEATING,
            rf"(?P<sci>{_DECIMAL}) ?[*x] ?10 ?\^ ?"
            + _EXPONENT.replace("{0}", "sci_exp").replace("{{", "{").replace("}}", "}"),
            rf"(?P<sci_e>{_DECIMAL})[eE](?P<sci_e_exp>[-+]?\d{{1,9}})(?!\w)",
            r"(?P<power>\d{1,40}) ?(?:\^|\*\*) ?"
            + _EXPONENT.replace("{0}", "power_exp").replace("{{", "{").replace("}}", "}"),
            _SLASH,
            rf"(?P<european>{_EUROPEAN})",
            rf"(?P<decimal>{_DECIMAL})",
        )
    )
)
_BASE_NAMES = {
    word: number
    for number, word in enumerate(
        "two three four five six seven eight nine ten eleven twelve thirteen".split(), start=2
    )
} | {"sixteen": 16}
_BASE_NAME = r"\d{1,2}|" + "|".join(_BASE_NAMES)
_BASE = re.compile(
    r"(?P<digits>[0-9A-F]{1,400})(?: ?_ ?"
    rf"(?:\{{ ?(?:\\text ?\{{ ?)?(?P<base>{_BASE_NAME})(?: ?\}})? ?\}}|(?P<base1>\d{{1,2}}))"
    rf"| ?(?:\\text ?\{{ ?)?\(?base[ -]?\}}? ?(?P<base2>{_BASE_NAME})\)? ?\}}?)"
)
_PERCENT = re.compile(r" ?\\% ?| ?(?:\\text ?\{ ?)?(?:percent|per cent|\\%) ?\}?")
_DEGREE = re.compile(r" ?\^\\circ ?| ?(?:\\text ?\{ ?)?(?:degrees?|deg) ?\}?")
_TEMPERATURE = re.compile(
    r" ?(?:\^\\circ|(?:\\text ?\{ ?)?degrees?(?: ?\})?) ?(?:\\text ?\{ ?)?"
    r"(?:(?P<celsius>C|celsius)|F|fahrenheit)(?: ?\})?",
    re.IGNORECASE,
)
_ASIDE = re.compile(r" ?(?:\\text ?\{ ?)?\( ?(?P<words>[A-Za-z ]{3,40}) ?\)(?: ?\})?")
_CURRENCY = re.compile("|".join(re.escape(sign) for sign in CURRENCIES))
_SCALE = re.compile(
    r"(?P<opening> ?\\text ?\{)? ?(?P<word>hundred|thousand|million|billion|trillion|dozen)"
    r"(?![A-Za-z])",
    re.IGNORECASE,
)
_SCALES = {
    "hundred": 100,
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
    "dozen": 12,
}
_WRAPPED = re.compile(r"\{(.*)\}|\((.*)\)", re.DOTALL)


def read_quantity(text: str) -> Quantity | None:
    """Reads a whole answer as one quantity, or returns None where it is anything else.

    Args:
        text: An answer as it was written.
    """
    return None if len(text) > MAX_NUMERAL_CHARS else _quantity(text)


@lru_cache(maxsize=8192)
def _quantity(text: str) -> Quantity | None:
    if text.isascii() and text.isdigit():
        return Quantity(
            Fraction(int(text)), places=0, significant=len(text), text=text, integral=True
        )
    if not _may_be_quantity(text):
        return None
    return _read(_unwrap(tidy(text)))


def _may_be_quantity(text: str) -> bool:
    return _DIGIT.search(text) is not None and _NO_QUANTITY.search(text) is None


_NO_QUANTITY = re.compile(r"[\w)}\]] ?=|\\sqrt|\\pi(?![a-z])|\\cup|\\infty")
"""What stands in no quantity, but in many other answers."""
_DIGIT = re.compile(rf"[\d{''.join(FRACTIONS)}]")


def _unwrap(text: str) -> str:
    for _ in range(3):
        if text[:1] not in ("{", "("):
            return text
        match = _WRAPPED.fullmatch(text)
        inner = (match[1] or match[2] or "") if match else ""
        if not inner or any(bracket in inner for bracket in "(){},"):
            return text
        text = inner.strip()
    return text


def _read(text: str) -> Quantity | None:
    negative, at = _sign(text, 0)
    unit, at = _currency(text, at)
    if unit is not None and not negative:  # "$-5" as well as "-$5"
        negative, at = _sign(text, at)
    if "_" in text or "base" in text:
        in_base = _BASE.fullmatch(text, at)
        if in_base is not None:
            return _in_base(in_base, negative)
    body = _BODY.match(text, at)
    if body is None:
        return None
    number = _value(body)
    if number is None:
        return None
    quantity = _with_suffix(number, negative, text[body.end() :], unit)
    if quantity is None and not negative and unit is None and text.count(" ") < 12:
        return _in_mixed_units(text)
    return quantity


def _sign(text: str, at: int) -> tuple[bool, int]:
    """Whether a minus stands at ``at``, and where the number behind the sign begins."""
    sign = text[at : at + 1]
    at += sign in ("-", "+")
    return sign == "-", at + (text[at : at + 1] == " ")


def _currency(text: str, at: int) -> tuple[Unit | None, int]:
    match = _CURRENCY.match(text, at)
    if match is None:
        return None, at
    unit = read_unit(f"\\text{{{CURRENCIES[match[0]]}}}")
    end = match.end()
    return unit, end + 1 if text[end : end + 1] == " " else end


def _in_base(match: re.Match[str], negative: bool) -> Quantity | None:
    name = match["base"] or match["base1"] or match["base2"]
    base = _BASE_NAMES.get(name) or int(name)
    digits = match["digits"].lstrip("0") or "0"
    if not 2 <= base <= 36 or any(int(digit, 36) >= base for digit in digits):
        return None
    value = Fraction(int(digits, base))
    return Quantity(-value if negative else value, base=base, text=digits, integral=True)


def _with_suffix(number: Quantity, negative: bool, rest: str, unit: Unit | None) -> Quantity | None:
    if "+" in rest:  # a sum, and no unit
        return None
    number, rest = _scaled_by_word(number, rest)
    value = -number.value if negative else number.value
    places, percent = number.places, False
    if rest:
        percent_sign = _PERCENT.fullmatch(rest)
        if percent_sign is not None:
            percent = True
            value /= 100
            places = places + 2 if places else None  # 33% is exact, 33.3% is a decimal
        elif _DEGREE.fullmatch(rest):
            unit = read_unit(r"\text{degrees}")
        else:
            behind = _unit_behind(rest)
            if behind is None or (unit is not None and not unit.measures_like(behind)):
                return None
            unit = behind
    return Quantity(
        value,
        places,
        number.significant,
        number.trailing_zero,
        percent,
        unit,
        None,
        number.text,
        number.integral and not percent,
    )


def _unit_behind(rest: str) -> Unit | None:
    """A currency, a temperature scale, a unit, or a unit in parentheses."""
    if rest.strip() in CURRENCIES:
        return _currency(rest.strip(), 0)[0]
    scale = _TEMPERATURE.fullmatch(rest)
    if scale is not None:
        return read_unit(r"\text{celsius}" if scale["celsius"] else r"\text{fahrenheit}")
    foreign = read_foreign_unit(rest)
    if foreign is not None:
        return foreign
    aside = _ASIDE.fullmatch(rest)
    return read_unit(rest if aside is None else f"\\text{{{aside['words']}}}")


_MIXED_PIECE = re.compile(
    rf"(?P<number>{_DECIMAL}) ?(?P<unit>\\text ?\{{[A-Za-z. ]{{1,20}}\}}|[A-Za-z]{{1,12}}\.?)"
    r"(?P<joiner>(?:,| and|,? ?\\text ?\{ ?and ?\})? ?)"
)
_AND = re.compile(r" and(?= ?\})")
_JOINED = ((("time", 1),), (("dollar", 1),))
_COUNTED_TOGETHER = frozenset({"length", "time", "mass", "dollar"})


def _in_mixed_units(text: str) -> Quantity | None:
    """``2 hours 30 minutes`` or ``5 ft 6 in``: each unit smaller than the one before, and full."""
    at, total, first, last = 0, Fraction(0), None, None
    while at < len(text):
        piece = _MIXED_PIECE.match(text, at)
        unit = read_unit(_AND.sub("", " " + piece["unit"])) if piece is not None else None
        if piece is None or unit is None or not _continues(unit, last):
            return None
        amount = _decimal(_plain(piece["number"])).value * unit.factor
        if last is not None and (amount >= last.factor or unit.dimensions != last.dimensions):
            return None
        joined = "," in piece["joiner"] or " and" in piece["unit"] + " " + piece["joiner"]
        if joined and unit.dimensions not in _JOINED:  # two lengths may be two answers
            return None
        first, last = first or unit, unit
        total, at = total + amount, piece.end()
    if first is None or first is last:
        return None
    return Quantity(total / first.factor, unit=first)


def _continues(unit: Unit, last: Unit | None) -> bool:
    if unit.dimensions is None or len(unit.dimensions) != 1:
        return False
    (name, power) = unit.dimensions[0]
    return name in _COUNTED_TOGETHER and power == 1 and (last is None or unit.factor < last.factor)


def _scaled_by_word(number: Quantity, rest: str) -> tuple[Quantity, str]:
    """Applies a "million" behind the number, and returns what stands behind that."""
    match = _SCALE.match(rest)
    if match is None:
        return number, rest
    factor = _SCALES[match["word"].lower()]
    exact = max((number.places or 0) - len(str(factor)) + 1, 0) if factor % 10 == 0 else 0
    rest = (match["opening"] or "") + rest[match.end() :]
    scaled = Quantity(number.value * factor, exact, number.significant, number.trailing_zero)
    return scaled, "" if rest.replace(" ", "") == "\\text{}" else rest


def _value(body: re.Match[str]) -> Quantity | None:
    """The value of whichever form the numeral has."""
    if body["decimal"] is not None:
        return _decimal(_plain(body["decimal"]))
    if body["european"] is not None:
        return _decimal(body["european"].replace(".", "").replace(",", "."))
    if body["num"] is not None:
        return _quotient(body["num"], body["den"])
    if body["top"] is not None or body["top1"] is not None:
        return _quotient(body["top"] or body["top1"], body["bottom"] or body["bottom1"])
    if body["mixed"] is not None:
        return _mixed(
            body["mixed"], body["m_top"] or body["m_top1"], body["m_bottom"] or body["m_bottom1"]
        )
    if body["mixed_slash"] is not None:
        return _mixed(body["mixed_slash"], body["m_num"], body["m_den"])
    if body["sci"] is not None:
        return _scaled(body["sci"], body["sci_exp"] or body["sci_expb"])
    if body["sci_e"] is not None:
        return _scaled(body["sci_e"], body["sci_e_exp"])
    if body["power"] is not None:
        return _power(int(body["power"]), int(body["power_exp"] or body["power_expb"]))
    return _repeating(body)


def _plain(numeral: str) -> str:
    return numeral.replace(",", "").replace(" ", "").replace("_", "").replace("'", "")


def _decimal(numeral: str) -> Quantity:
    whole, point, decimals = numeral.partition(".")
    value = Fraction(int((whole + decimals) or "0"), 10 ** len(decimals))
    if not point or not decimals:
        digits = whole.lstrip("0")
        return Quantity(value, 0, len(digits) or 1, text=whole, integral=True)
    significant = len((whole + decimals).lstrip("0")) or 1
    return Quantity(value, len(decimals), significant, decimals.endswith("0"), text=numeral)


def _signed(numeral: str) -> Fraction:
    numeral = numeral.strip()
    sign = -1 if numeral[0] == "-" else 1
    return sign * _decimal(_plain(numeral.lstrip("+- "))).value


def _quotient(top: str, bottom: str) -> Quantity | None:
    denominator = _signed(bottom)
    return Quantity(_signed(top) / denominator) if denominator else None


def _mixed(whole: str, top: str, bottom: str) -> Quantity | None:
    fraction = _quotient(top, bottom)
    if fraction is None or fraction.value < 0 or fraction.value >= 1 or "." in top + bottom:
        return None
    return Quantity(int(whole) + fraction.value)


def _scaled(mantissa: str, exponent: str) -> Quantity | None:
    power = int(exponent)
    if abs(power) > MAX_EXPONENT:
        return None
    number = _decimal(_plain(mantissa))
    value = number.value * Fraction(10) ** power
    if number.integral:
        return Quantity(value)
    places = max((number.places or 0) - power, 0)
    return Quantity(value, places, number.significant, number.trailing_zero)


def _power(base: int, exponent: int) -> Quantity | None:
    if abs(exponent) * len(str(base)) > MAX_POWER_DIGITS or (base == 0 and exponent <= 0):
        return None
    return Quantity(Fraction(base) ** exponent)


_WHOLE_REPEATING = re.compile(_REPEATING)
_DOTTED = re.compile(r"\\dot ?\{?(\d)\}?(?:(\d*)\\dot ?\{?(\d)\}?)?")


def repeating_decimal(text: str) -> Fraction | None:
    r"""Returns the value of ``0.\overline{3}``, ``0.1(6)``, ``0.\dot{3}`` or ``0.333\ldots``.

    None where the digits before an ellipsis show no period.
    """
    dotted = _DOTTED.sub(lambda dots: f"({''.join(group or '' for group in dots.groups())})", text)
    body = _WHOLE_REPEATING.fullmatch(dotted)
    number = _repeating(body) if body is not None else None
    return None if number is None else number.value


def _repeating(body: re.Match[str]) -> Quantity | None:
    whole, fixed = body["rep_whole"], body["rep_fixed"]
    period = body["rep_bar"] or body["rep_paren"]
    if period is None:
        split = _split_period(fixed)
        if split is None:
            return None
        fixed, period = split
    elif not whole and not fixed and body["rep_paren"]:
        return None
    scale = 10 ** len(fixed)
    repeated = Fraction(int(period), (10 ** len(period) - 1) * scale)
    return Quantity(int(whole or "0") + Fraction(int(fixed or "0"), scale) + repeated)


def _split_period(digits: str) -> tuple[str, str] | None:
    """The fixed part and the period that digits before an ellipsis show.

    A single digit has to stand three times at the end (0.333…, 1.1666…), or be all there is; a
    longer period twice.
    """
    for length in range(1, len(digits) // 2 + 1):
        times = 3 if length == 1 and len(digits) > 2 else 2
        period = digits[-length:]
        if digits.endswith(period * times):
            fixed = digits
            while fixed.endswith(period):
                fixed = fixed[:-length]
            return fixed, period
    return None
