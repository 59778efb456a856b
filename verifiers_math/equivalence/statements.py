r"""Answers without a box: behind ``####``, in a tag, behind "the answer is", in the last sentence.

A number is never cut out of a larger answer, and a refusal or a second value means no answer.
Patterns that could look far are given short, bounded pieces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from verifiers_math.equivalence.found import Found, trim
from verifiers_math.equivalence.kinds.asides import (
    is_aside,
    is_condition,
    is_of_answer,
    plain_words,
)
from verifiers_math.equivalence.number_words import spelled_number

MAX_STATEMENT_CHARS = 600
"""How much of a marked line or a last sentence is looked at."""

_LABEL = re.compile(r"(?:the\s)?(?:final\s)?answer\s?(?::|\bis\b:?)\s?", re.IGNORECASE)
_HEADING = re.compile(
    r"(?:step|part|case|final|answer|solution|conclusion|explanation|summary|result|verification"
    r"|check|therefore|problem|given|understanding)\b",
    re.IGNORECASE,
)


def after_hashes(text: str) -> Found | None:
    """The line behind the last ``####``, as GSM8K marks its answers; a heading is none."""
    at = text.rfind("####")
    if at < 0:
        return None
    begin = at + 4
    end = text.find("\n", begin)
    line = text[begin : len(text) if end < 0 else end].strip("#* \t")
    label = _LABEL.match(line)
    answer = trim(line[label.end() :] if label else line)
    if _HEADING.match(answer):
        return None
    return Found(answer, "####") if answer else Found(None, "nothing stands behind ####")


_ANSWER_TAGS = ("<answer>", "<Answer>", "<ANSWER>", "<final_answer>")


def in_answer_tag(text: str) -> Found | None:
    """What stands in the last ``<answer>…</answer>``, or the value that a sentence there states."""
    at, tag = max((text.rfind(tag), tag) for tag in _ANSWER_TAGS)
    if at < 0:
        return None
    inside, closing, _ = text[at + len(tag) :].partition(f"</{tag[1:]}")
    answer = trim(inside)
    if not closing or not answer:
        return Found(None, "the answer tag is empty or unfinished")
    if len(answer) > MAX_STATEMENT_CHARS or not _reads_as_answer(answer):  # a sentence, or more
        for look in (after_phrase, last_sentence):
            found = look(answer)
            if found is not None:
                return found
    return Found(answer, "tag")


_JSON = re.compile(
    r"[\"'](?:final[_ ]?)?answer[\"']\s?:\s?"
    r"(?:\"(?P<double>(?:[^\"\\\n]|\\.){0,400})\"|'(?P<single>[^'\n]{0,400})'"
    r"|(?P<bare>\[[^\[\]{}\n]{0,400}\]|[^\s,\"'{}\[\]]{1,100}))(?=\s{0,20}[,}])",
    re.IGNORECASE,
)


def in_json(text: str) -> Found | None:
    """The value of the last ``"answer"`` of an object, as text or as a bare value."""
    if not text.rstrip(" `\n").endswith("}"):
        return None
    tail = text[-4 * MAX_STATEMENT_CHARS :]
    *_, last = [None, *_JSON.finditer(tail)]
    if last is None:
        return None
    answer = trim(
        (last["double"] or last["single"] or last["bare"] or "")
        .replace('\\"', '"')
        .replace("\\\\", "\\")
    )
    return Found(answer, "json") if answer else Found(None, "the answer is empty")


