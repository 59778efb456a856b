from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifiers_math.equivalence import statements
from verifiers_math.equivalence.boxes import MAX_BOXES
from verifiers_math.equivalence.extract import find_answer, last_box, unwrap_gold

BOXES = [
    (r"so \boxed{42}.", "42"),
    (r"\boxed{\frac{1}{2}}", r"\frac{1}{2}"),
    (r"\boxed{\{1,2\}}", r"\{1,2\}"),
    (r"\boxed{a\}b}", r"a\}b"),
    (r"\boxed{\left\{\frac{1}{2}\right\}} done", r"\left\{\frac{1}{2}\right\}"),
    (r"\boxed{\boxed{5}}", "5"),
    (r"\boxed{x=\boxed{5}}", "5"),
    (r"\boxed{\text{box}}", r"\text{box}"),
    (r"\boxed {5}", "5"),
    ("\\boxed\n{5}", "5"),
    (r"\\boxed{5}", "5"),
    ("boxed{5}", "5"),
    (r"\Boxed{5}", "5"),
    (r"\fbox{5}", "5"),
    (r"\framebox{5}", "5"),
    (r"\framebox[2cm][c]{5}", "5"),
    (r"\boxed{5} as boxed above", "5"),
    (r"\boxed{5} and that is what the box holds", "5"),
    (r"\boxed 42", "42"),
    (r"\boxed 42.", "42"),
    (r"\boxed 1,234", "1,234"),
    (r"\boxed 42 is it", "42"),
    (r"$\boxed 42$ is it", "42"),
    (r"\boxed 4/5", "4/5"),
    (r"\boxed 4x+1", "4x+1"),
    (r"\boxed 2\pi", r"2\pi"),
    (r"\(\boxed 2\pi\) and so on", r"2\pi"),
    (r"\boxed\frac12", r"\frac12"),
    (r"$\boxed{5}$, for which I used \boxed", "5"),
    # several boxes
    (r"\boxed{1}, \boxed{2}", "1, 2"),
    (r"$\boxed{1}$ and $\boxed{2}$", "1, 2"),
    (r"\\boxed{1}, \\boxed{2}", "1, 2"),
    (r"\(\boxed{1}\), \(\boxed{2}\)", "1, 2"),
    (r"$$\boxed{1}$$ $$\boxed{2}$$", "1, 2"),
    (r"\boxed{1} \\ \boxed{2}", "1, 2"),
    (r"\boxed{1}\text{ and }\boxed{2}", "1, 2"),
    (r"$x = \boxed{1}$, $y = \boxed{2}$", "1, 2"),
    (r"x_1=\boxed{1}, \quad x_{2} = \boxed{2}", "1, 2"),
    (r"\boxed{A}, \boxed{B}, and \boxed{C}", "A, B, C"),
    (r"\boxed{1} or \boxed{2}", r"1 \text{ or } 2"),
    (r"\boxed{1}\text{ or }\boxed{2}", r"1 \text{ or } 2"),
    (r"\boxed{4}, \boxed{4}", "4"),
    ("\\boxed{4}\n\n\\boxed{4}", "4"),
    # the last word counts
    (r"\boxed{3} wait, no: \boxed{4}", "4"),
    (r"\boxed{3}. Actually it is \boxed{4}", "4"),
    (r"First \boxed{3}. " + "Words. " * 50 + r"\boxed{4}", "4"),
]


@pytest.mark.parametrize(("text", "answer"), BOXES)
def test_the_last_box_is_the_answer_with_those_directly_before_it(text, answer):
    assert find_answer(text).answer == answer
    assert find_answer(text, strict=True).answer == answer


@pytest.mark.parametrize(
    "text",
    [
        r"\boxed{1} and then \boxed{2",
        r"\boxed{1} and then \boxed{}",
        r"\boxed{1}, \boxed{ }",
        r"The answer is 5. \boxed{",
        r"\boxed{\frac{1}{2}",
        r"\boxed{a\}",
    ],
)
def test_an_unfinished_or_empty_last_box_is_no_answer_and_nothing_earlier_is_taken(text):
    assert find_answer(text).answer is None
    assert last_box(text) == ""


