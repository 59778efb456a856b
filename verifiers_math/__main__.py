"""``python -m verifiers_math`` is the command line."""

from __future__ import annotations

import sys

from verifiers_math.cli import main

if __name__ == "__main__":
    sys.exit(main())
