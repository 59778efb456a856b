"""The algebra stage: both sides are read to trees, and compared by their kind."""

from __future__ import annotations

import re

from verifiers_math.equivalence.decision import Decision, different, equal
from verifiers_math.equivalence.extract import stated_value
from verifiers_math.equivalence.kinds import compare_trees
from verifiers_math.equivalence.kinds.asides import is_denied
from verifiers_math.equivalence.kinds.values import rounds_to
from verifiers_math.equivalence.normalize import tidy
from verifiers_math.equivalence.numbers import read_quantity
from verifiers_math.equivalence.policy import Policy
from verifiers_math.equivalence.reader import Unreadable, read
from verifiers_math.equivalence.reader.tree import (
    Node,
    Relation,
    Words,
    holds,
    is_expression,
    symbols,
)
from verifiers_math.equivalence.verdict import Status

STAGE = "algebra"


def compare_algebra(gold: str, answer: str, policy: Policy) -> Decision | None:
    """Compares two answers by what they mean; None where that is not known.

    Args:
        gold: The gold as it was written.
        answer: The final answer as it was written.
        policy: What counts as the same.
    """
    gold_tree = _spelled_twice(gold, policy) or _tree(gold, policy)
    answer_tree = _tree(answer, policy)
    if isinstance(gold_tree, Unreadable) and _braces_are_open(gold):
        return Decision(Status.GOLD_UNREADABLE, STAGE, "the braces of the gold do not match")
    if isinstance(answer_tree, Unreadable):
        return _unreadable_answer(answer) or _refuse_unread(gold, answer, policy)
    if isinstance(gold_tree, Unreadable):
        return None
    finding = compare_trees(gold_tree, answer_tree, policy)
    if finding.same and _contradicts_itself(answer, answer_tree, policy):
        return different(STAGE, "the answer states another value before an arrow")
    if finding.same and _is_said_of_another(gold, answer, answer_tree):
        return different(STAGE, "the same is said of something else")
    if finding.same:
        return equal(STAGE, finding.detail, finding.rule)
    if finding.same is None:
        return _words_for_value(gold_tree, answer_tree)
    decimal = _with_decimal_comma(gold, answer, policy) if policy.decimal_comma else None
    return decimal or different(STAGE, finding.detail)


_TWICE = re.compile(
    r"(?P<first>[^()]{1,60}?)"
    r"(?: ?\( ?(?:or |approximately |about |approx\.? ?|i\.e\.,? ?|=|\\approx ?)| \() *"
    r"(?P<second>[^()]{1,60})\)"
)


def _spelled_twice(gold: str, policy: Policy) -> Node | None:
    r"""A gold that gives one value in two spellings: ``\frac35 (or 0.6)``, ``0.6 (3/5)``.

    It is read as an exact value and its decimal; None where that is not what it says.
    """
    if ")" not in gold[-4:]:
        return None
    match = _TWICE.fullmatch(_TEXT.sub(r"\1", tidy(gold)))
    if match is None or _roundness(match["first"]) == _roundness(match["second"]):
        return None
    first, second = read(match["first"]), read(match["second"])
    if isinstance(first, Unreadable) or isinstance(second, Unreadable):
        return None
    value = _stated(first)[1]
    if symbols(value) or symbols(second) or not (is_expression(value) and is_expression(second)):
        return None
    is_exact = _roundness(match["first"]) < _roundness(match["second"])
    exact, decimal = (value, second) if is_exact else (second, value)
    if not (rounds_to(exact, decimal) or compare_trees(exact, decimal, policy).same):
        return None
    before = first.members[:1] if isinstance(first, Relation) else ()
    return Relation((*before, exact, decimal), ("=", "~") if before else ("~",))


def _roundness(text: str) -> int:
    """How far a spelling is from an exact one: a fraction, a decimal, a percentage."""
    return 2 if "%" in text else int("." in text)


def _tree(text: str, policy: Policy) -> Node | Unreadable:
    """The tree of an answer, or of the value that a sentence states."""
    tree = read(text)
    if not policy.sentences or not _is_prose(tree, text) or is_denied(text):
        return tree
    value = stated_value(_TEXT.sub(r"\1", text))
    if value is None:
        return tree
    stated = read(value)
    of_cases = isinstance(stated, Words) and _CASES.search(text) is not None
    return tree if of_cases else stated


_TEXT = re.compile(r"\\text ?\{([^{}]*)\}")
_WORD = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{3,}")
MIN_PROSE_WORDS = 2
_PLACEHOLDER = re.compile(r"<[A-Za-z][\w \^+,().-]*>")


def _is_prose(tree: Node | Unreadable, text: str) -> bool:
    if not isinstance(tree, Unreadable) and not _has_words(tree):
        return False
    return len(_WORD.findall(text)) >= MIN_PROSE_WORDS


def _unreadable_answer(answer: str) -> Decision | None:
    """What no algebra system could read either: unbalanced braces, prose without a value."""
    if _braces_are_open(answer):
        return Decision(Status.ANSWER_UNREADABLE, STAGE, "the braces of the answer do not match")
    if len(_WORD.findall(answer)) > MIN_PROSE_WORDS or _PLACEHOLDER.fullmatch(answer.strip()):
        return Decision(Status.ANSWER_UNREADABLE, STAGE, "the answer is prose that states no value")
    return None