@pytest.mark.parametrize("text", ["42", "#### 42", r"\boxedfoo{5}", "unboxed{5}", r"\boxed", ""])
def test_strict_takes_a_box_and_nothing_else(text):
    assert find_answer(text, strict=True).answer is None
    assert last_box(text) is None


def test_twenty_thousand_boxes_of_one_value_are_one_answer():
    assert find_answer(r"\boxed{7} " * 20_000).answer == "7"


@pytest.mark.parametrize("box", [r"\boxed{7} ", r"\fbox{7}, ", r"\boxed 7, ", r"\boxed{7}\quad "])
def test_more_boxes_in_a_row_than_anyone_writes_are_no_answer(box):
    assert find_answer(box * MAX_BOXES).answer == "7"
    assert find_answer(box * (MAX_BOXES + 1)).answer is None


@pytest.mark.parametrize(
    ("row", "answer"),
    [
        (r"\boxed{1}, \boxed{2}, \boxed{1}, \boxed{3}", "1, 2, 3"),
        (r"\boxed{ 1 }; \boxed{1}, \boxed{2}", "1, 2"),
        (r"\fbox{1}, \boxed{2}, \boxed{3}", "1, 2, 3"),
        (r"\boxed{1}, \boxed{\frac12}, \boxed{3}", r"1, \frac12, 3"),
        (r"\boxed{1} and \boxed{2}, \boxed{3}", "1, 2, 3"),
        (r"\boxed{1} or \boxed{2}, \boxed{3}", "2, 3"),
        (r"\boxed{1} or \boxed{2} or \boxed{3}", r"1 \text{ or } 2 \text{ or } 3"),
        (r"\boxed{1}, words \boxed{2}, \boxed{3}", "2, 3"),
        (r"\boxed{}, \boxed{2}, \boxed{3}", "2, 3"),
        (r"\boxed{1, \boxed{2}, \boxed{3}", "2, 3"),
        (r"\boxed{1}" + " " * 61 + r"\boxed{2}, \boxed{3}", "2, 3"),
        (r"\boxed{1}" + " " * 60 + r"\boxed{2}, \boxed{3}", "1, 2, 3"),
    ],
)
def test_a_row_of_boxes_ends_where_something_else_stands(row, answer):
    assert find_answer(row).answer == answer


def test_a_box_that_straddles_the_scanners_chunks_is_found():
    for filler in range((1 << 16) - 12, (1 << 16) + 2):
        assert last_box(r"\boxed{41} \boxed{42}" + "x" * (filler - len("{42}"))) == "42"
        assert last_box("unboxed{1}" + " " * (filler - len("boxed{1}"))) is None


