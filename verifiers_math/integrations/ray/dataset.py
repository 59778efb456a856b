"""Ray Data: rollouts by the million, scored where their blocks are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from verifiers_math.answers import Answer, AnswerJudge, answer_judge
from verifiers_math.integrations.ray.actor import limit_workers
from verifiers_math.integrations.ray.crew import Session
from verifiers_math.integrations.rows import SCORE_FIELDS, RowJudge, find_fields
from verifiers_math.rows import shortest_floats
from verifiers_math.types import Unscored

if TYPE_CHECKING:
    import pyarrow as pa
    import ray.data

BATCH_SIZE = 256


def score_dataset(
    dataset: ray.data.Dataset,
    *,
    response: str | None = None,
    gold: str | None = None,
    prompt: str | None = None,
    judge: AnswerJudge | None = None,
    unscored: Unscored = "zero",
    prefix: str = "",
    batch_size: int = BATCH_SIZE,
    concurrency: int | tuple[int, int] | None = None,
    num_cpus: float = 1,
) -> ray.data.Dataset:
    """Scores the rows of a Ray data set.

    Rows keep their columns and get those of `SCORE_FIELDS` besides (columns of these names are
    replaced). Nothing is scored before the result is consumed; it is streamed, so that memory does
    not grow with the number of rows. Where an actor or a worker process dies, Ray gives its batch
    to another one: no row is lost, and none comes twice.

    A row whose response is neither text nor messages has the status ``error``.

    Args:
        dataset: The rollouts, as ``ray.data.read_parquet`` and its kin read them.
        response: The column with what the model wrote, text or messages; see `find_fields` for
            the columns that are taken by default.
        gold: The column with the gold, in any shape that `golds_of` reads.
        prompt: The column with what the model was asked, as text or messages.
        judge: Judges; ``answer_judge()`` by default.
        unscored: The reward of a row that could not be judged: "zero" for 0.0, "none" for null.
        prefix: Put before the names of the columns that are added.
        batch_size: Rows in a batch.
        concurrency: Actors that score at once: a number, or least and most. By default there are
            as many as the cluster has room for.
        num_cpus: The CPUs that an actor reserves, and the most worker processes that it has.

    Returns:
        The data set with its scores.

    Raises:
        ValueError: If a column is missing, or the response column holds numbers; the message
            has the columns that are there.
        RuntimeError: If Ray is not initialised.
    """
    Session.current()
    fields = find_fields(_columns(dataset), response=response, gold=gold, prompt=prompt)
    check_response_type(dataset.schema(), fields.response)
    scorer = TableScorer(fields, judge or answer_judge(), unscored, prefix)
    return dataset.map_batches(
        ScoringActor,
        batch_format="pyarrow",
        batch_size=batch_size,
        zero_copy_batch=True,
        **actor_options(scorer, concurrency, num_cpus),
    )


def actor_options(
    scorer: Callable[[Any], Any], concurrency: int | tuple[int, int] | None, num_cpus: float
) -> dict[str, Any]:
    """What Ray Data is told of its actors, a `ScoringActor` each."""
    from ray import cloudpickle
    from ray.data import ActorPoolStrategy

    if isinstance(concurrency, int):
        strategy = ActorPoolStrategy(size=concurrency)
    else:
        least, most = concurrency or (1, None)
        strategy = ActorPoolStrategy(min_size=least, max_size=most)
    return {
        "fn_constructor_args": (cloudpickle.dumps(scorer), num_cpus),
        "compute": strategy,
        "num_cpus": num_cpus,
    }


class ScoringActor:
    """What lives in each of Ray Data's actors.

    Args:
        scorer: The pickled function to apply. A judge that is unpickled makes its pool of workers,
            and so the workers have to be bounded before.
        num_cpus: The most worker processes.
    """

    def __init__(self, scorer: bytes, num_cpus: float) -> None:
        from ray import cloudpickle

        limit_workers(int(num_cpus))
        self._score = cloudpickle.loads(scorer)

    def __call__(self, batch: Any) -> Any:
        """Applies the function."""
        return self._score(batch)


class TableScorer(RowJudge):
    """Adds scores to Arrow tables."""

    def __call__(self, table: pa.Table) -> pa.Table:
        """Scores a table.

        Args:
            table: Rows with the columns to judge.

        Returns:
            The same rows with the columns of `SCORE_FIELDS`.
        """
        import pyarrow as pa

        columns = [_values(table, name) for name in self.fields]
        answers = [Answer(*row) for row in zip(*columns, strict=True)]
        scores = [self.added(verdict) for verdict in self.verdicts(answers)]
        for field in SCORE_FIELDS:
            name = self.prefix + field
            kind = pa.float64() if field == "reward" else pa.string()
            table = _with_column(table, name, pa.array([score[name] for score in scores], kind))
        return table


def _values(table: pa.Table, name: str | None) -> Sequence[Any]:
    if name is None:
        return [None] * len(table)
    values: list[Any] = shortest_floats(table.select([name])).column(name).to_pylist()
    return values


def _with_column(table: pa.Table, name: str, values: pa.Array) -> pa.Table:
    if name in table.column_names:
        return table.set_column(table.column_names.index(name), name, values)
    return table.append_column(name, values)


def _columns(dataset: ray.data.Dataset) -> list[str]:
    columns = dataset.columns()
    if columns is None:
        raise ValueError("the data set is empty: it has no columns to score")
    return list(columns)


def check_response_type(schema: Any, response: str) -> None:
    """Refuses a response column in which no row can be judged, before anything is scored.

    Args:
        schema: Arrow's or Ray Data's schema of the rows.
        response: The column.

    Raises:
        ValueError: If it holds numbers, truth values or times.
    """
    import pyarrow.types as kinds

    kind = dict(zip(schema.names, schema.types, strict=True)).get(response)
    if isinstance(kind, type):  # of pandas or Python, where rows are no Arrow tables
        return
    for is_wrong in (kinds.is_integer, kinds.is_floating, kinds.is_boolean, kinds.is_temporal):
        if is_wrong(kind):
            raise ValueError(
                f"the column {response!r} holds {kind}, and a response is text or messages"
            )