_PHRASE = re.compile(
    r"(?:^|(?<=[\s*_(>]))(?:(?:the|my|our|your)\s{1,3})?(?:(?:final|correct|right)\s{1,3})?"
    r"answer\b[^\n:=.$\\]{0,60}?(?:\s(?:is|are|equals|be)\b|'s\b|\s?[:=])"
    r"(?:\s{1,3}(?:therefore|thus|then|simply|just|exactly|indeed|equal\s{1,3}to)\b)?[\s*_:}]*",
    re.IGNORECASE,
)
_LINE_LABEL = re.compile(
    r"\n[ \t*_>#-]{0,6}(?:(?:A|Answer|ANSWER|[Aa]ns|Final Answer)[*_ ]{0,4}:[*_ \t]*"
    r"|(?:Final )?Answer[*_ ]{0,4}\n"  # a heading
    r"|(?:Final )?Answer[*_ ]{0,4}(?=\$|\\[(\[]))"  # right before a formula
)
_SUBJECTS = (
    "(?:la )?respuesta(?: final| correcta)?"  # Spanish
    "|(?:la )?(?:bonne )?réponse(?: finale| correcte)?"  # French
    "|(?:die )?(?:endgültige |richtige )?antwort"  # German
    "|(?:a )?resposta(?: final| correta)?|(?:la )?risposta(?: finale| corretta)?"  # Portuguese …
    "|(?:окончательный |правильный )?ответ"  # Russian
    "|(?:最终|正确)?答案|(?:最終的な)?答え|答(?=\\s?[:\uff1a])|正确选项|正解"  # Chinese, Japanese
    "|(?:정)?답"  # Korean
    "|উত্তর|సమాధానం|उत्तर"  # Bengali, Telugu, Hindi
    "|odpowiedź|svaret?|cevap|jawaban(?:nya)?|đáp án"  # Italian … Vietnamese
    "|الإجابة(?: النهائية)?|الجواب(?: النهائي)?|结果|回答"  # Arabic, Chinese
    "|คำตอบ|jibu(?: la mwisho)?"  # Thai, Swahili
)
_COPULAS = (
    "(?:adalah|là|to|är|est|es|ist|lautet|é|è|ni)(?![a-z])|هو|هي|은|는|是|为|は|হলো|হল|है|हैं|คือ"
)
_ADVERBS = "donc|also|somit|daher|entonces|quindi|portanto"
_OTHER_LANGUAGES = re.compile(
    rf"(?:{_SUBJECTS})[*_ ]{{0,4}}(?:{_COPULAS})?(?: (?:{_ADVERBS})(?![a-z]))?"
    r"[*_ ]{0,4}[:：—–]?[*_ \t]*"
    r"(?=[-+\d\\$(\[{A-Za-z]|\n{1,2}[*_ \t]*[^\n]{1,80}\Z)\s*[*_]*"
    r"|(?<=[\s*_(，。；：、,.;:])(?:故|故应|应|应该|应当|所以|因此|因此应|所以应|答案|正确答案|本题|可)?"
    r"选(?:择)?[:：]? ?(?=[A-J][\s.。]*\Z)",
    re.IGNORECASE,
)
"""The words for "the answer is" in the languages of MGSM, and in Italian and Portuguese."""
_SUBJECT_STEMS = (
    "respuesta réponse antwort resposta risposta ответ 答 选 正解 답 উত্তর సమాధానం उत्तर odpowiedź"
    " svar cevap jawaban đáp الإجابة الجواب 结果 คำตอบ jibu"
).split()
"""A piece of each of these words."""
_BEHIND = re.compile(r"\s*(?:です|である|입니다|이다|है|हैं|ครับ|ค่ะ)?[\s。।.]*\Z")  # "is", full stop
_FORMULA = re.compile(r"\$\$(.+?)\$\$|\$([^$]+)\$|\\\((.+?)\\\)|\\\[(.+?)\\\]", re.DOTALL)


def after_phrase(text: str) -> Found | None:
    """The value behind the last "the answer is" or "A:"."""
    tail_start = max(0, len(text) - 20 * MAX_STATEMENT_CHARS)
    tail = "\n" + text[tail_start:]
    last = None
    for pattern in _patterns_for(tail.lower()):
        for last_of_kind in pattern.finditer(tail):
            if last is None or last_of_kind.end() > last.end():
                last = last_of_kind
    if last is None:
        return None
    if _takes_back(tail, last) or _TAKEN_BACK.search(tail, last.end()):
        return Found(None, "the words do not state the answer")
    return _stated(tail[last.end() : last.end() + MAX_STATEMENT_CHARS], "phrase")


def _patterns_for(lowered: str) -> Iterator[re.Pattern[str]]:
    """The patterns whose words stand in a text: to look for words is a hundred times as fast."""
    if "answer" in lowered:
        yield _PHRASE
    yield _LINE_LABEL
    if any(stem in lowered for stem in _SUBJECT_STEMS):
        yield _OTHER_LANGUAGES


