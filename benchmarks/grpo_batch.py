"""A synthetic GRPO batch: groups of long completions with an answer in a box, labelled exactly.

Each group has one gold. Its answers are right ones in other spellings and plausible wrong ones;
both are built from exact values, so that the labels are right by construction.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count, cycle, islice
from random import Random
from typing import Literal

Repeats = Literal["none", "usual"]

RIGHT_SHARE = 0.55
INTEGER_SHARE = 0.45
MIN_CHARACTERS = 2000
MAX_CHARACTERS = 8000


@dataclass(frozen=True, slots=True)
class Completion:
    """One completion of a group.

    Attributes:
        group: The number of its group.
        kind: The kind of answer.
        gold: The group's reference answer.
        answer: What stands in the box.
        text: The whole completion, 2,000 to 8,000 characters.
        label: Whether the answer is right.
    """

    group: int
    kind: str
    gold: str
    answer: str
    text: str
    label: bool


@dataclass(frozen=True, slots=True)
class Problem:
    """A gold with right and wrong answers, each list without repeats.

    Attributes:
        gold: The reference answer.
        right: Spellings of the same value; the first is the plain one.
        wrong: Spellings of other values.
    """

    gold: str
    right: tuple[str, ...]
    wrong: tuple[str, ...]


def signed(value: int) -> str:
    """An integer as a term that follows another: ``" + 3"`` or ``" - 3"``."""
    return f" {'-' if value < 0 else '+'} {abs(value)}"


def fraction(value: Fraction, command: str = "frac") -> str:
    """A fraction in lowest terms in LaTeX, an integer as such."""
    if value.denominator == 1:
        return str(value.numerator)
    sign = "-" if value < 0 else ""
    return rf"{sign}\{command}{{{abs(value.numerator)}}}{{{value.denominator}}}"


def _other_integers(rng: Random, value: int, amount: int) -> list[int]:
    """Distinct integers other than `value`: slips of one, of a digit, of a sign, of a factor."""
    near = [value + 1, value - 1, -value, 2 * value, value + 10, value - 9, value * 10, value + 100]
    found = [other for other in dict.fromkeys(near) if other != value]
    rng.shuffle(found)
    for step in count(2):
        if len(found) >= amount:
            return found[:amount]
        if value + 7 * step not in found:
            found.append(value + 7 * step)
    raise AssertionError("count() has no end")


def _other_fractions(rng: Random, value: Fraction, amount: int) -> list[Fraction]:
    """Distinct fractions other than `value`, among them its inverse and its opposite."""
    near = [1 / value, -value, value + 1, value * 2, value / 2, value - Fraction(1, 2)]
    near += [Fraction(value.numerator + step, value.denominator) for step in range(1, amount + 2)]
    found = [other for other in dict.fromkeys(near) if other not in (value, 0)]
    rng.shuffle(found)
    return found[:amount]


def integer_problem(rng: Random) -> Problem:
    """An integer; a fifth of them large."""
    value = rng.randint(10_000, 9_999_999) if rng.random() < 0.2 else rng.randint(11, 2_000)
    part = rng.randint(2, 9)
    right = (
        f"{value}",
        f"{value:,}".replace(",", "{,}"),
        f"{value}.0",
        f"n = {value}",
        rf"\text{{{value}}}",
        rf"\frac{{{value * part}}}{{{part}}}",
        f"{value - part} + {part}",
        f"{value + part} - {part}",
        rf"\mathbf{{{value}}}",
        f"${value}$",
        f"+{value}",
        rf"{value}\,",
        f"{value}.00",
        rf"\dfrac{{{value}}}{{1}}",
        f"{value}.",
    )
    wrong = [str(other) for other in _other_integers(rng, value, 16)]
    return Problem(str(value), tuple(dict.fromkeys(right)), tuple(wrong))


def fraction_problem(rng: Random) -> Problem:
    """A fraction whose denominator may be long in decimals."""
    denominator = rng.randint(3, 60)
    value = Fraction(rng.randint(2, 199), denominator)
    while value.denominator == 1:
        value += Fraction(1, denominator)
    top, bottom = value.numerator, value.denominator
    right = (
        fraction(value),
        fraction(value, "dfrac"),
        f"{top}/{bottom}",
        fraction(value, "tfrac"),
        *(rf"\frac{{{top * k}}}{{{bottom * k}}}" for k in (2, 3, 4, 5, 7)),
        *(f"{top * k}/{bottom * k}" for k in (2, 3, 6)),
        rf"\frac{{{top + bottom}}}{{{bottom}}} - 1",
        rf"\displaystyle {fraction(value)}",
        rf"x = {fraction(value)}",
        rf"\left({fraction(value)}\right)",
    )
    wrong = [fraction(other) for other in _other_fractions(rng, value, 16)]
    return Problem(fraction(value), right, tuple(wrong))


def radical_problem(rng: Random) -> Problem:
    """An integer multiple of a root that cannot be simplified further."""
    root = rng.choice((2, 3, 5, 6, 7, 10, 11, 13))
    factor = rng.randint(2, 19)
    square = factor * factor * root
    right = (
        rf"{factor}\sqrt{{{root}}}",
        rf"\sqrt{{{square}}}",
        rf"{factor} \cdot \sqrt{{{root}}}",
        rf"\sqrt{{{root}}} \cdot {factor}",
        rf"\frac{{{factor * root}}}{{\sqrt{{{root}}}}}",
        rf"{factor - 1}\sqrt{{{root}}} + \sqrt{{{root}}}",
        rf"{factor + 2}\sqrt{{{root}}} - 2\sqrt{{{root}}}",
        rf"{factor}({root})^{{1/2}}",
        rf"\frac{{{3 * factor}\sqrt{{{root}}}}}{{3}}",
        rf"2\sqrt{{{square}}} - {factor}\sqrt{{{root}}}",
        rf"\frac{{\sqrt{{{square * 4}}}}}{{2}}",
        rf"{factor} \times \sqrt{{{root}}}",
        rf"\sqrt{{{factor * factor}}} \cdot \sqrt{{{root}}}",
        rf"{factor}\,\sqrt{{{root}}}",
    )
    others = [n for n in _other_integers(rng, factor, 9) if n]
    wrong = [rf"{other}\sqrt{{{root}}}" for other in others]
    wrong += [rf"\sqrt{{{square + step}}}" for step in range(1, 9)]
    return Problem(right[0], right, tuple(wrong))


def polynomial_problem(rng: Random) -> Problem:
    """A quadratic with two distinct integer roots, expanded."""
    first, second = rng.sample([n for n in range(-9, 10) if n], 2)
    lead = rng.randint(2, 7)
    middle, last = -lead * (first + second), lead * first * second
    plain = _quadratic(lead, middle, last)
    right = (
        plain,
        f"{lead}(x{signed(-first)})(x{signed(-second)})",
        f"({lead}x{signed(-lead * first)})(x{signed(-second)})",
        f"(x{signed(-first)})({lead}x{signed(-lead * second)})",
        f"{lead}x^2 + ({middle})x + ({last})",
        f"{last} + ({middle})x + {lead}x^2",
        f"x({lead}x{signed(middle)}){signed(last)}",
        rf"{lead} \cdot (x{signed(-second)}) \cdot (x{signed(-first)})",
        f"{lead}x^{{2}} + ({middle})x + ({last})",
        f"{lead + 1}x^2 - x^2 + ({middle})x + ({last})",
        f"{lead}(x^2 + ({-(first + second)})x + ({first * second}))",
        f"f(x) = {plain}",
        rf"\frac{{{2 * lead}x^2 + ({2 * middle})x + ({2 * last})}}{{2}}",
    )
    wrong = [_quadratic(lead, middle, other) for other in _other_integers(rng, last, 6)]
    wrong += [_quadratic(lead, other, last) for other in _other_integers(rng, middle, 6)]
    wrong += [_quadratic(lead + step, middle, last) for step in (1, 2, 3, 4)]
    return Problem(plain, tuple(dict.fromkeys(right)), tuple(wrong))


def _quadratic(lead: int, middle: int, last: int) -> str:
    linear = f"{signed(middle)}x" if middle else ""
    return f"{lead}x^2{linear}{signed(last) if last else ''}"


def pi_problem(rng: Random) -> Problem:
    """A rational multiple of pi."""
    value = Fraction(rng.randint(2, 29), rng.choice((2, 3, 4, 5, 6, 8, 9, 12)))
    top, bottom = value.numerator, value.denominator
    right = (
        _pi(value),
        rf"\frac{{{top}}}{{{bottom}}}\pi",
        rf"{top}\pi/{bottom}",
        rf"\frac{{{2 * top}\pi}}{{{2 * bottom}}}",
        rf"\dfrac{{{top}\pi}}{{{bottom}}}",
        rf"\frac{{{top} \cdot \pi}}{{{bottom}}}",
        rf"\frac{{{3 * top}}}{{{3 * bottom}}}\pi",
        rf"\pi \cdot \frac{{{top}}}{{{bottom}}}",
        rf"\frac{{\pi \cdot {top}}}{{{bottom}}}",
        rf"{fraction(value + 1)}\pi - \pi",
        rf"\pi + {fraction(value - 1)}\pi",
        rf"{top} \cdot \frac{{\pi}}{{{bottom}}}",
        rf"\left({fraction(value)}\right)\pi",
    )
    wrong = [_pi(other) for other in _other_fractions(rng, value, 15)]
    wrong.append(fraction(value))
    return Problem(_pi(value), tuple(dict.fromkeys(right)), tuple(wrong))


def _pi(value: Fraction) -> str:
    sign = "-" if value < 0 else ""
    top = "" if abs(value.numerator) == 1 else str(abs(value.numerator))
    if value.denominator == 1:
        return rf"{sign}{top}\pi"
    return rf"{sign}\frac{{{top}\pi}}{{{value.denominator}}}"


def interval_problem(rng: Random) -> Problem:
    """A half-open interval with integer ends."""
    low = rng.randint(-30, 20)
    high = low + rng.randint(2, 25)
    gold = f"[{low}, {high})"
    right = [
        gold,
        f"[{low},{high})",
        rf"\left[{low}, {high}\right)",
        rf"x \in [{low}, {high})",
        f"[{low}.0, {high})",
        rf"[{low}, \frac{{{2 * high}}}{{2}})",
        rf"[\frac{{{3 * low}}}{{3}}, {high})",
        f"[{low}, {high}.0)",
        rf"\left[{low},{high}\right)",
        f"[{low - 1} + 1, {high})",
        f"[{low}, {high - 1} + 1)",
        rf"x\in\left[{low},{high}\right)",
        f"$[{low}, {high})$",
    ]
    wrong = [f"({low}, {high})", f"({low}, {high}]", f"[{low}, {high}]"]
    wrong += [f"[{low}, {other})" for other in range(high + 1, high + 8)]
    wrong += [f"[{other}, {high})" for other in range(low - 6, low)]
    return Problem(gold, tuple(right), tuple(wrong))


def _distinct(rng: Random, size: int) -> list[int]:
    """Distinct small integers in rising order."""
    return sorted(rng.sample([n for n in range(-20, 60) if n], size))


def set_problem(rng: Random) -> Problem:
    """A finite set of integers."""
    members = _distinct(rng, 3)
    gold = _set(members)
    orders = [members[k:] + members[:k] for k in range(3)]
    orders += [order[::-1] for order in orders]
    right = [_set(order) for order in orders]
    right += [_set(order).replace(", ", ",") for order in orders]
    first, *rest = members
    right.append(_set([f"{first}.0", *rest]))
    right.append(_set([rf"\frac{{{2 * first}}}{{2}}", *rest]))
    wrong = [_set([*rest, other]) for other in _other_integers(rng, first, 20) if other not in rest]
    wrong += [_set(rest), _set([*members, 77])]
    return Problem(gold, tuple(dict.fromkeys(right)), tuple(wrong))


def _set(members: Sequence[object]) -> str:
    return rf"\{{{', '.join(map(str, members))}\}}"


def tuple_problem(rng: Random) -> Problem:
    """An ordered pair or triple of integers."""
    values = rng.sample(_distinct(rng, 4), rng.choice((2, 3)))
    gold = _tuple(values)
    first, *rest = values
    right = [
        gold,
        gold.replace(", ", ","),
        rf"\left({', '.join(map(str, values))}\right)",
        rf"\left( {','.join(map(str, values))} \right)",
        _tuple([f"{first}.0", *rest]),
        _tuple([rf"\frac{{{2 * first}}}{{2}}", *rest]),
        _tuple([rf"\frac{{{3 * first}}}{{3}}", *rest]),
        _tuple([f"{first - 1}+1", *rest]),
        _tuple([f"{first - 2} + 2", *rest]),
        _tuple([first, f"{rest[0]}.0", *rest[1:]]),
        _tuple([first, rf"\frac{{{2 * rest[0]}}}{{2}}", *rest[1:]]),
        f"${gold}$",
        rf"\displaystyle {gold}",
    ]
    wrong = [_tuple([other, *rest]) for other in _other_integers(rng, first, 10)]
    wrong += [_tuple([first, other, *rest[1:]]) for other in _other_integers(rng, rest[0], 6)]
    wrong.append(_tuple(values[::-1]))
    return Problem(gold, tuple(dict.fromkeys(right)), tuple(dict.fromkeys(wrong)))


def _tuple(values: Sequence[object]) -> str:
    return f"({', '.join(map(str, values))})"


def equation_problem(rng: Random) -> Problem:
    """A line in slope and intercept."""
    slope = rng.choice([n for n in range(-12, 13) if abs(n) > 1])
    intercept = rng.choice([n for n in range(-30, 31) if n])
    right = (
        _line(slope, intercept),
        f"y={slope}x{signed(intercept)}".replace(" ", ""),
        f"y = {intercept} + ({slope})x",
        f"{slope}x{signed(intercept)} = y",
        f"y{signed(-intercept)} = {slope}x",
        f"y - ({slope})x = {intercept}",
        f"y - ({slope})x - ({intercept}) = 0",
        f"2y = {2 * slope}x{signed(2 * intercept)}",
        f"3y = {3 * slope}x{signed(3 * intercept)}",
        rf"y = {slope} \cdot x{signed(intercept)}",
        f"y = {slope}(x + 1){signed(intercept - slope)}"
        if intercept != slope
        else f"y={slope}(x+1)",
        f"y = x + {slope - 1}x{signed(intercept)}"
        if slope > 1
        else f"-y = {-slope}x - ({intercept})",
    )
    wrong = [_line(slope, other) for other in _other_integers(rng, intercept, 9) if other]
    wrong += [_line(other, intercept) for other in _other_integers(rng, slope, 9) if abs(other) > 1]
    return Problem(right[0], tuple(dict.fromkeys(right)), tuple(dict.fromkeys(wrong)))


def _line(slope: int, intercept: int) -> str:
    return f"y = {slope}x{signed(intercept)}"


MAKERS: dict[str, Callable[[Random], Problem]] = {
    "integer": integer_problem,
    "fraction": fraction_problem,
    "radical": radical_problem,
    "polynomial": polynomial_problem,
    "pi": pi_problem,
    "interval": interval_problem,
    "set": set_problem,
    "tuple": tuple_problem,
    "equation": equation_problem,
}

MIX = (
    "45 % integers; the rest in equal parts fractions, radicals, polynomials, multiples of pi, "
    "intervals, sets, tuples, equations; 55 % right"
)


def kinds(groups: int) -> list[str]:
    """The kind of each group's answer: the mix, spread over the groups."""
    integers = round(groups * INTEGER_SHARE)
    others = [name for name in MAKERS if name != "integer"]
    return ["integer"] * integers + [others[k % len(others)] for k in range(groups - integers)]


