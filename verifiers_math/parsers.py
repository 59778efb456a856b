r"""From a model's completion to the text that is judged.

A completion is a string, or a list of messages (dicts or objects) of which the last one by the
assistant is read; its content may be a string or a list of parts. Parsers never see more of a
conversation than that. Everything here is linear in the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from verifiers_math.checks import check_choice, check_list, kind_of
from verifiers_math.equivalence.extract import last_box
from verifiers_math.equivalence.thinking import MARKERS, after_thinking, prompt_opens_thinking
from verifiers_math.types import AssumeThinking, Completion, Message

ExtractFn = Callable[[str], Any]
"""What a parser does to the text it has found, for example `extract_boxed_answer`."""

_TEXT_PARTS = (None, "text", "output_text", "input_text")


def extract_boxed_answer(text: str | None, strict: bool = False) -> str:
    r"""Returns the content of the last ``\boxed{...}`` of a text.

    ``\boxed {4}``, ``\boxed 4`` and ``\fbox{4}`` count as well, and escaped braces are no braces.

    Args:
        text: The text; None is read as empty.
        strict: Whether a text without a box has no answer.

    Returns:
        The content of the last box; "" where that box is empty or unfinished. Without any box the
        text itself, or "" where strict.

    Raises:
        TypeError: If ``text`` is neither a string nor None.

    Examples:
        >>> extract_boxed_answer(r"First \boxed{3}, so it is \boxed{\frac{1}{2}}.")
        '\\frac{1}{2}'
    """
    if text is None:
        return ""
    if not isinstance(text, str):
        raise TypeError(f"extract_boxed_answer takes text, not {kind_of(text)}")
    box = last_box(text)
    if box is not None:
        return box
    return "" if strict else text


def identity(text: str) -> str:
    """Returns the text as it is: the default ``extract_fn``."""
    return text


class Parser:
    r"""Hands on the whole text.

    Args:
        extract_fn: Applied to the text that was found.

    Examples:
        >>> Parser(extract_boxed_answer).parse_answer([
        ...     {"role": "assistant", "content": r"So it is \boxed{4}."},
        ... ])
        '4'
    """

    def __init__(self, extract_fn: ExtractFn = identity) -> None:
        self.extract_fn = extract_fn

    def __repr__(self) -> str:
        name = getattr(self.extract_fn, "__name__", repr(self.extract_fn))
        return f"{type(self).__name__}(extract_fn={name})"

    def parse(self, text: str) -> Any:
        """Reads one text.

        Args:
            text: What the model wrote.

        Returns:
            What ``extract_fn`` makes of it.
        """
        return self.extract_fn(text)

    def parse_answer(self, completion: Completion | None, prompt: object = None) -> Any:
        """Reads the answer of a completion.

        Args:
            completion: A string or a list of messages; None is no completion.
            prompt: What the model was asked, for parsers that look at its end.

        Returns:
            The answer; None where no message is the assistant's. A last assistant message that
            is empty has the answer "", whatever an earlier one says.

        Raises:
            TypeError: If the completion is neither text nor messages.
        """
        text = assistant_text(completion)
        return None if text is None else self.parse(text)

    def get_format_reward_func(self) -> Callable[..., float]:
        """Returns a reward function for the format that this parser expects.

        Returns:
            A function of ``completion`` that gives a score from 0.0 to 1.0. Any text fits a
            plain parser, so here it is always 1.0.
        """
        return any_format

    def get_assistant_messages(self, messages: Completion | None) -> list[Message]:
        """Returns the assistant's messages, in order; none where given a string."""
        return _messages_of(messages, "assistant")

    def get_system_messages(self, messages: Completion | None) -> list[Message]:
        """Returns the system's messages, in order; none where given a string."""
        return _messages_of(messages, "system")

    def get_user_messages(self, messages: Completion | None) -> list[Message]:
        """Returns the user's messages, in order; none where given a string."""
        return _messages_of(messages, "user")

    def get_tool_messages(self, messages: Completion | None) -> list[Message]:
        """Returns the tools' messages, in order; none where given a string."""
        return _messages_of(messages, "tool")


