"""A report on scored rollouts: one HTML file that needs nothing else, not even a network.

```python
from verifiers_math.report import write_report

write_report("rollouts.scored.jsonl", "report.html")
```

Formulas are rendered where `latex2mathml` is installed (the extra ``report``); without it their
LaTeX is shown.
"""

from __future__ import annotations

from verifiers_math.report.report import SHOWN_ROWS, Report, write_report

__all__ = ["SHOWN_ROWS", "Report", "write_report"]
