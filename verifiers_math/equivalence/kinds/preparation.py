"""What is settled about both sides before their kinds are looked at."""

from __future__ import annotations

from typing import NamedTuple

from verifiers_math.equivalence.kinds.asides import is_label
from verifiers_math.equivalence.kinds.calls import with_calls_agreed
from verifiers_math.equivalence.kinds.collections import spread
from verifiers_math.equivalence.kinds.conditions import restricts
from verifiers_math.equivalence.kinds.counting import (
    as_column,
    with_binomials,
    with_permutations,
)
from verifiers_math.equivalence.kinds.definitions import as_definition, with_argument_of
from verifiers_math.equivalence.kinds.parameters import COUNTING, agree
from verifiers_math.equivalence.kinds.products import with_order_kept
from verifiers_math.equivalence.kinds.quantifiers import with_bound_letter
from verifiers_math.equivalence.kinds.relations import name_of
from verifiers_math.equivalence.kinds.remarks import (
    as_fraction,
    as_ratio,
    without_harmless_remark,
    without_remark,
)
from verifiers_math.equivalence.kinds.rewriting import (
    has_plus_minus,
    with_imaginary_unit,
)
from verifiers_math.equivalence.kinds.zeta import with_zeta_values
from verifiers_math.equivalence.phrases import SYMBOL_OF_PHRASE
from verifiers_math.equivalence.reader.tree import (
    EXPRESSION_TYPES,
    Apply,
    Brackets,
    Call,
    Constant,
    Listing,
    NamedSet,
    Node,
    Number,
    Product,
    Qualified,
    Ratio,
    Relation,
    Sum,
    Symbol,
    Words,
    facts,
    symbols,
    walk,
)


class Prepared(NamedTuple):
    """Two answers, ready to be compared by kind.

    Attributes:
        gold: The gold.
        answer: The answer.
        integers: Letters that run through all integers.
        conflict: Why they differ already, or "".
    """

    gold: Node
    answer: Node
    integers: frozenset[str]
    conflict: str = ""


_IMAGINARY = frozenset("ij")


def is_plain(node: Node) -> bool:
    """Whether there is nothing to settle before a value is compared with another such value."""
    types, names, constants = facts(node)
    if not types <= EXPRESSION_TYPES or not names.isdisjoint(_IMAGINARY):
        return False
    if names and (any(map(_may_count, names)) or ("pi" in constants and names & COUNTING)):
        return False
    return not isinstance(node, Call) or node.name != "pmod"


def _may_count(name: str) -> bool:
    """Whether a name may be the sign of a choice, or of a transpose."""
    return name in ("C", "T") or name[:2] in ("C_", "A_", "P_")


def prepare(gold: Node, answer: Node) -> Prepared:
    """Drops remarks and declared parameters, agrees on letters, expands plus-minus signs."""
    gold, answer = map(_in_symbols, _without_labels(gold, answer))
    gold, answer = as_definition(gold, answer), as_definition(answer, gold)
    gold, answer = as_ratio(gold, answer), as_ratio(answer, gold)
    gold, answer = as_fraction(gold, answer), as_fraction(answer, gold)
    gold, answer = as_column(gold, answer), as_column(answer, gold)
    gold, answer = with_binomials(gold, answer)
    is_rare = _has_rare_notation(gold) or _has_rare_notation(answer)
    if is_rare:
        gold, answer = _in_one_notation(gold, answer)
    gold, answer, integers, conflict = agree(gold, answer)
    if conflict:
        return Prepared(gold, answer, integers, "a parameter runs through another set of numbers")
    if _is_restricted(answer, gold, integers & symbols(gold)):
        return Prepared(gold, answer, integers, "the answer restricts what the gold does not")
    gold, answer = _remarks(gold, answer)
    gold, answer = _without_domain(gold, answer), _without_domain(answer, gold)
    gold, answer = _as_assignment(gold), _as_assignment(answer)
    gold, answer = _imaginary(gold, _as_residue(answer, gold))
    answer = with_argument_of(gold, answer)
    if is_rare:
        gold, answer = with_calls_agreed(*with_order_kept(gold, answer))
    return Prepared(with_signs_expanded(gold), with_signs_expanded(answer), integers)


