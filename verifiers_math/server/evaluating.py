"""``POST /api/v1/evaluate``: outputs by any of the evaluators, one or a batch."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from verifiers_math.evaluators import EVALUATORS, SUITES, Evaluator, Result, expand, get
from verifiers_math.server.problems import Problem, invalid
from verifiers_math.types import AssumeThinking


class Part(Struct):
    """A part of a message's content; what else it has is passed over.

    Attributes:
        type: "text", or another kind, whose text is empty.
        text: What was written.
    """

    type: str = "text"
    text: str = ""


class Message(Struct):
    """A chat message; what else it has is passed over.

    Attributes:
        role: Who wrote it.
        content: What was written: text, parts, or null where tools were called.
    """

    role: str
    content: str | list[Part] | None = None


Output = str | int | float | list[Message] | None
Expected = str | int | float | list[Any] | dict[str, Any] | None
Prompt = str | list[Message] | None


class Item(Struct, forbid_unknown_fields=True):
    """One output to evaluate.

    Attributes:
        output: What the model wrote: text, the messages of its turn, a number, or null.
        expected: The gold: text, a number, a list of alternatives, or an object that holds it.
        prompt: What the model was asked, as text or messages.
    """

    output: Output
    expected: Expected
    prompt: Prompt = None


class CorrectAnswerSettings(Struct, forbid_unknown_fields=True, frozen=True):
    """Settings of the evaluator ``correct_answer``.

    Attributes:
        strict: Whether only a box counts as the final answer; "####" lets that mark count besides.
        policy: The preset of what counts as the same.
        assume_thinking: Whether an output without a thinking tag began inside its thinking;
            "auto" looks at the prompt's end.
    """

    strict: bool | Literal["####"] = False
    policy: Literal["default", "strict", "lenient"] = "default"
    assume_thinking: AssumeThinking = "auto"


class NumericDiffSettings(Struct, forbid_unknown_fields=True, frozen=True):
    """Settings of the evaluator ``numeric_diff``.

    Attributes:
        denominator: What the distance is divided by.
        threshold: The score from which an output passes.
    """

    denominator: Literal["unit", "max", "sum"] = "unit"
    threshold: Annotated[float, Meta(ge=0, le=1)] = 0.99


class EvaluatorSettings(Struct, forbid_unknown_fields=True, frozen=True):
    """Settings of evaluators, by their names.

    Attributes:
        correct_answer: Of ``correct_answer``.
        numeric_diff: Of ``numeric_diff``.
    """

    correct_answer: CorrectAnswerSettings = CorrectAnswerSettings()
    numeric_diff: NumericDiffSettings = NumericDiffSettings()


class EvaluateRequest(Struct, forbid_unknown_fields=True):
    """What to evaluate: one output (``output`` and ``expected``), or a batch (``items``).

    Attributes:
        evaluators: Names of evaluators and suites.
        output: As in `Item`, for one output.
        expected: As in `Item`, for one output.
        prompt: As in `Item`, for one output.
        items: The outputs of a batch.
        settings: Settings of the evaluators.
    """

    evaluators: Annotated[list[str], Meta(min_length=1, max_length=32)]
    output: Output | UnsetType = UNSET
    expected: Expected | UnsetType = UNSET
    prompt: Prompt | UnsetType = UNSET
    items: list[Item] | UnsetType = UNSET
    settings: EvaluatorSettings = EvaluatorSettings()


class EvaluateReply(Struct):
    """The results for one output.

    Attributes:
        results: By evaluator: ``score`` (0 to 1, or null where it could not be scored), ``label``,
            ``passed``, ``status`` (whose fault it is where there is no score), ``detail``, and
            what else the evaluator tells.
    """

    results: dict[str, dict[str, Any]]


class EvaluateBatchReply(Struct):
    """The results for a batch.

    Attributes:
        items: The results of each item, in order.
    """

    items: list[EvaluateReply]


class EvaluatorInfo(Struct):
    """An evaluator or a suite of them.

    Attributes:
        name: What to call it by.
        summary: What it does.
        evaluators: The members of a suite; empty for an evaluator.
    """

    name: str
    summary: str
    evaluators: list[str]


async def evaluate(request: EvaluateRequest, max_items: int) -> dict[str, Any]:
    """Evaluates one output or a batch.

    Args:
        request: What to evaluate.
        max_items: The longest batch.

    Returns:
        What `EvaluateReply` or `EvaluateBatchReply` describes.

    Raises:
        Problem: A name is unknown, a field is missing or too much, or a value cannot be used.
        VerifierBusyError: A pair needs a worker, and there is no room.
    """
    evaluators = _evaluators(tuple(request.evaluators), request.settings)
    if request.items is UNSET:
        return {"results": await _one(evaluators, _single(request))}
    items = _batch(request, max_items)
    columns = [await _column(evaluator, items) for evaluator in evaluators]
    rows = zip(*columns, strict=True)
    names = [evaluator.name for evaluator in evaluators]
    return {"items": [{"results": dict(zip(names, row, strict=True))} for row in rows]}


def known_evaluators() -> list[EvaluatorInfo]:
    """Every evaluator and suite."""
    single = [EvaluatorInfo(name, kind.summary, []) for name, kind in EVALUATORS.items()]
    suites = [
        EvaluatorInfo(name, "several at once", list(members)) for name, members in SUITES.items()
    ]
    return single + suites


@lru_cache(maxsize=256)
def _evaluators(names: tuple[str, ...], settings: EvaluatorSettings) -> list[Evaluator]:
    for index, name in enumerate(names):
        if name not in EVALUATORS and name not in SUITES:
            known = ", ".join([*EVALUATORS, *SUITES])
            message = f"there is no evaluator {name!r:.80}; there are {known}"
            raise invalid(message, f"$.evaluators[{index}]")
    return [_evaluator(name, settings) for name in expand(names)]


def _evaluator(name: str, settings: EvaluatorSettings) -> Evaluator:
    own: Any = getattr(settings, name, None)
    return get(name, **({} if own is None else msgspec.structs.asdict(own)))


def _single(request: EvaluateRequest) -> Item:
    for name in ("output", "expected"):
        if getattr(request, name) is UNSET:
            raise invalid(f"the field `{name}` is missing (or `items`, for a batch)", "$")
    prompt = None if request.prompt is UNSET else request.prompt
    return Item(request.output, request.expected, prompt)  # type: ignore[arg-type]


def _batch(request: EvaluateRequest, max_items: int) -> list[Item]:
    for name in ("output", "expected", "prompt"):
        if getattr(request, name) is not UNSET:
            raise invalid(f"`{name}` belongs into each of the `items`", f"$.{name}")
    items: Any = request.items
    if len(items) > max_items:
        raise Problem(
            422, "too_many", f"a batch has at most {max_items} items, not {len(items)}", "$.items"
        )
    return list(items)


async def _one(evaluators: list[Evaluator], item: Item) -> dict[str, Result]:
    try:
        return {
            evaluator.name: await evaluator.aevaluate(item.expected, item.output, item.prompt)
            for evaluator in evaluators
        }
    except TypeError as error:
        raise invalid(str(error), "$.output") from None


async def _column(evaluator: Evaluator, items: list[Item]) -> list[Result]:
    given = [(item.expected, item.output, item.prompt) for item in items]
    try:
        return await evaluator.aevaluate_many(given)
    except TypeError as error:  # "item 3: ..."
        place, _, reason = str(error).partition(": ")
        raise invalid(reason, f"$.items[{place.removeprefix('item ')}].output") from None
