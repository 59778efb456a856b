"""pass@k against values computed by hand, and groups in bounded memory."""

from __future__ import annotations

import hashlib
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

from verifiers_math.report import groups as module
from verifiers_math.report.groups import MOST_GROUPS, Groups, PassAt, pass_at_k


@pytest.mark.parametrize(
    ("count", "passed", "k", "expected"),
    [
        (4, 1, 1, 1 / 4),
        (4, 1, 2, 1 / 2),
        (4, 1, 4, 1),
        (5, 2, 2, 1 - 3 / 10),  # 3 of the 10 pairs hold no right one
        (10, 3, 5, 1 - 21 / 252),
        (8, 0, 4, 0),
        (8, 8, 1, 1),
        (1, 1, 1, 1),
        (1, 0, 1, 0),
    ],
)
def test_pass_at_k_is_what_counting_by_hand_gives(
    count: int, passed: int, k: int, expected: float
) -> None:
    assert pass_at_k(count, passed, k) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("count", [1, 3, 6, 9])
def test_pass_at_k_is_the_share_of_draws_with_a_right_one(count: int) -> None:
    for passed in range(count + 1):
        for k in range(1, count + 1):
            draws = list(combinations(range(count), k))
            right = sum(any(member < passed for member in draw) for draw in draws)
            share = Fraction(right, len(draws))
            assert pass_at_k(count, passed, k) == pytest.approx(float(share), abs=1e-12)


def test_pass_at_k_of_a_huge_group_is_no_work() -> None:
    assert pass_at_k(10**6, 10, 10**5) == pytest.approx(1 - 0.9**10, abs=1e-4)


@pytest.mark.parametrize(("count", "passed", "k"), [(4, 5, 1), (4, 1, 0), (4, 1, 5), (0, 0, 1)])
def test_impossible_draws_are_refused(count: int, passed: int, k: int) -> None:
    with pytest.raises(ValueError, match="can be drawn"):
        pass_at_k(count, passed, k)


def groups_of(*sizes: tuple[int, int]) -> Groups:
    groups = Groups()
    for key, (count, passed) in enumerate(sizes):
        for member in range(count):
            groups.add(key, member < passed)
    return groups


def test_the_mean_is_over_groups_that_are_large_enough() -> None:
    found = groups_of((4, 1), (4, 4), (2, 0)).pass_at()
    assert [(p.k, p.groups) for p in found] == [(1, 3), (2, 3), (4, 2)]
    means = [p.mean for p in found]
    assert means == pytest.approx([(0.25 + 1 + 0) / 3, (0.5 + 1 + 0) / 3, (1 + 1) / 2])


def test_k_doubles_up_to_the_size_of_the_largest_group() -> None:
    assert [p.k for p in groups_of((12, 3)).pass_at()] == [1, 2, 4, 8, 12]
    assert [p.k for p in groups_of((8, 3)).pass_at()] == [1, 2, 4, 8]
    assert groups_of((1, 1)).pass_at() == [PassAt(1, 1.0, 1)]
    assert groups_of().pass_at() == []


def test_groups_whose_rewards_are_all_the_same_give_no_signal() -> None:
    groups = groups_of((4, 4), (4, 0), (2, 0), (4, 2), (1, 1), (1, 0))
    assert groups.without_signal() == (4, 1, 2)


def test_of_too_many_groups_whole_ones_are_kept_evenly() -> None:
    groups = Groups()
    random = Random(1)
    keys = [
        int.from_bytes(hashlib.blake2b(str(n).encode(), digest_size=8).digest(), "big")
        for n in range(4 * MOST_GROUPS)
    ]
    members = [(key, place) for key in keys for place in range(2)]
    random.shuffle(members)
    skill = {key: random.random() < 0.3 for key in keys}
    for key, place in members:
        groups.add(key, skill[key] or place == 0)
    assert MOST_GROUPS / 4 < len(groups) <= MOST_GROUPS
    assert groups.every in (4, 8)
    assert {count for count, _ in groups.sizes()} == {2}
    first, second = groups.pass_at()
    assert first.mean == pytest.approx(0.65, abs=0.01)
    assert second.mean == 1.0


def test_a_sample_is_taken_only_beyond_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_GROUPS", 10)
    groups = groups_of(*[(1, 1)] * 10)
    assert (groups.every, len(groups)) == (1, 10)
    groups = groups_of(*[(1, 1)] * 11)
    assert (groups.every, len(groups)) == (2, 6)
