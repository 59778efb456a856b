r"""Declared parameters: ``x = 2k\pi, k \in \mathbb{Z}`` is a family, whatever its letter."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from verifiers_math.equivalence.kinds.rewriting import (
    at_point,
    difference,
    renamed,
    replaced,
    rewrite,
)
from verifiers_math.equivalence.reader.tree import (
    Constant,
    Ellipsis,
    Listing,
    NamedSet,
    Negative,
    Node,
    Number,
    PlusMinus,
    Product,
    Qualified,
    Relation,
    SetBuilder,
    Sum,
    Symbol,
    WithUnit,
    Words,
    facts,
    holds,
    is_expression,
    symbols,
    walk,
)
from verifiers_math.equivalence.sampling import Sameness, approximate, compare

INTEGERS = "Z"
NATURALS = "N"
_DOMAINS = {"N+": NATURALS, "N*": NATURALS, "Z+": NATURALS, "Z^+": NATURALS, "Z*": "Z*"}
"""Sets that mean one thing: whether 0 is a natural number is nobody's to say."""
MAX_SHIFT = 10**6


class Family(NamedTuple):
    """An answer without its declarations, and the set that each declared letter runs through."""

    node: Node
    domains: dict[str, str]


class Agreed(NamedTuple):
    """Two answers with their parameters under one name.

    Attributes:
        gold: The gold without declarations.
        answer: The answer without declarations, its parameters called as in the gold.
        integers: The parameters that run through all integers.
        conflict: Whether one parameter runs through different sets.
    """

    gold: Node
    answer: Node
    integers: frozenset[str]
    conflict: bool = False


def agree(gold: Node, answer: Node) -> Agreed:
    """Takes declarations off both sides and gives their parameters one name."""
    one, other = without_declarations(gold), without_declarations(answer)
    if not one.domains and not other.domains:
        names = _turns(one.node, other.node)
        node = renamed(other.node, names) if names else other.node
        return Agreed(one.node, node, frozenset())
    names = _new_names(one, other)
    domains = {names.get(name, name): domain for name, domain in other.domains.items()}
    conflict = any(domains.get(name, domain) != domain for name, domain in one.domains.items())
    integers = {name for name, domain in (*one.domains.items(), *domains.items()) if domain == "Z"}
    if "pi" not in facts(one.node).constants:
        integers &= one.domains.keys()  # n is some number where the gold does not declare it
    node = renamed(other.node, names) if names else other.node
    return Agreed(one.node, node, frozenset(integers), conflict)


def _new_names(gold: Family, answer: Family) -> dict[str, str]:
    """The answer's parameters that have another name in the gold; both in order of appearance."""
    gold_only = _in_order(gold.node, symbols(answer.node))
    answer_only = _in_order(answer.node, symbols(gold.node))
    if len(gold_only) != len(answer_only):
        return {}
    names = dict(zip(answer_only, gold_only, strict=True))
    known = all(
        _is_parameter(old, answer) and _is_parameter(new, gold) for old, new in names.items()
    )
    declared = any(new in gold.domains or old in answer.domains for old, new in names.items())
    return names if known and declared else {}


def _is_parameter(name: str, side: Family) -> bool:
    """Whether a letter is declared, or counts in an expression: a lone ``n`` is a quantity."""
    value = side.node.value if isinstance(side.node, Qualified) else side.node
    return name in side.domains or (name in COUNTING and not isinstance(value, Symbol))


COUNTING = frozenset("kmnlj")
"""Letters that count full turns beside π."""


def _turns(gold: Node, answer: Node) -> dict[str, str]:
    r"""The name of a counting letter beside π that nobody declares: ``\frac{\pi}{4} + n\pi``."""
    golds, answers = symbols(gold), symbols(answer)
    if golds == answers or "pi" not in facts(gold).constants & facts(answer).constants:
        return {}
    gold_only, answer_only = golds - answers, answers - golds
    if len(gold_only) != 1 or len(answer_only) != 1 or not gold_only | answer_only <= COUNTING:
        return {}
    (new,), (old,) = gold_only, answer_only
    return {old: new} if _adds_turns(gold, new) and _adds_turns(answer, old) else {}