MARKED = [
    ("working\n#### 42", "42"),
    ("#### 42\nthank you", "42"),
    ("#### 1,234", "1,234"),
    ("####42", "42"),
    ("#### Answer: 42", "42"),
    ("#### The answer is 42.", "42"),
    ("#### **42**", "42"),
    ("#### Final Answer\n42", "42"),
    ("### Answer\n\n42", "42"),
    ("#### Step 2: add\n2+2\nThe answer is 42.", "42"),
    ("<answer>42</answer>", "42"),
    ("<answer> 3 </answer> no: <answer>\n42\n</answer>", "42"),
    ("<answer>The answer is 42.</answer>", "42"),
    ("<answer>Adding both gives the total, so the total is 42.</answer>", "42"),
    (r"<answer>\frac12</answer>", r"\frac12"),
]
PHRASES = [
    ("The final answer is 42.", "42"),
    ("The answer is $42$.", "42"),
    (r"the answer is \(42\).", "42"),
    ("The answer is: 42", "42"),
    ("the answer is 3.14.", "3.14"),
    ("**Answer:** 42", "42"),
    ("**Answer: 42**", "42"),
    ("**Answer:**\n42", "42"),
    ("A: 42", "42"),
    ("Ans: 42", "42"),
    ("answer = 42", "42"),
    ("My answer's 42.", "42"),
    ("The answer is therefore 42.", "42"),
    ("The answer is equal to 42.", "42"),
    ("The answer to the question is 42.", "42"),
    ("The answer (in cm) is 42.", "42"),
    ("The correct answer is (C).", "(C)"),
    ("The answer is x = 4.", "x = 4"),
    ("The answer is $5$ cm.", "$5$ cm"),
    ("The answer is $5$ or $6$.", "$5$ or $6$"),
    ("The answer is 12 or 13", "12 or 13"),
    ("Answer: 1,234", "1,234"),
    ("Answer: 12:30", "12:30"),
    ("Answer: 5 apples", "5 apples"),
    ("The answer is 42, since 40+2=42", "42"),
    ("The answer is 42 because 40+2=42.", "42"),
    ("The answer is 41. No, the answer is 42.", "42"),
    ("Final Answer: The final answer is $42$. I hope it is correct.", "42"),
]
WHOLE = [
    ("42", "42"),
    ("$42$", "$42$"),
    ("x = 4", "x = 4"),
    ("So x = 4.", "x = 4"),
    ("We get $x = 5$.", "$x = 5$"),
    ("We find that $x = 5$.", "$x = 5$"),
    (r"Answer \( x+1 \)", "x+1"),
    ("Ответ: 42", "42"),
    ("答案是：17。", "17"),
    ("その答えは $8$ です", "$8$"),
    ("答えは42です。", "42"),
    ("La respuesta es 12.", "12"),
    (r"La réponse est $\frac{1}{2}$.", r"\frac{1}{2}"),
    ("Die Antwort lautet: **3**", "3"),
    ("Jibu ni 30.", "30"),
    ("উত্তর হল 5", "5"),
    ("คำตอบคือ 6", "6"),
    ("సమాధానం: 9", "9"),
    ("42 because geometry says so", "42"),
    ("Yes, because 3 < 4", "Yes, because 3 < 4"),
    (r"\frac{1}{2}", r"\frac{1}{2}"),
    ("the red one", "the red one"),
    ("12 or 13", "12 or 13"),
]
SENTENCES = [
    ("He adds both. The total is 12.", "12"),
    ("There are 12 ways. So the total is $12$.", "12"),
    ("Adding up. Therefore, the result must be 7.", "7"),
    ("Adding up. Hence 7 is the answer.", "7"),
    ("If x is 3 and y is 4, then the sum of both is 7.", "7"),
    ("First this.\nThen that.\n\n$$5$$", "5"),
    ("First this.\nThen that.\n\\[\n5\n\\]", "5"),
    ("First this.\nThen that.\n\n5", "5"),
    ("Adding up. Thus the minimum value is $5$ when $x = 1$.", "5"),
    ("Adding up. So the largest area is 25 at x = 5.", "25"),
    ("Adding up. Then the least sum is $4$, attained at $x = 2$.", "4"),
    ("Adding up. The probability is 1/2 for n = 3.", "1/2"),
    ("Factor it. The solutions are x = 1, x = 2.", "x = 1, x = 2"),
    ("If x is 5 when y is 1, then the sum is 6.", "6"),
]


@pytest.mark.parametrize(("text", "answer"), MARKED + PHRASES + WHOLE + SENTENCES)
def test_without_a_box_the_answer_is_where_the_text_says_so(text, answer):
    assert find_answer(text).answer == answer


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "####",
        "#### ",
        "<answer>42",
        "<answer></answer>",
        "I do not know.",
        "I cannot solve this, maybe 5.",
        "It is impossible to say whether the value is 5.",
        "The answer is not 12.",
        "She has 12 apples left.",
        "There were 3 of them, and 5 more came in the evening of the second day.",
        "The sum of both is 3 and the product is 4.",
        "The answer is",
        "So the least of them is surely taken once $x = 1$ holds.",
    ],
)
def test_nothing_is_taken_where_no_answer_is_stated(text):
    assert find_answer(text).answer is None