def _unrepeated(rng: Random, problem: Problem, right: int, size: int) -> list[tuple[str, bool]]:
    answers = [(text, True) for text in problem.right[:right]]
    wrong = rng.sample(problem.wrong, min(size - len(answers), len(problem.wrong)))
    return answers + [(text, False) for text in wrong]


def _usual(rng: Random, problem: Problem, right: int, size: int) -> list[tuple[str, bool]]:
    """One spelling that most use and one that some use; wrong answers come in a few values."""
    spellings = [problem.right[0], problem.right[0], problem.right[0], problem.right[1]]
    answers = [(rng.choice(spellings), True) for _ in range(right)]
    slips = rng.sample(problem.wrong, min(3, len(problem.wrong)))
    return answers + [(rng.choice(slips), False) for _ in range(size - right)]


def make_batch(
    repeats: Repeats = "none",
    *,
    groups: int = 64,
    size: int = 16,
    seed: int = 0,
    only: Sequence[str] = (),
) -> list[Completion]:
    """A batch whose golds are distinct across groups.

    Args:
        repeats: ``none``: every pair of gold and answer is distinct; ``usual``: the completions
            of a group give a few distinct answers, as a trained model's do.
        groups: How many prompts.
        size: Completions of each; at most 16, so that no spelling has to repeat.
        seed: Equal seeds give equal batches.
        only: Kinds of answers in equal parts, in place of the mix.

    Returns:
        ``groups * size`` completions, those of a group side by side.

    Raises:
        ValueError: `size` is above 16, or a kind is unknown.
    """
    if unknown := set(only).difference(MAKERS):
        raise ValueError(f"unknown kinds: {', '.join(sorted(unknown))}; known: {', '.join(MAKERS)}")
    if size > 16:
        raise ValueError(f"at most 16 completions in a group, not {size}")
    rng = Random(f"{repeats}-{seed}")
    choose = _unrepeated if repeats == "none" else _usual
    wanted = list(islice(cycle(only), groups)) if only else kinds(groups)
    rng.shuffle(wanted)
    golds: set[str] = set()
    batch: list[Completion] = []
    for group, kind in enumerate(wanted):
        problem = _fresh_problem(rng, kind, golds)
        right = _right_in_group(group, size)
        answers = choose(rng, problem, right, size)
        rng.shuffle(answers)
        batch += [
            Completion(group, kind, problem.gold, answer, write_up(rng, answer), label)
            for answer, label in answers
        ]
    return batch


