"""Answers of another kind than the gold, and relations that name nothing."""

from __future__ import annotations

import pytest

from tests.hostile.attempts import boxed, paid, rows

RELATIONS = (
    (
        r"5",
        r"""
        5=x^2
        x^2=5
        x+1=5
        2x=5
        x+0=5
        4=5
        x=4=5
        x=4,5
        x=4, x=5
        x=5, y=4
        x=5=4
        \sqrt{x}=5
        |x|=5
        x!=5
        x'=5\text{ or }4
        x\ne5
        x\neq 5
        x<5
        x\in\{5,4\}
        x\in[5,6]
        5=4
        5\equiv 4
        5\mod 4
        5\pmod 4
        5 \to 4
        4\to5
        4\mapsto5
        f:4\mapsto5
        5\mid 10
        5 | 10
        5\cong4
        5\perp4
        5‰
        5\permil
        5_6
        5_{10}4
        10_5
        12_3
        101_2
        0x5\text{, }4
        5\text{e}1
        5e1
        5E0, 4
        \log 5
        \text{log}5
        5\text{C}3
        5P2
        5\text{ choose }1
        5 \text{ mod } 7
        10/2, 4
        \text{five or four}
        \text{V}
        """,
    ),
)


@pytest.mark.parametrize(("gold", "answer"), rows(RELATIONS))
def test_a_relation_or_an_operation_that_holds_the_value_does_not_state_it(verifier, gold, answer):
    assert paid(verifier, gold, boxed(answer)) == [False, False]


