"""A promise stays whole wherever a signal's handler raises in its main thread."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from functools import partial
from itertools import count
from threading import Event, Lock, Thread
from types import FrameType
from typing import Any

import pytest

from verifiers_math.promise import Promise, submit

PATIENCE = 30.0


class Stop(Exception):
    """What a handler raises."""


def stopped_after(opcodes: int, call: Callable[[], object]) -> bool:
    """Calls; True if that took more opcodes than so many, and was stopped there as by a signal."""
    left = opcodes

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal left
        frame.f_trace_opcodes = True
        if event == "opcode":
            left -= 1
            if left < 0:
                raise Stop
        return trace

    before = sys.gettrace()
    sys._getframe().f_trace_opcodes = True  # Python 3.12 looks at this only where tracing begins
    sys.settrace(trace)
    try:
        call()
    except Stop:
        return True
    except TimeoutError:
        return False
    finally:
        sys.settrace(before)
    return False


def ends(promise: Future[int]) -> bool:
    """Whether another thread can set the result, and this one read it."""
    setter = Thread(target=promise.set_result, args=(7,), daemon=True)
    setter.start()
    setter.join(PATIENCE if isinstance(promise, Promise) else 0.1)
    return not setter.is_alive() and promise.result() == 7


def wait(promise: Future[int]) -> object:
    return promise.result(timeout=0)


def ask(promise: Future[int]) -> object:
    return promise.exception(timeout=0)


def listen(promise: Future[int]) -> object:
    return promise.add_done_callback(lambda _: None)


WAYS = pytest.mark.parametrize("way", [wait, ask, listen])


@WAYS
def test_a_promise_that_is_broken_off_anywhere_ends_all_the_same(
    way: Callable[[Future[int]], object],
) -> None:
    for opcodes in count():
        promise: Promise[int] = Promise()
        was_stopped = stopped_after(opcodes, partial(way, promise))
        assert ends(promise), opcodes
        if not was_stopped:
            break
    assert opcodes > 5


def test_a_plain_future_that_is_broken_off_may_never_end() -> None:
    """Else there is no need for promises, and the test above sees nothing."""
    for opcodes in range(200):
        future: Future[int] = Future()
        stopped_after(opcodes, partial(listen, future))
        if not ends(future):
            return
    pytest.fail("each of them ended")


@WAYS
def test_a_kept_promise_can_be_broken_off_anywhere_too(
    way: Callable[[Future[int]], object],
) -> None:
    for opcodes in count():
        promise: Promise[int] = Promise()
        promise.set_result(7)
        was_stopped = stopped_after(opcodes, partial(way, promise))
        assert promise.result() == 7
        if not was_stopped:
            break


@pytest.mark.parametrize("way", [wait, ask])
def test_a_promise_that_is_kept_as_a_wait_begins_hides_no_handlers_exception(
    way: Callable[[Future[int]], object],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    for opcodes in count():
        promise: Promise[int] = Promise()
        begin, kept = Lock(), Lock()
        begin.acquire(), kept.acquire()

        def keep(promise: Promise[int] = promise, begin: Any = begin, kept: Any = kept) -> None:
            begin.acquire()
            promise.set_result(7)
            kept.release()

        def late_lock(begin: Any = begin, kept: Any = kept) -> Any:
            begin.release()
            kept.acquire()
            return Lock()

        keeper = Thread(target=keep, daemon=True)
        keeper.start()
        monkeypatch.setattr("verifiers_math.promise.Lock", late_lock)
        was_stopped = stopped_after(opcodes, partial(way, promise))
        assert caplog.text == "", opcodes  # as that of a callback it would be logged, and no more
        if begin.locked() and keeper.is_alive():
            begin.release()
        keeper.join(PATIENCE)
        assert promise.result() == 7
        if not was_stopped:
            break
    assert opcodes > 5


def test_every_waiting_thread_gets_the_result() -> None:
    promise: Promise[int] = Promise()
    with ThreadPoolExecutor(8) as executor:
        waiting = [executor.submit(promise.result, PATIENCE) for _ in range(8)]
        promise.set_result(7)
        assert [one.result() for one in waiting] == [7] * 8


def test_callbacks_are_called_once_and_in_order_before_and_after_the_end() -> None:
    called: list[str] = []
    promise: Promise[int] = Promise()
    promise.add_done_callback(lambda done: called.append(f"first {done.result()}"))
    promise.add_done_callback(lambda done: called.append(f"second {done.result()}"))
    assert called == []
    promise.set_result(7)
    assert called == ["first 7", "second 7"]
    promise.add_done_callback(lambda done: called.append(f"late {done.result()}"))
    assert called == ["first 7", "second 7", "late 7"]


def test_one_callback_given_twice_is_called_twice() -> None:
    called: list[Future[int]] = []
    promise: Promise[int] = Promise()
    promise.add_done_callback(called.append)
    promise.add_done_callback(called.append)
    promise.set_result(7)
    assert called == [promise, promise]


def test_a_callback_that_raises_keeps_none_of_the_others(
    caplog: pytest.LogCaptureFixture,
) -> None:
    called: list[Future[int]] = []
    promise: Promise[int] = Promise()
    promise.add_done_callback(lambda _: 1 / 0)
    promise.add_done_callback(called.append)
    promise.set_result(7)
    assert called == [promise]
    assert "ZeroDivisionError" in caplog.text


def test_what_a_callback_raises_that_is_called_at_once_is_raised() -> None:
    """It may be the exception of a signal's handler, which nobody may hide."""
    promise: Promise[int] = Promise()
    promise.set_result(7)
    with pytest.raises(ZeroDivisionError):
        promise.add_done_callback(lambda _: 1 / 0)
    assert promise.result() == 7