_RARE = frozenset({Apply, Words, NamedSet})


def _has_rare_notation(node: Node) -> bool:
    """Whether calls, words, sets, or signs of permutations and transposes stand in a tree."""
    types, names, _ = facts(node)
    return not types.isdisjoint(_RARE) or any(map(_may_count, names))


def _in_one_notation(gold: Node, answer: Node) -> tuple[Node, Node]:
    """Both sides with one spelling of quantifiers, permutations, residues and values of zeta."""
    gold, answer = with_bound_letter(gold), with_bound_letter(answer)
    gold, answer = with_permutations(gold, answer)
    gold, answer = _as_residues(gold, answer), _as_residues(answer, gold)
    return with_zeta_values(gold, answer)


# --- approximations ----------------------------------------------------------------------------


def alternatives(gold: Node) -> tuple[Node, ...]:
    r"""The spellings that a gold gives of one value: ``\sqrt{2} \approx 1.414`` gives two."""
    value, decimals = without_approximation(gold)
    return (value, *decimals)


def without_approximation(node: Node) -> tuple[Node, tuple[Node, ...]]:
    r"""What stands before ``\approx``, and the decimals behind it; ``x \approx 3`` is 3 alone."""
    if not isinstance(node, Relation) or "~" not in node.signs:
        return node, ()
    if not set(node.signs) <= {"=", "~"}:
        return node, ()
    at = node.signs.index("~") + 1
    before, after = node.members[:at], node.members[at:]
    exact: Node = before[0] if at == 1 else Relation(before, node.signs[: at - 1])
    if name_of(exact) is not None:
        return Relation((exact, after[0]), ("=",)), after[1:]
    return exact, after


# --- remarks -----------------------------------------------------------------------------------


def _without_labels(gold: Node, answer: Node) -> tuple[Node, Node]:
    """``Solution: x`` and ``the answer is: x`` without the words; a gold may have any label."""
    match gold, answer:
        case Ratio((Words(one), value)), Ratio((Words(other), found)):
            known = is_label(other) or one.lower() == other.lower()
            return value, found if known else answer
        case Ratio((Words(_), value)), _:
            return value, answer
        case _, Ratio((Words(text), found)) if is_label(text):
            return gold, found
        case _:
            return gold, answer


def _in_symbols(node: Node) -> Node:
    """Words for which there is a symbol, as that symbol."""
    if not isinstance(node, Words):
        return node
    name = SYMBOL_OF_PHRASE.get(node.text.lower())
    if name is None:
        return node
    return Constant(name) if name == "infinity" else NamedSet(name)


def _is_restricted(answer: Node, gold: Node, declared: frozenset[str]) -> bool:
    """Whether the answer alone has a condition, and that leaves out what the gold does not."""
    match answer:
        case Qualified(value, condition) if not isinstance(gold, Qualified):
            return restricts(condition, value, declared)
        case Listing((value, condition), ",") if not isinstance(gold, Listing):
            return restricts(condition, value, declared)
        case _:
            return False


def _as_residues(node: Node, other: Node) -> Node:
    r"""``Z_6`` against ``\mathbb{Z}_6``, which is written so too."""
    match node, other:
        case Symbol(name), NamedSet(known) if name == f"Z_{known[1:]}" and known[1:].isdigit():
            return other
        case _:
            return node


def _remarks(gold: Node, answer: Node) -> tuple[Node, Node]:
    """A condition in words behind one side only is dropped."""
    if isinstance(gold, Qualified) and isinstance(answer, Qualified):
        return (gold.value, answer.value) if gold.remark == answer.remark else (gold, answer)
    return without_remark(gold, answer), without_harmless_remark(answer, gold)


