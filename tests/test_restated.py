from __future__ import annotations

import pytest

from verifiers_math.equivalence.restated import restates_prompt

PROMPT = r"What is the value of $\frac{3}{4} + \frac{5}{6}$? And what is $17^2 - 4$?"


@pytest.mark.parametrize(
    ("gold", "answer", "restated"),
    [
        (r"\frac{19}{12}", r"\frac34+\frac56", True),
        (r"\frac{19}{12}", r"\dfrac{3}{4} + \dfrac{5}{6}", True),
        ("285", "17^2-4", True),
        ("285", "17^{2} - 4", True),
        (r"\frac{19}{12}", r"\frac{19}{12}", False),
        ("285", "285", False),
        ("289", "17^2", True),
        (r"\frac34", r"\frac{3}{4}", False),
        ("285", "7^2-4", False),
        ("17^2-4", "17^2-4", False),
        ("285", "x^2-4", False),
        ("4", "4", False),
    ],
)
def test_a_piece_of_the_question_that_is_not_worked_out_restates_it(gold, answer, restated):
    assert restates_prompt(gold, answer, PROMPT) is restated


@pytest.mark.parametrize(
    ("gold", "answer", "prompt"),
    [
        # values that are not plain numerals
        ("81", "3^4", "Work out $3^4$."),
        ("1/3", r"\frac{14}{42}", r"Reduce $\frac{14}{42}$."),
        ("5/3", r"1\frac{2}{3}", r"Write $1\frac23$ as an improper fraction."),
        ("2:5", "8:20", "Simplify 8:20"),
        # other operators
        ("x>3", "4x>12", "Solve $4x > 12$"),
        ("(-5,5)", "|x|<5", "Where is $|x|<5$?"),
        ("7", r"\lfloor 7.9\rfloor", r"Find $\lfloor 7.9\rfloor$"),
        ("20", r"\binom63", r"Count $\binom{6}{3}$."),
        ("5", r"\log_2(32)", r"Find $\log_2 32$."),
        (r"\frac12", r"\cos(60^\circ)", r"Find $\cos 60^\circ$."),
        # a wrapping that changes nothing
        ("(x-2)(x+2)", "(x^2-4)", "Factor $x^2-4$."),
        ("(x-2)(x+2)", r"\{x^2-4\}", "Factor $x^2-4$."),
        ("(x-2)(x+2)", "y=x^2-4", "Factor $x^2-4$."),
        ("(x-2)(x+2)", "x^2-4.0", "Factor $x^2-4$."),
        ("(x-2)(x+2)", "x^2-4+0", "Factor $x^2-4$."),
        ("4836", r"n = 62\times78", r"Compute $62\times 78$."),
    ],
)
def test_a_restated_question_in_other_clothes_is_still_one(gold, answer, prompt):
    assert restates_prompt(gold, answer, prompt)


@pytest.mark.parametrize(
    ("gold", "answer", "prompt"),
    [
        (r"\frac13", "1/3", "Is it 1/3 or 1/4?"),
        ("-6", r"-6\text{ cm}", "It moved by -6 cm."),
        ("3/2", r"\frac32", r"Is $\frac{3}{2}$ or $\frac{4}{3}$ larger?"),
        (r"(3,\infty)", "x>3", "Let x>3. Where is it?"),
        ("x = 7", "x=7", "Either x = 7 or x = 8"),
        ("x^2-4", "(x^2-4)", "Expand $(x-2)(x+2)$, that is x^2-4 or x^2+4"),
        ("25%", r"25\%", "Is it 25% or 30%?"),
    ],
)
def test_a_final_form_that_the_question_mentions_does_not_restate_it(gold, answer, prompt):
    assert not restates_prompt(gold, answer, prompt)


