"""A Ray cluster for the tests that need one."""

from __future__ import annotations

import gc
import os
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import stuck_batch
from processes import eventually, marked

from verifiers_math.integrations.ray import RewardPool

TESTS = Path(__file__).parent.parent
HELPERS = [str(TESTS / name) for name in ("integrations", "workers")]
"""What tests send to Ray's processes is found there by name."""
STORE = 100 << 20
"""Bytes of each node's object store."""


@pytest.fixture(scope="module")
def cluster(request: pytest.FixtureRequest) -> Iterator[Any]:
    """A cluster of one node, which this process is connected to."""
    import ray
    from ray.cluster_utils import Cluster

    marker = f"marker-{uuid.uuid4().hex}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WORKER_TEST_MARKER", marker)
        patch.setenv("RAY_AUTH_MODE", "disabled")
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        paths = [str(TESTS.parent), *HELPERS, os.environ.get("PYTHONPATH", "")]
        patch.setenv("PYTHONPATH", os.pathsep.join(paths))  # what Ray's processes import from
        head = {"num_cpus": 2, "include_dashboard": False, "object_store_memory": STORE}
        made = Cluster(initialize_head=True, head_node_args=head)
        try:
            ray.init(address=made.address, log_to_driver=False, logging_level="ERROR")
            ray.data.DataContext.get_current().enable_progress_bars = False
            # A module of tests is part of no package: what it defines travels by value.
            ray.cloudpickle.register_pickle_by_value(request.module)
            yield made
        finally:
            ray.shutdown()
            made.shutdown()
            gc.collect()  # while warnings of unclosed sockets are ignored
    assert eventually(lambda: not marked(marker))


@pytest.fixture(scope="module")
def pool(cluster: Any) -> RewardPool:
    """A pool of two actors on the one node."""
    made = RewardPool(stuck_batch.judge(), actors_per_node=2, chunk_size=64)
    made.warm_up()
    return made
