"""Right answers as models write them: none of the defences may cost them."""

from __future__ import annotations

import pytest

from tests.hostile.attempts import boxed, paid, rows

SPELLINGS = (
    (
        r"B",
        r"""
        \text{(B)}
        \textbf{(B)}
        \mathbf{B}
        \textbf{B}
        \mathrm{(B)}
        \text{B. }
        (B)
        B)
        B.
        \text{Choice B}
        \text{Option (B)}
        \text{The answer is B}
        \textbf{(B) } 12
        \text{B) 12}
        B: 12
        \text{(B) }\frac12
        \large\text{B}
        \bf{B}
        {\bf B}
        \displaystyle B
        \text{B: the sky is blue}
        \text{B. the sky is blue}
        [B]
        """,
    ),
    (
        r"x=4,x=-2",
        r"""
        x = 4 \text{ or } x = -2
        4, -2
        x=4 \quad\text{or}\quad x=-2
        x_1=4, x_2=-2
        x = 4, -2
        x \in \{4,-2\}
        \{-2, 4\}
        4 \text{ and } -2
        x=-2,4
        x = 1 \pm 3
        \{x = 4, x = -2\}
        x=4 \vee x=-2
        x=4\;\text{or}\;-2
        4\text{ or }-2
        \text{4 or -2}
        \text{x = 4 or x = -2}
        x\in\left\{-2,\,4\right\}
        \begin{cases}x=4\\x=-2\end{cases}
        x=4, \; x=-2
        4; -2
        x = 4 \text{ , } x = -2
        4,-2
        x=4\ \text{and}\ x=-2
        x=4 \; \lor \; x=-2
        x=-2 \text{ or }4
        x=4 or x=-2
        x=4 and x=-2
        x=4, \text{ or } x=-2
        """,
    ),
    (
        r"12",
        r"""
        12 \text{ ways}
        12\text{ different ways}
        12 \text{ possible arrangements}
        \text{12 ways}
        12 \text{ integers}
        12 \text{ square units}
        12 \text{ units}^2
        12\,\text{sq. units}
        \text{12}
        12.
        12.0
        12{}
        {12}
        \mathbf{12}
        \textbf{12}
        12\text{ (people)}
        12\text{ people}
        12\text{ students}
        \text{There are 12 ways}
        \text{Answer: 12}
        \text{Answer: } 12
        n = 12
        N=12
        |S| = 12
        \text{Total} = 12
        \text{Number of ways} = 12
        \text{ans}=12
        S_{12}=12
        f(3)=12
        a_5 = 12
        P=12\text{ cm}
        12\text{ cm}
        12 \; \text{cm}^2
        12\text{ km/h}
        12 \text{ m/s}^2
        12\ \mathrm{cm^3}
        12\ \text{kg}\cdot\text{m}/\text{s}^2
        \color{red}{12}
        \color{blue}12
        \textcolor{red}{12}
        {\color{red}12}
        \underline{12}
        \underline{\underline{12}}
        \large 12
        \Large{12}
        \Huge 12
        \displaystyle 12
        +12
        12\,
        \,12
        \!12
        12\;.
        12\text{.}
        12\ \text{dollars}
        \text{\$}12
        \$12
        \$12.00
        12 \text{ dollars}
        12\text{ USD}
        12\ \text{apples}
        12\ \text{square meters}
        12\ \text{cubic units}
        12^\circ
        12\degree
        12^{\circ}
        12°
        12 \text{ degrees}
        \text{12 degrees}
        12\text{ minutes}
        12\text{ hours}
        12\text{ sides}
        12 \text{ solutions}
        12\text{ pairs}
        12\text{ ordered pairs}
        12 \text{ distinct values}
        \text{exactly }12
        \text{exactly 12}
        12 \text{ total}
        12 \text{ in total}
        12\text{ years old}
        12\text{ years}
        12.00
        x=12, \text{ so the answer is } 12
        a=12
        \angle A = 12^\circ
        AB=12
        \overline{AB} = 12
        [ABC]=12
        \text{Area} = 12
        m=12\text{ kg}
        \lambda = 12
        x= 12.
        12 = 12
        3\cdot 4 = 12
        3\times4=12
        \binom{4}{2}\cdot 2 = 12
        \frac{24}{2}=12
        2^2\cdot 3 = 12
        \sqrt{144}=12
        \sqrt{144}
        \frac{24}{2}
        \frac{12}{1}
        12\text{ hops}
        12\text{ handshakes}
        12 \text{ meters per second}
        12\text{ m}/\text{s}
        12\frac{\text{m}}{\text{s}}
        12\,\frac{\mathrm{m}}{\mathrm{s}}
        12\text{ m s}^{-1}
        12\,\text{ms}^{-1}
        １２
        𝟏𝟐
        12个
        12\text{个}
        12种
        12\text{ 元}
        12元
        12人
        12\text{ reais}
        """,
    ),
    (
        r"1234.5",
        r"""
        \$1,234.50
        \$1234.50
        1,234.5
        1{,}234.5
        1\,234.5
        1234.50
        \$1{,}234.50
        \text{\$1,234.50}
        \text{\$}1,234.50
        \$\,1234.50
        \text{USD }1234.50
        1234.50\text{ dollars}
        1\,234{,}50
        \$ 1,234.50
        1\;234.5
        1{\,}234.5
        1~234.5
        \textdollar1234.5
        \mathdollar1234.5
        1\thinspace234.5
        """,
    ),
    (
        r"1000000",
        r"""
        1{,}000{,}000
        1,000,000
        10^6
        1\,000\,000
        1 000 000
        1\text{ million}
        1 \text{ million}
        1\times10^6
        1.0\times10^{6}
        10^{6}
        1e6
        1E6
        1,\!000,\!000
        1\ 000\ 000
        1{\,}000{\,}000
        1\!,\!000\!,\!000
        \text{1 million}
        \$1\text{ million}
        """,
    ),
    (
        r"\frac{1}{x}, x\ne0",
        r"""
        \frac1x, x \ne 0
        \frac{1}{x}
        \frac1x \text{ for } x\neq0
        \frac1x \quad (x\neq 0)
        \frac1x\ (x\ne0)
        f(x)=\frac1x,\ x\ne0
        x^{-1}
        \frac{1}{x}, \text{ where } x \neq 0
        """,
    ),
    (
        r"\frac{1}{x}",
        r"""
        \frac1x, x \ne 0
        \frac1x \text{ for } x\neq0
        \frac1x \text{ for all } x \neq 0
        \frac1x \text{ where } x\in\mathbb{R}\setminus\{0\}
        \frac1x, \quad x\in\mathbb{R}\setminus\{0\}
        f(x)=\frac1x \text{ for all real } x\ne0
        f(x) = \frac{1}{x} \ \forall x \ne 0
        y=\frac1x
        f(x) \equiv \frac1x
        f(x)=\frac{1}{x} \; (x > 0)
        \frac{1}{x}\text{ (for }x\neq 0)
        """,
    ),
    (
        r"2025-03-14",
        r"""
        2025-3-14
        \text{2025-03-14}
        """,
    ),
    (
        r"March 14",
        r"""
        \text{March 14}
        \text{14 March}
        """,
    ),
    (
        r"3:45",
        r"""
        3:45
        3\text{:}45
        \text{3:45}
        3{:}45
        3:45\text{ PM}
        \text{3:45 p.m.}
        3:45 \text{ pm}
        03:45
        """,
    ),
    (
        r"\$18.90",
        r"""
        \$18.90
        18.90
        18.9
        \$18.9
        18.90\text{ dollars}
        18.90 \text{ USD}
        \text{\$18.90}
        1890\text{ cents}
        \text{USD } 18.90
        \$ 18.90
        """,
    ),
    (
        r"45",
        r"""
        45^\circ
        45^{\circ}
        45 \text{ degrees}
        \angle ABC = 45^\circ
        \theta=45^\circ
        m\angle B = 45^\circ
        45°
        45{}^\circ
        45^{o}
        45^o
        45 \degree
        \measuredangle B=45^\circ
        \angle B = 45
        """,
    ),
    (
        r"2 1/2",
        r"""
        2\frac12
        2\tfrac{1}{2}
        2 \frac{1}{2}
        \frac52
        2.5
        2\ \frac{1}{2}
        2\,\tfrac12
        2 1/2
        2½
        2+\frac12
        5/2
        2\dfrac12
        """,
    ),
    (
        r"x\ge2",
        r"""
        \{x\mid x\ge2\}
        \{x\in\mathbb{R}:x\geq2\}
        [2,\infty)
        x\in[2,\infty)
        x\geqslant2
        2\le x
        [2,+\infty)
        \left[2,\infty\right)
        x ≥ 2
        x >= 2
        \text{all }x\ge2
        \text{All real numbers } x \geq 2
        x \in [2, +\infty)
        \{x | x \ge 2\}
        \left\{x \,\middle|\, x\ge 2\right\}
        2\leq x<\infty
        """,
    ),
    (
        r"(-\infty,1)\cup(2,\infty)",
        r"""
        x<1\text{ or }x>2
        x<1 \lor x>2
        x \in (-\infty,1)\cup(2,\infty)
        (-\infty, 1) \cup (2, +\infty)
        \{x\mid x<1\text{ or }x>2\}
        \mathbb{R}\setminus[1,2]
        x<1, x>2
        x\in(-\infty,1)\text{ or }x\in(2,\infty)
        (2,\infty)\cup(-\infty,1)
        ]-\infty,1[\cup]2,\infty[
        \left(-\infty, 1\right)\bigcup\left(2,\infty\right)
        """,
    ),
    (
        r"\mathbb{R}\setminus\{0\}",
        r"""
        x\ne0
        x\neq 0
        (-\infty,0)\cup(0,\infty)
        \{x\in\mathbb{R}\mid x\ne0\}
        \mathbb{R}-\{0\}
        \mathbb{R} \backslash \{0\}
        x\in\mathbb{R}, x\neq0
        x \in \mathbb{R} \setminus \{0\}
        """,
    ),
    (
        r"\begin{pmatrix}1\\2\\3\end{pmatrix}",
        r"""
        \begin{bmatrix}1\\2\\3\end{bmatrix}
        (1,2,3)
        \langle1,2,3\rangle
        \left\langle 1,2,3\right\rangle
        \mathbf{i}+2\mathbf{j}+3\mathbf{k}
        \hat{i}+2\hat{j}+3\hat{k}
        \vec{v}=(1,2,3)
        [1,2,3]
        [1,2,3]^T
        (1,2,3)^T
        \begin{pmatrix}1\\[4pt]2\\[4pt]3\end{pmatrix}
        \left(\begin{array}{c}1\\2\\3\end{array}\right)
        \begin{pmatrix} 1 \\ 2 \\ 3 \\ \end{pmatrix}
        \langle 1, 2, 3 \rangle
        \begin{bmatrix} 1 & 2 & 3 \end{bmatrix}^T
        \mathbf{v} = \begin{pmatrix} 1 \\ 2 \\ 3 \end{pmatrix}
        \bm{i}+2\bm{j}+3\bm{k}
        \left(1,2,3\right)
        \overrightarrow{AB}=(1,2,3)
        \begin{bmatrix}1\\2\\3\\\end{bmatrix}
        """,
    ),
    (
        r"\begin{pmatrix}1&2\\3&4\end{pmatrix}",
        r"""
        \begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix}
        \left(\begin{matrix}1&2\\3&4\end{matrix}\right)
        \left[\begin{array}{cc}1&2\\3&4\end{array}\right]
        \begin{pmatrix} 1 & 2 \\ 3 & 4 \\ \end{pmatrix}
        [[1,2],[3,4]]
        A=\begin{pmatrix}1&2\\3&4\end{pmatrix}
        \begin{Bmatrix}1&2\\3&4\end{Bmatrix}
        \begin{smallmatrix}1&2\\3&4\end{smallmatrix}
        \left(\begin{smallmatrix}1&2\\3&4\end{smallmatrix}\right)
        \begin{pmatrix}1&2\cr3&4\end{pmatrix}
        \begin{bmatrix} 1 & 2 \\[0.5em] 3 & 4 \end{bmatrix}
        \begin{bmatrix}1&2\\3&4\end{bmatrix}
        """,
    ),
    (
        r"3+4i",
        r"""
        4i+3
        3+4i
        3 + 4\mathrm{i}
        3+4j
        z=3+4i
        z = 3 + 4i
        3+4\imath
        3+4\cdot i
        3+4\boldsymbol{i}
        3+4 \, i
        5e^{i\arctan(4/3)}
        3+4\sqrt{-1}
        5(\cos\arctan\frac43+i\sin\arctan\frac43)
        5\left(\frac35+\frac45i\right)
        """,
    ),
    (
        r"\log_2 3",
        r"""
        \log_{2}3
        \log_2(3)
        \frac{\ln3}{\ln2}
        \frac{\log3}{\log2}
        \log_{2}{3}
        \text{log}_2 3
        \mathrm{log}_2 3
        \frac{\log_{10}3}{\log_{10}2}
        \lg 3/\lg 2
        \operatorname{log}_2(3)
        x=\log_2 3
        \log_2{(3)}
        \frac{1}{\log_3 2}
        \log_4 9
        log_2(3)
        log2(3)
        """,
    ),
    (
        r"\sqrt[3]{2}",
        r"""
        2^{1/3}
        2^{\frac13}
        \sqrt[3]2
        \sqrt[{3}]{2}
        cbrt(2)
        ∛2
        2^{\tfrac{1}{3}}
        \sqrt[3]{2}\text{ cm}
        x=\sqrt[3]{2}
        \sqrt[3]{2}\approx 1.26
        \sqrt[3]{2} \approx 1.2599
        1.259921
        """,
    ),
    (
        r"10!",
        r"""
        10!
        3628800
        3{,}628{,}800
        10\cdot9!
        \Gamma(11)
        10 !
        3,628,800
        10! = 3628800
        10!=3{,}628{,}800
        3628800 \text{ ways}
        """,
    ),
    (
        r"\binom{10}{3}",
        r"""
        120
        {10\choose3}
        \dbinom{10}{3}
        {}_{10}C_3
        \frac{10!}{3!7!}
        \binom{10}{7}
        ^{10}C_3
        \binom{10}{3}=120
        {10 \choose 3} = 120
        """,
    ),
    (
        r"(3,-2)",
        r"""
        x=3,y=-2
        x=3\text{ and }y=-2
        (x,y)=(3,-2)
        x = 3, \quad y=-2
        \begin{cases}x=3\\y=-2\end{cases}
        \left(3,-2\right)
        (3;-2)
        x=3; y=-2
        (x, y) = (3, -2)
        \text{(3, -2)}
        x=3\\y=-2
        \begin{aligned}x&=3\\y&=-2\end{aligned}
        (3,\,-2)
        y=-2, x=3
        x=3,\ y=-2
        \left\{ \begin{array}{l} x=3 \\ y=-2 \end{array} \right.
        P=(3,-2)
        (3, −2)
        \text{The point }(3,-2)
        \text{point } (3,-2)
        (3 ,-2).
        x = 3 \text{, } y = -2
        x = 3 \ \text{and} \ y = -2
        x=3 \land y=-2
        """,
    ),
    (
        r"\begin{cases}x^2&x>0\\0&x\le0\end{cases}",
        r"""
        \begin{cases}x^2 & \text{if } x>0 \\ 0 & \text{if } x\le0\end{cases}
        f(x)=\begin{cases}x^2,&x>0\\0,&x\le0\end{cases}
        \begin{cases}x^2, & x > 0, \\ 0, & x \leq 0.\end{cases}
        \left\{\begin{array}{ll}x^2&x>0\\0&x\le0\end{array}\right.
        \begin{cases} 0 & x \leq 0 \\ x^2 & x > 0 \end{cases}
        """,
    ),
    (
        r"f(x)=2x+1",
        r"""
        f(x)=2x+1
        2x+1
        f(x) = 2x + 1 \text{ for all } x
        f(x)=2x+1\ \forall x\in\mathbb{R}
        f(n)=2n+1
        f(x)\equiv2x+1
        f(x) = 1+2x
        f(t)=2t+1
        f(x)=2x+1, x\in\mathbb{R}
        """,
    ),
    (
        r"y=2x+3",
        r"""
        y=2x+3
        2x-y+3=0
        y - 2x = 3
        y=3+2x
        2x-y=-3
        y = 2x + 3
        \text{The line } y=2x+3
        y-3=2x
        y-5=2(x-1)
        2x+3=y
        2x+3
        """,
    ),
    (
        r"3:4",
        r"""
        3:4
        \frac34
        3\text{ to }4
        3 : 4
        6:8
        0.75
        3/4
        \text{3:4}
        \text{3 to 4}
        3\colon4
        AB:CD=3:4
        a:b = 3:4
        """,
    ),
    (
        r"25\%",
        r"""
        25\%
        25\text{ percent}
        0.25
        \frac14
        25
        25\text{\%}
        25 \%
        25 \text{ per cent}
        25\,\%
        \text{25 percent}
        """,
    ),
    (
        r"6",
        r"""
        6\text{ (since } n=3)
        6\ (\text{when } x=2)
        6 \text{ (achieved at }x=1)
        6\text{, attained at }x=1
        6 \text{ when } x = y = 1
        \text{max}=6
        f_{\max}=6
        f_{\text{max}} = 6
        \text{maximum value is }6
        \text{The maximum value is } 6
        \text{The answer is 6}
        6 \; \text{units}
        6\,\text{cm}
        6\ \text{mph}
        \text{Perimeter}=6\text{ cm}
        \therefore 6
        =6
        \implies 6
        \Rightarrow x=6
        \text{Therefore } 6
        \text{so } 6
        6\blacksquare
        6\ \blacksquare
        6\qquad\blacksquare
        6\square
        6 \text{ QED}
        6\quad\checkmark
        6
        6.\text{ }
        6\text{ }
        6\phantom{0}
        \phantom{0}6
        \mathit{6}
        \mathsf{6}
        \mathtt{6}
        \rm 6
        \tt 6
        \text{\textbf{6}}
        \textbf{\text{6}}
        \textcolor{blue}{\mathbf{6}}
        {\large 6}
        \displaystyle{6}
        \fbox{6}
        \mathbf{\color{red}{6}}
        \boldsymbol{6}
        \pmb{6}
        \left(6\right)
        (6)
        \{6\}
        [6]
        6\;\text{(Answer)}
        \text{Ans: }6
        \text{Ans. }6
        \text{Final Answer: } 6
        \textbf{Answer: }6
        """,
    ),
    (
        r"\frac{3}{4}",
        r"""
        3/4
        \frac{3}{4}
        \dfrac{3}{4}
        0.75
        75\%
        \frac34
        {3\over4}
        \displaystyle\frac{3}{4}
        \frac{6}{8}
        \left(\frac{3}{4}\right)
        P=\frac34
        P(A)=\frac{3}{4}
        \Pr(A)=\frac34
        \mathbb{P}=\frac34
        \frac{3}{4}\text{ or }0.75
        \frac{3}{4}=0.75
        \frac{3}{4} = 75\%
        0.75\text{ or }\frac{3}{4}
        \frac{3}{4} \text{ or } 75\%
        3⁄4
        ¾
        \nicefrac{3}{4}
        \sfrac{3}{4}
        \frac 3 4
        \frac{3}4
        \frac3{4}
        {3}/{4}
        3 \div 4
        \tfrac{3}{4}\text{ cm}
        -\frac{-3}{4}
        \frac{-3}{-4}
        0.750
        .75
        \frac{\,3\,}{\,4\,}
        \frac{{3}}{{4}}
        \frac{3.0}{4}
        $\frac{3}{4}$
        \(\frac{3}{4}\)
        \frac{3}{4}\, \text{of the pie}
        \frac{3}{4} \text{ cup}
        \frac{3}{4}\text{ hour}
        """,
    ),
)


