"""How a command ends: its exit codes, and the error that carries a message for the user."""

from __future__ import annotations

from enum import IntEnum
from typing import Final


class Exit(IntEnum):
    """The exit codes, the same for every command."""

    OK = 0
    FOUND = 1
    """The command went through and found what it looks for."""
    USAGE = 2
    """It did not start: wrong options, a file that is not there, a field that no row has."""
    BROKEN_OFF = 3
    """It broke off on the way: a full disk, an input that cannot be read on; see the message."""
    BUG = 70
    """An error that this program should have known; it comes with a traceback."""
    INTERRUPTED = 130
    """Ctrl-C."""
    CLOSED_PIPE = 141
    """Nobody reads the output any more."""
    TERMINATED = 143
    """SIGTERM."""


MEANINGS: Final = """\
exit codes:
  0    all went well
  1    the command went through and found something: a row that cannot be scored
       (score), a gold that no judge can use (audit), a difference (compare), an
       answer that is not correct (explain), a part that does not work (doctor)
  2    it did not start: options, files or fields are not as they must be
  3    it broke off on the way; what was finished is kept
  70   a fault of this program: please report the traceback
  130  interrupted by Ctrl-C (143 by SIGTERM); what was finished is kept
  141  nobody reads the output any more
"""


class CommandError(Exception):
    """A command cannot start or go on.

    Attributes:
        code: The exit code that it ends with.
    """

    def __init__(self, message: str, code: Exit = Exit.USAGE) -> None:
        super().__init__(message)
        self.code = code


class Terminated(BaseException):
    """SIGTERM came. As Ctrl-C, it is not for handlers of errors."""
