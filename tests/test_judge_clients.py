"""The clients of a judge: loops, threads, processes, and what the user may give."""

from __future__ import annotations

import asyncio
import copy
import gc
import inspect
import os
import pickle
import subprocess
import sys
import threading

import pytest

import verifiers_math as vf
from tests.chat_endpoint import Hang
from tests.judging import Stub, client_of, judge_of, rubric_of, scored, state

openai = pytest.importorskip("openai", reason="needs the judge extra")

S = vf.Status

# --- loops, threads, processes -----------------------------------------------------------------


def test_one_rubric_serves_an_event_loop_for_each_batch(endpoint, in_environment):
    given = {
        "client": client_of(endpoint),
        "class": openai.AsyncOpenAI,
        "function": lambda: client_of(endpoint),
        "environment": None,
    }
    for client in given.values():
        rubric = rubric_of(endpoint, judge_client=client, judge_cache_entries=0)
        for _ in range(2):
            states = [state(str(i)) for i in range(4)]
            asyncio.run(rubric.score_group(states))
            assert [s["reward"] for s in states] == [1.0] * 4
        assert rubric._endpoint.clients._lives == {}
    gc.collect()  # an open connection of a loop that is over would be a warning here


async def test_a_rubric_that_is_forgotten_leaves_no_connection_open(endpoint):
    await rubric_of(endpoint).score_rollout(state())
    gc.collect()
    assert (await scored(endpoint))["reward"] == 1.0
    gc.collect()
    await asyncio.sleep(0)


async def test_connections_are_kept_from_rollout_to_rollout(endpoint):
    rubric = rubric_of(endpoint)
    for i in range(5):
        await rubric.score_rollout(state(str(i)))
    assert endpoint.connections == 1


def test_one_rubric_serves_event_loops_in_several_threads(endpoint):
    endpoint.delay = 0.02
    rubric = rubric_of(endpoint)
    states = [state(str(i)) for i in range(8)]
    threads = [threading.Thread(target=rubric.score_rollout_sync, args=(s,)) for s in states]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [s["reward"] for s in states] == [1.0] * 8


def test_a_loop_that_is_closed_without_ceremony_is_forgotten(endpoint):
    rubric = rubric_of(endpoint, judge_client=lambda: Stub("yes"))
    loop = asyncio.new_event_loop()
    loop.run_until_complete(rubric.score_rollout(state()))
    loop.close()
    assert len(rubric._endpoint.clients._lives) == 1
    asyncio.run(rubric.score_rollout(state("other")))
    assert len(rubric._endpoint.clients._lives) == 0


@pytest.mark.parametrize("clone", [copy.deepcopy, lambda r: pickle.loads(pickle.dumps(r))])
async def test_a_rubric_pickles_and_makes_its_client_anew(endpoint, in_environment, clone):
    rubric = rubric_of(endpoint, judge_client=None, judge_model="m", max_characters=99)
    await rubric.score_rollout(state())
    twin = clone(rubric)
    assert (twin.judge_model, twin.max_characters, twin.counts["requests"]) == ("m", 99, 0)
    result = state()
    await twin.score_rollout(result)
    assert result["reward"] == 1.0
    assert len(endpoint.requests) == 2
    assert twin.class_objects["judge"] == twin.judge
    assert twin.class_objects["judge_client"].base_url == endpoint.url + "/"


def test_a_client_cannot_be_pickled_and_the_error_says_what_can(endpoint):
    with pytest.raises(TypeError, match="give a function that makes the client"):
        pickle.dumps(judge_of(endpoint))
    pickle.loads(pickle.dumps(judge_of(endpoint, judge_client=openai.AsyncOpenAI)))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_has_its_own_client(endpoint):
    rubric = rubric_of(endpoint)

    async def fork():
        await rubric.score_rollout(state("before"))
        child = os.fork()
        if child == 0:
            os._exit(_scores_one(rubric))
        return await asyncio.to_thread(os.waitpid, child, 0)

    _, status = asyncio.run(fork())
    assert os.waitstatus_to_exitcode(status) == 0
    assert len(endpoint.requests) == 2


def _scores_one(rubric):
    result = state("in the child")
    thread = threading.Thread(target=rubric.score_rollout_sync, args=(result,))
    thread.start()
    thread.join(30)
    return 0 if result.get("reward") == 1.0 and rubric.counts["total"] == 2 else 1


async def test_a_closed_rubric_asks_nobody(endpoint):
    for close in ("close", "teardown"):
        endpoint.requests.clear()
        rubric = rubric_of(endpoint)
        await rubric.score_rollout(state())
        done = getattr(rubric, close)()
        if inspect.isawaitable(done):
            await done
        rubric.close()
        result = state("another")
        await rubric.score_rollout(result)
        assert "closed" in result["errors"]["judge_answer"]
        assert len(endpoint.requests) == 1
        async with asyncio.timeout(60):
            while rubric._endpoint.clients._lives:  # noqa: ASYNC110 - nobody is told of the end
                await asyncio.sleep(0.01)


async def test_closing_ends_what_is_under_way_with_an_error(endpoint):
    endpoint.say = Hang
    rubric = rubric_of(endpoint)
    result = state()
    task = asyncio.create_task(rubric.score_rollout(result))
    await asyncio.to_thread(endpoint.asked.wait, 30)
    rubric.close()
    await asyncio.wait_for(task, 60)
    assert result["judge_verdict"].status is S.ERROR