def test_where_it_stood_is_told():
    texts = {
        r"\boxed{1}": "box",
        r"\boxed{1}, \boxed{2}": "boxes",
        "#### 1": "####",
        "<answer>1</answer>": "tag",
        "The answer is 1.": "phrase",
        "1": "whole",
        "He adds them up. The total is 12.": "sentence",
    }
    assert {text: find_answer(text).how for text in texts} == texts


@pytest.mark.parametrize(
    ("gold", "bare"),
    [
        ("5", "5"),
        (r"\boxed{5}", "5"),
        (r"The answer is \boxed{5}.", "5"),
        (r"\boxed{1}, \boxed{2}", "1, 2"),
        ("3+4=<<3+4=7>>7\n#### 1,000", "1,000"),
        (r"\boxed{}", r"\boxed{}"),
        ("#### ", "#### "),
        ("box", "box"),
        ("the answer is 5", "the answer is 5"),
        ("", ""),
    ],
)
def test_a_gold_is_unwrapped_from_a_box_or_hashes_only(gold, bare):
    assert unwrap_gold(gold) == bare


PIECES = [
    r"\boxed{", r"\boxed", "boxed{", r"\fbox{", "{", "}", r"\{", "1", "x", "$", "$$", r"\(",
    r"\)", "#### ", "<answer>", "</answer>", "the answer is ", "A:", "\n", ". ", " and ", " or ",
    ", ", "=", "\\", "**", "not ", "because ", "\ud800", "\x00", "½",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=15).map("".join))
def test_any_text_has_an_answer_or_a_reason(text):
    for strict in (False, True):
        found = find_answer(text, strict)
        assert found.how
        assert found.answer is None or found.answer
    assert isinstance(unwrap_gold(text), str)


@given(st.text(st.characters(exclude_categories=()), max_size=60))
def test_a_box_behind_any_text_without_one_is_found(text):
    assert last_box(text.replace("ox", "") + r" \boxed{42}") == "42"


@pytest.mark.parametrize(
    "text",
    [
        "I cannot solve this problem.\n\n7",
        "I can\u2019t answer that.\n$7$",
        "I'm unable to solve it. The answer is 7",
        "We give up, the answer is 7.",
        "Sorry, I can't. The answer is 7",
        "I don't know. The answer is 7.",
        "I have no idea, the answer is 7",
        # denied, doubted, supposed, asked
        "The answer can't be 7",
        "The answer cannot be 7.",
        "It is false that the answer is 7",
        "The wrong answer is 7",
        "An incorrect answer would be 7",
        "I doubt the answer is 7",
        "I doubt that the answer is 7",
        "We ask whether the answer is 7",
        "If the answer is 7",
        "The answer might be 7",
        "The answer could be 7.",
        "The answer is 7?",
        "Suppose x = 7",
        "Let x = 7",
        "5 is 7",
        "So 5 is 7",
        "Thus $5$ is 7.",
        "No way the answer is 7",
        "Nobody said the answer is 7",
        "This cannot be solved.\n7",
    ],
)
def test_words_that_refuse_deny_doubt_or_suppose_state_no_answer(text):
    assert find_answer(text).answer is None


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("A length cannot be negative. The answer is 7.", "7"),
        ("We cannot have x < 0, so the answer is 7.", "7"),
        ("We can't find both for small n. The answer is 7.", "7"),
        ('Ann says "I don\'t know". The answer is 7.', "7"),
        ("If we add them, the answer is 7.", "7"),
        ("The wrong signs are out. The answer is 7.", "7"),
        ("It is not zero; the answer is 7.", "7"),
        (r"I cannot solve this. \boxed{7}", "7"),
        ("The answer is 7, as desired.", "7"),
        ("The answer is 7 (seven).", "7"),
        ("The answer is 36 (thirty-six).", "36"),
        ("The answer is 36 (sixty-three).", "36 (sixty-three)"),
        ("It cannot be solved by factoring. The answer is 7.", "7"),
        ("The roots are $x=4$ and $x=9$.", "x=4, x=9"),
        ("So they are $4$, $5$, and $6$.", "4, 5, 6"),
        ("답은 19입니다.", "19"),
        ("정답: 19", "19"),
        ("Ответ — 19", "19"),
        ("Ответ: -19", "-19"),
    ],
)
def test_what_only_looks_like_a_refusal_or_a_doubt_is_read(text, answer):
    assert find_answer(text).answer == answer


