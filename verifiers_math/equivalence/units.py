"""Units of measurement: their spellings, their dimensions and the exact factors between them.

Factors are exact by definition (the international yard and pound agreement of 1959; the SI).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from verifiers_math.equivalence.nouns import is_known_noun, is_plural

Dimensions = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit as read from an answer.

    Attributes:
        factor: The unit's size in the base unit of its dimensions.
        dimensions: Base dimensions and their powers, sorted; None for words that no table knows.
        label: The words as they were written, in lower case and singular, to compare unknown ones.
        counted: Whether they may say what several things are: a plural, or a unit. Other words are
            dropped behind no number above 1, since they may alter, doubt or deny it.
    """

    factor: Fraction
    dimensions: Dimensions | None
    label: str
    counted: bool = True

    def adds_nothing(self, value: Fraction) -> bool:
        """Whether a value stays the same where only one side has this unit."""
        return self.counted or 0 < abs(value) <= 1

    def measures_like(self, other: Unit) -> bool:
        """Whether both have the same dimensions, or are the same unknown words."""
        if self.dimensions is None or other.dimensions is None:
            return self.label == other.label
        return self.dimensions == other.dimensions


def _rows() -> dict[str, tuple[str, Fraction]]:
    """Each spelling with its dimension and factor; plurals are added where a word takes an s."""
    table: dict[str, tuple[str, Fraction]] = {}
    for dimension, spellings, factor in _UNITS:
        for spelling in spellings.split():
            table[spelling] = (dimension, Fraction(factor))
    for spellings, _, factor in _DERIVED:
        table |= {spelling: ("", Fraction(factor)) for spelling in spellings.split()}
    return table