_CLAUSE_CHARS = 80
_CLAUSE_START = re.compile(r"[.!?\n,;:，。；：！？]")
_DENIAL = re.compile(
    r"\b(?:wrong|incorrect|false|mistaken|doubt\w*|whether|unless|suppose|unlikely|untrue|not true"
    r"|not sure|not clear|not likely|not the case|isn't|don't think|do not think|can't|cannot"
    r"|pretend|imagine|no way|nobody|no one|hardly|never)\b|\bif(?: that)?\s*$",
    re.IGNORECASE,
)
_OTHER_SUBJECT = re.compile(
    r"\b(?:not|twice|thrice|half|double|triple|minus|plus|times|than|over"
    r"|(?<!value )(?<!form )(?<!part )of) +\Z"
    r"|(?:错误的?|不是|并非|間違った|誤った|틀린|неверн\w{2,3}|неправильн\w{2,3}|возможно|mauvaise|fausse"
    r"|falsche|incorrecta|equivocada|errada|sbagliata) *\Z",
    re.IGNORECASE,
)
"""What makes "the answer" behind it another quantity, or a wrong one: "twice the answer is 3"."""
_ALTERED = re.compile(
    r"answer\s(?:squared|cubed|plus|minus|times|divided|multiplied|doubled|halved|tripled)\b",
    re.IGNORECASE,
)
_MODAL = re.compile(
    r"\b(?:can't|cannot|can not|couldn't|won't|isn't|not be|never be|might|may|could|wrong"
    r"|incorrect)\b",
    re.IGNORECASE,
)


def _takes_back(text: str, phrase: re.Match[str]) -> bool:
    """Whether the clause denies or doubts what is stated, or states it of something else."""
    clause = _CLAUSE_START.split(text[max(phrase.start() - _CLAUSE_CHARS, 0) : phrase.start()])[-1]
    return bool(
        _DENIAL.search(clause)
        or _HEARSAY.search(clause)
        or _OTHER_SUBJECT.search(clause)
        or _MODAL.search(phrase[0])
        or _ALTERED.search(phrase[0])
    )


_HEARSAY = re.compile(
    r"\b(?:they|some|others|people|someone|somebody|many|he|she|one|students?|solver|reader|book)\s"
    r"(?:(?:might|may|could|would|will)\s)?"
    r"(?:say|says|said|claim|claims|claimed|think|thinks|argue|argues|guess|guesses|believe|believes)\b"
    r"|\bassum(?:e|ing)\b",
    re.IGNORECASE,
)
_TAKEN_BACK = re.compile(
    r"(?:[.!?]\s|\n)\s{0,4}(?:(?:but|oh|hmm),?\s)?(?:wait|hold on|actually|correction|oops"
    r"|scratch that|on second thought|no,|no\.|sorry)(?![A-Za-z])",
    re.IGNORECASE,
)
"""What follows an answer that is given up for another one."""


def _stated(text: str, how: str) -> Found:
    """The answer at the start of ``text``: a formula, or the words up to the sentence's end."""
    text = text.lstrip()
    if _QUESTION.match(text):
        return Found(None, "the words ask for the answer")
    formula = _FORMULA.match(text)
    if formula is not None and _ends_statement(text[formula.end() :]):
        return Found(trim(next(group for group in formula.groups() if group)), how)
    answer = _without_reason(_AS_ASKED.sub("", trim(_without_copula(_first_sentence(text)))))
    if _NEGATION.match(answer):
        return Found(None, "the words say what the answer is not")
    answer = _without_spelled_number(answer)
    return Found(answer, how) if answer else Found(None, "no value follows the words")


_SPELLED = re.compile(r"(?P<digits>\d{1,9}) \((?P<words>[A-Za-z][A-Za-z -]{1,80})\)")
_IN_BRACKETS = re.compile(r"(?P<words>[A-Za-z][A-Za-z -]{1,80}) \((?P<digits>\d{1,9})\)")


def _without_spelled_number(answer: str) -> str:
    """Drops the same number in words: ``42 (forty-two)``, ``forty-two (42)``."""
    spelled = _SPELLED.fullmatch(answer) or _IN_BRACKETS.fullmatch(answer)
    if spelled is None or spelled_number(spelled["words"]) != int(spelled["digits"]):
        return answer
    return spelled["digits"]


_QUESTION = re.compile(r"[^\n.!?]{0,100}(?:\.\d+[^\n.!?]{0,100})?\?")
_AS_ASKED = re.compile(r",?\s+as\s+(?:desired|required|claimed|expected|wanted|asked)$")
_NEGATION = re.compile(r"(?:not|never|neither)\b", re.IGNORECASE)
_REASON = re.compile(r"(?<=[^\s,;]),?\s(?:because|since)\b", re.IGNORECASE)
_YES_OR_NO = re.compile(r"(?:yes|no|true|false)\b", re.IGNORECASE)