@pytest.mark.parametrize(
    "joiner",
    [
        "Or",
        "or else",
        "(or ",
        r"\vee",
        "∨",
        "but also",
        "/",
        "oder",
        "or maybe",
        r"\text{ or }",
        "vs.",
    ],
)
def test_boxes_joined_by_an_or_of_any_spelling_are_candidates(joiner):
    found = find_answer(rf"\boxed{{8}} {joiner} \boxed{{9}}")
    assert found.answer == r"8 \text{ or } 9"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (r"\boxed{8 \text{ or } \boxed{9}}", r"8 \text{ or } {9}"),
        (r"\boxed{8, \boxed{9}}", "8, {9}"),
        (r"\boxed{\boxed{9}}", "9"),
        (r"\boxed{x = \boxed{9}}", "9"),
        (r"\boxed{x=8},\ \boxed{y=9}", "x=8, y=9"),
    ],
)
def test_a_box_in_a_box_keeps_what_stands_beside_it(text, answer):
    assert find_answer(text).answer == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Since $n>0$ and $n^2=49$, the root is positive, so $n=7$.", "n=7"),
        ("Both bases are equal, hence the exponents are, which gives $k=12$.", "k=12"),
        ("It is known that all is well, thus $A=\\frac12$.", "A=\\frac12"),
        (
            "We find the length that was asked for as follows:\n$$\n"
            "\\begin{aligned}\n5x &= 15 \\\\\nx &= 3\n\\end{aligned}\n$$",
            "x = 3",
        ),
        (
            "So the sum of these three terms comes to\n"
            "$$\\begin{aligned} S &= 1+2+3 \\\\ &= 6 \\end{aligned}$$",
            "6",
        ),
    ],
)
def test_the_conclusion_of_a_last_sentence_and_of_a_calculation_is_found(text, answer):
    assert find_answer(text).answer == answer


@pytest.mark.parametrize(
    "text",
    [
        "If the bases were equal, we would have $a=b$, so $n=7$.",
        "The bases cannot be equal, so $n=7$.",
        "All of this holds, so $n=7$ or $n=8$.",
        "All of this holds, so $n=7$ and then we add 2.",
        "The answer is 7. Wait, no, it is 8.",
        "The answer is 7. Actually, 8.",
        "They say the answer is 7.",
        "A hasty reader would say the answer is 7.",
    ],
)
def test_a_conclusion_that_is_supposed_doubled_or_taken_back_is_none(text):
    assert find_answer(text).answer is None


def test_an_aligned_list_of_names_is_not_cut_to_its_last_row():
    text = "$$\\begin{aligned} x &= 1 \\\\ y &= 2 \\end{aligned}$$"
    assert "x" in (find_answer(text).answer or "")


@pytest.mark.parametrize("tag", ["answer", "Answer", "ANSWER", "final_answer"])
def test_answer_tags_in_the_usual_cases(tag):
    assert find_answer(f"Thus <{tag}> 4 </{tag}>").answer == "4"


@pytest.mark.parametrize(
    "subject", re.sub(r"\([^()]*\)\??", "", statements._SUBJECTS).replace("?", "").split("|")
)
def test_no_subject_in_another_language_is_passed_over_for_want_of_its_stem(subject: str) -> None:
    assert any(stem in subject.lower() for stem in statements._SUBJECT_STEMS)
