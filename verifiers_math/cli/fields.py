"""Which fields of a row hold the response, the gold and the prompt."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from verifiers_math.cli.exits import CommandError
from verifiers_math.datasets import SCHEMAS, find_schema
from verifiers_math.evaluators.evaluator import Item, text_of
from verifiers_math.fields import (
    GOLD_FIELDS,
    PROMPT_FIELDS,
    RESPONSE_FIELDS,
    first_of,
    get_field,
    has_field,
)
from verifiers_math.rows import Row


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of a file.

    Attributes:
        response: The field with the response.
        gold_fields: The field with the gold, or those that the data set's schema looks into.
        prompt_fields: The fields that may hold the prompt.
        schema: The name of the schema that finds the gold; "" where it is the field's value.
    """

    response: str
    gold_fields: tuple[str, ...]
    prompt_fields: tuple[str, ...]
    schema: str = ""

    def gold(self, row: Mapping[str, Any]) -> Any:
        """The gold of a row."""
        if self.schema:
            return SCHEMAS[self.schema].gold(row)
        return get_field(row, self.gold_fields[0])

    def item(self, row: Row) -> Item | str:
        """The row as something to evaluate, or why it is none."""
        if row.fault:
            return row.fault
        if not has_field(row.data, self.response):
            return f"it has no field {self.response!r}"
        if not any(has_field(row.data, field) for field in self.gold_fields):
            return f"it has no field {' or '.join(map(repr, self.gold_fields))}"
        try:
            response = text_of(get_field(row.data, self.response))
        except TypeError as error:
            return f"its field {self.response!r} cannot be read: {error}"
        return Item(self.gold(row.data), response, first_of(row.data, self.prompt_fields))


def find_fields(
    row: Mapping[str, Any],
    *,
    response: str | None = None,
    gold: str | None = None,
    prompt: str | None = None,
    dataset: str | None = None,
) -> Fields:
    """Finds the fields of a file by its first row.

    Args:
        row: The first row that can be read.
        response: The field with the response; None to guess it.
        gold: The field with the gold; None to guess it.
        prompt: The field with the prompt; None to guess it.
        dataset: The data set whose schema says where gold and prompt stand.

    Raises:
        CommandError: If a field that is named is not there, or none can be guessed; the message
            lists those that there are.
    """
    if dataset is not None and gold is None:
        fields = _of_dataset(row, dataset)
    else:
        others = [name for name in (response, prompt) if name is not None]
        name = named(row, gold, "gold", GOLD_FIELDS, others)
        if name == response:
            raise CommandError(f"{name!r} cannot be both response and gold: every row would pass")
        fields = Fields("", (name,), PROMPT_FIELDS)
    found = named(row, response, "response", RESPONSE_FIELDS, fields.gold_fields)
    if prompt is not None:
        prompts: tuple[str, ...] = (named(row, prompt, "prompt", ()),)
    else:
        taken = {found, *fields.gold_fields}
        prompts = tuple(name for name in fields.prompt_fields if name not in taken)
    return replace(fields, response=found, prompt_fields=prompts)


def fields_of(options: argparse.Namespace, first: Row) -> Fields:
    """The fields that the options name, the others guessed by the first row.

    Raises:
        CommandError: If one is not there, or cannot be guessed.
    """
    return find_fields(
        first.data,
        response=options.response_field,
        gold=options.gold_field,
        prompt=options.prompt_field,
        dataset=options.dataset,
    )


def _of_dataset(row: Mapping[str, Any], dataset: str) -> Fields:
    schema, _ = find_schema(dataset)
    if not any(has_field(row, field) for field in schema.gold_fields):
        raise CommandError(
            f"rows of {schema.name} have the gold in {' or '.join(schema.gold_fields)}, and the "
            f"first row here has the fields {_listed(row)}; name it with --gold-field"
        )
    return Fields("", schema.gold_fields, schema.prompt_fields, schema.name)


def named(
    row: Mapping[str, Any],
    wanted: str | None,
    role: str,
    guesses: Iterable[str],
    taken: Iterable[str] = (),
) -> str:
    """The field that a row has for a role: the one that is wanted, or the first guess.

    Args:
        row: The row.
        wanted: The field that the user named, or None.
        role: What it is for; ``--ROLE-field`` names it.
        guesses: Names to try.
        taken: Names that are another role's.

    Raises:
        CommandError: If the row has none of them.
    """
    if wanted is not None:
        if has_field(row, wanted):
            return wanted
        raise CommandError(f"the first row has no field {wanted!r}; its fields are {_listed(row)}")
    left_over = [name for name in guesses if name not in taken and has_field(row, name)]
    if left_over:
        return left_over[0]
    raise CommandError(
        f"no field of the first row looks like the {role}: its fields are {_listed(row)}; name it "
        f"with --{role}-field"
    )


def _listed(row: Mapping[str, Any]) -> str:
    from verifiers_math.cli.console import shown

    return ", ".join(shown(name, 40) for name in list(row)[:40]) or "none"
