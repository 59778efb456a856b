r"""What the policy refuses whatever computer algebra would say.

A computer algebra system evaluates the question itself, takes the right side of any equation,
and reads a tuple as a set. Each check here looks at two tidied texts
and returns why the answer cannot count, or None.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from verifiers_math.equivalence.normalize import normalize
from verifiers_math.equivalence.numbers import read_quantity
from verifiers_math.equivalence.policy import Policy
from verifiers_math.equivalence.reader import Unreadable, read, vocabulary
from verifiers_math.equivalence.reader.tree import Call, walk
from verifiers_math.equivalence.spellings import TABLE
from verifiers_math.equivalence.units import VALUE_WORDS, alters_number

Check = Callable[[str, str, Policy], str | None]

_NAMED = "gcd|gcf|hcf|lcm|lim|limsup|liminf|det|trace|sum|prod|integrate|int|diff"
_OPERATOR = re.compile(
    r"\\(?:sum|prod|i{0,3}nt|oint|lim|limsup|liminf|gcd|lcm|bmod|det)(?![A-Za-z])"
    rf"|(?<![\\A-Za-z])(?i:{_NAMED})(?=\s?[({{_\[])|[\u2211\u220f\u222b]"
    rf"|\\text ?\{{ ?(?i:{_NAMED}) ?\}} ?(?=[({{_\[\\\d])"
    # d/dx and its like, before what it is applied to
    r"|\\frac ?\{ ?(?P<d>d|\\partial|\\text ?\{ ?d ?\})(?: ?\^ ?\{? ?\w ?\}?)? ?\} ?"
    r"\{ ?(?P=d) ?[A-Za-z](?: ?\^ ?\{? ?\w ?\}?)? ?\}(?! ?\Z)"
    r"|(?<![\\A-Za-z])d ?/ ?d[a-z](?![A-Za-z])(?! ?\Z)|\\partial ?_ ?\{? ?[a-z]"
    # a sum that is not written out, and matrices that are not multiplied
    r"|[-+*/] ?(?:\\ldots|\.\.\.)|\\ldots ?[(\d]|\\end ?\{\w*matrix\} ?\*? ?\\begin"
)
_DERIVATIVE = re.compile(
    r"\\frac ?\{ ?(?P<d>d|\\partial|\\text ?\{ ?d ?\})(?! ?\\?[A-Za-z]+ ?\})"
    r"(?:[^{}]|\{[^{}]{0,60}\}){1,200}\} ?\{ ?(?P=d) ?[A-Za-z] ?\}"
    r"|(?<![\\A-Za-z])d ?\([^()]{1,80}\) ?/ ?d[a-z](?![A-Za-z])"
)
"""What is differentiated above the line: ``d(6x)/dx``; ``dy/dx`` is a name."""
_MAY_BE_MOD = re.compile(r"\bmod|\{ ?mod|(?<=\d)mod|\bmodulo\b|\d ?\\?% ?\d", re.IGNORECASE)


_CLASS = re.compile(r"\\pmod(?![A-Za-z])|\( ?(?:\\text ?\{ ?)?mod(?![A-Za-z])")
"""The gold is a class of residues, for which ``3 mod 7`` is another spelling."""
_OF_CONGRUENCE = re.compile(r"(?<=\\equiv)([^=<>,;\\]{1,60})\\b?mod(?![A-Za-z])")
r"""The modulus of ``n \equiv 1 \bmod 3``, which is no remainder."""


def unevaluated(gold: str, answer: str, policy: Policy) -> str | None:
    """An operator that the answer leaves to be worked out, where the gold has none."""
    if policy.allow_unevaluated:
        return None
    if "\\equiv" in answer:
        answer = _OF_CONGRUENCE.sub(" ", answer)
    operator = _OPERATOR.search(answer)
    if operator is not None and not _OPERATOR.search(gold):
        return f"the answer leaves {operator[0]} unevaluated"
    if _DERIVATIVE.search(answer) and "d" not in _letters(gold):
        return "the answer leaves a derivative unevaluated"
    may_be_mod = _MAY_BE_MOD.search(answer) and not _CLASS.search(gold)
    if may_be_mod and _has_remainder(answer) and not _has_remainder(gold):
        return "the answer leaves a remainder unevaluated"
    return None


def _has_remainder(text: str) -> bool:
    r"""Whether an answer holds ``a mod b`` as an operation, in any spelling: the tree knows."""
    if _INFIX_REMAINDER.search(text):
        return True
    tree = read(text)
    if isinstance(tree, Unreadable):
        return False
    return any(isinstance(node, Call) and node.name == "mod" for node in walk(tree))


_INFIX_REMAINDER = re.compile(
    r"\d ?(?:\\?%|(?:\\text ?\{ ?)?(?:mod|modulo)(?: ?\})?) ?\d", re.IGNORECASE
)


_OR = re.compile(
    r"\\text\s?\{\s*or\s*\}|\\text\s?\{or |(?<![\\A-Za-z])or(?![A-Za-z])|\\vee|\bmaybe\b"
)
_SEVERAL = re.compile(
    r"[,;<>]|\\(?:pm|mp|le|ge|ne|cup|vee|text\s?\{\s*(?:and|or)\b)|\bor\b|\band\b"
)


def _candidates(gold: str, answer: str, policy: Policy) -> str | None:
    if _OR.search(answer) and not (_SEVERAL.search(gold) or _OR.search(gold)):
        return "the answer offers several candidates"
    return None


_RELATION = re.compile(r"=|\\(?:equiv|approx|sim|ne)(?![A-Za-z])|[<>]|\\[lg]e(?![A-Za-z])")
_NAME = re.compile(
    r"(?:[A-Za-z]|\\[A-Za-z]+)(?: ?_ ?(?:\{[^{}]{1,20}\}|\w)|\'){0,3}(?: ?\^ ?\{?[*']\}?)?"
    r"(?: ?\([^()]{1,40}\))?"  # x, x_1, f'(x), P(A)
    r"|\\text ?\{[^{}]*\}|[A-Za-z][A-Za-z ]{0,60}"  # words
    r"|\|[A-Z']{2,3}\||(?:\\angle|\\triangle|m ?\\angle) ?[A-Z]{1,4}"  # |AB|, angle ABC
    r"|\\overline ?\{[A-Z]{1,3}\}|\[[A-Z]{3,6}\]"  # a segment, an area [ABC]
    r"|\(? ?[A-Za-z](?: ?, ?[A-Za-z]){1,4} ?\)?"  # (x, y)
)


def _names_nothing(gold: str, answer: str, policy: Policy) -> str | None:
    """An equation counts by its right side only where its left side is a name."""
    if _RELATION.search(gold) or "=" not in answer or "," in answer:
        return None
    members = _members(answer)
    if len(members) == 1:
        return None
    if _NAME.fullmatch(members[0]):
        members = members[1:]
    elif read_quantity(members[0]) is None:
        return "the answer is an equation, and its left side names nothing"
    values = [read_quantity(member) for member in members]
    numbers = [value.value for value in values if value is not None]
    if any(number != numbers[-1] for number in numbers):
        return "the members of the answer's chain are not equal"
    return None


def _members(text: str) -> list[str]:
    """What equals signs part, but not those in brackets: ``P(X=2) = 3`` has two members."""
    members, depth, start = [], 0, 0
    for at, char in enumerate(text):
        if char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif char == "=" and depth <= 0:
            members.append(text[start:at].strip())
            start = at + 1
    return [*members, text[start:].strip()]


_SET = re.compile(r"\\\{[^|:<>]*\\\}")
_TUPLE = re.compile(r"\([^()]*,[^()]*\)")


def _kind(gold: str, answer: str, policy: Policy) -> str | None:
    for one, other in ((gold, answer), (answer, gold)):
        if _TUPLE.fullmatch(one) and _SET.fullmatch(other) and "infty" not in one + other:
            return "a tuple is not a set"
    return None


_COMMAND = re.compile(r"\\text ?\{[^{}]*\}|\\[A-Za-z]+")
_LETTER = re.compile(r"[A-Za-z]")
_CONSTANT_LETTERS = frozenset("cCkK")


def _letter_case(gold: str, answer: str, policy: Policy) -> str | None:
    golds, answers = _letters(gold), _letters(answer)
    changed = golds ^ answers
    same_folded = {letter.lower() for letter in golds} == {letter.lower() for letter in answers}
    if same_folded and not changed <= _CONSTANT_LETTERS:
        return "a letter has another case"
    return None


def _letters(text: str) -> set[str]:
    """The letters of an expression, without the name that it may be given."""
    name, sign, value = text.partition("=")
    text = value if sign and _NAME.fullmatch(name.strip()) else text
    return set(_LETTER.findall(_COMMAND.sub(" ", text)))


_MATH_COMMAND = re.compile(r"\\(?!text)[A-Za-z]+")
_WORD = re.compile(r"[A-Za-z]+")
_UPRIGHT_LETTER = re.compile(r"\\text ?\{ ?([b-z]) ?\}")
_UNIT_LETTERS = frozenset("mgslh")


def _words_of_value(gold: str, answer: str, policy: Policy) -> str | None:
    r"""``5\text{ million}`` and ``5\mathrm{i}`` are not 5, but computer algebra drops words."""
    if "\\text" not in gold + answer:
        return None
    for one, other in ((gold, answer), (answer, gold)):
        plain = _MATH_COMMAND.sub(" ", one)
        words = {word.lower() for word in _WORD.findall(plain)} & VALUE_WORDS
        letters = set(_UPRIGHT_LETTER.findall(one)) - _UNIT_LETTERS
        missing = words - {word.lower() for word in _WORD.findall(other)}
        missing |= letters - set(_LETTER.findall(other))
        if missing:
            return f"only one side says {min(missing)}"
    return None


_BEHIND_NUMBER = re.compile(
    r"\d[ }]*(?P<upright>\\text ?\{ ?)?(?P<word>[A-Za-z]{2,20}|(?<=\{)[KMB](?= ?\}))"
    r"(?![A-Za-z(])"
)


def _altered_number(gold: str, answer: str, policy: Policy) -> str | None:
    """``8 squared`` is not 8, ``3 lakh`` not 3 and ``14 March`` not 14."""
    for one, other in ((gold, answer), (answer, gold)):
        if one.isascii() and one.replace(".", "", 1).lstrip("-").isdigit():
            continue
        for match in _BEHIND_NUMBER.finditer(one):
            word = match["word"]
            is_function = word in _FUNCTION_WORDS and not match["upright"]
            alters = len(word) == 1 or (alters_number(word) and not is_function)
            if alters and not _says(other, word):
                return None if read_quantity(one) is not None else f"only one side says {word}"
    return None


_FUNCTION_WORDS = frozenset("log ln exp sin cos tan cot sec csc sqrt mod pi".split())
"""Words that are read as functions where no braces mark them as words."""


def _says(text: str, word: str) -> bool:
    return word.lower() in {found.lower() for found in _WORD.findall(text)}


_ARROW = re.compile(r"\\(?:Rightarrow|Longrightarrow|Leftrightarrow|iff|therefore)(?![A-Za-z])")


def _arrows(gold: str, answer: str, policy: Policy) -> str | None:
    r"""``4 \Rightarrow 3`` states two values: what an arrow starts from has to be a relation."""
    if "\\" not in answer or _ARROW.search(answer) is None or _ARROW.search(gold):
        return None
    *before, last = (piece.strip(" ,.;") for piece in _ARROW.split(answer))
    for piece in before:
        if piece and not _RELATION.search(piece) and normalize(piece) != normalize(last):
            return "an arrow parts two values"
        if _other_value(piece, last):
            return "the members of the answer's chain are not equal"
    return None


def _other_value(one: str, other: str) -> bool:
    """Whether both are ``name = number`` for one name, and the numbers differ."""
    (name, value), (again, second) = (named(text) for text in (one, other))
    if name != again and again:
        return False
    numbers = [read_quantity(text) for text in (value, second)]
    values = [number.value for number in numbers if number is not None]
    return bool(name) and len(values) == 2 and values[0] != values[1]


def named(text: str) -> tuple[str, str]:
    """The normal form of the name that a text gives its value, or "", and the value."""
    name, sign, value = text.partition("=")
    is_name = sign and _NAME.fullmatch(name.strip())
    return (normalize(name), value.strip()) if is_name else ("", text)


_NEGATION = re.compile(
    r"(?<![\\A-Za-z])(?:not|nor|neither|never|except)(?![A-Za-z])", re.IGNORECASE
)
_CONDITION = re.compile(r"(?<![\\A-Za-z])(?:if|where|when|for|with|such)(?![A-Za-z])")


def _negated(gold: str, answer: str, policy: Policy) -> str | None:
    """``not 5`` is not 5; a condition ("where x is not zero") may say not."""
    golds, answers = ((_NEGATION.search(text), text) for text in (gold, answer))
    for (one, text), (other, _) in ((golds, answers), (answers, golds)):
        if one is not None and other is None and not _CONDITION.search(text, 0, one.start()):
            return f"only one side says {one[0]}"
    return None


_STRANGE = re.compile(
    r"\\(?:ne|notin|nmid|to|sim|mapsto|equiv(?!.{0,200}mod)|because)(?![A-Za-z])"
    r"|[?@#\"]|(?:\d|\\circ) ?'+"
    r"|_ ?(?:\{[^{}]{0,20}\}|\w) ?_|\\or(?![A-Za-z])"
    r"|\d ?_ ?(?:\{ ?)?(?:\\text ?\{ ?)?[A-Za-z]"  # a base in words
    r"|\\text ?\{[^{}\d]{0,60}\d"  # a number among the words
)


_ANY_COMMAND = re.compile(r"\\[A-Za-z]+")
_KNOWN = frozenset(
    name if name.startswith("\\") else f"\\{name}"
    for table in (
        vocabulary.FUNCTIONS,
        vocabulary.OPERATORS,
        vocabulary.GREEK,
        vocabulary.CONSTANTS,
        vocabulary.NAMED_SETS,
        vocabulary.RELATIONS,
        vocabulary.SET_OPERATIONS,
        vocabulary.IMPLIES,
        vocabulary.SEPARATORS,
        vocabulary.ACCENTS,
        vocabulary.INVISIBLE,
        vocabulary.SAME_LETTER,
        TABLE,
        TABLE.values(),
        (
            "frac sqrt text binom begin end hline pmod bmod mod ldots pm mp circ infty forall "
            "exists mathbb langle rangle lfloor rfloor lceil rceil angle triangle prime choose "
            "over left right quad star wp Re Im not hspace color textcolor euro pounds smile "
            "nabla rightleftharpoons leftarrow uparrow downarrow square blacksquare checkmark "
            "complement neg lnot aleph because degree tag underbrace overbrace substack "
            "cross"
        ).split(),
    )
    for name in (text.strip() for text in table)
)


_READ_SIGNS = frozenset("\u221a\u221b\u221c\u00a3\u00a5\u20b9\u00a2")
"""Signs beyond ASCII that stay when a text is tidied: roots and money."""


def _strange_signs(gold: str, answer: str, policy: Policy) -> str | None:
    """Signs that computer algebra passes over, where one side alone has them."""
    foreign = set(_ANY_COMMAND.findall(answer)) - _KNOWN - set(_ANY_COMMAND.findall(gold))
    if foreign:
        return f"{min(foreign)} is no command of an answer"
    if not answer.isascii():
        unread = set(answer) - set(gold) - _READ_SIGNS
        if any(not sign.isascii() for sign in unread):
            return f"{max(unread)} is no sign of an answer"
    golds, answers = (Counter(_STRANGE.findall(text)) for text in (gold, answer))
    missing = [sign for sign in golds - answers if sign.endswith("'") or "_" in sign]
    strange = [*(answers - golds), *missing]
    return f"only one side has {strange[0]}" if strange else None


CHECKS: tuple[Check, ...] = (
    unevaluated,
    _candidates,
    _names_nothing,
    _kind,
    _letter_case,
    _words_of_value,
    _altered_number,
    _arrows,
    _negated,
    _strange_signs,
)


def misread(gold: str, answer: str, policy: Policy) -> str | None:
    """Returns why no reader of formulas may be asked about these two, or None.

    Args:
        gold: The tidied gold.
        answer: The tidied answer.
        policy: What counts as the same.
    """
    for check in (unevaluated, _words_of_value, _altered_number, _arrows, _negated):
        reason = check(gold, answer, policy)
        if reason is not None:
            return reason
    return None


def veto(gold: str, answer: str, policy: Policy) -> str | None:
    """Returns why the answer cannot count as the gold, or None where nothing speaks against it.

    Args:
        gold: The tidied gold.
        answer: The tidied answer.
        policy: What counts as the same.
    """
    for check in CHECKS:
        reason = check(gold, answer, policy)
        if reason is not None:
            return reason
    return None
