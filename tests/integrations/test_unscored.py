"""Answers that could not be judged, where a trainer takes only numbers."""

from __future__ import annotations

import logging
import pickle

import pytest

import verifiers_math as vf
from verifiers_math.answers import answer_judge
from verifiers_math.errors import UnscoredError
from verifiers_math.integrations.unscored import log_unscored, scored_reward


def test_answers_that_were_judged_have_their_reward() -> None:
    judge = answer_judge()
    assert scored_reward(judge.verdict(r"\boxed{4}", "4")) == 1.0
    assert scored_reward(judge.verdict(r"\boxed{5}", "4")) == 0.0
    assert scored_reward(judge.verdict("none", "4")) == 0.0


def test_an_answer_without_judgement_raises_an_error_that_pickles() -> None:
    verdict = answer_judge().verdict(r"\boxed{4}", None)
    with pytest.raises(UnscoredError, match="gold_unreadable: ") as caught:
        scored_reward(verdict)
    assert isinstance(caught.value, vf.VerifiersMathError)
    copy = pickle.loads(pickle.dumps(caught.value))
    assert copy.verdict == verdict
    assert str(copy) == str(caught.value)


def test_a_warning_counts_what_could_not_be_judged(caplog: pytest.LogCaptureFixture) -> None:
    judge = answer_judge()
    good, bad = judge.verdict(r"\boxed{4}", "4"), judge.verdict(r"\boxed{4}", None)
    with caplog.at_level(logging.WARNING):
        log_unscored([good, good], "test")
        assert caplog.records == []
        log_unscored([good, bad, bad], "test")
    (record,) = caplog.records
    assert record.name == "verifiers_math.integrations.test"
    assert "2 of 3 answers" in record.getMessage()
    assert record.getMessage().endswith("gold_unreadable 2")
