"""The question as its own answer, where the judge knows the question."""

from __future__ import annotations

import pytest

from tests.hostile.attempts import boxed, paid, prompted_rows

ECHOES = (
    (
        r"56088",
        r"Compute $123\times456$.",
        r"""
        123\times456
        123 \cdot 456
        123*456
        (123)(456)
        123(456)
        456\times123
        123 × 456
        1 2 3 \times 456
        123\times456\times1
        123\times(456)
        \left(123\right)\left(456\right)
        \text{123}\times\text{456}
        123 \text{ times } 456
        123\text{ multiplied by }456
        \{123\times456\}
        [123\times456]
        123\ast456
        123\cdot 456+0
        x=123\cdot456
        \frac{123}{1}\cdot456
        {123}\times{456}
        """,
    ),
    (
        r"1/2",
        r"Simplify $\frac{17}{34}$.",
        r"""
        \frac{17}{34}
        17/34
        \dfrac{17}{34}
        17\div34
        \tfrac{17}{34}
        17:34
        \frac{17.0}{34}
        17 \cdot 34^{-1}
        \frac{-17}{-34}
        """,
    ),
    (
        r"2\sqrt3",
        r"Simplify $\sqrt{12}$.",
        r"""
        \sqrt{12}
        \sqrt12
        12^{1/2}
        \sqrt[2]{12}
        √12
        12^{0.5}
        \sqrt{12}\cdot 1
        \sqrt{12.0}
        \sqrt{(12)}
        sqrt(12)
        """,
    ),
    (
        r"(x-1)(x+1)",
        r"Factor $x^2-1$.",
        r"""
        x^2-1
        -1+x^2
        x^2 - 1
        x^{2}-1
        x\cdot x-1
        x*x-1
        x**2-1
        x²-1
        -(1-x^2)
        x^2-1^2
        1\cdot(x^2-1)
        \frac{x^2-1}{1}
        (x)^2-(1)
        """,
    ),
    (
        r"x^2-1",
        r"Expand $(x-1)(x+1)$.",
        r"""
        (x-1)(x+1)
        (x+1)(x-1)
        (x-1)\cdot(x+1)
        (x-1)*(x+1)
        (1+x)(x-1)
        (-1+x)(x+1)
        """,
    ),
    (
        r"x>3",
        r"Solve $2x+1>7$.",
        r"""
        2x+1>7
        7<2x+1
        2x+1-7>0
        \{x: 2x+1>7\}
        \{x\mid 2x+1>7\}
        x:2x+1>7
        """,
    ),
    (
        r"x=2,x=3",
        r"Solve $x^2-5x+6=0$.",
        r"""
        x^2-5x+6=0
        \{x:x^2-5x+6=0\}
        \{x\mid x^2-5x+6=0\}
        (x-2)(x-3)=0
        x:x^2-5x+6=0
        \text{roots of }x^2-5x+6
        x^2=5x-6
        """,
    ),
    (
        r"\frac{\pi}{4}",
        r"Compute $\arctan 1$.",
        r"""
        \arctan 1
        \arctan(1)
        \tan^{-1}(1)
        atan(1)
        \arctan{1}
        \operatorname{arctan}1
        \arctan\frac{1}{1}
        """,
    ),
    (
        r"3",
        r"Compute $\log_2 8$.",
        r"""
        \log_2 8
        \log_{2}8
        \log_2(8)
        \log_{2}{8}
        \operatorname{log}_2 8
        """,
    ),
    (
        r"720",
        r"Compute $6!$.",
        r"""
        6!
        (6)!
        6 !
        """,
    ),
    (
        r"1024",
        r"Compute $2^{10}$.",
        r"""
        2^{10}
        2**10
        2^10
        (2)^{10}
        2^{(10)}
        {2}^{10}
        2^{10}\cdot1
        2^{10.0}
        """,
    ),
    (
        r"10",
        r"Compute $\binom52$.",
        r"""
        \binom52
        \binom{5}{2}
        {5\choose2}
        C(5,2)
        _5C_2
        {}_5C_2
        \dbinom{5}{2}
        C_5^2
        5C2
        """,
    ),
    (
        r"11",
        r"Convert $1011_2$ to base 10.",
        r"""
        1011_2
        1011_{2}
        1011_{\text{two}}
        (1011)_2
        1011_{(2)}
        0b1011
        1011\text{ base }2
        1011 \text{ in base 2}
        """,
    ),
    (
        r"0.25",
        r"Write 25% as a decimal",
        r"""
        25\%
        25 \text{ percent}
        25%
        """,
    ),
    (
        r"5",
        r"Compute $|{-5}|$.",
        r"""
        |-5|
        \left|-5\right|
        \lvert-5\rvert
        abs(-5)
        """,
    ),
    (
        r"5",
        r"Evaluate $\lfloor 5.7\rfloor$.",
        r"""
        \lfloor 5.7\rfloor
        \left\lfloor5.7\right\rfloor
        floor(5.7)
        \lfloor{5.7}\rfloor
        [5.7]
        """,
    ),
    (
        r"-1",
        r"Compute $i^{2}$.",
        r"""
        i^2
        i^{2}
        i\cdot i
        i*i
        """,
    ),
    (
        r"2",
        r"Find $\gcd(4,6)$",
        r"""
        \gcd(4,6)
        gcd(4,6)
        (4,6)
        \text{gcd of 4 and 6}
        \operatorname{GCD}(4,6)
        \mathop{\mathrm{gcd}}(4,6)
        \gcd\{4,6\}
        gcd{4,6}
        \text{HCF}(4,6)
        \max(\gcd(4,6),0)
        """,
    ),
    (
        r"3",
        r"What is 17 mod 7?",
        r"""
        17\bmod7
        17 mod 7
        17\pmod7
        17\%7
        17\mod 7
        17\ \text{mod}\ 7
        17 \text{ modulo }7
        17 \equiv 3
        \text{remainder of }17/7
        17 \operatorname{rem} 7
        """,
    ),
    (
        r"12",
        r"Find the lcm of 4 and 6",
        r"""
        \operatorname{lcm}(4,6)
        [4,6]
        lcm(4,6)
        \text{lcm}\{4,6\}
        """,
    ),
    (
        r"55",
        r"Compute $1+2+\dots+10$",
        r"""
        1+2+\dots+10
        1+2+3+\cdots+10
        \sum_{k=1}^{10}k
        Σk
        \Sigma_{k=1}^{10}k
        ∑_{k=1}^{10} k
        \mathop{\sum}_{k=1}^{10}k
        \displaystyle\sum_{k=1}^{10}k
        sum(range(11))
        T_{10}
        """,
    ),
    (
        r"2",
        r"Find $\lim_{x\to0}\frac{\sin 2x}{x}$",
        r"""
        \lim_{x\to0}\frac{\sin2x}{x}
        \frac{\sin2x}{x}
        \lim\frac{\sin 2x}{x}
        lim_{x->0} sin(2x)/x
        \text{lim}_{x\to0}\frac{\sin2x}{x}
        \underset{x\to0}{\lim}\frac{\sin2x}{x}
        \mathop{\lim}\limits_{x\to0}\frac{\sin2x}{x}
        \operatorname{lim}_{x\to0}\frac{\sin2x}{x}
        \varlimsup_{x\to0}\frac{\sin2x}{x}
        """,
    ),
    (
        r"1",
        r"Compute $\int_0^1 2x\,dx$",
        r"""
        \int_0^1 2x\,dx
        ∫_0^1 2x dx
        \int\limits_0^1 2xdx
        [x^2]_0^1
        x^2|_0^1
        \left.x^2\right|_0^1
        \left[x^2\right]_0^1
        \smallint_0^1 2xdx
        \intop_0^1 2x dx
        \mathrm{int}(2x,0,1)
        \oint_0^1 2x dx
        \iint 2 dx
        """,
    ),
    (
        r"2x",
        r"Find the derivative of $x^2$",
        r"""
        (x^2)'
        \frac{d}{dx}x^2
        D_x x^2
        \partial_x x^2
        f'(x)
        [x^2]'
        \dot{x^2}
        \frac{dx^2}{dx}
        d/dx x^2
        \nabla x^2
        \mathrm{D}(x^2)
        \frac{\mathrm d x^2}{\mathrm d x}
        x^2{}'
        {x^2}'
        (x^{2})^{\prime}
        \operatorname{diff}(x^2,x)
        \frac{\delta}{\delta x}x^2
        \frac{\Delta x^2}{\Delta x}
        """,
    ),
    (
        r"-2",
        r"Find $\det\begin{pmatrix}1&2\\3&4\end{pmatrix}$",
        r"""
        \det\begin{pmatrix}1&2\\3&4\end{pmatrix}
        \begin{vmatrix}1&2\\3&4\end{vmatrix}
        \left|\begin{matrix}1&2\\3&4\end{matrix}\right|
        \left|\begin{array}{cc}1&2\\3&4\end{array}\right|
        |\begin{pmatrix}1&2\\3&4\end{pmatrix}|
        """,
    ),
    (
        r"\begin{pmatrix}19&22\\43&50\end{pmatrix}",
        r"Multiply",
        r"""
        \begin{pmatrix}1&2\\3&4\end{pmatrix}\begin{pmatrix}5&6\\7&8\end{pmatrix}
        \begin{pmatrix}1&2\\3&4\end{pmatrix}\times\begin{pmatrix}5&6\\7&8\end{pmatrix}
        \begin{bmatrix}1&2\\3&4\end{bmatrix}\cdot\begin{bmatrix}5&6\\7&8\end{bmatrix}
        AB
        \left(\begin{array}{cc}1&2\\3&4\end{array}\right)\left(\begin{array}{cc}5&6\\7&8\end{array}\right)
        [[1,2],[3,4]]\cdot[[5,6],[7,8]]
        \begin{pmatrix}19&22\\43&50\end{pmatrix}^T
        \begin{pmatrix}19&22\\43&50\end{pmatrix}^{-1}
        2\begin{pmatrix}19&22\\43&50\end{pmatrix}
        """,
    ),
    (
        r"11",
        r"$(1,2)\cdot(3,4)$",
        r"""
        (1,2)\cdot(3,4)
        \langle1,2\rangle\cdot\langle3,4\rangle
        \begin{pmatrix}1\\2\end{pmatrix}\cdot\begin{pmatrix}3\\4\end{pmatrix}
        (1,2)^T(3,4)
        \begin{pmatrix}1&2\end{pmatrix}\begin{pmatrix}3\\4\end{pmatrix}
        """,
    ),
    (
        r"(4,6)",
        r"$(1,2)+(3,4)$",
        r"""
        (1,2)+(3,4)
        \langle1,2\rangle+\langle3,4\rangle
        2(2,3)
        2\cdot(2,3)
        """,
    ),
    (
        r"\{1,2,3\}",
        r"$\{1,2\}\cup\{2,3\}$",
        r"""
        \{1,2\}\cup\{2,3\}
        \{1,2\} ∪ \{2,3\}
        """,
    ),
    (
        r"5",
        r"Find the magnitude of (3,4)",
        r"""
        |(3,4)|
        \|(3,4)\|
        \left\|\begin{pmatrix}3\\4\end{pmatrix}\right\|
        \lVert\langle3,4\rangle\rVert
        """,
    ),
    (
        r"7+i",
        r"Compute $(1+2i)(\frac{9}{5}-\frac{13}{5}i)$",
        r"""
        (1+2i)(\frac{9}{5}-\frac{13}{5}i)
        """,
    ),
    (
        r"3",
        r"Number of divisors of 4",
        r"""
        \tau(4)
        d(4)
        \sigma_0(4)
        |\{1,2,4\}|
        \#\{1,2,4\}
        \text{card}\{1,2,4\}
        n(\{1,2,4\})
        """,
    ),
    (
        r"4",
        r"phi(8)",
        r"""
        \phi(8)
        \varphi(8)
        """,
    ),
    (
        r"6",
        r"permutation",
        r"""
        P(3,3)
        _3P_3
        {}^3P_3
        S_3
        A_3^3
        |S_3|
        3P3
        """,
    ),
    (
        r"0.5",
        r"prob",
        r"""
        P(A)
        \Pr(A)
        P(X=1)
        \mathbb{P}(X>0)
        E[X]
        """,
    ),
    (
        r"2",
        r"x",
        r"""
        \overline{2}
        \bar{2}
        \operatorname{tr}\begin{pmatrix}1&0\\0&1\end{pmatrix}
        \operatorname{rank}\begin{pmatrix}1&0\\0&1\end{pmatrix}
        \dim\mathbb{R}^2
        \deg(x^2)
        \arg
        \sup\{1,2\}
        \inf\{2,3\}
        \operatorname{mode}(2,2,3)
        \operatorname{median}(1,2,3)
        \operatorname{avg}(1,3)
        \langle1,3\rangle
        \operatorname{argmax}
        \operatorname{Res}_{z=0}\frac2z
        \nabla\cdot(x,y)
        \operatorname{round}(2.1)
        round(2.1)
        len([1,2])
        int(2.5)
        \operatorname{ord}(x)
        \operatorname{frac}(2)
        \text{the number of primes below }5
        \text{first prime}
        \pi(4)
        v_2(4)
        \nu_2(4)
        \operatorname{wt}(3)
        F_3
        """,
    ),
    (
        r"0.25",
        r"Write 25% as a decimal.",
        r"""
        25\%
        25%
        """,
    ),
    (
        r"0.15",
        r"Write $\frac{3}{20}$ as a decimal.",
        r"""
        \frac{3}{20}
        3/20
        \tfrac3{20}
        """,
    ),
    (
        r"\frac13",
        r"Express $0.\overline{3}$ as a common fraction.",
        r"""
        0.\overline{3}
        0.\overline3
        """,
    ),
    (
        r"25\%",
        r"Write 0.25 as a percent",
        r"""
        0.25
        """,
    ),
    (
        r"a+b",
        r"Simplify $\frac{a^2-b^2}{a-b}$",
        r"""
        \frac{a^2-b^2}{a-b}
        (a^2-b^2)/(a-b)
        \frac{-b^2+a^2}{a-b}
        (a^2-b^2)(a-b)^{-1}
        \frac{(a^2-b^2)}{(a-b)}
        """,
    ),
    (
        r"a-b",
        r"Simplify (a^2-b^2)/(a+b)",
        r"""
        \frac{a^2-b^2}{a+b}
        \dfrac{a^2-b^2}{b+a}
        """,
    ),
    (
        r"42",
        r"What is 6 * 7?",
        r"""
        6*7
        6\times7
        7\cdot 6
        (6)(7)
        """,
    ),
    (
        r"y=2x-3",
        r"Write $2x-y=3$ in slope intercept form",
        r"""
        2x-y=3
        2x - y = 3
        """,
    ),
    (
        r"3:4",
        r"ratio 6:8 simplified",
        r"""
        6:8
        \frac{6}{8}
        6/8
        """,
    ),
    (
        r"1.5",
        r"Convert $1\frac12$ to a decimal",
        r"""
        1\frac12
        1\tfrac{1}{2}
        1 1/2
        """,
    ),
    (
        r"0.125",
        r"Write $2^{-3}$ as a decimal",
        r"""
        2^{-3}
        """,
    ),
    (
        r"\frac{\sqrt2}{2}",
        r"Find $\sin 45^\circ$",
        r"""
        \sin 45^\circ
        \sin(45°)
        sin(45^\circ)
        \sin{45^{\circ}}
        """,
    ),
    (
        r"x>3 or x<1",
        r"Solve $(x-1)(x-3)>0$",
        r"""
        (x-1)(x-3)>0
        (x-3)(x-1)>0
        0<(x-1)(x-3)
        """,
    ),
    (
        r"7",
        r"Compute $|3-10|$",
        r"""
        |3-10|
        \left|3-10\right|
        \lvert 3-10 \rvert
        """,
    ),
    (
        r"4",
        r"Evaluate \(\sqrt{16}\)",
        r"""
        \sqrt{16}
        16^{0.5}
        \sqrt[2]{16}
        √16
        """,
    ),
    (
        r"4",
        r"Evaluate sqrt(16)",
        r"""
        \sqrt{16}
        sqrt(16)
        """,
    ),
    (
        r"\log 6",
        r"Simplify $\log 2+\log 3$",
        r"""
        \log2+\log3
        \log 3+\log 2
        \log(2)+\log(3)
        """,
    ),
    (
        r"12",
        r"Let $f(x)=x^2+3$. Find $f(3)$.",
        r"""
        f(3)
        x^2+3
        """,
    ),
)


