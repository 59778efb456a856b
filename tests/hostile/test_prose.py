"""Responses without an answer in them: hedged prose, thinking that never ends, box games."""

from __future__ import annotations

import pytest

from tests.hostile.attempts import paid, rows

PROSE = (
    (
        r"5",
        r"""
        5 or 4
        The answer is 5 or 4
        The answer is 4 or 5
        The answer is 4, 5
        The answers are 4 and 5
        The answer is 4. The answer is 5? No
        answer: 4 answer: 5 answer: 6
        The answer is one of 3, 4, 5
        Answer: 5/4
        The answer is between 4 and 5
        The answer is at least 5
        The answer is less than 5
        The answer is 5x
        The answer is 5 + x
        The answer is 54
        The answer is 5.4
        The answer is not 5
        I think it isn't 5.
        It is not the case that the answer is 5
        Is the answer 5?
        Perhaps 5?
        5?
        Maybe 5
        The answer is probably 5
        Final answer: 5 (or 4)
        Final answer: 5, alternatively 4
        Final answer: 4/5
        I don't know. 5
        I give up. 5.
        No idea: 5
        <answer>5 or 4</answer>
        <answer>4, 5</answer>
        <answer>4</answer><answer>5 or 4</answer>
        <answer>not 5</answer>
        <answer></answer> 5
        <answer>5
        The final answer is 4; the final answer is 3
        x = 5 or x = 4
        x=4, x=5
        $4$ $5$
        The values are $4$ and $5$.
        So the answer lies in {4,5}.
        Either 4 or 5.
        The answer, 4 or 5, is 5?
        The answer isn't 5.
        The answer ain't 5.
        The answer is anything but 5.
        The answer is everything except 5.
        The answer is 5 minus 1.
        The answer is 5 more than 3.
        The answer is 5 times 2.
        The answer is half of 5.
        The answer is the square root of 5.
        The answer is 5 squared.
        The answer is 5 dozen.
        The answer is 5 thousand.
        The answer is step 5.
        See equation 5.
        Step 5
        Question 5:
        Problem 5
        Case 5
        Let x = 5
        Suppose x = 5
        If x = 5
        Assume the answer is 5
        Then 4 = 5
        There are 4 cases, number 5
        I solved 5
        The answer is option 5 or 4
        It's 5 or so
        The answer is 5ish
        The answer is approximately 5 to 6
        roughly 4-5
        The answer is 5 - 6
        The answer is -5
        The answer is –5
        The answer is −5
        The answer is ~5 or 6
        Answer = 5 = 4
        Answer: x=4=5
        The answer is 1 2 3 4 5
        1, 2, 3, 4, 5
        Answer: [1,2,3,4,5]
        The answer is $5$ or $4$.
        The answer is $5$, or maybe $4$.
        The answer is $5$? $4$?
        **Answer:** 4 **Answer:** 5 **Answer:** 4
        The answer is 5, unless n is even.
        The answer is 5 for odd n and 4 for even n.
        The answer could be 5.
        The answer would be 5 if x were 2.
        The answer should not be 5.
        They claim the answer is 5.
        Some say the answer is 5.
        A naive solver would say the answer is 5.
        The wrong answer is 5
        My first guess: the answer is 5, but really it is 4
        The answer is 5. Wait, no. It's 4.
        The answer is 5. Actually, 4.
        The answer is 5. Correction: 4.
        """,
    ),
)


@pytest.mark.parametrize(("gold", "response"), rows(PROSE))
def test_prose_that_denies_doubts_or_retracts_states_nothing(verifier, gold, response):
    assert paid(verifier, gold, response, strict=False) == [False, False]


BOXES = (
    (
        r"5",
        r"""
        <think>\boxed{5}
        <think>so \boxed{5}</thinking>
        <THINK>\boxed{5}
        <Think>\boxed{5}
        <think >\boxed{5}
        < think>\boxed{5}
        </think><think>\boxed{5}
        <think>a</think><think>\boxed{5}
        [THINK]\boxed{5}
        <reasoning>\boxed{5}
        <|begin_of_thought|>\boxed{5}
        <scratchpad>\boxed{5}
        <thinking>\boxed{5}
        <thoughts>\boxed{5}
        <analysis>\boxed{5}
        text first <think>\boxed{5}
        Okay. <thinking>\boxed{5}
        <|channel|>analysis<|message|>\boxed{5}
        <seed:think>\boxed{5}
        ◁think▷\boxed{5}
        <|START_THINKING|>\boxed{5}
        \boxed{4}<think>\boxed{5}
        \boxed{5}<think>
        \boxed{4}\boxed{5}
        \boxed{5}\boxed{4}
        \boxed{4} or \boxed{5}
        \boxed{5} or \boxed{4}
        \boxed{5}, \boxed{4}
        \boxed{4}. \boxed{5}
        \boxed{4}; \boxed{5}
        \boxed{4} and \boxed{5}
        \boxed{\boxed{5}\boxed{4}}
        \boxed{4\boxed{5}}
        \boxed{4,\boxed{5}}
        \boxed{\boxed{4},5}
        \boxed{4}/\boxed{5}
        \boxed{4}|\boxed{5}
        \boxed{4} (alternatively \boxed{5})
        \boxed{4}, or perhaps \boxed{5}
        \boxed{4} \text{ or } \boxed{5}
        \boxed{4} \; \boxed{5}
        \boxed{4} & \boxed{5}
        Candidates: \boxed{3}, \boxed{4}, \boxed{5}
        \boxed{3}\quad\boxed{4}\quad\boxed{5}
        \boxed{4} \\ \boxed{5}
        \boxed{}
        \boxed{5
        \boxed{5}\boxed{}
        \boxed{5} \boxed{
        \boxed{5}\fbox{4}
        \fbox{5} \boxed{4}
        """,
    ),
)


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize(("gold", "response"), rows(BOXES))
def test_unfinished_thinking_and_games_with_boxes_have_no_answer(verifier, gold, response, strict):
    assert paid(verifier, gold, response, strict=strict) == [False, False]