@pytest.mark.parametrize(("gold", "answer"), rows(SPELLINGS))
def test_a_right_answer_counts_in_the_spellings_that_models_use(verifier, gold, answer):
    assert paid(verifier, gold, boxed(answer))[0]


RESPONSES = (
    (
        r"4",
        r"""
        答案是4
        答案是 $4$。
        所以答案是4。
        最终答案：4
        **答案:4**
        答案：4
        答案: $4$
        The answer is **4**.
        **Answer**: 4
        **Final Answer:** $4$
        Final answer: $\mathbf{4}$
        Thus, the answer is $4$.
        The answer: 4
        Hence x = 4.
        Therefore $x=4$.
        <answer>4</answer>
        <answer>$4$</answer>
        <answer> The answer is 4. </answer>
        <answer>\boxed{4}</answer>
        <ANSWER>4</ANSWER>
        <Answer>4</Answer>
        <final_answer>4</final_answer>
        The final answer is $\boxed{4}$.
        The final answer is $4$. I hope it is correct.
        La réponse est 4.
        Die Antwort ist 4.
        La respuesta es 4.
        Ответ: 4
        答えは4です。
        정답은 4입니다.
        A resposta é 4.
        La risposta è 4.
        คำตอบคือ 4
        উত্তর হলো 4
        Jibu ni 4.
        الجواب هو 4
        الإجابة: 4
        उत्तर: 4 है
        उत्तर 4 है।
        Đáp án là 4.
        Vậy đáp án là 4
        Odpowiedź: 4
        Het antwoord is 4.
        Svaret är 4.
        Cevap: 4
        Risposta: 4
        Jawabannya adalah 4.
        Jawaban: 4
        回答：4
        因此，答案是 \(4\)。
        综上，答案为4。
        结果是4。
        The result is 4.
        The value is 4.
        There are 4 ways.
        There are 4.
        In total, there are 4 solutions.
        Answer: 4 apples
        The answer is 4 apples.
        Answer: \(4\)
        Answer = 4
        The answer would be 4.
        The correct answer is 4.
        Our answer is 4.
        Thus our answer is $4$.
        The answer is thus 4.
        so the answer is $2+2=4$.
        The answer is $x = 4$.
        Answer: $2^2=4$
        Hence, the number of such integers is $4$.
        which equals 4.
        $2+2=4$
        2 + 2 = 4
        So the answer is 4 ✅
        **4**
        ✅ **Answer: 4**
        Answer: 4 ✓
        """,
    ),
)