def _adds_turns(node: Node, name: str) -> bool:
    r"""Whether a multiple of ``k\pi`` is added somewhere."""
    return any(
        isinstance(found, Sum)
        and any(
            isinstance(term, Product)
            and {Symbol(name), Constant("pi")} <= {*term.factors}
            and symbols(term) == {name}
            for term in found.terms
        )
        for found in walk(node)
    )


def _in_order(node: Node, without: frozenset[str]) -> list[str]:
    found = (part.name for part in walk(node) if isinstance(part, Symbol))
    return [name for name in dict.fromkeys(found) if name not in without]


# --- declarations ------------------------------------------------------------------------------


def without_declarations(node: Node) -> Family:
    r"""The answer without ``k \in \mathbb{Z}`` behind it, and what was declared."""
    may_declare = isinstance(node, Listing | SetBuilder | Qualified)
    if not may_declare and not holds(node, Relation, WithUnit):
        return Family(node, {})
    domains: dict[str, str] = {}
    node = rewrite(node, lambda found: _inner(found, domains))
    node = _unbuilt(node, domains)
    if isinstance(node, Qualified):
        declared = _declared(node.remark)
        if declared and set(declared) <= symbols(node.value):
            domains |= declared
            node = node.value
    if isinstance(node, Listing):
        node = _without_last_items(node, domains)
    return Family(node, domains)


def _inner(node: Node, domains: dict[str, str]) -> Node:
    r"""A product without the ``(k \in \mathbb{Z})`` that is no factor."""
    if not isinstance(node, Product) or len(node.factors) < 2:
        return node
    declared = _declared(node.factors[-1])
    rest = node.factors[:-1]
    if not declared or not any(set(declared) & symbols(factor) for factor in rest):
        return node
    domains |= declared
    return rest[0] if len(rest) == 1 else Product(rest, node.explicit)


def _unbuilt(node: Node, domains: dict[str, str]) -> Node:
    r"""``\{2k\pi \mid k \in \mathbb{Z}\}``, ``\{x \mid x = 2k\pi, k \in \mathbb{Z}\}``."""
    if not isinstance(node, SetBuilder):
        return node
    declared = _declared(node.condition)
    if declared and not isinstance(node.element, Symbol | Relation):
        if set(declared) & symbols(node.element):
            domains |= declared
            return node.element
        return node
    if not isinstance(node.condition, Listing):
        return node
    inner: dict[str, str] = {}
    condition = _without_last_items(node.condition, inner)
    match condition:
        case Relation((Symbol() as name, value), ("=",)) if inner and name == node.element:
            domains |= inner
            return value
        case _ if inner:
            domains |= inner
            return SetBuilder(node.element, condition)
        case _:
            return node


def _without_last_items(node: Listing, domains: dict[str, str]) -> Node:
    kept = list(node.items)
    found: dict[str, str] = {}
    while len(kept) > 1:
        declared = _declared(kept[-1])
        if declared:
            kept.pop()
        elif found and isinstance(kept[-1], Symbol) and len(kept) > 2:  # k, n ∈ Z
            declared = {kept.pop().name: next(iter(found.values()))}  # type: ignore[union-attr] # a Symbol
        elif (series := _series(kept)) is not None:
            declared, kept = series
        else:
            break
        found |= declared
    if not found or not any(set(found) & symbols(item) for item in kept):
        return node
    if any(_bounds(item, found) for item in kept):
        return node
    domains |= found
    return kept[0] if len(kept) == 1 else Listing(tuple(kept), node.joiner)


def _bounds(node: Node, declared: dict[str, str]) -> bool:
    r"""Whether an inequality is about the declared letter itself: ``x > 3, x \in \mathbb{Z}``."""
    return (
        isinstance(node, Relation)
        and node.signs[0] not in ("=", "in")
        and symbols(node) <= declared.keys()
    )


