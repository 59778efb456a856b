"""Every exception that this package raises by itself.

* VerifiersMathError
  * MissingArgumentError (also a TypeError)
  * RewardValueError (also a ValueError)
  * PoolClosedError (also a RuntimeError)
  * VerifierBusyError (also a RuntimeError)
  * RowsError (also a ValueError)
"""

from __future__ import annotations


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


class RowsError(VerifiersMathError, ValueError):
    """A file of rows cannot be read, or not from some place on; the message says where and why."""