@pytest.mark.parametrize(("gold", "response"), rows(RESPONSES))
def test_an_answer_without_a_box_is_found_where_it_is_stated(verifier, gold, response):
    assert paid(verifier, gold, response, strict=False)[0]


WRAPPINGS = (
    r"\mathbf{%s}",
    r"\boldsymbol{%s}",
    r"\mathrm{%s}",
    r"\text{%s}",
    r"\text{\textbf{%s}}",
    r"\color{red}{%s}",
    r"\textcolor{blue}{%s}",
    r"\Large %s",
    r"\displaystyle %s",
    r"\,%s\,",
    r"\ %s\ ",
    r"\text{Answer: }%s",
    r"\text{Thus } %s",
    r"%s\quad\blacksquare",
    r"%s\ \checkmark",
    r"%s\text{.}",
)
WRAPPED = (
    "7",
    "-12",
    "98,634",
    r"\frac{3}{8}",
    r"2\sqrt{5}",
    "x^2+1",
    r"\frac{\pi}{6}",
    "14{,}916",
)
NEAR_MISSES = (
    "8",
    "-21",
    "98,643",
    r"\frac{8}{3}",
    r"5\sqrt{2}",
    "x^2-1",
    r"\frac{\pi}{3}",
    "14{,}961",
)


@pytest.mark.parametrize("wrapping", WRAPPINGS)
@pytest.mark.parametrize("gold", WRAPPED)
def test_what_is_put_around_an_answer_does_not_change_it(verifier, wrapping, gold):
    assert paid(verifier, gold, boxed(wrapping % gold))[0]


@pytest.mark.parametrize("wrapping", WRAPPINGS)
@pytest.mark.parametrize(("gold", "answer"), list(zip(WRAPPED, NEAR_MISSES, strict=True)))
def test_what_is_put_around_a_near_miss_does_not_make_it_right(verifier, wrapping, gold, answer):
    assert paid(verifier, gold, boxed(wrapping % answer)) == [False, False]
