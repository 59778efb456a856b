"""Comparison by kind: declared parameters and families."""

from __future__ import annotations

from tests.pure_verdicts import each_pair, says

SAME = [
    (r"2k\pi, k \in \mathbb{Z}", r"2k\pi"),
    (r"2k\pi, k \in \mathbb{Z}", r"2\pi n"),
    (r"(k+1, 2k), k\in\mathbb{Z}", "(n+1, 2n)"),
]

SAME_BOTH_WAYS = [
    (r"2k\pi, k \in \mathbb{Z}", r"2n\pi, n \in \mathbb{Z}"),
    (r"x = 2k\pi, k \in \mathbb{Z}", r"x = 2n\pi, n \in \mathbb{Z}"),
    (r"x = \frac{\pi}{4}+k\pi, k\in\mathbb{Z}", r"\frac{\pi}{4}+k\pi"),
    (r"x = \frac{\pi}{4}+k\pi \ (k\in\mathbb{Z})", r"x = \frac{\pi}{4}+n\pi \ (n \in \mathbb{Z})"),
    (r"x = \frac{\pi}{4}+k\pi \text{ for } k\in\mathbb{Z}", r"x = \frac{\pi}{4}+k\pi"),
    (r"x = \frac{\pi}{4}+k\pi \text{ for integer } k", r"x = \frac{\pi}{4}+k\pi"),
    (r"\{2k\pi \mid k \in \mathbb{Z}\}", r"\{2n\pi \mid n \in \mathbb{Z}\}"),
    (r"x=2k\pi", r"x=2n\pi, n \in \mathbb{Z}"),
    (
        r"\pm\frac{\pi}{3}+2k\pi, k\in\mathbb{Z}",
        r"\frac{\pi}{3}+2k\pi, -\frac{\pi}{3}+2k\pi, k\in\mathbb{Z}",
    ),
    (r"x=2k\pi+\frac{\pi}{2},k\in\mathbb{Z}", r"x=2k\pi-\frac{3\pi}{2}, k\in\mathbb{Z}"),
    (r"2k+1,k\in\mathbb{Z}", r"2n-1,n\in\mathbb{Z}"),
    (r"k\pi-\frac{\pi}{4}, k\in\mathbb{Z}", r"k\pi+\frac{3\pi}{4}, k\in\mathbb{Z}"),
    (r"(2k\pi,2k\pi+\pi),k\in\mathbb{Z}", r"(2n\pi,2n\pi+\pi),n\in\mathbb{Z}"),
    (r"\{x\mid x=2k\pi,k\in\mathbb{Z}\}", r"x=2k\pi,k\in\mathbb{Z}"),
    (r"\{x\mid x=2k\pi,k\in\mathbb{Z}\}", r"\{x\mid x=2n\pi,n\in\mathbb{Z}\}"),
    (r"\{2k\pi : k \in\mathbb{Z}\}", r"2k\pi,k\in\mathbb{Z}"),
    (r"x=n\pi, n=0,\pm1,\pm2,\ldots", r"x=n\pi, n\in\mathbb{Z}"),
    (r"(t,2t), t\in\mathbb{R}", r"(s,2s), s\in\mathbb{R}"),
    (r"x=k\pi \text{ where } k \text{ is an integer}", r"x=n\pi, n\in\mathbb{Z}"),
    (r"x=k\pi \text{ for integer } k", r"x=n\pi, n\in\mathbb{Z}"),
    (r"x = k\pi, k \in Z", r"x = n\pi, n\in\mathbb{Z}"),
    (r"\{x \mid 2k\pi<x<2k\pi+\pi, k\in\mathbb{Z}\}", r"(2k\pi,2k\pi+\pi), k\in\mathbb{Z}"),
    ("C_1e^x+C_2e^{-x}", "A e^x+B e^{-x}"),
    ("y=C_1e^x+C_2e^{-x}", "y=A e^x+B e^{-x}"),
]

DIFFERENT = [
    (r"2x, x \in \mathbb{Z}", "3x"),
]

DIFFERENT_BOTH_WAYS = [
    (r"\{2k\pi \mid k \in \mathbb{Z}\}", r"\{k\pi \mid k \in \mathbb{Z}\}"),
    (r"2k\pi, k\in\mathbb{Z}", r"k\pi, k\in \mathbb{Z}"),
    (r"2k\pi, k\in\mathbb{Z}", r"2k\pi, k\in \mathbb{N}"),
    (r"(k+1, 2k), k\in\mathbb{Z}", r"(k+1, 2n), n \in\mathbb{Z}"),
    (r"2k+1,k\in\mathbb{Z}", r"2n,n\in\mathbb{Z}"),
    (r"2k+1,k\in\mathbb{N}", r"2n-1,n\in\mathbb{N}"),
    (r"k\pi-\frac{\pi}{4}, k\in\mathbb{Z}", r"k\pi+\frac{\pi}{4}, k\in\mathbb{Z}"),
    (r"k\pi-\frac{\pi}{4}, k\in\mathbb{Z}", r"2k\pi-\frac{\pi}{4}, k\in\mathbb{Z}"),
    (r"x=n\pi, n=0,1,2,\ldots", r"x=n\pi, n\in\mathbb{Z}"),
    (r"(t,2t), t\in\mathbb{R}", r"(s,3s), s\in\mathbb{R}"),
    ("y=C_1e^x+C_2e^{-x}", "y=A e^x+B e^{x}"),
    ("y=C_1e^x+C_2e^{-x}", "y=A e^x+A e^{-x}"),
]


@each_pair(SAME, SAME_BOTH_WAYS, DIFFERENT, DIFFERENT_BOTH_WAYS)
def test_each_pair_has_the_verdict_of_its_table(gold, answer, verdicts):
    assert says(gold, answer) in verdicts