def test_callbacks_that_come_while_it_ends_are_called_once() -> None:
    for _ in range(200):
        promise: Promise[int] = Promise()
        called: list[Future[int]] = []
        setter = Thread(target=promise.set_result, args=(7,))
        setter.start()
        for _ in range(20):
            promise.add_done_callback(called.append)
        setter.join(PATIENCE)
        assert called == [promise] * 20


def test_a_wait_that_is_too_long_is_a_timeout_and_leaves_the_promise_open() -> None:
    promise: Promise[int] = Promise()
    with pytest.raises(TimeoutError):
        promise.result(timeout=0.01)
    promise.set_result(7)
    assert promise.result() == 7
    assert promise.exception() is None


def test_an_exception_reaches_who_waits() -> None:
    promise: Promise[int] = Promise()
    promise.set_exception(ValueError("broken"))
    with pytest.raises(ValueError, match="broken"):
        promise.result()
    assert isinstance(promise.exception(), ValueError)


def test_a_cancelled_promise_ends_its_waits() -> None:
    promise: Promise[int] = Promise()
    with ThreadPoolExecutor(1) as executor:
        waiting = executor.submit(promise.result, PATIENCE)
        assert promise.cancel()
        with pytest.raises(CancelledError):
            waiting.result()
    assert not promise.set_running_or_notify_cancel()


async def test_an_event_loop_can_await_it() -> None:
    promise: Promise[int] = Promise()
    Thread(target=promise.set_result, args=(7,)).start()
    assert await asyncio.wrap_future(promise) == 7


def test_submitted_work_ends_in_its_promise() -> None:
    with ThreadPoolExecutor(1) as executor:
        assert submit(executor, divmod, 7, 2).result() == (3, 1)
        with pytest.raises(ZeroDivisionError):
            submit(executor, divmod, 7, 0).result()


def test_submitted_work_that_is_cancelled_in_time_is_never_done() -> None:
    done: list[int] = []
    begin = Event()
    with ThreadPoolExecutor(1) as executor:
        executor.submit(begin.wait, PATIENCE)
        promise = submit(executor, done.append, 7)
        assert promise.cancel()
        begin.set()
    assert done == []


def test_an_executor_that_is_shut_down_takes_no_work() -> None:
    executor = ThreadPoolExecutor(1)
    executor.shutdown()
    with pytest.raises(RuntimeError, match="shutdown"):
        submit(executor, divmod, 7, 2)