def _without_reason(answer: str) -> str:
    """Cuts a "because ..." off; yes and no keep it, as it may take them back."""
    reason = None if _YES_OR_NO.match(answer) else _REASON.search(answer)
    return answer[: reason.start()].rstrip(" ,;") if reason else answer


def _without_copula(sentence: str) -> str:
    if sentence.isascii():
        return sentence
    sentence = sentence.replace("**", "")
    behind = _BEHIND.search(sentence)
    return sentence[: behind.start()] if behind else sentence


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


def whole_text(text: str) -> Found | None:
    """The text itself, when it is short and holds a formula, a value or a few words."""
    text = text.strip()
    if not text or len(text) > MAX_STATEMENT_CHARS or "\n\n" in text:
        return None
    if _YES_OR_NO.match(text):
        return Found(trim(text), "whole")
    if _SUPPOSES.match(text):
        return None
    connective = _CONNECTIVE.match(text)
    text = _without_reason(text[connective.end() :] if connective else text)
    return Found(trim(text), "whole") if _reads_as_answer(text) else None


_SUPPOSES = re.compile(
    r"(?:so |then )?(?:suppose|assume|let|if|say|guess|try|imagine)\b", re.IGNORECASE
)
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
    r"\b(?:is|are|was|were|be|has|have|had|do|does|did|can|cannot|will|would|think|so|but|if|not|equals)\b",
    re.I,
)
_STATEMENT = re.compile(
    r"(?:^|.*\s)(?:is|are|was|were|equals|becomes|be|=|(?:find|get|obtain|have)(?:\s+that)?)\s+"
    r"(?:(?:just|exactly|simply|therefore|thus)\s+)?(?P<value>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_INVERTED = re.compile(
    r"(?:(?:therefore|thus|so|hence|then)\s*,?\s*)?(?P<value>\S.*?)\s+is\s+(?:the|our|my)\s+"
    r"(?:(?:final|correct|only|desired|required)\s+)?(?:answer|solution|result|value)"
    r"|(?P<option>(?:option|choice) \(?[A-J]\)?|\([A-J]\))\s+is\s+(?:correct|right)",
    re.IGNORECASE | re.DOTALL,
)
_NUMERAL_SUBJECT = re.compile(
    r"(?:[A-Za-z]+,?\s+)??(?:[-+]?[\d.,/]*\d|\$[-+\d.,/ ]+\$)\s+(?:is|are|was|were|equals|be|=)\s+",
    re.IGNORECASE,
)
"""``4 is 3``: a number is no name for another."""
_NO_VALUE = re.compile(r"(?:the|a|an|our|my|its|this|that|not)\b", re.IGNORECASE)
_REFUSAL = re.compile(
    r"\b(?:cannot|can't|can not|unable to|impossible to|don't know|do not know|not sure|give up"
    r"|not enough information)\b",
    re.IGNORECASE,
)


_ASIDE = re.compile(
    r"\s+\((?P<inside>[^()\\]{3,200})\)\s*$"
    r"|,?\s+as\s+(?:desired|required|claimed|expected|wanted)$"
)
_LONE_EQUATION = re.compile(
    r"(?:[A-Za-z]+,?\s+){0,8}(?:\$(?P<inline>[^$]*=[^$]*)\$|\\\((?P<paren>.*=.*)\\\))", re.DOTALL
)
_HYPOTHESIS = re.compile(
    r"\b(?:if|let|suppose|assume|since|because|where|when|for|with|not|cannot|no|either|unless|and|or)\b",
    re.IGNORECASE,
)


def _closing_equation(sentence: str) -> str | None:
    """The one formula of a sentence, where it is an equation: "Therefore $x = 3$"."""
    match = _LONE_EQUATION.fullmatch(sentence)
    if match is None:
        return None
    formula: str = match["inline"] or match["paren"]
    words = sentence[: match.start("inline" if match["inline"] else "paren")]
    return None if _HYPOTHESIS.search(words) else formula.strip()