_UNITS: tuple[tuple[str, str, str], ...] = (
    ("length", "m meter meters metre metres", "1"),
    ("length", "km kilometer kilometers kilometre kilometres", "1000"),
    ("length", "dm decimeter decimeters", "1/10"),
    ("length", "cm centimeter centimeters centimetre centimetres", "1/100"),
    ("length", "mm millimeter millimeters millimetre millimetres", "1/1000"),
    ("length", "nm nanometer nanometers nanometre nanometres", "1/1000000000"),
    ("length", "micrometer micrometers micrometre micrometres micron microns", "1/1000000"),
    ("length", "in inch inches", "254/10000"),
    ("length", "ft foot feet", "3048/10000"),
    ("length", "yd yard yards", "9144/10000"),
    ("length", "mi mile miles", "1609344/1000"),
    ("time", "s sec secs second seconds", "1"),
    ("time", "ms millisecond milliseconds", "1/1000"),
    ("time", "min mins minute minutes", "60"),
    ("time", "h hr hrs hour hours", "3600"),
    ("time", "day days", "86400"),
    ("time", "week weeks", "604800"),
    ("year", "month months", "1/12"),
    ("year", "year years yr yrs", "1"),
    ("mass", "g gram grams", "1"),
    ("mass", "kg kilogram kilograms", "1000"),
    ("mass", "mg milligram milligrams", "1/1000"),
    ("mass", "lb lbs pound pounds", "45359237/100000"),
    ("mass", "oz ounce ounces", "45359237/1600000"),
    ("mass", "tonne tonnes", "1000000"),
    ("volume", "l liter liters litre litres", "1"),
    ("volume", "ml milliliter milliliters millilitre millilitres", "1/1000"),
    ("volume", "gallon gallons gal", "3785411784/1000000000"),
    ("dollar", "dollar dollars usd", "1"),
    ("dollar", "cent cents", "1/100"),
    ("euro", "euro euros eur", "1"),
    ("sterling", "gbp", "1"),
    ("rupee", "rupee rupees rs", "1"),
    ("yen", "yen", "1"),
    ("yuan", "yuan rmb cny", "1"),
    ("ruble", "ruble rubles rouble roubles rub", "1"),
    ("won", "krw", "1"),
    ("baht", "baht", "1"),
    ("angle", "degree degrees deg", "1"),
    ("radian", "rad radian radians", "1"),
    ("celsius", "celsius", "1"),
    ("fahrenheit", "fahrenheit", "1"),
)
_DERIVED: tuple[tuple[str, dict[str, int], str], ...] = (
    ("V volt volts", {"voltage": 1}, "1"),
    ("kV kilovolt kilovolts", {"voltage": 1}, "1000"),
    ("mV millivolt millivolts", {"voltage": 1}, "1/1000"),
    ("A amp amps ampere amperes", {"current": 1}, "1"),
    ("mA milliampere milliamperes", {"current": 1}, "1/1000"),
    ("ohm ohms", {"resistance": 1}, "1"),
    ("kohm kilohm kilohms kiloohm kiloohms", {"resistance": 1}, "1000"),
    ("coulomb coulombs", {"charge": 1}, "1"),
    ("hz hertz", {"time": -1}, "1"),
    ("khz kilohertz", {"time": -1}, "1000"),
    ("mhz megahertz", {"time": -1}, "1000000"),
    ("ghz gigahertz", {"time": -1}, "1000000000"),
    ("eV", {"mass": 1, "length": 2, "time": -2}, "1602176634/10000000000000000000000000"),
    ("mol mole moles", {"amount": 1}, "1"),
    ("mmol millimole millimoles", {"amount": 1}, "1/1000"),
    ("kelvin kelvins", {"temperature": 1}, "1"),
    ("N newton newtons", {"mass": 1, "length": 1, "time": -2}, "1000"),
    ("kN kilonewton kilonewtons", {"mass": 1, "length": 1, "time": -2}, "1000000"),
    ("J joule joules", {"mass": 1, "length": 2, "time": -2}, "1000"),
    ("kJ kilojoule kilojoules", {"mass": 1, "length": 2, "time": -2}, "1000000"),
    ("MJ megajoule megajoules", {"mass": 1, "length": 2, "time": -2}, "1000000000"),
    ("kwh", {"mass": 1, "length": 2, "time": -2}, "3600000000"),
    ("W watt watts", {"mass": 1, "length": 2, "time": -3}, "1000"),
    ("kW kilowatt kilowatts", {"mass": 1, "length": 2, "time": -3}, "1000000"),
    ("MW megawatt megawatts", {"mass": 1, "length": 2, "time": -3}, "1000000000"),
    ("mW milliwatt milliwatts", {"mass": 1, "length": 2, "time": -3}, "1"),
    ("Pa pascal pascals", {"mass": 1, "length": -1, "time": -2}, "1000"),
    ("kpa kilopascal kilopascals", {"mass": 1, "length": -1, "time": -2}, "1000000"),
    ("mph", {"length": 1, "time": -1}, "1609344/3600000"),
    ("kph kmh kmph", {"length": 1, "time": -1}, "1000/3600"),
)
"""Units that are made of others: their spellings, powers and sizes in metres, grams, seconds."""
_TABLE = _rows()
_PARTS = {word: powers for words, powers, _ in _DERIVED for word in words.split()}
SINGLE_LETTERS = frozenset("mgslhL")
"""Letters that are units where they stand upright or behind a space."""
CURRENCIES = {
    r"US\$": "dollar",
    r"US \$": "dollar",
    r"\text{\$}": "dollar",
    "USD": "dollar",
    "Rs.": "rupee",
    "Rs": "rupee",
    r"\$": "dollar",
    "$": "dollar",
    r"\euro": "euro",
    "£": "gbp",
    r"\pounds": "gbp",
    "¢": "cent",
    "¥": "yen",
    "₹": "rupee",
}

