"""What is settled about both sides before their kinds are looked at."""

from __future__ import annotations

import re

from verifiers_math.equivalence.kinds.collections import spread
from verifiers_math.equivalence.kinds.relations import name_of
from verifiers_math.equivalence.kinds.rewriting import has_plus_minus, renamed, with_imaginary_unit
from verifiers_math.equivalence.reader.tree import (
    Brackets,
    Constant,
    Listing,
    NamedSet,
    Node,
    Qualified,
    Ratio,
    Relation,
    Symbol,
    Words,
    symbols,
    walk,
)


def prepare(gold: Node, answer: Node) -> tuple[Node, Node]:
    """Drops remarks and declared parameters, agrees on letters, expands plus-minus signs."""
    gold, gold_parameters = _without_declarations(_without_label(gold))
    answer, answer_parameters = _without_declarations(_without_label(answer))
    gold, answer = _remarks(gold, answer)
    gold, answer = _imaginary(gold, answer)
    answer = _with_parameters_of(gold, answer, gold_parameters, answer_parameters)
    return with_signs_expanded(gold), with_signs_expanded(answer)


def alternatives(gold: Node) -> tuple[Node, ...]:
    r"""The spellings that a gold gives of one value: ``\sqrt{2} \approx 1.414`` gives two."""
    value, decimal = without_approximation(gold)
    return (value,) if decimal is None else (value, decimal)


def without_approximation(node: Node) -> tuple[Node, Node | None]:
    r"""What stands before ``\approx``, and the decimal behind it; ``x \approx 3`` is 3 alone."""
    if not isinstance(node, Relation) or node.signs[-1] != "~":
        return node, None
    decimal = node.members[-1]
    rest = node.members[:-1]
    exact: Node = rest[0] if len(rest) == 1 else Relation(rest, node.signs[:-1])
    if name_of(exact) is not None:
        return decimal, None
    return exact, decimal


def _without_label(node: Node) -> Node:
    """``Solution: x`` and ``the answer is: x`` without the words."""
    match node:
        case Ratio((Words(_), value)):
            return value
        case _:
            return node


def _remarks(gold: Node, answer: Node) -> tuple[Node, Node]:
    """A condition in words behind one side only is dropped."""
    if isinstance(gold, Qualified) and isinstance(answer, Qualified):
        return (gold.value, answer.value) if gold.remark == answer.remark else (gold, answer)
    return _value(gold), _value(answer)


_SECOND_VALUE = re.compile(r"\d|\b(?:or|else|otherwise|and|not|but)\b")
_CONDITION = re.compile(
    r"(?:\\text ?\{ ?)?\(?(?:if|when|where|for|with|whenever|provided|such|because|since|as)\b"
)


def _value(node: Node) -> Node:
    """The value without its remark, unless the remark may hold another value."""
    if not isinstance(node, Qualified) or not isinstance(node.remark, Words):
        return node
    text = node.remark.text
    second = _SECOND_VALUE.search(text)
    is_condition = _CONDITION.match(text) and "else" not in text and "otherwise" not in text
    return node if second and not is_condition else node.value


def _without_declarations(node: Node) -> tuple[Node, tuple[str, ...]]:
    r"""The answer without ``k \in \mathbb{Z}`` behind it, and the letters so declared."""
    if not isinstance(node, Listing) or len(node.items) < 2:
        return node, ()
    kept = list(node.items)
    names: list[str] = []
    while len(kept) > 1 and (declared := _declared(kept[-1])):
        names += declared
        kept.pop()
    if not names or not any(set(names) & symbols(item) for item in kept):
        return node, ()
    rest = kept[0] if len(kept) == 1 else Listing(tuple(kept), node.joiner)
    return rest, tuple(names)


def _declared(node: Node) -> list[str]:
    r"""The letter that ``k \in \mathbb{Z}`` declares."""
    match node:
        case Relation((Symbol(name), NamedSet(_)), ("in",)):
            return [name]
        case _:
            return []


def _imaginary(gold: Node, answer: Node) -> tuple[Node, Node]:
    """``i`` is the imaginary unit; ``j`` is where ``i`` does not occur, beside numbers alone."""
    names = symbols(gold) | symbols(answer)
    has_i = "i" in names or any(found == Constant("i") for found in (*walk(gold), *walk(answer)))
    letter = "i" if has_i else "j"
    if letter == "j" and (names != {"j"} or _is_name("j", gold) or _is_name("j", answer)):
        return gold, answer
    return with_imaginary_unit(gold, letter), with_imaginary_unit(answer, letter)


def _is_name(letter: str, node: Node) -> bool:
    return isinstance(node, Relation) and node.members[0] == Symbol(letter)


def _with_parameters_of(
    gold: Node, answer: Node, gold_names: tuple[str, ...], answer_names: tuple[str, ...]
) -> Node:
    """The answer with its declared parameter called as the gold calls it."""
    gold_only = sorted(symbols(gold) - symbols(answer))
    answer_only = sorted(symbols(answer) - symbols(gold))
    declared = set(gold_names) | set(answer_names)
    if len(gold_only) == len(answer_only) == 1 and declared & {*gold_only, *answer_only}:
        return renamed(answer, {answer_only[0]: gold_only[0]})
    return answer


def with_signs_expanded(node: Node) -> Node:
    r"""``\pm 2`` as the list of its values; inside lists and names the comparisons expand it."""
    if not has_plus_minus(node) or isinstance(node, Relation | Listing):
        return node
    if isinstance(node, Brackets) and node.left == "{":
        return node
    values = spread(node)
    return values[0] if len(values) == 1 else Listing(values)