# --- clients -----------------------------------------------------------------------------------


@pytest.mark.parametrize("is_async", [True, False])
async def test_anything_that_behaves_like_a_client_is_one(is_async):
    stub = Stub("yes", is_async)
    rubric = vf.JudgeRubric(judge_client=stub)
    verdict = await rubric.verdict("2+2?", "4", "four")
    assert verdict.equal
    assert rubric.judge_client is rubric.class_objects["judge_client"] is stub
    await rubric.teardown()
    assert stub.closed == 0  # it was made by the caller


def test_a_client_that_a_function_made_is_closed_with_its_loop():
    made = []

    def make():
        made.append(Stub("yes"))
        return made[-1]

    rubric = vf.JudgeRubric(judge_client=make)
    for _ in range(2):
        assert asyncio.run(rubric.verdict("2+2?", "4", "four")).equal
    assert [stub.closed for stub in made] == [1]  # the second answer was known
    assert asyncio.run(rubric.verdict("2+2?", "4", "vier")).equal
    assert [stub.closed for stub in made] == [1, 1]


@pytest.mark.parametrize("error", [TimeoutError(), ConnectionResetError(), ValueError("odd")])
async def test_whatever_a_client_raises_is_an_error_verdict(error):
    stub = Stub(error)
    rubric = vf.JudgeRubric(judge_client=stub, judge_retries=1, judge_backoff_seconds=0)
    verdict = await rubric.verdict("2+2?", "4", "four")
    assert (verdict.status, verdict.stage) == (S.ERROR, "judge")
    assert type(error).__name__ in verdict.detail
    assert len(stub.calls) == (2 if isinstance(error, OSError) else 1)


async def test_a_transport_of_the_users_is_used_and_left_open(endpoint):
    seen = []

    async def look(request):
        seen.append(request.url.path)

    transport = openai.DefaultAsyncHttpxClient(event_hooks={"request": [look]})
    client = openai.AsyncOpenAI(api_key="test", base_url=endpoint.url, http_client=transport)
    rubric = rubric_of(endpoint, judge_client=client)
    await rubric.score_rollout(state())
    await rubric.teardown()
    assert seen == ["/v1/chat/completions"]
    assert not transport.is_closed
    await transport.aclose()


BAD_OPTIONS = [
    ({"judge_timeout_seconds": 0}, ValueError),
    ({"judge_timeout_seconds": float("inf")}, ValueError),
    ({"judge_retries": -1}, ValueError),
    ({"judge_backoff_seconds": -1}, ValueError),
    ({"judge_concurrency": 0}, ValueError),
    ({"judge_cache_entries": -1}, ValueError),
    ({"max_characters": 0}, ValueError),
    ({"judge_prompt": "Is it right?"}, ValueError),
    ({"judge_client": "http://127.0.0.1"}, TypeError),
    ({"judge_models": "m"}, TypeError),
    ({"weights": [1.0]}, ValueError),
]


@pytest.mark.parametrize(("options", "error"), BAD_OPTIONS, ids=lambda value: str(value)[:30])
def test_bad_arguments_are_refused_by_name(options, error):
    name = next(iter(options))
    with pytest.raises(error, match="eights" if name == "weights" else name):
        vf.JudgeRubric(**options)


def test_a_synchronous_client_is_refused():
    with openai.OpenAI(api_key="test") as client, pytest.raises(TypeError, match="event loop"):
        vf.JudgeRubric(judge_client=client)


def test_without_openai_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(ImportError, match=r"pip install 'verifiers-math\[judge\]'"):
        vf.JudgeRubric()
    vf.JudgeRubric(judge_client=Stub("yes"))


def test_a_missing_key_is_raised_before_any_rollout_is_scored(monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY"):
        monkeypatch.delenv(name, raising=False)
    rubric = vf.JudgeRubric(on_error="zero")
    rubric.add_reward_func(rubric.judge_answer)
    with pytest.raises(openai.OpenAIError, match="OPENAI_API_KEY"):
        rubric.score_rollout_sync(state())
    with pytest.raises(openai.OpenAIError):
        vf.MathRubric(fallback=rubric).score_rollout_sync(state())


def test_making_a_rubric_loads_no_openai():
    script = "import verifiers_math as vf, sys; vf.JudgeRubric(); print('openai' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"


def test_a_rubric_without_functions_says_which_there_is(endpoint):
    with pytest.raises(ValueError, match=r"add_reward_func\(rubric\.judge_answer\)"):
        judge_of(endpoint).score_rollout_sync(state())


def test_the_names_are_those_of_verifiers():
    names = list(inspect.signature(vf.JudgeRubric).parameters)
    assert names[:3] == ["funcs", "weights", "parser"]
    assert {"judge_client", "judge_model", "judge_sampling_args", "judge_prompt"} <= set(names)
    rubric = vf.JudgeRubric(judge_client=Stub("yes"))
    assert rubric.judge_model == "gpt-4.1-nano"
    assert set(rubric.class_objects) == {
        *("parser", "judge", "judge_client", "judge_model", "judge_prompt", "judge_sampling_args")
    }
    assert list(inspect.signature(rubric.judge).parameters) == [
        *("prompt", "completion", "answer", "state")
    ]