def _refuse_unread(gold: str, answer: str, policy: Policy) -> Decision | None:
    """What computer algebra would take a value out of, although no reader knows what it says."""
    if is_denied(answer) and not is_denied(gold):
        return different(STAGE, "the answer says that what it states is wrong")
    if _chains(answer) and not _chains(gold):
        return different(STAGE, "a link of the answer's chain cannot be read")
    if policy.values_only and read_quantity(gold) is not None:
        return different("policy", "the answer cannot be read as a value")
    return None


def _is_said_of_another(gold: str, answer: str, said: Node) -> bool:
    """Whether two sentences state one property of two formulas: ``$n+2$ is odd``."""
    if not isinstance(said, Words) or not (" " in gold and " " in answer):
        return False
    if _QUANTIFIED.search(gold):  # its letters may have other names
        return False
    subjects = [_FORMULA.findall(tidy(text)) for text in (gold, answer)]
    return all(subjects) and subjects[0] != subjects[1]


_FORMULA = re.compile(
    r"\\(?!text)[A-Za-z]+|\d+|(?<![A-Za-z\\])[B-HJ-Zb-z](?![A-Za-z])|[-+*/^_=<>!|]"
)
"""The pieces of formulas in a sentence, without words and brackets."""
_QUANTIFIED = re.compile(r"\\(?:forall|exists)(?![A-Za-z])")
_CASES = re.compile(r"(?<![\\A-Za-z])(?:if|when|otherwise)(?![A-Za-z])")
_ARROW = re.compile(
    r"\\(?:Rightarrow|Longrightarrow|Leftrightarrow|Longleftrightarrow|iff|implies|therefore"
    r"|Leftarrow)(?![A-Za-z])|[⇒⟹⇔⟺∴⇐]"
)


def _contradicts_itself(answer: str, last: Node, policy: Policy) -> bool:
    r"""Whether ``v = 4 \Rightarrow v = 3`` gives one name, or none, two values."""
    if _ARROW.search(answer) is None:
        return False
    *before, _ = _ARROW.split(answer)
    name, value = _stated(last)
    if symbols(value):
        return False
    for piece in before:
        tree = read(piece)
        if isinstance(tree, Unreadable):
            continue
        other_name, other = _stated(tree)
        about_one = name is None or other_name is None or name == other_name
        if about_one and not symbols(other) and not compare_trees(value, other, policy).same:
            return True
    return False


def _stated(tree: Node) -> tuple[Node | None, Node]:
    """What stands at the left of an equation, if it is one, and its value."""
    if isinstance(tree, Relation) and set(tree.signs) == {"="}:
        return tree.members[0], tree.members[-1]
    return None, tree


_PARTING = re.compile(r"[,;\n]|\\\\|(?<![A-Za-z])and(?![A-Za-z])")


def _chains(text: str) -> bool:
    """Whether two equals signs stand in one item outside brackets: ``x = 4 ? x = 3``."""
    if text.count("=") < 2:
        return False
    depth = found = 0
    for char in _PARTING.sub(",", text):
        depth += (char in "([{") - (char in ")]}")
        if char == "," and depth <= 0:
            found = 0
        elif char == "=" and depth <= 0:
            found += 1
            if found > 1:
                return True
    return False


_BRACES = re.compile(r"\\.|[{}]", re.DOTALL)


def _braces_are_open(text: str) -> bool:
    depth = 0
    for match in _BRACES.finditer(text):
        depth += (match[0] == "{") - (match[0] == "}")
        if depth < 0:
            return True
    return depth != 0


def _words_for_value(gold: Node, answer: Node) -> Decision | None:
    """Words in an answer to a gold without words are no value."""
    if _has_words(gold) or not _has_words(answer):
        return None
    return different(STAGE, "the answer is in words, the gold is not")


def _has_words(tree: Node) -> bool:
    return holds(tree, Words)


_COMMA = re.compile(
    r"(?<![\d,])(?![1-9]\d{0,2},\d{3}(?!\d))(\d{1,30}),(?!0+(?!\d))(\d{1,30})(?![\d,])"
)
"""A decimal comma; ``1,234`` is a number of thousands, and ``3,0`` may be two values."""
_SEVERAL = re.compile(r"[(\[;]|\\\{")
"""Brackets in which a comma parts items."""


def _with_decimal_comma(gold: str, answer: str, policy: Policy) -> Decision | None:
    """``0,111`` as a decimal, where no list reading fits the other side."""
    if ("," in gold) == ("," in answer):
        return None
    trees = [read(_decimal(text)) for text in (gold, answer)]
    if isinstance(trees[0], Unreadable) or isinstance(trees[1], Unreadable):
        return None
    finding = compare_trees(trees[0], trees[1], policy)
    if not finding.same:
        return None
    return equal(STAGE, "the same number, written with a decimal comma", "decimal comma")


def _decimal(text: str) -> str:
    """The text with its comma as a decimal point, where it has just one, between digits."""
    if text.count(",") != 1 or _SEVERAL.search(text):
        return text
    return _COMMA.sub(r"\1.\2", text)