def _fresh_problem(rng: Random, kind: str, golds: set[str]) -> Problem:
    while True:
        problem = MAKERS[kind](rng)
        if problem.gold not in golds:
            golds.add(problem.gold)
            return problem


def _right_in_group(group: int, size: int) -> int:
    """How many are right, so that the share holds over groups although it differs by group."""
    done = round(RIGHT_SHARE * size * group)
    return round(RIGHT_SHARE * size * (group + 1)) - done


SENTENCES = (
    "Let us look at the problem step by step and write down what is given.",
    r"We are told that ${a}$ and ${b}$ are related, so we set up ${a}x + {b} = {c}$.",
    r"Substituting $x = {a}$ gives ${a} \cdot {b} = {ab}$, which we keep for later.",
    "Wait, that does not look right. Let me check the previous step again.",
    r"By the triangle inequality we must have ${a} < {b} + {c}$, and this holds here.",
    r"The discriminant is $\Delta = {b}^2 - 4 \cdot {a} \cdot {c}$, so there are two cases.",
    r"In the first case we get \[ \frac{{{a}}}{{{b}}} + \frac{{{b}}}{{{c}}} \] as the sum.",
    "Alternatively, we could count the complement, which is easier in this situation.",
    r"So far there are {a} ways to choose the first and {b} ways to choose the second.",
    r"Multiplying these, we find {a} * {b} = {ab} possibilities before symmetry.",
    r"Using the identity $\sin^2\theta + \cos^2\theta = 1$ the expression simplifies.",
    "Hmm, the question asks for the final value, not for the intermediate one.",
    r"Therefore the remaining term equals $\sqrt{{{c}}}$ times a constant.",
    "Double-checking with small numbers confirms the pattern that we saw above.",
    r"Combining both equations, we obtain $y = {a} - {b}t$ for some real $t$.",
)

