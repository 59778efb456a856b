from __future__ import annotations

import threading

from verifiers_math.cache import ENTRY_BYTES, PairCache


def test_it_remembers_by_gold_answer_and_policy():
    cache = PairCache[str](10, 10**6)
    cache.put(("g", "a", "strict"), "no")
    cache.put(("g", "a", "loose"), "yes")
    assert cache.get(("g", "a", "strict")) == "no"
    assert cache.get(("g", "a", "loose")) == "yes"
    assert cache.get(("a", "g", "strict")) is None


def test_the_pair_unused_longest_goes_first():
    cache = PairCache[int](2, 10**6)
    cache.put(("1", "", 0), 1)
    cache.put(("2", "", 0), 2)
    cache.get(("1", "", 0))
    cache.put(("3", "", 0), 3)
    assert cache.get(("1", "", 0)) == 1
    assert cache.get(("2", "", 0)) is None
    assert len(cache) == 2


def test_it_is_bounded_in_bytes():
    cache = PairCache[int](10**6, 100 * ENTRY_BYTES)
    for number in range(1000):
        cache.put((str(number), "x" * 100, 0), number)
    assert 10 < len(cache) < 100


def test_wide_characters_count_with_their_bytes():
    narrow, wide = PairCache[int](10**6, 10**5), PairCache[int](10**6, 10**5)
    for number in range(1000):
        narrow.put((str(number), "x" * 1000, 0), number)
        wide.put((str(number), "\U0001d465" * 1000, 0), number)
    assert len(wide) < len(narrow) / 2


def test_a_text_larger_than_the_cache_is_not_kept():
    cache = PairCache[int](10, 1000)
    cache.put(("g", "a", 0), 1)
    cache.put(("g", "x" * 2000, 0), 2)
    assert cache.get(("g", "x" * 2000, 0)) is None
    assert cache.get(("g", "a", 0)) == 1


def test_zero_entries_turn_it_off():
    cache = PairCache[int](0, 10**6)
    cache.put(("g", "a", 0), 1)
    assert len(cache) == 0


def test_putting_a_pair_again_replaces_it_and_counts_it_once():
    cache = PairCache[int](10, 3 * ENTRY_BYTES)
    for number in range(100):
        cache.put(("g", "a", 0), number)
    cache.put(("g", "b", 0), 1)
    assert cache.get(("g", "a", 0)) == 99
    assert cache.get(("g", "b", 0)) == 1


def test_many_threads_may_use_it_at_once():
    cache = PairCache[int](50, 10**6)

    def work(offset):
        for number in range(2000):
            key = (str((number + offset) % 100), "", 0)
            known = cache.get(key)
            assert known is None or known == int(key[0])
            cache.put(key, int(key[0]))

    threads = [threading.Thread(target=work, args=(offset,)) for offset in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(cache) == 50
