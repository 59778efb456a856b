"""Trees for the tests of the sampling core, written as Python expressions.

``tree("sqrt(x**2) + 1/3")``: names are letters, ``pi``, ``e``, ``i`` and ``inf`` constants, calls
the functions of the tree, ``deg(30)`` an angle, ``pct(25)`` a percentage.
"""

from __future__ import annotations

import ast
from fractions import Fraction

from verifiers_math.equivalence.reader.tree import (
    Call,
    Constant,
    Degrees,
    Negative,
    Node,
    Number,
    Percent,
    Power,
    Product,
    Quotient,
    Sum,
    Symbol,
)

CONSTANTS = {"pi": "pi", "e": "e", "i": "i", "inf": "infinity"}


def tree(text: str) -> Node:
    """The tree of a Python expression."""
    return _node(ast.parse(text, mode="eval").body, text)


def _node(node: ast.expr, text: str) -> Node:
    match node:
        case ast.Constant(value=int() as value):
            return Number(Fraction(value))
        case ast.Constant(value=float()):
            written = ast.get_source_segment(text, node) or ""
            return Number(Fraction(written), len(written.partition(".")[2]))
        case ast.Name(id=name):
            return Constant(CONSTANTS[name]) if name in CONSTANTS else Symbol(name)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return Negative(_node(operand, text))
        case ast.Call(func=ast.Name(id="deg"), args=[value]):
            return Degrees(_node(value, text))
        case ast.Call(func=ast.Name(id="pct"), args=[value]):
            return Percent(_node(value, text))
        case ast.Call(func=ast.Name(id=name), args=args):
            return Call(name, tuple(_node(argument, text) for argument in args))
        case ast.BinOp(left=left, op=op, right=right):
            return _binary(op, _node(left, text), _node(right, text))
    raise ValueError(ast.dump(node))


def _binary(op: ast.operator, left: Node, right: Node) -> Node:
    match op:
        case ast.Add():
            return Sum((left, right))
        case ast.Sub():
            return Sum((left, Negative(right)))
        case ast.Mult():
            return Product((left, right))
        case ast.Div():
            return Quotient(left, right)
        case ast.Pow():
            return Power(left, right)
    raise ValueError(op)