def _series(items: list[Node]) -> tuple[dict[str, str], list[Node]] | None:
    r"""``n = 0, 1, 2, \ldots`` or ``n = 0, \pm 1, \ldots`` at the end: what it declares."""
    if not isinstance(items[-1], Ellipsis):
        return None
    for at in range(len(items) - 2, 0, -1):
        match items[at]:
            case Relation((Symbol(name), first), ("=",)):
                series = [first, *items[at + 1 :]]
                both = any(isinstance(item, PlusMinus | Negative) for item in series)
                return {name: INTEGERS if both else NATURALS}, items[:at]
            case Number() | PlusMinus() | Negative():
                continue
            case _:
                return None
    return None


_LETTER = r"(?:\$ ?)?(?P<name>[a-z])(?: ?\$)?"
_IN_WORDS = re.compile(
    rf"(?:for |where |with |and |)?(?:any |all |every |some |each |an? |)"
    rf"(?:(?P<first>integers?|natural numbers?) (?:values? of )?{_LETTER}"
    rf"|{_LETTER.replace('name', 'second')} ?(?:is |are |being |)(?:any |an? |)"
    rf"(?P<last>integers?|natural numbers?)"
    rf"|{_LETTER.replace('name', 'third')} ?\\in ?(?:\\mathbb ?)?\{{?(?P<domain>[ZN])\}}?)"
)
_MARKUP = re.compile(r"\\text ?\{([^{}]*)\}|\\[,;: ]|[()]")


def _declared(node: Node) -> dict[str, str]:
    """The letters that a node declares, each with its set; {} where it declares none."""
    match node:
        case Relation((Symbol(name), NamedSet(domain)), ("in",)):
            return {name: _DOMAINS.get(domain, domain)}
        case Relation((Symbol(name), Symbol("Z" | "N" as domain)), ("in",)):
            return {name: domain}
        case WithUnit(Symbol(name), unit) if "integer" in unit:
            return {name: INTEGERS}
        case Qualified(Symbol(name), Words(text)) if _plain(text) in _IS_INTEGER:
            return {name: INTEGERS}
        case Words(text):
            return _declared_in_words(_plain(text))
        case _:
            return {}


_IS_INTEGER = ("is an integer", "is any integer", "an integer", "integer", "any integer")


def _plain(text: str) -> str:
    return " ".join(_MARKUP.sub(r" \1 ", text).split())


def _declared_in_words(text: str) -> dict[str, str]:
    match = _IN_WORDS.fullmatch(text)
    if match is None:
        return {}
    name = match["name"] or match["second"] or match["third"]
    kind = match["first"] or match["last"] or match["domain"]
    return {name: NATURALS if kind.startswith(("n", "N")) else INTEGERS}


# --- families ----------------------------------------------------------------------------------


def same_family(gold: Node, answer: Node, integers: frozenset[str]) -> bool:
    r"""Whether two values run through the same set: ``2k+1`` and ``2k-1`` for all integers ``k``.

    The answer is the gold with ``k`` moved by an integer, and turned round or not.
    """
    names = symbols(gold) & symbols(answer) & integers
    if len(names) != 1 or not (is_expression(gold) and is_expression(answer)):
        return False
    (name,) = names
    steps = [_step(node, name) for node in (gold, answer)]
    start = approximate(
        difference(*(at_point(node, {name: Fraction(0)}) for node in (gold, answer)))
    )
    if steps[0] is None or not steps[1] or start is None:
        return False
    shift = round(start / steps[1])
    if abs(shift) > MAX_SHIFT:
        return False
    letter: Node = Symbol(name)
    turned = letter if (steps[0] > 0) == (steps[1] > 0) else Negative(letter)
    moved = replaced(answer, name, Sum((turned, Number(Fraction(shift)))))
    return compare(gold, moved) is Sameness.SAME


def linear_in(node: Node, name: str) -> tuple[Fraction | None, Fraction | None]:
    """``start`` and ``step`` of ``start + step k``; (None, None) where it is no such value."""
    start, step = approximate(at_point(node, {name: Fraction(0)})), _step(node, name)
    if start is None or step is None:
        return None, None
    line = Sum((Number(start), Product((Number(step), Symbol(name)))))
    return (start, step) if compare(node, line) is Sameness.SAME else (None, None)


def _step(node: Node, name: str) -> Fraction | None:
    ends = (at_point(node, {name: Fraction(place)}) for place in (1, 0))
    return approximate(difference(*ends))
