r"""The one scanner for the final answer in a response.

The last box counts (``\boxed``, ``\fbox``, ``\framebox``, ``\Boxed``), also when it is empty or
unfinished: then there is no answer, and nothing earlier is taken instead. Without any box come,
in this order, ``#### x``, ``<answer>x</answer>``, a phrase such as "the final answer is x", the
whole text when it reads as one answer, and the value that the last sentence states. A number is
never cut out of a larger answer.

Everything walks the text a constant number of times, from its end; patterns that could look far
are given short, bounded pieces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from verifiers_math.equivalence.normalize import without_closing_marks

MAX_STATEMENT_CHARS = 600
"""How much of a marked line or a last sentence is looked at."""


class Found(NamedTuple):
    """What the scanner found.

    Attributes:
        answer: The final answer, or None where there is none.
        how: Where it stood: ``"box"``, ``"boxes"``, ``"####"``, ``"tag"``, ``"phrase"``,
            ``"whole"``, ``"sentence"``; or why there is none.
    """

    answer: str | None
    how: str


class Box(NamedTuple):
    """One box: where its command starts, where it ends, and what it holds (None: unfinished)."""

    start: int
    end: int
    content: str | None


_COMMAND = re.compile(
    r"\\(?:boxed|Boxed|fbox|framebox)(?![A-Za-z])|boxed(?<![\\A-Za-z]boxed)(?=\s{0,9}\{)"
)
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_OPEN = re.compile(r"\s*(?:\[[^\]\n]{0,20}\]\s*){0,2}\{")
_BARE = re.compile(
    r"[ \t]*(?:([-+]?\d[\d.,]*\d|[-+]?\d)(?=[ \t.,;:!?)*]*(?:$|[\n$]|\\[)\]]|[A-Za-z]{2}))"
    r"|([^\s$\\{}](?:[^\n$\\]|\\[^\n()\[\]])*|\\[A-Za-z]+(?:[^\n$\\]|\\[^\n()\[\]])*))"
)
_CHUNK_CHARS = 1 << 16
_REACH_CHARS = 32
"""More than a box command takes with the white space behind it."""
MAX_BOXES = 50_000
"""More boxes in a row than this are no answer."""


def last_box(text: str) -> str | None:
    """Returns the content of the last box: "" where it is unfinished, None where there is none."""
    box = next(_boxes_backwards(text), None)
    return None if box is None else (box.content or "")


def find_answer(text: str, strict: bool = False) -> Found:
    """Finds the final answer in what follows the thinking.

    Args:
        text: The response, without its thinking.
        strict: Whether only a box counts.
    """
    boxes = _boxes_backwards(text)
    box = next(boxes, None)
    if box is not None:
        return _from_boxes(text, box, boxes)
    if strict:
        return Found(None, "there is no box")
    for look in (_after_hashes, _in_answer_tag, _after_phrase, _whole_text, _last_sentence):
        found = look(text)
        if found is not None:
            return found if found.answer != "" else Found(None, "nothing but marks stands there")
    return Found(None, "no final answer was found")


def stated_value(sentence: str) -> str | None:
    """Returns the value that a sentence given as an answer states, or None where it states none."""
    for look in (_after_phrase, _last_sentence):
        found = look(sentence)
        if found is not None and found.answer:
            return found.answer
    return None


def unwrap_gold(gold: str) -> str:
    r"""Returns the answer inside a gold that comes in a box or behind ``####``; else the gold."""
    if "box" in gold or "Box" in gold:
        boxes = _boxes_backwards(gold)
        box = next(boxes, None)
        if box is not None and box.content:
            return _from_boxes(gold, box, boxes).answer or gold
    if "####" in gold:
        return gold.rpartition("####")[2].strip() or gold
    return gold


# --- boxes -------------------------------------------------------------------------------------


def _boxes_backwards(text: str) -> Iterator[Box]:
    """The boxes of a text, the last one first; what holds a later box is unfinished."""
    limit = len(text)
    for command in _commands_backwards(text):
        box = _read_box(text, command, limit)
        if box is not None:
            limit = box.start
            yield box


def _commands_backwards(text: str) -> Iterator[tuple[int, int]]:
    """The spans of the box commands, chunk by chunk, so that only the end of a text is read."""
    end = len(text)
    while end > 0:
        start = max(0, end - _CHUNK_CHARS)
        reach = min(len(text), end + _REACH_CHARS)
        if text.find("box", start, reach) >= 0 or text.find("Box", start, reach) >= 0:
            spans = [match.span() for match in _COMMAND.finditer(text, start, reach)]
            yield from (span for span in reversed(spans) if span[0] < end)
        end = start