@pytest.mark.parametrize(("gold", "prompt", "answer"), prompted_rows(ECHOES))
def test_a_piece_of_the_question_in_any_spelling_is_no_answer(verifier, gold, prompt, answer):
    assert paid(verifier, gold, boxed(answer), prompt=prompt) == [False, False]


WORKED_OUT = (
    (
        r"0.15",
        r"Write $\frac{3}{20}$ as a decimal.",
        r"""
        0.15
        0.150
        .15
        """,
    ),
    (
        r"\frac13",
        r"Express $0.\overline{3}$ as a common fraction.",
        r"""
        \frac{1}{3}
        1/3
        """,
    ),
    (
        r"\frac13",
        r"Is it 1/3? Express your answer as a common fraction.",
        r"""
        \frac{1}{3}
        1/3
        """,
    ),
    (
        r"5",
        r"There are 5 apples. Answer as a decimal",
        r"""
        5
        5.0
        """,
    ),
    (
        r"0.5",
        r"The coin has $\frac12$. What is P?",
        r"""
        1/2
        """,
    ),
    (
        r"2\sqrt3",
        r"Sides $a=2$ and $b=2\sqrt2$. Find $c$.",
        r"""
        2\sqrt3
        \sqrt{12}
        """,
    ),
    (
        r"x^2-1",
        r"Let $f(x)=x^2-1$. What is $f(x)$?",
        r"""
        x^2-1
        -1+x^2
        f(x)=x^2-1
        """,
    ),
    (
        r"\frac{x+1}{2}",
        r"If $y=2x-1$ find the inverse",
        r"""
        \frac{x+1}{2}
        \frac12(x+1)
        y=\frac{x+1}{2}
        """,
    ),
    (
        r"a+b",
        r"Simplify $\frac{a^2-b^2}{a-b}$",
        r"""
        a+b
        b+a
        """,
    ),
    (
        r"42",
        r"What is 6 times 7?",
        r"""
        42
        """,
    ),
    (
        r"x=2, x=3",
        r"Solve $x^2-5x+6=0$",
        r"""
        x=2, x=3
        2,3
        \{2,3\}
        """,
    ),
    (
        r"\sqrt{2}",
        r"Is $\sqrt{2}$ or $\sqrt3$ larger than 1.42?",
        r"""
        \sqrt2
        2^{1/2}
        """,
    ),
    (
        r"e^{x}",
        r"Differentiate $e^x$",
        r"""
        e^x
        \exp(x)
        """,
    ),
    (
        r"2x",
        r"Differentiate $x^2$",
        r"""
        2x
        x\cdot2
        x+x
        """,
    ),
    (
        r"\pi r^2",
        r"Area of circle with radius $r$, not $2\pi r$",
        r"""
        \pi r^2
        r^2\pi
        """,
    ),
    (
        r"-2<x<3",
        r"The roots are $(-2,3)$",
        r"""
        (-2,3)
        x\in(-2,3)
        """,
    ),
    (
        r"x^2+2x+1",
        r"Expand $(x+1)^2$.",
        r"""
        x^2+2x+1
        1+2x+x^2
        """,
    ),
    (
        r"(x+1)^2",
        r"Which is the square: (A) $x^2+2x+1$? Factor it.",
        r"""
        (x+1)^2
        (1+x)^2
        """,
    ),
    (
        r"\frac{3}{4}",
        r"Is $0.75$ equal to $\frac34$ as a common fraction?",
        r"""
        \frac34
        3/4
        """,
    ),
    (
        r"-\frac12",
        r"Find the slope of $y=-\frac12x+3$.",
        r"""
        -\frac12
        -1/2
        -0.5
        """,
    ),
    (
        r"2x-3",
        r"Line $y=2x-3$, give right side",
        r"""
        2x-3
        -3+2x
        y=2x-3
        """,
    ),
    (
        r"y=2x-3",
        r"Write $2x-y=3$ as slope intercept",
        r"""
        y=2x-3
        """,
    ),
    (
        r"2^{10}",
        r"Which is larger $2^{10}$ or $10^2$?",
        r"""
        2^{10}
        1024
        """,
    ),
    (
        r"1024",
        r"How many subsets has a set of $10$ elements?",
        r"""
        2^{10}
        """,
    ),
    (
        r"6",
        r"$3!$ people; how many are they?",
        r"""
        6
        6\text{ people}
        """,
    ),
    (
        r"\sqrt{13}",
        r"Distance from $(0,0)$ to $(2,3)$",
        r"""
        \sqrt{13}
        13^{1/2}
        """,
    ),
    (
        r"\frac{a}{b}",
        r"Let $\frac{a}{b}=k$. what is k?",
        r"""
        \frac ab
        a/b
        """,
    ),
    (
        r"3:4",
        r"ratio 6:8 simplified",
        r"""
        3:4
        \frac34
        """,
    ),
    (
        r"1.5",
        r"Convert $1\frac12$ to a decimal",
        r"""
        1.5
        """,
    ),
    (
        r"\frac{\sqrt2}{2}",
        r"Find $\sin 45^\circ$",
        r"""
        \frac{\sqrt2}{2}
        \frac1{\sqrt2}
        """,
    ),
    (
        r"x>3 or x<1",
        r"Solve $(x-1)(x-3)>0$",
        r"""
        x<1 \text{ or } x>3
        (-\infty,1)\cup(3,\infty)
        """,
    ),
    (
        r"\log 6",
        r"Simplify $\log 2+\log 3$",
        r"""
        \log6
        \log(2\cdot3)
        """,
    ),
    (
        r"12",
        r"Let $f(x)=x^2+3$. Find $f(3)$.",
        r"""
        12
        f(3)=12
        9+3=12
        """,
    ),
)


@pytest.mark.parametrize(("gold", "prompt", "answer"), prompted_rows(WORKED_OUT))
def test_a_value_counts_although_the_question_mentions_it(verifier, gold, prompt, answer):
    assert paid(verifier, gold, boxed(answer), prompt=prompt)[0]
