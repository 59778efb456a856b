r"""Where prompt and gold stand in the rows of well-known data sets.

```python
for problem in load("gsm8k", "test.jsonl"):
    verify_many(...)  # problem.prompt, problem.gold, problem.solution
```

`SCHEMAS` is the table. A variant stands behind a colon: ``mgsm:de`` is the German MGSM.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from verifiers_math.equivalence.extract import last_box, unwrap_gold
from verifiers_math.errors import RowsError
from verifiers_math.fields import first_of, get_field, has_field
from verifiers_math.rows import SUFFIXES, read_rows


class Problem(NamedTuple):
    """One problem of a data set.

    Attributes:
        prompt: The question, as text or messages; None where the row has none.
        gold: The gold in a shape that `verifiers_math.answers.golds_of` reads; None where the row
            has none.
        solution: The worked solution as text; None where the row has none.
    """

    prompt: Any
    gold: Any
    solution: str | None = None


class Source(NamedTuple):
    """Where a data set's rows come from.

    Attributes:
        hub: Its name on the Hugging Face hub.
        config: The configuration there; None for its only one.
        split: The split that is evaluated on.
    """

    hub: str
    config: str | None
    split: str


Gold = Callable[[Mapping[str, Any]], Any]
"""Finds the gold in a row; None where it is not there."""


@dataclass(frozen=True, slots=True)
class Schema:
    """How the rows of a data set are made.

    Attributes:
        name: The data set's name here.
        gold: Finds the gold in a row.
        gold_fields: The fields that `gold` looks into; a row without any of them is another data
            set's.
        prompt_fields: Where the question may stand, the first that is there counts.
        solution_fields: Where a worked solution may stand.
        evaluator: The evaluator that its answers are scored with, by name.
        sources: Its variants, by the name behind the colon.
        default: The variants that the bare name stands for.
    """

    name: str
    gold: Gold
    gold_fields: tuple[str, ...]
    prompt_fields: tuple[str, ...]
    solution_fields: tuple[str, ...]
    evaluator: str
    sources: Mapping[str, Source]
    default: tuple[str, ...]

    def read(self, row: Mapping[str, Any]) -> Problem:
        """Finds prompt, gold and solution in a row.

        Args:
            row: A row as the data set has it; other fields may stand beside.

        Raises:
            KeyError: If the row has none of the fields that hold the gold; the message names them
                and those that the row has.
        """
        if not any(has_field(row, field) for field in self.gold_fields):
            raise KeyError(
                f"a row of {self.name} has its gold in {' or '.join(self.gold_fields)}, and this "
                f"one has the fields {', '.join(row) or 'none'}"
            )
        return Problem(
            first_of(row, self.prompt_fields),
            self.gold(row),
            self.solution(row),
        )

    def solution(self, row: Mapping[str, Any]) -> str | None:
        """The worked solution in a row; None where it has none."""
        return _text(first_of(row, self.solution_fields))


def _text(value: Any) -> str | None:
    """A solution as text; several are one after the other."""
    if isinstance(value, list | tuple):
        value = "\n\n".join(part for part in value if isinstance(part, str))
    return value if isinstance(value, str) and value.strip() else None


# --- where the gold stands ---------------------------------------------------------------------


def _value(*fields: str) -> Gold:
    return lambda row: first_of(row, fields)


def _behind_hashes(field: str) -> Gold:
    """The answer behind ``####``, at the end of a solution."""

    def gold(row: Mapping[str, Any]) -> Any:
        value = get_field(row, field)
        return unwrap_gold(value) if isinstance(value, str) else value

    return gold


def _value_or_box(value: str, solution: str) -> Gold:
    """An answer of its own, else the last box of the solution."""

    def gold(row: Mapping[str, Any]) -> Any:
        found = get_field(row, value)
        text = get_field(row, solution)
        if found is not None or not isinstance(text, str):
            return found
        return last_box(text) or None

    return gold


def _all_parts(field: str) -> Gold:
    """OlympiadBench's list: the parts of one answer, where the row says that there are several."""

    def gold(row: Mapping[str, Any]) -> Any:
        parts = get_field(row, field)
        if not isinstance(parts, list | tuple) or not get_field(row, "is_multiple_answer"):
            return parts
        return ", ".join(str(part) for part in parts)

    return gold


# --- the table ---------------------------------------------------------------------------------

MGSM_LANGUAGES: Final = ("bn", "de", "en", "es", "fr", "ja", "ru", "sw", "te", "th", "zh")
MATH_SUBJECTS: Final = (
    "algebra",
    "counting_and_probability",
    "geometry",
    "intermediate_algebra",
    "number_theory",
    "prealgebra",
    "precalculus",
)
_QUESTION: Final = ("problem", "question", "prompt")
_JUDGE: Final = "correct_answer"
_QUICK: Final = "math_equivalence"