ENDINGS = (
    r"Therefore, the final answer is $\boxed{{{answer}}}$.",
    "The answer is\n\\[\\boxed{{{answer}}}\\]",
    r"So we conclude: \boxed{{{answer}}}",
    "**Final Answer**\n$\\boxed{{{answer}}}$",
)


def write_up(rng: Random, answer: str) -> str:
    """A completion with prose and formulas around a boxed answer; a third of them with thoughts."""
    length = rng.randint(MIN_CHARACTERS, MAX_CHARACTERS - 300)
    is_display = "$" not in answer
    ending = rng.choice(ENDINGS if is_display else ENDINGS[2:3]).format(answer=answer)
    if rng.random() < 1 / 3:
        thoughts = _prose(rng, length * 3 // 4)
        return f"<think>\n{thoughts}\n</think>\n\n{_prose(rng, length // 4)}\n\n{ending}"
    return f"{_prose(rng, length)}\n\n{ending}"


def _prose(rng: Random, length: int) -> str:
    sentences = []
    written = 0
    while written < length:
        a, b, c = (rng.randint(2, 99) for _ in range(3))
        sentence = rng.choice(SENTENCES).format(a=a, b=b, c=c, ab=a * b)
        sentences.append(sentence)
        written += len(sentence) + 1
    return " ".join(sentences)