KINDS = (
    (
        r"2x+3",
        r"""
        2x+3 \text{ or } 2x-3
        2x\pm3
        2x+3=0
        2X+3
        2x+3i
        2x+3y
        2y+3
        2x+3+\epsilon
        2x+3+0\cdot\infty
        2x+3, x\ne0, 2x-3
        2x-(-3)+C
        2x+3\ldots
        2x+3+\ldots
        \{2x+3, 5\}
        2x+3\text{ m}\cdot 2
        2х+3
        2χ+3
        2𝑥+4
        2\mathbf{y}+3
        2\text{x}+3y
        \int 2\,dx+3
        \frac{d}{dx}(x^2+3x)
        (x^2+3x)'
        f'(x)
        2x+3 \pmod 5
        2x+\text{three or four}
        2|x|+3
        2\sqrt{x^2}+3
        2\lfloor x\rfloor+3
        2\max(x,0)+3
        2x+3\operatorname{sgn}(x)
        2x+3\cdot1^x\cdot(-1)^{x}
        2x+3\mathbb{1}_{x>0}
        2x+3 \text{ if }x>0, 0 \text{ else}
        \begin{cases}2x+3&x>0\\0&x\le0\end{cases}
        2x+3H(x)
        2x+3u(x)
        2x+3\theta(x)
        2x+\sqrt[3]{27}\frac{|x|}{x}
        2x+3\cdot\frac{\sqrt{x^2}}{x}
        2x+3\cos(2\pi x)
        2x+3\cos(2\pi\cdot 1000000 x)
        2x+3+\frac{1}{10^{50}}
        2x+3+10^{-100}x
        2x+3+\sin(\pi x)10^{-30}
        2x+3+e^{-10^6 x^2}
        2x+3+\max(0,x-10^{12})
        2x+3+\max(0,|x|-10^{3})
        2x+3+\lfloor\frac{x^2}{10^{9}}\rfloor
        \sqrt{(2x+3)^2}
        \ln e^{2x+3}+i
        \log(10^{2x+3})\cdot2
        \arcsin(\sin(2x+3))
        \arctan(\tan(2x+3))
        \arccos\cos(2x+3)
        """,
    ),
    (
        r"\frac{\pi}{4}",
        r"""
        0.7853
        0.78539
        0.79
        45
        \frac{\pi}{4}\text{ or }\frac{3\pi}{4}
        \pi/4+2\pi k
        \frac{\pi}{4},\frac{5\pi}{4}
        \frac{22}{28}
        \frac{355}{452}
        \frac{314159265}{400000000}
        3.14159265/4
        \frac{3.14}{4}
        \frac{Π}{4}
        \frac{π}{4}\text{ or }1
        \frac{п}{4}
        \frac{\Pi}{4}
        \frac{\varpi}{4}
        \frac{p}{4}
        \arg(1+i)\cdot2
        \sum\frac{(-1)^n}{2n+1}
        1-\frac13+\frac15-\cdots
        \int_0^1\frac{dx}{1+x^2}
        \tan^{-1}1\text{ or }0
        \tan 1
        \cot 1
        \frac{\pi}{4}\cdot\frac{x}{y}
        \frac{\pi}{4}r^2
        \frac{\pi r^2}{4r^2}+C
        \pi\cdot4
        4/\pi
        \pi \div 4 \cdot 2
        -\frac{\pi}{4}
        """,
    ),
    (
        r"(1,2)",
        r"""
        (2,1)
        \{1,2\}
        [1,2]
        (1,2]
        [1,2)
        (1,2),(2,1)
        (1,2),(3,4)
        (1,2,3)
        (1,2)\text{ or }(2,1)
        (1;2;3)
        1+2i
        \binom12
        \frac12
        1.2
        12
        x=2,y=1
        y=1,x=2
        (y,x)=(1,2)
        (x,y)=(2,1)
        (1,\infty)
        (1,2)^T\cdot2
        2(1,2)
        (1,2)+(0,1)
        (\pm1,\pm2)
        (1,\pm2)
        (1,x)
        (1,2,\ldots)
        \langle2,1\rangle
        \{(1,2),(2,1)\}
        \text{all }(a,b)
        (a,b)
        \mathbb{R}^2
        (1..2)
        1\times2
        1\to2
        1:2
        1|2
        1\text{ and }2\text{ or }3
        ((1,2),3)
        (1,(2,3))
        1,2,1,2
        2,1
        """,
    ),
    (
        r"1,2,3",
        r"""
        1,2,3,4
        1,2
        1,2,3,3
        1,1,2,3
        0,1,2,3
        1,\ldots,3,4
        \{0,1,2,3\}
        \mathbb{N}
        x\in\mathbb{N}
        1\le n\le 3
        1\le x\le3
        [1,3]
        (1,3)
        0<x<4
        1,2,3,\ldots
        123
        1.23
        1,23
        6
        1,2,\text{ or }3, 4
        x=1,y=2,z=3,w=4
        \{1,2,3\}\cup\{4\}
        \{1,2,3\}\cap\{1\}
        \{1,2,3\}\setminus\{1\}
        \{x|x^3-6x^2+11x-6=0\}
        \{n: 1\le n\le4\}
        \{n : n|6, n\neq6, n \ge 0\}
        \text{divisors of }6
        (x-1)(x-2)(x-3)=0
        1,2,3 \text{ and maybe } 4
        1,2,3\text{ (check)}4
        1,2,x
        1,2,3i
        -1,2,3
        \pm1,2,3
        1,2,\pm3
        """,
    ),
    (
        r"[1,3)",
        r"""
        (1,3]
        (1,3)
        [1,3]
        1<x<3
        1\le x\le3
        1\le x
        x<3
        \{1,2\}
        1\le n<3, n\in\mathbb{Z}
        [1,3)\cup\{3\}
        [1,3)\cup[3,4)
        [1,2)\cup(2,3)
        x\ge1\text{ or }x<3
        [1,3)\setminus\{2\}
        x \in [1,3) \text{ or } x = 5
        x\ge1, x\le3
        ]1,3[
        ]1,3]
        [1,3[ \cup [3,5]
        1\le y \le 3
        \mathbb{R}
        x\in\mathbb{R}
        [1,\infty)
        (-\infty,3)
        [1,3)\cap\mathbb{Z}
        [1,3-\epsilon]
        [1,2.999999]
        [1,2.9999999999]
        \{x:x^2-4x+3<0\}
        x^2-4x+3\le0
        |x-2|\le1
        |x-2|<1
        3>x>1
        """,
    ),
    (
        r"\frac{1}{3}",
        r"""
        0.3
        0.33
        0.333
        0.3333
        0.33333
        0.3333335
        33\%
        33.3\%
        33.33\%
        0.\overline{3}4
        0.33\overline{34}
        0.3\ldots4
        1/3.0001
        1:4
        3:1
        1\text{ to }4
        \frac{1}{3}\%
        \frac13\text{ or }\frac23
        \frac{1}{3}=\frac{2}{3}
        1\frac13
        \frac{1}{3}x
        \frac{1}{3}+C
        \frac{x}{3x}\text{ or }0
        \frac{1}{3}\approx0.4
        0.4\approx\frac13
        \frac{1}{3}\approx 0.333\text{ or }0.4
        \frac{1}{3} \ne \frac{1}{3}
        3^{-1}\text{ or }3
        \frac13>0.4
        P=\frac13, Q=\frac23
        1-\frac13
        \text{odds }1:3
        \frac{1}{3}\text{ of }2
        \text{one third of }x
        \frac{1}{3}!
        \frac{1}{3}^2
        \frac{1^2}{3^2}
        0.(3)4
        0,3
        0.3\dot{4}
        """,
    ),
    (
        r"Yes",
        r"""
        \text{Yes and no}
        \text{Yes/No}
        \text{Yes? No}
        \text{No}
        \text{Maybe}
        \text{Not yes}
        \text{Yes, no}
        \text{Yes or no}
        \text{No, yes}
        \text{Yes, but no}
        Y
        \text{Yes, if not}
        \text{Yesn't}
        \text{Yes (no)}
        \text{Yes, although it is false}
        \text{Yes, it's not true}
        \text{ja}
        1
        \checkmark
        \text{yes for even, no for odd}
        \text{Yes when n>1; no otherwise}
        \text{Yes} \lor \text{No}
        \text{Yes}, \text{No}
        \text{Yes}\text{No}
        \text{YesNo}
        \text{Yes, unless}
        \text{Yes, I think not}
        \text{Yes... No}
        \text{Yes; false}
        """,
    ),
    (
        r"C",
        r"""
        A,B,C,D
        \text{A or C}
        C/D
        C,D
        CD
        \text{C or D}
        \text{not C}
        ABCD
        \{C\} or \{D\}
        \text{(C) or (D)}
        (C)(D)
        C\to D
        C=D
        C\cup D
        C+D
        C-D
        \text{C (D)}
        \text{C [D]}
        \text{C; D}
        \text{C | D}
        \text{C & D}
        C\ D
        \text{C D}
        \neg C
        \bar C
        \overline{C}
        C^c
        C'
        \text{all of the above}
        \text{C is wrong}
        \text{C?}
        \text{Probably C or D}
        \text{C, wait D}
        \text{C→D}
        \text{D → C}
        D \Rightarrow C
        \text{D. C}
        \text{(D) C}
        С
        Ｃ, Ｄ
        \text{C 或 D}
        \text{C和D}
        C、D
        \text{选C或D}
        \mathbb{C}
        \mathcal{C}
        \text{except C}
        \text{anything but C}
        C_1
        2C
        \text{C++}
        °C
        ^\circ C
        C!
        c_1
        """,
    ),
    (
        r"x=\frac{\pi}{6}+k\pi",
        r"""
        \frac{\pi}{6}
        \frac{\pi}{6}+2k\pi
        \frac{\pi}{6}+\frac{k\pi}{2}
        k\pi
        \frac{\pi}{6}+k
        \frac{\pi}{6}+k\pi\text{ or }\frac{\pi}{3}+k\pi
        \pm\frac{\pi}{6}+k\pi
        30^\circ
        x\in\mathbb{R}
        -\frac{\pi}{6}+k\pi
        """,
    ),
    (
        r"\begin{pmatrix}1&2\\3&4\end{pmatrix}",
        r"""
        \begin{pmatrix}1&3\\2&4\end{pmatrix}
        \begin{vmatrix}1&2\\3&4\end{vmatrix}
        (1,2,3,4)
        \begin{pmatrix}1&2&3&4\end{pmatrix}
        \begin{pmatrix}1\\2\\3\\4\end{pmatrix}
        \begin{pmatrix}1&2\\3&4\end{pmatrix}^T
        \begin{pmatrix}1&2\\3&x\end{pmatrix}
        \begin{pmatrix}1&2\\3&4\\0&0\end{pmatrix}
        -2
        \begin{pmatrix}1&2\\3&4\end{pmatrix}+I
        \begin{pmatrix}1&2\\3&4\end{pmatrix}\text{ or }I
        \begin{pmatrix}1&2\\3&4\text{ or }5\end{pmatrix}
        \begin{pmatrix}1&2\\3&\pm4\end{pmatrix}
        """,
    ),
    (
        r"x^2+y^2=1",
        r"""
        x^2+y^2=2
        (x^2+y^2-1)(x-y)=0
        x^2+y^2=1, x>0
        x^2+y^2-1
        x^2+y^2
        0=0
        1=1
        x=x
        x^2+y^2=x^2+y^2
        y=\sqrt{1-x^2}
        x^2+y^2=1\text{ or }x=0
        a^2+b^2=1
        x^2+y^2<1
        x^2+y^2=r^2
        (x^2+y^2-1)\cdot0=0
        x^2+y^2=y^2+x^2
        \sqrt{x^2+y^2}=-1
        x^4+2x^2y^2+y^4=1
        r=1, \theta=0
        (x^2+y^2)^2=1
        """,
    ),
)


@pytest.mark.parametrize(("gold", "answer"), rows(KINDS))
def test_an_answer_of_another_kind_is_another_answer(verifier, gold, answer):
    assert paid(verifier, gold, boxed(answer)) == [False, False]
