"""Ray: one pool of judges for a whole cluster, and data sets of any size scored by it.

```python
from verifiers_math.integrations.ray import RewardPool

pool = RewardPool()  # any process of the cluster that asks for this name gets the same actors
verdicts = pool.verdicts([(response, gold), ...])  # or: await pool.averdicts(...)
rubric = pool.rubric(vf.MathRubric(strict=True))  # scores in the pool, and is used like any rubric
```

`score_dataset` scores a Ray data set, `score_file` a JSONL or Parquet file. Ray 2.40 or later is
needed, and is loaded when something first runs in it.
"""

from __future__ import annotations

from verifiers_math.integrations.ray.dataset import score_dataset
from verifiers_math.integrations.ray.files import score_file
from verifiers_math.integrations.ray.pool import RewardPool
from verifiers_math.integrations.ray.rubric import RemoteRubric

__all__ = ["RemoteRubric", "RewardPool", "score_dataset", "score_file"]