def _read_box(text: str, command: tuple[int, int], limit: int) -> Box | None:
    start, after = command
    opening = _OPEN.match(text, after, limit)
    if opening is not None:
        end = closing_brace(text, opening.end(), limit)
        if end is None:
            return Box(start, limit, None)
        return Box(start, end + 1, text[opening.end() : end].strip())
    bare = _BARE.match(text, after, limit)
    content = "" if bare is None else _trim(bare[1] or bare[2])
    return Box(start, bare.end(), content) if bare and content.strip(" .*)") else None


def closing_brace(text: str, start: int, limit: int) -> int | None:
    """The place of the brace that closes the one before ``start``; escaped braces do not count."""
    depth = 1
    for match in _BRACE.finditer(text, start, limit):
        if match[0] == "{":
            depth += 1
        elif match[0] == "}":
            depth -= 1
            if depth == 0:
                return match.start()
    return None


_LIST_GAP = re.compile(
    r"(?:[\s$,;.*]|\\[()\[\],;!\\]|\\q?quad|\\text\s?\{\s*and\s*\}|\band\b|&"
    r"|[A-Za-z](?:_\{?\w{1,3}\}?)?\s*=)*"
)
_OR_GAP = re.compile(
    r"[\s$,;.*]*(?:\\[()\[\],;]\s*)?(?:\\text\s?\{\s*or\s*\}|\bor\b)[\s$*]*(?:\\[(\[])?\s*"
)
_MAX_GAP = 60


def _from_boxes(text: str, last: Box, earlier: Iterator[Box]) -> Found:
    """The last box, joined with those that stand directly before it as one list."""
    if not last.content:
        return Found(
            None, "the last box is unfinished" if last.content is None else "the last box is empty"
        )
    contents, joiner, first = [last.content], "", last
    for box in earlier:
        kind = _gap_kind(text[box.end : first.start]) if box.content else None
        if not box.content or kind is None:
            break
        if joiner and kind != joiner and box.content != contents[-1]:
            break
        if len(contents) == MAX_BOXES:
            return Found(None, f"more than {MAX_BOXES} boxes stand in a row")
        joiner = kind
        contents.append(box.content)
        first = box
    distinct = list(dict.fromkeys(reversed(contents)))
    if len(distinct) == 1:
        return Found(last.content, "box")
    return Found((" \\text{ or } " if joiner == "or" else ", ").join(distinct), "boxes")


def _gap_kind(gap: str) -> str | None:
    gap = gap.rstrip("\\")  # of a doubled backslash
    if len(gap) > _MAX_GAP:
        return None
    if _OR_GAP.fullmatch(gap):
        return "or"
    return "list" if _LIST_GAP.fullmatch(gap) else None


# --- without a box -----------------------------------------------------------------------------


_LABEL = re.compile(r"(?:the\s)?(?:final\s)?answer\s?(?::|\bis\b:?)\s?", re.IGNORECASE)
_HEADING = re.compile(
    r"(?:step|part|case|final|answer|solution|conclusion|explanation|summary|result|verification"
    r"|check|therefore|problem|given|understanding)\b",
    re.IGNORECASE,
)


def _after_hashes(text: str) -> Found | None:
    at = text.rfind("####")
    if at < 0:
        return None
    begin = at + 4
    end = text.find("\n", begin)
    line = text[begin : len(text) if end < 0 else end].strip("#* \t")
    label = _LABEL.match(line)
    answer = _trim(line[label.end() :] if label else line)
    if _HEADING.match(answer):
        return None
    return Found(answer, "####") if answer else Found(None, "nothing stands behind ####")


def _in_answer_tag(text: str) -> Found | None:
    at = text.rfind("<answer>")
    if at < 0:
        return None
    inside, closing, _ = text[at + len("<answer>") :].partition("</answer>")
    answer = _trim(inside)
    if not closing or not answer:
        return Found(None, "the answer tag is empty or unfinished")
    if len(answer) > MAX_STATEMENT_CHARS or not _reads_as_answer(answer):  # a sentence, or more
        for look in (_after_phrase, _last_sentence):
            found = look(answer)
            if found is not None:
                return found
    return Found(answer, "tag")