class ThinkParser(Parser):
    """Hands on what follows ``</think>``; a text that has not finished thinking has no answer.

    For models that always think. The markers of other models count too.

    Examples:
        >>> ThinkParser().parse("2 and 2 </think> 4"), ThinkParser().parse("4")
        ('4', '')
    """

    def parse(self, text: str) -> Any:
        """Reads what follows the thinking.

        Args:
            text: What the model wrote.

        Returns:
            What ``extract_fn`` makes of the stripped rest; "" where no thinking has ended.
        """
        rest = after_thinking(text, opened=True)
        return "" if rest is None else self.extract_fn(rest.strip())

    def get_format_reward_func(self) -> Callable[..., float]:
        """Returns a reward function for one finished thought with an answer behind it.

        Returns:
            A function of ``completion`` (and ``prompt``, which may have opened the thinking): the
            share of assistant messages that think once and then say something.
        """
        return thinking_format


class MaybeThinkParser(Parser):
    """Hands on what follows the thinking, or the whole text where there is none.

    An unfinished thought has no answer: what stands in it is not one yet.

    Args:
        extract_fn: Applied to the stripped text behind the thinking.
        assume_thinking: Whether a text without any marker began inside a thinking block, as it
            does where the chat template puts the opening marker into the prompt. "auto" looks at
            the end of the prompt where ``parse_answer`` is given one, else it is taken as no.

    Raises:
        ValueError: If ``assume_thinking`` is none of "auto", True and False.

    Examples:
        >>> [MaybeThinkParser().parse(text) for text in ("<think>2</think> 4", "4", "<think>2")]
        ['4', '4', '']
    """

    def __init__(
        self, extract_fn: ExtractFn = identity, *, assume_thinking: AssumeThinking = "auto"
    ) -> None:
        super().__init__(extract_fn)
        check_choice("assume_thinking", assume_thinking, (True, False, "auto"))
        self.assume_thinking: AssumeThinking = assume_thinking

    def parse(self, text: str) -> Any:
        """Reads what follows the thinking.

        Args:
            text: What the model wrote.

        Returns:
            What ``extract_fn`` makes of the stripped text behind the last closing marker; "" where
            the thinking is unfinished.
        """
        return self._parse(text, opened=self.assume_thinking is True)

    def parse_answer(self, completion: Completion | None, prompt: object = None) -> Any:
        """Reads the answer of a completion.

        Args:
            completion: A string or a list of messages; None is no completion.
            prompt: The prompt, as text or messages; "auto" looks whether it opens the thinking.

        Returns:
            The answer, "" where the thinking is unfinished, None without an assistant's message.

        Raises:
            TypeError: If the completion is neither text nor messages.
        """
        text = assistant_text(completion)
        if text is None:
            return None
        assumed = self.assume_thinking
        opened = prompt_opens_thinking(prompt) if assumed == "auto" else bool(assumed)
        return self._parse(text, opened)

    def _parse(self, text: str, opened: bool) -> Any:
        rest = after_thinking(text, opened)
        return "" if rest is None else self.extract_fn(rest.strip())