SCHEMAS: Final[dict[str, Schema]] = {
    schema.name: schema
    for schema in (
        Schema(
            "gsm8k",
            _behind_hashes("answer"),
            ("answer",),
            ("question", "prompt"),
            ("answer",),
            _QUICK,
            {
                "main": Source("openai/gsm8k", "main", "test"),
                "socratic": Source("openai/gsm8k", "socratic", "test"),
            },
            ("main",),
        ),
        Schema(
            "math",
            _value_or_box("answer", "solution"),
            ("answer", "solution"),
            _QUESTION,
            ("solution",),
            _QUICK,
            {
                subject: Source("EleutherAI/hendrycks_math", subject, "test")
                for subject in MATH_SUBJECTS
            }
            | {"500": Source("HuggingFaceH4/MATH-500", None, "test")},
            MATH_SUBJECTS,
        ),
        Schema(
            "mgsm",
            _value("answer_number"),
            ("answer_number",),
            ("question", "prompt"),
            ("answer",),
            _QUICK,
            {language: Source("juletxara/mgsm", language, "test") for language in MGSM_LANGUAGES},
            ("en",),
        ),
        Schema(
            "aime",
            _value("answer", "Answer"),
            ("answer", "Answer"),
            ("problem", "Problem", "question", "prompt"),
            ("solution", "Solution"),
            _JUDGE,
            {
                "2024": Source("HuggingFaceH4/aime_2024", None, "train"),
                "2025": Source("math-ai/aime25", None, "test"),
            },
            ("2024", "2025"),
        ),
        Schema(
            "olympiadbench",
            _all_parts("final_answer"),
            ("final_answer",),
            ("question", "problem", "prompt"),
            ("solution",),
            _JUDGE,
            {
                "maths_en": Source("Hothan/OlympiadBench", "OE_TO_maths_en_COMP", "train"),
                "maths_zh": Source("Hothan/OlympiadBench", "OE_TO_maths_zh_COMP", "train"),
                "physics_en": Source("Hothan/OlympiadBench", "OE_TO_physics_en_COMP", "train"),
            },
            ("maths_en",),
        ),
        Schema(
            "dapo",
            _value("reward_model.ground_truth", "ground_truth", "solution"),
            ("reward_model.ground_truth", "ground_truth", "solution"),
            ("prompt", "question"),
            (),
            _JUDGE,
            {"17k": Source("BytedTsinghua-SIA/DAPO-Math-17k", None, "train")},
            ("17k",),
        ),
        Schema(
            "big_math",
            _value("answer"),
            ("answer",),
            _QUESTION,
            ("solution",),
            _JUDGE,
            {"verified": Source("SynthLabsAI/Big-Math-RL-Verified", None, "train")},
            ("verified",),
        ),
    )
}
"""The known data sets by name."""


def find_schema(name: str) -> tuple[Schema, tuple[str, ...]]:
    """The schema of a data set, and the variants that its name stands for.

    Args:
        name: A key of `SCHEMAS`, perhaps with a variant: ``"mgsm:de"``.

    Raises:
        KeyError: If there is no such data set or variant; the message lists what there is.
    """
    stem, colon, variant = name.partition(":")
    schema = SCHEMAS.get(stem)
    if schema is None:
        raise KeyError(f"no data set is called {stem!r}; there are {', '.join(SCHEMAS)}")
    if not colon:
        return schema, schema.default
    if variant not in schema.sources:
        known = ", ".join(f"{stem}:{known}" for known in schema.sources)
        raise KeyError(f"{stem} has no variant {variant!r}; there are {known}")
    return schema, (variant,)


def load(
    name: str, source: str | Path | None = None, *, split: str | None = None
) -> Iterator[Problem]:
    """The problems of a data set, one after another.

    Args:
        name: The data set, perhaps with a variant: ``"gsm8k"``, ``"mgsm:de"``.
        source: A file of its rows (JSONL, JSON or Parquet), or a folder or a name on the hub that
            the ``datasets`` library loads; None for the name in the table.
        split: The split to load, where ``datasets`` loads it; None for the table's.

    Returns:
        The problems; rows are read as they are asked for.

    Raises:
        KeyError: If the data set is not known, or a row has not its fields.
        RowsError: If the file cannot be read; the message names the row.
        ImportError: If ``datasets`` is needed and not installed.
    """
    schema, variants = find_schema(name)
    for row in load_rows(schema, variants, source, split=split):
        yield schema.read(row)


def load_rows(
    schema: Schema,
    variants: Iterable[str],
    source: str | Path | None = None,
    *,
    split: str | None = None,
) -> Iterator[Mapping[str, Any]]:
    """The rows of a data set as they are; see `load`.

    Raises:
        RowsError: If the file cannot be read; the message names the row.
        ImportError: If ``datasets`` is needed and not installed.
    """
    if source is not None and Path(source).suffix.lower() in SUFFIXES:
        yield from _rows_of_file(source)
        return
    places = dict.fromkeys(schema.sources[variant] for variant in variants)
    if source is not None:  # one place that the user named, whatever the table says
        config = next(iter(places)).config if len(places) == 1 and _is_hub(source) else None
        places = {Source(str(source), config, next(iter(places)).split): None}
    for place in places:
        yield from _rows_of_hub(place, split)


def _is_hub(source: str | Path) -> bool:
    return not Path(source).exists()


def _rows_of_file(path: str | Path) -> Iterator[Mapping[str, Any]]:
    for row in read_rows(path):
        if row.fault:
            raise RowsError(f"{path}, row {row.number:,}: {row.fault}")
        yield row.data


def _rows_of_hub(place: Source, split: str | None) -> Iterator[Mapping[str, Any]]:
    try:
        import datasets
    except ImportError as error:
        raise ImportError(
            f"loading {place.hub} needs the datasets library: pip install 'verifiers-math[data]'"
        ) from error
    yield from datasets.load_dataset(
        place.hub, place.config, split=split or place.split, streaming=True
    )