_POWERS = {"square": 2, "sq": 2, "cubic": 3}
_SCALE_LETTERS = frozenset("KMBT")
"""Upright capitals that stand for thousands and millions: no unit unless a space precedes them."""
_MILLION_LETTERS = frozenset("MB")
VALUE_WORDS = frozenset(
    (
        "plus minus times squared cubed factorial pi hundred thousand million billion trillion "
        "dozen half halves third thirds quarter quarters fourth fourths fifth fifths sixth "
        "sixths eighth eighths ninth ninths tenth tenths hundredth hundredths thousandth "
        "thousandths millionth millionths"
    ).split()
)
"""Words behind a number that make it another number."""
_ALTERING = VALUE_WORDS | frozenset(
    (
        "over under below above root reciprocal inverse permille choose power "
        "divided multiplied doubled tripled halved double triple twice thrice factorials mod "
        "modulo negative log ln exp sin cos tan cot sec csc sqrt "
        "fold th rd nd st modulus halfs myriad myriads lac lacs "
        "lakh lakhs crore crores googol gross score tens dozens hundreds thousands "
        "kilo mega giga milli micro nano bn mn mln bil tril thou mil grand ppm bps "
        "tenfold hundredfold negated inverted conjugated reversed backward backwards mirrored "
        "quadruple quadrupled quintupled binary ternary octal hex hexadecimal roman mille "
        "basis bp bps bc bce debt deficit "
        "january february march april may june july august september october november december "
        "jan feb mar apr jun jul aug sept oct nov dec "
        "mil mila millones milhoes bilhoes tausend tausende tausendstel elfu mille milles "
        "googols scores percents zeros zeroes nines sevens loss losses "
        "decenas centenas dezenas dizaines centaines zehntel hundertstel fois veces vezes volte "
        "demi demie mezzo meio medio "
        "dutzend docena docenas douzaine douzaines dozzina dozzine juta ribu ratus tusen bin milyon"
    ).split()
)
_ONES = "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_NUMBER_WORD = re.compile(
    rf"{_ONES}|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty"
    r"|[a-z]*ill?i(?:on(?:en|es|e|i|s)?|ard(?:en|e|i|s)?|oes)"
    r"|(?:four|fif|six|seven|eigh|nin|ten|eleven|twelf|(?:thir|four|fif|six|seven|eigh|nine)teen"
    r"|(?:twen|thir|for|fif|six|seven|eigh|nine)tie|hundred|thousand|[a-z]*illion)ths?"
)


def alters_number(word: str) -> bool:
    """Returns whether a word behind a number makes it another.

    Such are numerals, ordinals, scales, operators, functions and months.
    """
    name = word.lower()
    return name in _ALTERING or _NUMBER_WORD.fullmatch(name) is not None


_NOT_UNITS = frozenset(
    (
        "or and not no yes if is are to when where for with than terms each otherwise "
        "false true none undefined infinity infinite maybe either neither all any some other "
        "others only at least most more less fewer base wrong incorrect invalid impossible "
        "unknown error approximately about roughly likely probably possibly perhaps but except "
        "instead unless versus vs alternatively oder und ou et "
        "approx approximate ish circa guess guessed guessing believe hope suppose think i idk "
        "dunno unsure uncertain presumably supposedly apparently cannot nope nah rejected reject "
        "excluded extraneous removed discarded fails fail failed contradicts contradiction "
        "inadmissible incorrectly wrongly bogus fake too nicht kein keine nein falsch faux pas "
        "non falso menos moins meno mindestens hoechstens meistens onwards upwards downwards "
        "plusminus lies pour por bips "
    ).split()
)
_WORD = re.compile(r"[A-Za-z]+")
_PIECE = re.compile(r"\s*(?:\^\s?\{?(-?\d)\}?|(/|per\b)|([A-Za-z]+)\.?)")
_TEXT = re.compile(r"\\text\s?\{([^{}]*)\}")
_OHM = re.compile(r"(?:\\text ?\{ ?)?(k?)\\Omega ?\}?")
_RAISED_INSIDE = re.compile(r"\^ ?\{ ?(-?\d) ?\}")
_QUOTIENT = re.compile(r"\\frac ?\{ ?(\\text ?\{[^{}]*\}) ?\} ?\{ ?(\\text ?\{[^{}]*\}) ?\}")
MAX_UNIT_CHARS = 60


def read_unit(text: str) -> Unit | None:
    r"""Reads what stands behind a number as a unit, or returns None where it is none.

    A unit is upright (``\text{…}``), a word of two letters or more that the table knows, or a
    listed letter after a space. A bare letter right behind a number is a variable.

    Args:
        text: The rest of a tidied answer, with the white space that precedes it.
    """
    if len(text) > MAX_UNIT_CHARS:
        return None
    text = _OHM.sub(r"\\text{ \1ohm}", text) if "\\Omega" in text else text
    upright = "\\text" in text
    if upright and "^{" in text:
        text = _RAISED_INSIDE.sub(r"^\1", text).replace("*", " ")
    if upright and "\\frac" in text:
        text = _QUOTIENT.sub(r"\1/\2", text)
    spaced = text[:1] == " "
    for index, segment in enumerate(_TEXT.split(text)):  # every second one stood in \text{}
        for word in _WORD.findall(segment):
            inside = index % 2 == 1
            if not _may_be_unit(word, upright=inside, spaced=spaced or segment[:1] == " "):
                return None
    plain = _TEXT.sub(r" \1 ", text).replace("{", " ").replace("}", " ") if upright else text
    pieces = _pieces(plain)
    if not pieces:
        return None
    if all(word in _TABLE for word, _ in pieces):
        return _combine(pieces)
    counted = any(is_counted(word) or _is_symbol(word) for word, _ in pieces)
    return Unit(Fraction(1), None, _label(pieces), counted)