class XMLParser(Parser):
    """Reads fields that stand in tags, such as ``<reasoning>...</reasoning><answer>4</answer>``.

    Args:
        fields: The tags in order; a tuple is one field under alternative tags, known by the first.
        answer_field: The field that holds the answer.
        extract_fn: Applied to the answer.

    Raises:
        TypeError: If the fields are no list, or one is neither a string nor a tuple of strings.
        ValueError: If a field has no tag, or a tag occurs twice.

    Examples:
        >>> parser = XMLParser(["reasoning", "answer"])
        >>> parser.parse_answer("<reasoning>2 + 2</reasoning><answer> 4 </answer>")
        '4'
    """

    def __init__(
        self,
        fields: Sequence[str | tuple[str, ...]],
        answer_field: str = "answer",
        extract_fn: ExtractFn = identity,
    ) -> None:
        super().__init__(extract_fn)
        check_list("fields", fields, "tags")
        self.answer_field = answer_field
        self._fields = [_alternatives(field) for field in fields]
        tags = [tag for field in self._fields for tag in field]
        for tag in tags:
            if tags.count(tag) > 1:
                raise ValueError(f"the tag {tag!r} occurs twice among the fields")

    def parse(self, text: str, strip: bool = True, last: bool = True) -> SimpleNamespace:
        """Reads all fields.

        Args:
            text: What the model wrote.
            strip: Whether white space around a field's content is removed.
            last: Whether the last one of several equal tags counts, or the first.

        Returns:
            A namespace with an attribute for each tag: its content, or None where it is missing.
        """
        found = {tag: _tag_content(text, tag, last) for field in self._fields for tag in field}
        return SimpleNamespace(
            **{
                tag: text.strip() if strip and text is not None else text
                for tag, text in found.items()
            }
        )

    def parse_answer(self, completion: Completion | None, prompt: object = None) -> Any:
        """Reads the answer field: the last one, in the last message of the assistant that has it.

        Args:
            completion: A string or a list of messages; None is no completion.
            prompt: Not looked at.

        Returns:
            What ``extract_fn`` makes of the answer; None where there is none, and where the last
            message of the assistant is empty.

        Raises:
            TypeError: If the completion is neither text nor messages.
        """
        texts = assistant_texts(completion)
        if not texts or not texts[-1].strip():
            return None
        for text in reversed(texts):
            answer = self._answer(text)
            if answer is not None:
                return self.extract_fn(answer)
        return None

    def _answer(self, text: str) -> str | None:
        fields = [field for field in self._fields if self.answer_field in field]
        parsed = vars(self.parse(text))
        for tag in fields[0] if fields else ():
            if parsed[tag] is not None:
                return str(parsed[tag])
        return None

    def get_fields(self) -> list[str]:
        """Returns the fields' names, in order."""
        return [field[0] for field in self._fields]

    def get_format_str(self) -> str:
        """Returns the expected format with dots for contents, to show to a model."""
        return "\n".join(
            f"<{' | '.join(field)}>\n...\n</{' | '.join(field)}>" for field in self._fields
        )

    def format(self, **contents: Any) -> str:
        """Writes the fields in their tags.

        Args:
            **contents: The content of each field, by any of its tags.

        Returns:
            The text that `parse` reads back.

        Raises:
            ValueError: If a field is missing.
        """
        parts = []
        for field in self._fields:
            tag = next((tag for tag in field if tag in contents), None)
            if tag is None:
                raise ValueError(f"the field {' or '.join(map(repr, field))} is missing")
            parts.append(f"<{tag}>\n{contents[tag]}\n</{tag}>")
        return "\n".join(parts)

    def get_format_reward_func(self) -> Callable[..., float]:
        """Returns a reward function for texts that are made of the fields.

        Returns:
            A function of ``completion``, averaged over the assistant's messages: 0.4 by the share
            of fields that are there and not blank, 0.2 each where every tag occurs as one pair,
            where the text begins with the first field, and where it ends with the last one. A
            field that is blank counts as missing, and a text without any field scores 0.0.
        """
        return self._format_reward

    def _format_reward(self, completion: Completion | None, **_: Any) -> float:
        return _mean(self._format_score(text) for text in assistant_texts(completion))

    def _format_score(self, text: str) -> float:
        parsed = vars(self.parse(text))
        used = [tag for tag, content in parsed.items() if content]
        filled = sum(1 for field in self._fields if any(parsed[tag] for tag in field))
        if not filled:
            return 0.0
        text = text.strip()
        checks = (
            all(text.count(f"<{tag}>") == text.count(f"</{tag}>") == 1 for tag in used),
            any(parsed[tag] and text.startswith(f"<{tag}>") for tag in self._fields[0]),
            any(parsed[tag] and text.endswith(f"</{tag}>") for tag in self._fields[-1]),
        )
        return 0.4 * filled / len(self._fields) + 0.2 * sum(checks)


def any_format(completion: Completion | None = None, **_: Any) -> float:
    """The format reward of parsers that take any text: 1.0."""
    return 1.0


