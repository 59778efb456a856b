"""``verifiers-math`` and ``python -m verifiers_math`` are the command line."""

from __future__ import annotations

import sys
from typing import Final

_INTERRUPTED: Final = 130
"""`Exit.INTERRUPTED`, which may not be loaded yet."""


def main() -> int:
    """Runs a command; Ctrl-C ends it quietly while the command line is still loading, too."""
    try:
        from verifiers_math.cli import main as run_command
    except KeyboardInterrupt:
        return _INTERRUPTED
    return run_command()


if __name__ == "__main__":
    sys.exit(main())
