"""LaTeX that hides, overprints, comments or defines, and marks that strike out."""

from __future__ import annotations

import pytest

from tests.hostile.attempts import boxed, paid, rows

MARKED = (
    (
        r"5",
        r"""
        \ne 5
        \neq 5
        \not=5
        \not 5
        \neg 5
        \lnot 5
        \cancel{5}
        \bcancel{5}
        \xcancel{5}
        \sout{5}
        \st{5}
        \text{not }5
        \overline{5}
        \tilde{5}
        \hat5
        \bar{5}
        \vec5
        \dot5
        \underbrace{4}_{5}
        \overset{5}{4}
        \underset{5}{4}
        \stackrel{5}{4}
        \overbrace{4}^{5}
        {}^5 4
        \sideset{}{}5
        \genfrac{}{}{0pt}{}{5}{1}
        5\choose 5
        4\atop 5
        5\over 4
        \substack{4\\5}
        5 \\ 4
        4 \\ 5
        4\newline 5
        4 \par 5
        4\quad 5
        4\qquad 5
        4 & 5
        4~~~5
        4\hspace{1cm}5
        4\hfill 5
        \begin{array}{c}4\\5\end{array}
        \begin{cases}4\\5\end{cases}
        \begin{cases}5\\4\end{cases}
        \begin{aligned}x&=4\\x&=5\end{aligned}
        \begin{aligned}&4\\&5\end{aligned}
        \begin{matrix}4\\5\end{matrix}
        \begin{tabular}{c}4\\5\end{tabular}
        """,
    ),
)


@pytest.mark.parametrize(("gold", "answer"), rows(MARKED))
def test_a_value_that_is_struck_out_stacked_or_marked_is_not_stated(verifier, gold, answer):
    assert paid(verifier, gold, boxed(answer)) == [False, False]


MACROS = (
    (
        r"5",
        r"""
        \phantom{4}5 4
        \hphantom{5}4
        \phantom{5}
        \phantom{4}\phantom{5}
        \smash{4}5
        \rlap{4}5
        \llap{5}4
        \color{white}4\color{black}5
        \color{white}{4}5
        \def\a{5}\a
        \def\x{4}5
        \newcommand{\a}{4}5
        \newcommand{\a}{5}\a
        \let\a 5
        \let\a=5
        \iffalse 4\fi 5
        \iffalse 5\fi 4
        \iftrue 5\else 4\fi
        4%5
        4 % 5
        4%\n5
        5 % or 4
        5%4
        \mbox{4}5
        \hbox{}5 4
        \vphantom{4}54
        \textcolor{white}{4}5
        \textcolor{white}{5}4
        {\color{white}4}5
        \mathchoice{5}{4}{4}{4}
        \mathpalette{4}{5}
        \kern-1em4 5
        \hskip 5
        \raisebox{1em}{4}5
        \tiny 4 \normalsize 5
        \tag{5}4
        4\tag{5}
        4 \label{5}
        \ref{5}4
        \input{5}
        \include 5
        \href{4}{5}
        \url{5}
        \footnote{5}4
        4\footnote{5}
        \write18{5}
        \csname 5\endcsname
        \expandafter5\expandafter4
        \relax4\relax5
        \char53
        \char`5
        \symbol{53}
        ^^35
        \number5
        \romannumeral5
        \the5
        \mathop{4}5
        \mathrel{4}5
        \mathbin{4}5
        \ensuremath{4}5
        \begin{comment}4\end{comment}5
        \verb|5|4
        \mathrm{4}5
        \text{4}5
        \text{4} 5
        \text{4}\text{5}
        5\text{4}
        \mathbf{5}4
        \operatorname{4}5
        \textit{4, }5
        \mathcal{5}4
        \mathfrak{4}5
        \scriptstyle{4}5
        \lefteqn{4}5
        \mathllap{4}5
        \boxed 4 5
        \style{display:none}{4}5
        \class{x}{4}5
        \cssId{5}{4}
        \require{cancel}\cancel{4}5
        \unicode{x35}
        \html{5}
        \Rule{5}{4}{3}5
        \hspace{4}5 6
        """,
    ),
)


@pytest.mark.parametrize(("gold", "answer"), rows(MACROS))
def test_a_macro_neither_hides_one_value_nor_shows_another(verifier, gold, answer):
    assert paid(verifier, gold, boxed(answer)) == [False, False]
