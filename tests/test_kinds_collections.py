"""Comparison by kind: sets, lists, tuples, plus-minus."""

from __future__ import annotations

from tests.pure_verdicts import each_pair, says

SAME = [
    ("5", r"5 \text{ or } 5.0"),
    ("1:3", "0.333333"),
    ("3", r"3 \text{ (since } x>0)"),
    ("3", r"3 \text{ if } n \text{ is even}"),
]

SAME_BOTH_WAYS = [
    (r"\{1,2\}", "1,2"),
    (r"\{1,2\}", r"1 \text{ and } 2"),
    (r"\{1,2\}", r"\{2,1\}"),
    (r"\{1,2\}", r"\{1,2,2\}"),
    ("(3,5)", "3,5"),
    ("{1,2}", r"\{1,2\}"),
    ("[90]", "90"),
    (r"\{90\}", "90"),
    ("(90)", "90"),
    ("1,1,2", "2,1,1"),
    ("3; 5", "3, 5"),
    (r"3 \text{ and } 5", "3, 5"),
    (r"3 \text{ or } 5", "3, 5"),
    (r"\emptyset", r"\{\}"),
    (r"\emptyset", r"\varnothing"),
    ("(1,2),(3,4)", "(3,4),(1,2)"),
    (r"\{(1,2),(3,4)\}", "(3,4),(1,2)"),
    (r"\{\{1,2\},\{3\}\}", r"\{\{3\},\{2,1\}\}"),
    (r"1,2,3,\ldots", r"1,2,3,\ldots"),
    ("(2,3)", r"\langle 2,3\rangle"),
    ("2, 3", "[2, 3]"),
    ("a=1, b=2, c=3", "(1,2,3)"),
    ("(1,2)^T", r"\begin{pmatrix}1\\2\end{pmatrix}"),
    (r"\begin{pmatrix}1&2\end{pmatrix}^T", r"\begin{pmatrix}1\\2\end{pmatrix}"),
    (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}^T", r"\begin{pmatrix}1&3\\2&4\end{pmatrix}"),
    (r"-\begin{pmatrix}1\\2\end{pmatrix}", r"\begin{pmatrix}-1\\-2\end{pmatrix}"),
    (
        r"\begin{pmatrix}1\\2\end{pmatrix}+\begin{pmatrix}3\\4\end{pmatrix}",
        r"\begin{pmatrix}4\\6\end{pmatrix}",
    ),
    ("1:2", r"\frac{1}{2}"),
    ("1:3", r"\frac13"),
    ("2:3:5", "4:6:10"),
    ("-1:2", "1:-2"),
    ("a:b:c=1:2:3", "1:2:3"),
    (r"\begin{cases}x&x\ge0\\-x&x<0\end{cases}", r"\begin{cases}-x&x<0\\x&x\ge0\end{cases}"),
    (r"5, \text{blue}", r"5, \text{Blue}"),
    (r"1,\ldots,n", r"1,\ldots,n"),
    (r"60^\circ,60^\circ,60^\circ", "60,60,60"),
    (r"\$3, \$4", "3,4"),
    (r"10\%, 20\%", r"\frac1{10},\frac15"),
    (r"\frac{100}{3}\%, 50\%", r"\frac{100}{3}, 50"),
    (r"5, 25\%", "5, 25"),
    ("f(x)=x^2, g(x)=x^3", "x^2,x^3"),
    ("y=2x+1, y=-x", "y=-x, y=2x+1"),
    ("y=2x+1, y=-x", "2x-y+1=0, x+y=0"),
    (r"y = 2x+1 \text{ or } y=-x", r"y=-x \text{ or } y=2x+1"),
    ("y=2x+1, y=-x", "2x+1, -x"),
    ("x^2+y^2=1, x>0", "x^2+y^2=1, x>0"),
    (r"\frac{x^2}{4}+\frac{y^2}{3}=1", "3x^2+4y^2=12"),
    (r"y=\pm\sqrt{3}x", r"y=\sqrt3x, y=-\sqrt3x"),
    (r"y=\pm\sqrt{3}x", r"\sqrt3x-y=0,\sqrt3x+y=0"),
    (r"\sqrt3x\pm y=0", r"y=\pm\sqrt3x"),
    (r"x = \pm1, y=2", "(1,2),(-1,2)"),
]

DIFFERENT = [
    ("5", r"5 \text{ or } 6"),
    ("5", "4, 5"),
    ("5", r"\{4,5\}"),
    ("5", "(4,5)"),
    ("5", "[4,5]"),
    ("5", r"\{\}"),
    (r"\emptyset", r"\{\}\text{ or } 5"),
    ("1,2,3", "(1,2),3"),
    (r"\{1,2,3\}", "a=1, b=2, c=3"),
    ("1:3", "0.33"),
    ("3", r"3 \text{ if } n \text{ is even, } 4 \text{ if odd}"),
]

DIFFERENT_BOTH_WAYS = [
    ("(1,2)", r"\{1,2\}"),
    ("(3,5)", "5,3"),
    ("(3,5)", "(5,3)"),
    ("1,1,2", "1,2"),
    ("1,1,2", "1,2,2"),
    (r"\emptyset", "0"),
    (r"\emptyset", r"\{0\}"),
    (r"\emptyset", r"\{\emptyset\}"),
    ("[]", "5"),
    ("(1,2),(3,4)", "(2,1),(3,4)"),
    ("(1,2),(3,4)", "(1,2)"),
    ("(1,2),(3,4)", "(1,2),(3,4),(5,6)"),
    ("((1,2),3)", "(1,2,3)"),
    ("(1,(2,3))", "((1,2),3)"),
    (r"\{\{1,2\},\{3\}\}", r"\{\{1\},\{2,3\}\}"),
    (r"\{1,2,3\}", r"\{\{1,2\},3\}"),
    (r"1,2,3,\ldots", "1,2,3"),
    (r"1,2,\ldots,10", r"1,2,\ldots,9"),
    ("a=1, b=2, c=3", "(1,3,2)"),
    (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}^T", r"\begin{pmatrix}1&2\\3&4\end{pmatrix}"),
    (r"\begin{cases}x&x\ge0\\-x&x<0\end{cases}", r"\begin{cases}x&x\ge0\\-2x&x<0\end{cases}"),
    (r"\begin{cases}x&x\ge0\\-x&x<0\end{cases}", r"\begin{cases}x&x\ge1\\-x&x<1\end{cases}"),
    (r"5, \text{blue}", r"5, \text{red}"),
    (r"\text{A}", r"\text{B}"),
    (r"60^\circ, 30", r"\frac{\pi}{3}, 40"),
    (r"\$3, \$4", "€3, €4"),
    (r"\frac{100}{3}\%, 50\%", r"\frac{100}{3}, 0.5"),
    ("y=2x+1, y=-x", "2x-y+1=0, x-y=0"),
    ("x^2+y^2=1, x>0", "x^2+y^2=1, x<0"),
]

# Computer algebra may be asked about these; the pure stages never say that they are the same.
NEVER_SAME = [
    (r"\{\}", "()"),
    ("()", r"\{\}"),
    ("()", "5"),
    ("5", "()"),
]


@each_pair(SAME, SAME_BOTH_WAYS, DIFFERENT, DIFFERENT_BOTH_WAYS, NEVER_SAME)
def test_each_pair_has_the_verdict_of_its_table(gold, answer, verdicts):
    assert says(gold, answer) in verdicts
