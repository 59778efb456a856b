"""Every exception that this package raises by itself.

* VerifiersMathError
  * MissingArgumentError (also a TypeError)
  * RewardValueError (also a ValueError)
  * PoolClosedError (also a RuntimeError)
  * VerifierBusyError (also a RuntimeError)
  * UnscoredError
  * RowsError (also a ValueError)
  * JudgeError (also a RuntimeError)
"""

from __future__ import annotations

from typing import Any


class VerifiersMathError(Exception):
    """Base class: catch this to catch whatever the package raises by itself."""


class MissingArgumentError(VerifiersMathError, TypeError):
    """A reward function requires an argument that nobody supplies."""


class RewardValueError(VerifiersMathError, ValueError):
    """A reward function returned something that is not a finite number."""


class PoolClosedError(VerifiersMathError, RuntimeError):
    """Work was handed to a worker pool, verifier or rubric that has been closed."""


class VerifierBusyError(VerifiersMathError, RuntimeError):
    """A pair needs a worker, and as many as allowed wait for one already: ask again later."""


class UnscoredError(VerifiersMathError):
    """An answer could not be judged, where a trainer is to be told by an exception.

    The message begins with the verdict's status: ``timeout: ...``, ``gold_unreadable: ...``.

    Args:
        verdict: The `Verdict`, whose status says what stood in the way.

    Attributes:
        verdict: The same.
    """

    def __init__(self, verdict: Any) -> None:
        super().__init__(verdict)  # as its only argument, so that it pickles
        self.verdict = verdict

    def __str__(self) -> str:
        return f"{self.verdict.status.value}: {self.verdict.detail}"


class RowsError(VerifiersMathError, ValueError):
    """A file of rows cannot be read, or not from some place on; the message says where and why."""


class JudgeError(VerifiersMathError, RuntimeError):
    """A judge model gave no reply: it could not be reached, took too long, or said nothing."""