_PHRASE = re.compile(
    r"(?:^|(?<=[\s*_(>]))(?:(?:the|my|our|your)\s{1,3})?(?:(?:final|correct|right)\s{1,3})?"
    r"answer\b[^\n:=.$\\]{0,60}?(?:\s(?:is|are|equals|be)\b|'s\b|\s?[:=])"
    r"(?:\s{1,3}(?:therefore|thus|then|simply|just|exactly|indeed|equal\s{1,3}to)\b)?[\s*_:]*",
    re.IGNORECASE,
)
_LINE_LABEL = re.compile(
    r"(?:^|\n)[ \t*_>#-]{0,6}(?:A|Answer|ANSWER|Ans|Final Answer)[*_ ]{0,4}:[*_ \t]*"
    r"|(?:^|\n)[ \t*_>#-]{0,6}(?:Final )?Answer[*_ ]{0,4}\n"  # a heading
)
_FORMULA = re.compile(r"\$\$(.+?)\$\$|\$(.+?)\$|\\\((.+?)\\\)|\\\[(.+?)\\\]", re.DOTALL)


def _after_phrase(text: str) -> Found | None:
    """The value behind the last "the answer is" or "A:"."""
    tail_start = max(0, len(text) - 20 * MAX_STATEMENT_CHARS)
    tail = text[tail_start:]
    last = None
    for pattern in (_PHRASE, _LINE_LABEL):
        for last_of_kind in pattern.finditer(tail):
            if last is None or last_of_kind.end() > last.end():
                last = last_of_kind
    if last is None:
        return None
    return _stated(tail[last.end() : last.end() + MAX_STATEMENT_CHARS], "phrase")


def _stated(text: str, how: str) -> Found:
    """The answer at the start of ``text``: a formula, or the words up to the sentence's end."""
    text = text.lstrip()
    formula = _FORMULA.match(text)
    if formula is not None and _ends_statement(text[formula.end() :]):
        return Found(_trim(next(group for group in formula.groups() if group)), how)
    answer = _without_reason(_trim(_first_sentence(text)))
    if _NEGATION.match(answer):
        return Found(None, "the words say what the answer is not")
    return Found(answer, how) if answer else Found(None, "no value follows the words")


_NEGATION = re.compile(r"(?:not|never|neither)\b", re.IGNORECASE)
_REASON = re.compile(r"(?<=[^\s,;]),?\s(?:because|since)\b", re.IGNORECASE)
_YES_OR_NO = re.compile(r"(?:yes|no|true|false)\b", re.IGNORECASE)


def _without_reason(answer: str) -> str:
    """Cuts a "because ..." off; yes and no keep it, as it may take them back."""
    reason = None if _YES_OR_NO.match(answer) else _REASON.search(answer)
    return answer[: reason.start()].rstrip(" ,;") if reason else answer


def _ends_statement(rest: str) -> bool:
    rest = rest.lstrip(" *_")
    return not rest or rest[0] in ".\n!" or rest.startswith(("</", "<|"))


_SENTENCE_END = re.compile(r"\n|(?<=[^.\s])\.(?=\s|$)|[!?](?=\s|$)|<\||</")


def _first_sentence(text: str) -> str:
    end = _SENTENCE_END.search(text)
    return text[: end.start()] if end else text


_PROSE_WORD = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{2,}")
_MATH_WORDS = frozenset(
    (
        "sin cos tan cot sec csc sinh cosh tanh arcsin arccos arctan asin acos atan log ln lg "
        "exp sqrt pi inf infty max min mod gcd lcm theta alpha beta gamma and or to frac "
        "dfrac text "
    ).split()
)
_UPRIGHT = re.compile(
    r"\\(?:text|mathrm|mbox|textbf|textit|operatorname|begin|end)\s?\{[^{}]{0,200}\}"
)
_MAX_WORDS = 4


def _whole_text(text: str) -> Found | None:
    """The text itself, when it is short and holds a formula, a value or a few words."""
    text = text.strip()
    if not text or len(text) > MAX_STATEMENT_CHARS or "\n\n" in text:
        return None
    if _YES_OR_NO.match(text):
        return Found(_trim(text), "whole")
    connective = _CONNECTIVE.match(text)
    text = _without_reason(text[connective.end() :] if connective else text)
    return Found(_trim(text), "whole") if _reads_as_answer(text) else None


_CONNECTIVE = re.compile(
    r"(?:(?:therefore|thus|so|hence|then|finally|answer"
    r"|we (?:get|have|find|obtain|see|conclude)(?:\sthat)?)\b[\s,:]*){1,3}",
    re.IGNORECASE,
)


