"""No text of a model, and no gold, is ever compiled, executed, opened, imported or unpickled.

An audit hook of the interpreter watches, in the process where the text is read: for the pure
stages and the parsers, and for math_verify in a worker.
"""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest

from verifiers_math.workers import OutcomeKind, WorkerPool

LIMITS = {"soft_seconds": 3.0, "hard_seconds": 60.0}

CODE = (
    "__import__('os').system('touch {canary}')",
    '__import__("os").system("touch {canary}")',
    "open('{canary}','w')",
    "exec(\"open('{canary}','w')\")",
    "eval('1+1')",
    "[x for x in ().__class__.__base__.__subclasses__()]",
    "(lambda: open('{canary}','w'))()",
    "lambda x: x",
    "f'{{open(1)}}'",
    "1 if open('{canary}','w') else 2",
    "x.__class__.__mro__",
    "(1).__class__",
    "import os",
    "'{canary}'",
    "@x",
    "1;import os",
    "1\nimport os",
    "Symbol('x').func",
    "Function('f')(1)",
    "N(pi, 10)",
    "S('1+1')",
    "sympify('1')",
    "parse_expr('1')",
    "integrate(x, x)",
    "cos\nsystem\n(S'touch {canary}'\ntR.",
    "gAJjb3MKc3lzdGVtCg==",
    "<!ENTITY x SYSTEM 'file://{canary}'>",
    "${{jndi:ldap://localhost/a}}",
    "http://localhost/{canary}",
    "file://{canary}",
    "{canary}",
    "%(x)s {{0.__class__}} {{}}",
    r"\input{{{canary}}}",
    r"\write18{{touch {canary}}}",
    r"\immediate\openout1={canary}",
    r"\directlua{{os.execute('touch {canary}')}}",
    r"\def\a{{\a\a}}\a",
    r"\newcommand{{\x}}{{\x\x}}\x",
    r"\href{{file://{canary}}}{{1}}",
    r"\catcode`\%=12",
    r"\csname end\endcsname",
)
"""What a shell, an interpreter, an unpickler, a template or a TeX would act upon."""

WRAPPERS = (
    "{}",
    r"\boxed{{{}}}",
    r"\text{{{}}}",
    r"\operatorname{{{}}}",
    r"\mathrm{{{}}}(1)",
    r"x_{{{}}}",
    r"\variable{{{}}}",
    r"\sqrt{{{}}}",
    r"\frac{{{}}}{{2}}",
    "x={}",
    "[{}]",
    "1+{}",
    '["{}"]',
    "#### {}",
    "<answer>{}</answer>",
)

MATHEMATICS = (
    *("4", "007", "-1,234,567", "0,5", "1.5", ".5", "1e5", "1E-3", "1_000", "0x1f", "0b1", "1j"),
    *(
        "\u0661\u0662\u0663",
        "\u0661,\u0662\u0663\u0664",
        "\uff11\uff12",
        "1.5\\%",
        "\\$1,000",
        "nan",
    ),
    *("True", "None", "x+1", r"\frac12", r"\sqrt[3]{x}", r"\int_0^1 x\,dx", r"\sum_{n=1}^{9} n"),
    *("f(x)", r"\log_2 8", r"\binom{5}{2}", r"\{1,2\}", "[0,1)", r"x<3\text{ or }x>5", r"\pm 3"),
    *(r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", r"\lim_{x\to 0}x", r"\frac{d}{dx}x^2", "3+4i"),
    *("1e400", "9" * 5000, "0" * 500 + "1", "E", "S", "N", "Q", "O", "I", "C", "beta(2,3)"),
)
"""Honest forms of every kind: it is their numerals and letters that reach an algebra system."""

GOLDS = ("4", r"\frac{1}{2}", "x^2+1")


def expect_nothing(pool: WorkerPool, pairs: list[tuple[str, str]]) -> None:
    """Every pair is read without a forbidden event; a limit is an outcome too."""
    futures = [pool.start(gold, answer, **LIMITS) for gold, answer in pairs]
    seen = {}
    watched = 0
    for pair, future in zip(pairs, futures, strict=True):
        outcome = future.result(120)
        assert outcome.kind is not OutcomeKind.UNAVAILABLE, outcome.detail
        if outcome.kind in (OutcomeKind.TIMEOUT, OutcomeKind.MEMORY):
            continue
        events = json.loads(outcome.detail)
        watched += 1
        if events:
            seen[pair] = events
    assert seen == {}
    assert watched > 0.9 * len(pairs)


def test_no_code_in_an_answer_is_run(watched: WorkerPool, tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    code = [text.format(canary=canary) for text in CODE]
    answers = [wrapper.format(text) for wrapper, text in product(WRAPPERS, code)][::4]
    expect_nothing(watched, [(GOLDS[i % 3], answer) for i, answer in enumerate(answers)])
    assert not canary.exists()


def test_no_code_in_a_gold_is_run(watched: WorkerPool, tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    golds = [text.format(canary=canary) for text in CODE]
    expect_nothing(watched, [(gold, answer) for gold in golds for answer in ("4", gold)])
    assert not canary.exists()


def test_mathematics_is_read_without_compiling_its_text(watched: WorkerPool) -> None:
    expect_nothing(watched, [(gold, text) for text in MATHEMATICS for gold in (*GOLDS, text)])


@pytest.mark.parametrize(
    ("careless", "text", "event"),
    [
        ("sympify", "1+x", "compile"),
        ("eval", "1+1", "compile"),
        ("open", "/etc/hostname", "open"),
        ("unpickle", "cos\nsystem\n.", "pickle.find_class"),
    ],
)
def test_the_watch_sees_a_careless_reader(
    probes: WorkerPool, careless: str, text: str, event: str
) -> None:
    events = json.loads(probes.run(careless, text, **LIMITS).detail)
    assert any(seen.startswith(event) for seen in events)
