"""Answers that differ from the gold in one place where a looser reading sees no difference."""

from __future__ import annotations

from tests.pure_verdicts import each_pair, says

SAME = [
    (r"23 \text{ R } 4", "23 remainder 4"),
    (r"x \equiv 3 \pmod{7}", "x = 3 mod 7"),
    (r"24\pi", r"24\pi (about 75.4)"),
    (r"5\text{ \AA}", "5"),
    (r"y = \frac{1}{x+C}", r"y = \frac{1}{x+c}"),
    (r"p \land q \lor r", r"r \lor q \land p"),
    (r"(-\infty,1)\cup(2,3)", "x<1 or x>2 and x<3"),
    (r"(-\infty, 5] \cup \{6\}", r"(-oo, 5] U {6}"),
    (r"\text{odd function}", "The function is odd"),
    (r"2 \text{ hours and } 30 \text{ minutes}", "150 minutes"),
    ("5 3 -2", "5  3  -2"),
    ("The equation has no real solutions", "no real solution"),
    (r"\text{Every real number except } 3", r"x \ne 3"),
]
DIFFERENT = [
    (r"23 \text{ R } 4", "4 R 23"),
    (r"23 \text{ R } 4", "23"),
    (r"x \equiv 3 \pmod{7}", "x = 3 mod 8"),
    ("3", "10 mod 7"),
    (r"24\pi", r"24\pi (about 80)"),
    (r"5\text{ \AA}", "5 nm"),
    (r"2.5\text{ \mu m}", "2.5 mm"),
    (r"\frac{a}{a+k}", r"\frac{a}{a+c}"),
    (r"p \land q \lor r", r"p \lor q \land r"),
    (r"\triangle ABC \cong \triangle DEF", r"\triangle ABC \sim \triangle DEF"),
    (r"\text{Friday, June } 7", "Thursday, June 7"),
    ("10 a.m.", "k = 10"),
    ("10 a.m.", r"\$10"),
    ("5 3 -2", "4 3 -1"),
    (r"1\ 2\ 3", "(1)(2)(3)"),
    ("The number $2n+1$ is odd", "The number $2n+3$ is odd"),
    (r"The function $f(x+1)-1$ is odd.", "The function $f(x+7)-1$ is odd."),
]
NEVER_SAME = [
    (r"24\pi", "(about 75.4)"),
    (r"$\frac{1}{2}$ if $n$ is even, $0$ if $n$ is odd", "n is odd"),
    (r"$\frac{1}{2}$ if $n$ is even, $0$ if $n$ is odd", "5 if n is odd"),
]


@each_pair(same=SAME, different=DIFFERENT, never_same=NEVER_SAME)
def test_one_place_decides(gold, answer, verdicts):
    assert says(gold, answer) in verdicts
