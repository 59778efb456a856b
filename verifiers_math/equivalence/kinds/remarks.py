"""Words, and values with a condition or a remark behind them."""

from __future__ import annotations

import re

from verifiers_math.equivalence.kinds.finding import UNKNOWN, Compare, Finding, all_of
from verifiers_math.equivalence.normalize import normalize
from verifiers_math.equivalence.reader.tree import Node, Qualified, Words

_SECOND_VALUE = re.compile(
    r"\d|\b[ap]\.? ?m\b"  # a time
    r"|\b(?:or|else|otherwise|and|not|but|no|never|unless|except|instead|maybe|perhaps|possibly"
    r"|wrong|incorrect|false|impossible|zero|one|two|three|four|five|six|seven|eight|nine|ten"
    r"|eleven|twelve|twenty|thirty|hundred|thousand|million|half|double|twice"
    r"|at least|at most|more|less|fewer|about|roughly|approximately)\b"
)
_CONDITION_WORD = r"\b(?:if|when|where|for|with|whenever|provided|such|because|since|as)\b"
_CONDITION = re.compile(rf"(?:\\text ?\{{ ?)?\(?{_CONDITION_WORD}")
_CONDITION_WORDS = re.compile(_CONDITION_WORD)
_OTHER_CASE = re.compile(r"\b(?:else|otherwise|unless|except|instead|maybe|perhaps|possibly)\b")
_PARTING = re.compile(r"[,;:]")
_RELATION = re.compile(r"[=<>]|\\(?:leq?|geq?|neq?|in|leqslant|geqslant)(?![a-z])")


def _states_more(text: str) -> bool:
    """Whether a number stands behind a comma, and not in a relation: ``if x > 0, 4``."""
    return any(
        any(map(str.isdigit, part)) and not _RELATION.search(part)
        for part in _PARTING.split(text)[1:]
    )


def without_remark(node: Node) -> Node:
    """The value without its remark in words, unless the remark may hold another value."""
    if not isinstance(node, Qualified) or not isinstance(node.remark, Words):
        return node
    text = node.remark.text.lower()
    if _CONDITION.match(text):
        several = len(_CONDITION_WORDS.findall(text)) > 1 or _states_more(text)
        return node if several or _OTHER_CASE.search(text) else node.value
    return node if _SECOND_VALUE.search(text) else node.value


def words(gold: Node, answer: Node, same: Compare) -> Finding:
    """The same words, but for case and spaces."""
    if not (isinstance(gold, Words) and isinstance(answer, Words)):
        return Finding(False, "an ellipsis is no word")
    equal = normalize(gold.text).lower() == normalize(answer.text).lower()
    return Finding(equal, "the same words" if equal else "the words are not the same")


def qualified(gold: Node, answer: Node, same: Compare) -> Finding:
    """Values with conditions: both have to agree, words for words and relations for relations."""
    if not (isinstance(gold, Qualified) and isinstance(answer, Qualified)):
        return UNKNOWN
    remark = same(gold.remark, answer.remark)
    in_words = isinstance(gold.remark, Words) or isinstance(answer.remark, Words)
    if remark.same is False and in_words:
        remark = UNKNOWN
    return all_of((same(gold.value, answer.value), remark), "the same value and condition")


def one_qualified(gold: Node, answer: Node, same: Compare) -> Finding:
    """A value with a condition on one side: a remark in words is dropped, a case is not."""
    one, other = without_remark(gold), without_remark(answer)
    if (one, other) != (gold, answer):
        return same(one, other)
    sides = [node.value if isinstance(node, Qualified) else node for node in (gold, answer)]
    finding = same(*sides)
    return finding if finding.same is False else UNKNOWN