@pytest.mark.parametrize(
    ("gold", "answer", "prompt"),
    [
        # another sign, another order, a step that does nothing
        ("1/3", "14/42", r"Reduce $\frac{14}{42}$."),
        ("1/3", "14:42", r"Reduce $\frac{14}{42}$."),
        ("1/3", r"14\cdot 42^{-1}", r"Reduce $\frac{14}{42}$."),
        ("1/3", r"\frac{-14}{-42}", r"Reduce $\frac{14}{42}$."),
        ("4836", r"78\times62", r"Compute $62\times 78$."),
        ("4836", "(62)(78)", "Compute 62 * 78."),
        (r"2\sqrt5", r"20^{1/2}", r"Simplify $\sqrt{20}$."),
        (r"2\sqrt5", r"\sqrt[2]{20}", r"Simplify $\sqrt{20}$."),
        ("x^2-4", "(2+x)(x-2)", "Expand $(x-2)(x+2)$."),
        ("(x-2)(x+2)", r"x\cdot x-4", "Factor $x^2-4$."),
        ("(x-2)(x+2)", "-(4-x^2)", "Factor $x^2-4$."),
        ("120", "5!", r"How much is $5!$?"),
        (r"\{1,2,3\}", r"\{2,3\}\cup\{1,2\}", r"Find $\{1,2\}\cup\{2,3\}$."),
        # a numeral that was to be written in another form
        ("0.35", r"\frac{7}{20}", r"Write $\frac{7}{20}$ as a decimal."),
        (r"\frac{7}{20}", "0.35", "Express 0.35 as a common fraction."),
        ("0.35", r"35\%", "Convert 35% to a decimal."),
        ("12", r"\text{twelve}", "Write twelve in digits."),
        ("10", "C(5,2)", r"Compute $\binom{5}{2}$."),
    ],
)
def test_another_spelling_of_a_piece_of_the_question_restates_it(gold, answer, prompt):
    assert restates_prompt(gold, answer, prompt)


@pytest.mark.parametrize(
    ("gold", "answer", "prompt"),
    [
        ("0.35", r"\frac{7}{20}", r"One of $\frac{7}{20}$ is drawn. What is the chance?"),
        ("-3<x<2", "(-3, 2)", "Which part of $(-3, 2)$ is meant?"),
        ("6", "6", "Write 6 as a decimal."),
        (r"\frac12", "0.5", "It is 0.5 heavy. Express your answer as a common fraction."),
        ("0.5", r"50\%", r"The chance is 50\%. Give your answer as a decimal."),
        (r"\frac13", r"\text{one third}", "One third of them are red. Which part is red?"),
        ("12", "12", "Write twelve in digits."),
        (r"\frac{7}{20}", "7/20", r"Is it $\frac{7}{20}$? Write it as a fraction."),
        ("b+a", "a+b", r"Simplify $\frac{(a+b)^2}{a+b}$."),
        (r"\frac{x}{3}", r"\frac13x", r"Invert $y = 3x$."),
    ],
)
def test_a_value_in_a_final_form_is_no_piece_of_the_question(gold, answer, prompt):
    assert not restates_prompt(gold, answer, prompt)


@pytest.mark.parametrize(
    ("gold", "answer", "prompt", "restated"),
    [
        (r"\frac34", "0.75", "Express as a fraction: 0.75.", True),
        ("0.75", r"\frac34", "Convert to a decimal: 3/4", True),
        ("0.75", r"\frac34", "What is the decimal form of 3/4?", True),
        (r"\frac14", r"1 \text{ out of } 4", "What is 1 out of 4 as a fraction?", True),
        (r"90 \text{ minutes}", "1.5 hours", "Convert 1.5 hours to minutes.", True),
        (r"\frac{\pi}{4}", r"45^\circ", r"Convert $45^\circ$ to radians.", True),
        ("90 minutes", "90 minutes", "Convert 1.5 hours to minutes; 90 minutes is a guess.", False),
        (r"\theta = 45^\circ", r"45^\circ", r"Another angle is $45^\circ$.", False),
        ("3", "3 km", "A walks 3 km and back. How many km apart are both ends?", False),
        ("0.75", "0.75", "Write as a decimal: 3/4. A table lists 0.75 too.", False),
    ],
)
def test_what_is_to_be_converted_is_not_given_back(gold, answer, prompt, restated):
    assert restates_prompt(gold, answer, prompt) is restated


def test_a_long_question_is_looked_at_from_its_end():
    prompt = "Compute $1+1$. " * 500 + r"Compute $62\times 78$."
    assert restates_prompt("4836", r"78\cdot62", prompt)