_GIVES_UP = re.compile(
    r"(?<![\"'\u201c\u2018])\b(?:I|we)(?:\s?['\u2019]m|\s+am)?\s+(?:(?:really|simply|just|still)\s+)?(?:"
    r"(?:cannot|can['\u2019]t|can not|could not|couldn['\u2019]t|(?:was |were )?unable to"
    r"|(?:was |were )?not able to)"
    r"(?:\s+(?:answer|solve|help|finish|complete|do)\b(?!\s+(?:for|both|all|any|an?)\b)"
    r"|\s+(?:determine|find|give|provide|compute)\s+(?:the answer|an answer|a solution|this)\b"
    r"|\s*[.!,;\n])"
    r"|gave up|give up|(?:do not|don['\u2019]t) know(?:\s*[.!,;\n]|\s+(?:the answer|how)\b)"
    r"|have no idea)"
    r"|\b(?:this|it|the (?:problem|question|answer))\s+(?:cannot|can['\u2019]t|can not)\s+be"
    r"\s+(?:solved|answered|determined|found)\s*(?:[.!,;\n]|\Z)",
    re.IGNORECASE,
)
LAST_PARAGRAPHS_CHARS = 1000


def gives_up(text: str) -> bool:
    """Whether the writer refuses in the last paragraphs: "I cannot solve this".

    What a number cannot be is no refusal.
    """
    return _GIVES_UP.search(text, max(0, len(text) - LAST_PARAGRAPHS_CHARS)) is not None


def _without_aside(sentence: str) -> str:
    """A sentence without brackets at its end that say a unit or a reason, and no other value."""
    aside = _ASIDE.search(sentence)
    if aside is None:
        return sentence
    inside = aside["inside"]
    harmless = inside is None or is_aside(inside) or is_condition(inside.lower())
    return sentence[: aside.start()] if harmless else sentence


_NO_SUBJECT = re.compile(
    r"\s*(?:[-+~/.^]|\d[\d.,]*(?!\d|\s?=|\s?[-+*/]\s?[\d(])|\\?(?:frac|sqrt|log|ln)\b|[A-Za-z]\s?\^"
    r"|(?:either|neither|no|not|error|guess|maybe|perhaps|at least|at most|more than|less than"
    r"|about|negative|minus)\b(?! one\b))",
    re.IGNORECASE,
)
"""What begins as a value, a power or a doubt has no subject that the rest could be said of."""


def has_no_subject(sentence: str) -> bool:
    """Whether a sentence begins with what is no subject: ``7, number of ways = 12``."""
    return _NO_SUBJECT.match(sentence) is not None


def last_sentence(text: str) -> Found | None:
    """The one value that the last sentence states: "The total is 12.", "So x = 4"."""
    tail = text[-2 * MAX_STATEMENT_CHARS :].rstrip()[-MAX_STATEMENT_CHARS:]
    alone = _closing_formula(tail)
    if alone is not None:
        return Found(alone, "sentence")
    sentence = _without_aside(_closing_sentence(tail))
    if _SUPPOSES.match(sentence) and "," not in sentence:
        return None
    sentence = _without_condition(sentence)
    listed = _FORMULAS.fullmatch(sentence)
    if listed is not None and not _REFUSAL.search(sentence):
        formulas = (match[1] for match in _INLINE.finditer(listed["formulas"]))
        return Found(", ".join(formula.strip() for formula in formulas), "sentence")
    equations = _EQUATIONS.fullmatch(sentence)
    if not sentence or _REFUSAL.search(sentence) or (not equations and _states_two(sentence)):
        return None
    equation = equations["value"] if equations else _closing_equation(sentence)
    if equation is not None:
        return Found(equation, "sentence")
    value = _by_statement(sentence) or _concluded(sentence)
    return Found(value, "sentence") if value else None


def _by_statement(sentence: str) -> str | None:
    """The value behind the last "is" or "=" of a sentence, or before "is the answer"."""
    statement = _INVERTED.fullmatch(sentence) or _STATEMENT.fullmatch(sentence)
    if statement is None:
        return None
    if statement.re is _INVERTED and statement["option"]:
        option: str = statement["option"]
        return option
    value = trim(statement["value"])
    subject = sentence[: statement.start("value")]
    if _NUMERAL_SUBJECT.fullmatch(subject) or is_of_answer(plain_words(subject)):
        return None
    if _NO_VALUE.match(value) or _begins_in_formula(sentence, statement.start("value")):
        return None
    formula = _FORMULA.fullmatch(value)
    if formula is not None:
        return trim(next(group for group in formula.groups() if group))
    counted = _COUNTED.fullmatch(value)
    if counted is not None and is_aside(counted["noun"], of_one=counted["numeral"] == "1"):
        return counted["formula"] or counted["numeral"]
    return value if _reads_as_answer(value) else None