_BOUNDS = frozenset({"!=", "<", ">", "<=", ">=", "in"})


def _without_domain(node: Node, other: Node) -> Node:
    r"""``\frac{1}{x}, x \ne 0`` without where it is defined, where the other side is one value."""
    match node:
        case Listing((value, Relation(_, signs) as domain), ",") if not isinstance(other, Listing):
            names = symbols(domain)
            stated = value.members[-1] if isinstance(value, Relation) else value
            bounds = len(names) == 1 and names <= symbols(stated) and set(signs) <= _BOUNDS
            return value if bounds and facts(stated).types <= EXPRESSION_TYPES else node
        case _:
            return node


# --- letters -----------------------------------------------------------------------------------


def _as_assignment(node: Node) -> Node:
    r"""``x \equiv 3 \pmod 7`` as a value with a name."""
    match node:
        case Relation((name, Call("mod", parts)), ("equiv",)) if name_of(name) is not None:
            return Relation((name, Call("pmod", parts)), ("=",))  # n ≡ 1 mod 3
        case Relation((name, Call("pmod") as residue), ("equiv",)) if name_of(name) is not None:
            return Relation((name, residue), ("=",))
        case Relation((Apply() as name, value), ("equiv",)):  # a function that is the same all over
            return Relation((name, value), ("=",))
        case _:
            return node


def _as_residue(node: Node, other: Node) -> Node:
    r"""``3 \bmod 7`` and ``x = 3 \bmod 7``, where the other side is a residue class."""
    stated = other.members[-1] if isinstance(other, Relation) else other
    if not isinstance(stated, Call) or stated.name != "pmod":
        return node
    match node:
        case Call("mod", parts):
            return Call("pmod", parts)
        case Relation((name, Call("mod", parts)), ("=",)):
            return Relation((name, Call("pmod", parts)), ("=",))
        case _:
            return node


def _imaginary(gold: Node, answer: Node) -> tuple[Node, Node]:
    """``i`` is the imaginary unit; ``j`` is where ``i`` does not occur, beside numbers alone."""
    names = symbols(gold) | symbols(answer)
    if names.isdisjoint("ij"):
        return gold, answer
    if "i" in symbols(gold) and "I" not in symbols(gold) and _prints_unit(answer):
        answer = with_imaginary_unit(answer, "I")
    has_i = "i" in names or any(found == Constant("i") for found in (*walk(gold), *walk(answer)))
    if has_i:
        gold, answer = with_imaginary_unit(gold, "i"), with_imaginary_unit(answer, "i")
        return _with_j_read(gold), _with_j_read(answer)
    if names != {"j"} or _is_name("j", gold) or _is_name("j", answer):
        return gold, answer
    return with_imaginary_unit(gold, "j"), with_imaginary_unit(answer, "j")


def _prints_unit(node: Node) -> bool:
    """Whether ``2*I`` stands in it, as algebra systems print the imaginary unit."""
    names = symbols(node)
    return names.isdisjoint("ij") and any(
        isinstance(found, Product) and found.explicit and Symbol("I") in found.factors
        for found in walk(node)
    )


def _with_j_read(node: Node) -> Node:
    """``3 + 4j`` as ``3 + 4i``: beside a plain number ``j`` is no vector."""
    if not isinstance(node, Sum) or symbols(node) != {"j"} or Constant("i") in walk(node):
        return node
    has_number = any(isinstance(term, Number) and term.value for term in node.terms)
    return with_imaginary_unit(node, "j") if has_number else node


def _is_name(letter: str, node: Node) -> bool:
    return isinstance(node, Relation) and node.members[0] == Symbol(letter)


def with_signs_expanded(node: Node) -> Node:
    r"""``\pm 2`` as the list of its values; inside lists and names the comparisons expand it."""
    if not has_plus_minus(node) or isinstance(node, Relation | Listing):
        return node
    if isinstance(node, Brackets) and node.left == "{":
        return node
    values = spread(node)
    return values[0] if len(values) == 1 else Listing(values)