def _may_be_unit(word: str, upright: bool, spaced: bool) -> bool:
    r"""Whether a word may name a unit: ``x``, ``\mathrm{i}`` and ``\text{million}`` may not."""
    if len(word) == 1:
        listed = word in SINGLE_LETTERS
        if word == "I":
            return False
        if word in _SCALE_LETTERS and (word in _MILLION_LETTERS or not spaced):
            return False
        return (listed and (upright or spaced)) or (upright and word.isupper())
    name = word.lower()
    if is_no_unit(name):
        return False
    known = name in _TABLE or (spaced and word in _TABLE)
    return upright or known or name in _POWERS or name == "per"


def is_no_unit(word: str) -> bool:
    """Returns whether a word behind a number joins, denies, hedges or alters it."""
    return word.lower() in _NOT_UNITS or alters_number(word)


def is_unit_word(word: str) -> bool:
    """Returns whether a word of two letters or more is a unit without being upright."""
    return len(word) > 1 and word.islower() and word in _TABLE


def is_counted(word: str) -> bool:
    """Returns whether a word behind a number may say what is counted, or in which unit.

    Any other word may be a doubt, a scale or a denial in some language.
    """
    name = word.lower()
    return is_plural(name) or is_known_noun(name) or is_unit_word(name)


def _is_symbol(word: str) -> bool:
    return word in _TABLE or (len(word) < 3 and not word.islower())


def _pieces(text: str) -> list[tuple[str, int]]:
    """Words and their powers: ``km per h^2`` gives ``[("km", 1), ("h", -2)]``; [] if unreadable."""
    pieces: list[tuple[str, int]] = []
    sign, power, at = 1, 1, 0
    text = text.strip()
    while at < len(text):
        match = _PIECE.match(text, at)
        if match is None:
            return []
        at = match.end()
        exponent, slash, word = match.groups()
        if word is not None:
            name = _name(word)
            if name in _POWERS:
                power = _POWERS[name]
                continue
            pieces.append((name, sign * power))
            power = 1
        elif slash is not None:
            sign = -1
        elif pieces:
            last, old = pieces[-1]
            pieces[-1] = (last, old * int(exponent))
        else:
            return []
    return pieces


def _name(word: str) -> str:
    """A word without its case; short symbols that no table knows keep it (MW is not mW)."""
    name = word.lower()
    return name if len(word) > 2 or word == "L" or (len(word) == 2 and name in _TABLE) else word


_RAISED = ("length", "time", "")
"""Dimensions whose units have powers; ``ml^2`` is a product of letters."""


def _combine(pieces: list[tuple[str, int]]) -> Unit | None:
    factor = Fraction(1)
    powers: dict[str, int] = {}
    for word, power in pieces:
        dimension, size = _TABLE[word]
        if power > 1 and dimension not in _RAISED and len(pieces) < 3:
            return None
        factor *= size**power
        for part, times in _PARTS.get(word, {dimension: 1}).items():
            powers[part] = powers.get(part, 0) + times * power
    if "volume" in powers:  # a litre is a cubic decimetre
        cubes = powers.pop("volume")
        factor *= Fraction(1, 1000) ** cubes
        powers["length"] = powers.get("length", 0) + 3 * cubes
    dimensions = tuple(sorted((name, power) for name, power in powers.items() if power))
    return Unit(factor, dimensions, _label(pieces))


def _label(pieces: list[tuple[str, int]]) -> str:
    return " ".join(f"{_singular(word)}^{power}" for word, power in pieces)


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