_COUNTED = re.compile(
    r"(?:\$(?P<formula>[^$]{1,80})\$|(?P<numeral>\d[\d,]{0,20}))\s"
    r"(?P<noun>[A-Za-z][A-Za-z ]{1,100})"
)
"""``$12$ ways to choose the students``."""
_CONCLUDES = re.compile(
    r"\b(?:so|thus|hence|therefore|giving|yielding"
    r"|(?:which|this) (?:gives|yields)|since .{1,200}, then)\s+(?=(?:that\s+)?[$\\])",
    re.IGNORECASE | re.DOTALL,
)
_SUPPOSED = re.compile(
    r"\b(?:if|suppose|assume|assuming|let|unless|not|cannot|no|contradict\w*|impossible|false)\b",
    re.IGNORECASE,
)


def _concluded(sentence: str) -> str | None:
    """The equation that a longer sentence comes to: "As the bases agree, so do these, so $x=3$"."""
    *_, last = [None, *_CONCLUDES.finditer(sentence)]
    if last is None or _SUPPOSED.search(sentence):
        return None
    return _closing_equation(sentence[last.end() :])


_EQUATIONS = re.compile(
    r"[^=]*?\sare\s+(?P<value>[A-Za-z]\s?=\s?[^\s=,]+(?:(?:,|,?\s+and)\s+[A-Za-z]\s?=\s?[^\s=,]+)+)"
)
"""``The solutions are x = 1 and x = 2``, not the last of them alone."""
_CONDITIONED = re.compile(
    r"(?P<kept>.*?\b(?:is|are|was|were|equals)\s+(?:\$[^$]+\$|[^\s,;$]*\d[^\s,;$]*))[,;]?\s+"
    r"(?:(?:is|and is|which is)\s+)?"
    r"(?:when|whenever|where|if|at|for|given|provided|attained|achieved|reached|occurring)\b"
    r"(?:(?!\b(?:is|are|was|were|equals|then|so|thus|hence|therefore|we)\b).)*",
    re.IGNORECASE | re.DOTALL,
)


def _without_condition(sentence: str) -> str:
    """Cuts off where a value is reached: "The minimum is 5 when x = 1" states 5."""
    conditioned = None if _SUPPOSES.match(sentence) else _CONDITIONED.fullmatch(sentence)
    return conditioned["kept"] if conditioned else sentence


def _begins_in_formula(sentence: str, start: int) -> bool:
    """Whether what starts there stands inside a formula: ``1$`` of ``$x = 1$``."""
    return sentence.count("$", 0, start) % 2 == 1 and sentence.count("$") % 2 == 0


_INLINE = re.compile(r"\$([^$]+)\$")
_FORMULAS = re.compile(
    r"(?:[A-Za-z]+,?\s+){0,8}(?:are|is|=)\s+"
    r"(?P<formulas>\$[^$]+\$(?:(?:,\s*(?:and\s+)?|\s+and\s+)\$[^$]+\$){1,8})"
)
"""``The roots are $x=1$ and $x=2$``."""
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
            formula = tail[start + len(opening) : len(tail) - len(closing)]
            return trim(_last_row(formula)) or None
    line = tail.rpartition("\n")[2].strip(" *_")
    return line if any(char.isdigit() for char in line) and not _LETTERS.search(line) else None


_ROWS = re.compile(
    r"\s*\\begin\{(?P<name>aligned|align\*?|split)\}(?P<rows>.*)\\end\{(?P=name)\}\s*", re.DOTALL
)
_ASSIGNED = re.compile(r"\s*&?\s*[A-Za-z](?:_\{?\w\}?)?\s*&?\s*=\s*&?\s*-?[\d.,/]+\s*,?\s*")


def _last_row(formula: str) -> str:
    """The last row of a calculation that is aligned; a list of names with values stays whole."""
    aligned = _ROWS.fullmatch(formula)
    if aligned is None:
        return formula
    *before, last = [row for row in aligned["rows"].split("\\\\") if row.strip(" \n,.;")] or [""]
    if "=" not in last or any(map(_ASSIGNED.fullmatch, before)):
        return formula
    value = last.replace("&", "").strip(" \n,.;")
    return value.removeprefix("=").strip()


_LETTERS = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{2}|[^\x00-\x7f]")


def _closing_sentence(tail: str) -> str:
    tail = tail.rstrip(" .*_\n!")
    start = max((match.end() for match in _SENTENCE_END.finditer(tail)), default=0)
    return tail[start:].strip(" *_")