def _reads_as_answer(text: str) -> bool:
    """Whether a short text is a value, a formula or a few words, and no sentence."""
    words = [
        w for w in _PROSE_WORD.findall(_UPRIGHT.sub(" ", text)) if w.lower() not in _MATH_WORDS
    ]
    if not words:
        return True
    has_value = any(char.isdigit() or char in "\\$=" for char in text)
    if has_value:
        return len(words) <= 2 and not _VERB.search(text)
    return len(words) <= _MAX_WORDS and not _VERB.search(text)


_VERB = re.compile(
    r"\b(?:is|are|was|were|be|has|have|had|do|does|did|can|cannot|will|would|think|so|but|if|not)\b",
    re.I,
)
_STATEMENT = re.compile(
    r"(?:^|.*\s)(?:is|are|was|were|equals|becomes|be|=|(?:find|get|obtain|have)(?:\s+that)?)\s+"
    r"(?:(?:just|exactly|simply|therefore|thus)\s+)?(?P<value>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_INVERTED = re.compile(
    r"(?:(?:therefore|thus|so|hence|then)\s*,?\s*)?(?P<value>\S.*?)\s+is\s+(?:the|our|my)\s+"
    r"(?:(?:final|correct|only|desired|required)\s+)?(?:answer|solution|result|value)",
    re.IGNORECASE | re.DOTALL,
)
_NO_VALUE = re.compile(r"(?:the|a|an|our|my|its|this|that|not)\b", re.IGNORECASE)
_REFUSAL = re.compile(
    r"\b(?:cannot|can't|can not|unable to|impossible to|don't know|do not know|not sure|give up"
    r"|not enough information)\b",
    re.IGNORECASE,
)


def _last_sentence(text: str) -> Found | None:
    """The one value that the last sentence states: "The total is 12.", "So x = 4"."""
    tail = text[-2 * MAX_STATEMENT_CHARS :].rstrip()[-MAX_STATEMENT_CHARS:]
    alone = _closing_formula(tail)
    if alone is not None:
        return Found(alone, "sentence")
    sentence = _closing_sentence(tail)
    if not sentence or _REFUSAL.search(sentence) or _states_two(sentence):
        return None
    statement = _INVERTED.fullmatch(sentence) or _STATEMENT.fullmatch(sentence)
    if statement is None:
        return None
    value = _trim(statement["value"])
    if _NO_VALUE.match(value):
        return None
    formula = _FORMULA.fullmatch(value)
    if formula is not None:
        return Found(_trim(next(group for group in formula.groups() if group)), "sentence")
    return Found(value, "sentence") if value and _reads_as_answer(value) else None


_CONCLUSION = re.compile(r"\b(?:so|thus|therefore|hence|then)\b", re.IGNORECASE)
_STATES = re.compile(r"\b(?:is|are|was|were|equals)\b|=", re.IGNORECASE)


def _states_two(sentence: str) -> bool:
    """Whether its conclusion states two values: "the sum is 3 and the product is 4"."""
    *before, last = _CONCLUSION.split(sentence)[-1].split(" and ")
    return _STATES.search(last) is not None and any(
        _STATES.search(clause) and any(map(str.isdigit, clause)) for clause in before
    )


def _closing_formula(tail: str) -> str | None:
    """The formula, or the numeral, that is the text's last line."""
    tail = tail.rstrip(" .*_\n!")
    for opening, closing in (("\\[", "\\]"), ("$$", "$$"), ("\\(", "\\)"), ("$", "$")):
        if tail.endswith(closing) and len(tail) > len(closing):
            start = tail.rfind(opening, 0, len(tail) - len(closing))
            line_start = tail.rfind("\n", 0, max(start, 0)) + 1
            if start < 0 or tail[line_start:start].strip(" *_"):
                return None
            return _trim(tail[start + len(opening) : len(tail) - len(closing)]) or None
    line = tail.rpartition("\n")[2].strip(" *_")
    return line if any(char.isdigit() for char in line) and not _LETTERS.search(line) else None


_LETTERS = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{2}|[^\x00-\x7f]")


def _closing_sentence(tail: str) -> str:
    tail = tail.rstrip(" .*_\n!")
    start = max((match.end() for match in _SENTENCE_END.finditer(tail)), default=0)
    return tail[start:].strip(" *_")


_MARKDOWN = "*_` \n\t"


def _trim(answer: str) -> str:
    """Removes markdown and closing punctuation around an answer."""
    answer = answer.strip().strip(_MARKDOWN)
    if answer.startswith(":"):
        answer = answer[1:].lstrip(_MARKDOWN)
    return without_closing_marks(without_closing_marks(answer).rstrip(_MARKDOWN))
