"""Every bound of the sampling core, in one place.

Nothing is evaluated before its size is known to lie within these.
"""

from __future__ import annotations

# Trees.
MAX_NODES = 1024
"""Nodes of both trees together."""
MAX_DEPTH = 160
"""Levels of one tree; the reader stays well below."""
MAX_LETTERS = 12
"""Different letters of both trees together."""

# Exact arithmetic, in bits of numerator and denominator together.
MAX_INTEGER_BITS = 1 << 16
MAX_FRACTION_BITS = 1 << 15
MAX_POINT_BITS = 1 << 11
"""The same at a sample point, where letters have values."""
MAX_TOTAL_BITS = 1 << 19
"""All exact results of one comparison together."""
MAX_ROOT_INDEX = 1000
"""A rational exponent with a larger denominator is evaluated by logarithms."""

# Precision, in bits.
POINT_BITS = 128
"""To this many bits at least two sides agree at a point that confirms."""
CONSTANT_BITS = 672
"""To this many bits (200 digits) at least two equal constants agree."""
DIGIT_BITS = 7
"""More bits of agreement for each digit of the longest numeral: twice what the digit holds."""
SPREAD_BITS = 4
"""More bits of agreement for each power of two that the values met on the way lie from one.

What is small or large there may make a difference of its square or cube: ``cos(10^{-99})`` is
near 1 to 198 digits."""
MAX_POINT_PRECISION = 4096
MAX_CONSTANT_PRECISION = 8192
MAX_MAGNITUDE = 1 << 40
"""No value beyond 2 to this power, or below its inverse, is looked at directly."""
MAX_COMPLEX_MAGNITUDE = 1 << 12
"""The same for both parts of a complex number that a logarithm or the like is taken of."""
MAX_FACTORIAL_PRECISION = 2048
"""No factorial is taken to more bits, and that of a broken number to no more than the next."""
MAX_GAMMA_PRECISION = 900
MAX_ANGLE = 4096
"""No sine is taken of more than 2 to this power."""
MAX_TOWER = 5
"""Logarithms taken, one of the other, to tell two huge constants apart."""
MAX_FACTORIAL = 1 << 28
"""Larger factorials than of this are too large for Stirling's series as well."""

# Points.
CONFIRMING_POINTS = 3
"""Clean points that must agree before letters count as the same."""
CONFIRMING_POINTS_PIECEWISE = 6
"""The same where absolute values, roots or inverse functions may hide another branch."""
CONFIRMING_POINTS_INTEGER = 8
"""The same where letters are integers: small ones agree by chance."""
CONFIRMING_POINTS_COMPLEX = 5
"""The same where no real point is clean."""
CLEAN_POINTS = 16
"""Points that machine floats look at."""
CLEAN_POINTS_SMOOTH = 5
"""The same where agreement on one range is agreement on all."""
MAX_POINTS = 64
"""Real points looked at."""
MAX_MACHINE_STEPS = 24_000
"""Steps that machine floats take at all points together."""
MAX_OUTSIDE = 24
"""Points without a value at which the switches are looked at."""
MAX_COMPLEX_POINTS = 12
UNCLEAR_POINTS = 2
"""Points at which the highest precision is tried in vain."""
MAX_WORK = 25_000
"""High precision work of one comparison, in units of about a microsecond."""