def thinking_format(completion: Completion | None, prompt: object = None, **_: Any) -> float:
    """The format reward of `ThinkParser`.

    Args:
        completion: A string or a list of messages.
        prompt: The prompt; where it opens the thinking, the completion need not.

    Returns:
        The share of assistant messages that begin with thinking, finish it once, and then say
        something that is not blank; 0.0 where there is none.
    """
    opened = prompt_opens_thinking(prompt)
    return _mean(float(_thinks_once(text, opened)) for text in assistant_texts(completion))


def assistant_text(completion: Completion | None) -> str | None:
    """Returns the text that a completion ends with.

    Args:
        completion: A string or a list of messages.

    Returns:
        The string itself, or the content of the last message of the assistant ("" where it is
        empty); None where there is no such message.

    Raises:
        TypeError: If the completion is neither text nor messages.
    """
    texts = assistant_texts(completion)
    return texts[-1] if texts else None


def assistant_texts(completion: Completion | None) -> list[str]:
    """Returns the text of every message of the assistant; a string is one such text.

    Args:
        completion: A string, a list of messages, or a single message. One without a role is the
            assistant's: trainers' own examples leave it out.

    Raises:
        TypeError: If the completion is neither text nor messages.
    """
    if completion is None:
        return []
    if isinstance(completion, str):
        return [completion]
    if isinstance(completion, Mapping):
        completion = [completion]
    if not isinstance(completion, Sequence) or isinstance(completion, bytes | bytearray):
        raise TypeError(
            f"a completion is text or a list of messages, not {type(completion).__name__}"
        )
    return [_content_text(message) for message in completion if _is_assistants(message)]


def _is_assistants(message: Message) -> bool:
    role = _field(message, "role")
    if role is None:
        return isinstance(_field(message, "content"), str | list | tuple)
    return role == "assistant"


def _messages_of(messages: Completion | None, role: str) -> list[Message]:
    if messages is None or isinstance(messages, str):
        return []
    if isinstance(messages, Mapping):
        messages = [messages]
    return [message for message in messages if _field(message, "role") == role]


def _content_text(message: Message) -> str:
    content = _field(message, "content")
    if isinstance(content, str):
        return content
    if not isinstance(content, list | tuple):
        return ""
    texts = (_part_text(part) for part in content)
    return " ".join(text for text in texts if text).strip()


def _part_text(part: object) -> str:
    if isinstance(part, str):
        return part
    text = _field(part, "text") if _field(part, "type") in _TEXT_PARTS else None
    return text if isinstance(text, str) else ""


def _field(message: object, name: str) -> object:
    if isinstance(message, Mapping):
        return message.get(name)
    return getattr(message, name, None)


def _thinks_once(text: str, opened: bool) -> bool:
    text = text.strip()
    for marker in MARKERS:
        begins = text.startswith(marker.opening)
        if text.count(marker.closing) == 1 and text.count(marker.opening) == int(begins):
            return (begins or opened) and bool(text.partition(marker.closing)[2].strip())
    return False


def _alternatives(field: object) -> tuple[str, ...]:
    tags = (field,) if isinstance(field, str) else field
    if not isinstance(tags, tuple) or not all(isinstance(tag, str) for tag in tags):
        raise TypeError(f"a field is a string or a tuple of strings, not {field!r}")
    if not (tags and all(tags)):
        raise ValueError("a field needs at least one tag, and a tag cannot be empty")
    return tags


def _tag_content(text: str, tag: str, last: bool) -> str | None:
    """The content of the last (or first) opening tag that any closing tag follows."""
    opening, closing = f"<{tag}>", f"</{tag}>"
    end = text.rfind(closing)
    if end < 0:
        return None
    start = text.rfind(opening, 0, end) if last else text.find(opening, 0, end)
    if start < 0:
        return None
    start += len(opening)
    return text[start : text.find(closing, start)]


def _mean(scores: Iterable[float]) -> float:
    values = list(scores)
    return sum(values) / len(values) if values else 0.0
