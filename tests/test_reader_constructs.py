r"""How the reader reads: a table of texts and the shapes of their trees, by construct.

A shape is the tree in prefix form (see `tests.math_trees.shape`): ``(. 2 x)`` is a product without
a sign and ``(* 2 x)`` one with it, ``#pi`` is a constant, ``0.50`` a decimal with two places.
"""

from __future__ import annotations

import pytest

from tests.math_trees import shape
from verifiers_math.equivalence.reader import Unreadable, read


def shape_of(text):
    tree = read(text)
    assert not isinstance(tree, Unreadable), tree.reason
    return shape(tree)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2x+1", "(+ (. 2 x) 1)"),
        ("2(x+3)", "(. 2 (+ x 3))"),
        ("(x-1)(x+1)", "(. (+ x -1) (+ x 1))"),
        ("x^2y", "(. (^ x 2) y)"),
        ("x^10", "(^ x 10)"),
        ("x^{10}y", "(. (^ x 10) y)"),
        ("x^-1", "(^ x -1)"),
        ("2^3^2", "(^ 2 (^ 3 2))"),
        ("-2^2", "(- (^ 2 2))"),
        ("(-2)^2", "(^ -2 2)"),
        ("-x^2", "(- (^ x 2))"),
        ("1/2x", "(. (/ 1 2) x)"),
        ("1/(2x)", "(/ 1 (. 2 x))"),
        ("1/2/3", "(/ (/ 1 2) 3)"),
        (r"2\pi/3", "(/ (. 2 #pi) 3)"),
        (r"x\frac12", "(. x (/ 1 2))"),
        (r"2 x \cdot y", "(* 2 x y)"),
        ("2*x**2", "(* 2 (^ x 2))"),
        ("N2^{-N}", "(. N (^ 2 (- N)))"),
        ("(n-2)2^n", "(. (+ n -2) (^ 2 n))"),
        ("2^6 3^5", "(. (^ 2 6) (^ 3 5))"),
        ("1.5 x 10^3", "(* 1.5 (^ 10 3))"),
        ("5!", "(factorial 5)"),
        ("(n+1)!", "(factorial (+ n 1))"),
        ("2n!", "(. 2 (factorial n))"),
        ("-5!", "(- (factorial 5))"),
        ("5!!", "(double_factorial 5)"),
        ("5!=120", "(rel (factorial 5) = 120)"),
        ("n != 5", "(rel n != 5)"),
        ("1+2-x", "(+ 1 2 (- x))"),
        (r"x\pm y", "(+ x (+- y))"),
        (r"\pm 3", "(+- 3)"),
        (r"1 \mp \sqrt2", "(+ 1 (-+ (sqrt 2)))"),
        (r"a_1 a_2 \cdots a_n", "(. a_1 a_2 ... a_n)"),
        (r"1+2+\cdots+n", "(+ 1 2 ... n)"),
    ],
)
def test_products_without_a_sign_and_what_binds_how(text, expected):
    assert shape_of(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"\frac12", "(/ 1 2)"),
        (r"\frac{1}{2}", "(/ 1 2)"),
        (r"\frac2\pi", "(/ 2 #pi)"),
        (r"\frac x2", "(/ x 2)"),
        (r"\frac1{2}", "(/ 1 2)"),
        (r"\dfrac{3}{4}", "(/ 3 4)"),
        (r"\frac{1}{2 n+2}", "(/ 1 (+ (. 2 n) 2))"),
        (r"{1 \over 2}", "(/ 1 2)"),
        (r"7^\frac12", "(^ 7 (/ 1 2))"),
        (r"\frac{1}{29,\!322}", "(/ 1 29322)"),
        (r"\frac{n(n-1)}2", "(/ (. n (+ n -1)) 2)"),
        (r"\sqrt2", "(sqrt 2)"),
        (r"\sqrt 2x", "(. (sqrt 2) x)"),
        (r"\sqrt[3]{2}", "(root 2 3)"),
        (r"\sqrt[n]{x+1}", "(root (+ x 1) n)"),
        ("sqrt(3)/2", "(/ (sqrt 3) 2)"),
        ("sqrt 12", "(sqrt 12)"),
        ("√12", "(sqrt 12)"),
        ("√(2+x)", "(sqrt (+ 2 x))"),
        ("4√2", "(. 4 (sqrt 2))"),
        ("∛27", "(root 27 3)"),
        ("½", "(/ 1 2)"),
        ("cbrt(2)", "(root 2 3)"),
        ("Fraction(1, 2)", "(/ 1 2)"),
    ],
)
def test_fractions_and_roots(text, expected):
    assert shape_of(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"1\frac12", "3/2"),
        (r"1 \frac{1}{2}", "3/2"),
        ("1 1/2", "3/2"),
        (r"-1\frac{1}{2}", "-3/2"),
        ("2½", "5/2"),
        (r"25 \dfrac{13}{14}", "363/14"),
        (r"1\frac{3}{2}", "(. 1 (/ 3 2))"),
        (r"1\frac{x}{2}", "(. 1 (/ x 2))"),
        (r"2\frac{1}{2}x", "(. 5/2 x)"),
    ],
)
def test_mixed_numbers_and_what_is_none(text, expected):
    assert shape_of(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,234", "1234"),
        ("1,234,567", "1234567"),
        ("(1,234)", "(in () 1 234)"),
        (r"\{1,234\}", "(in {} 1 234)"),
        (r"\frac{1,234}{5}", "(/ 1234 5)"),
        ("1{,}234", "1234"),
        ("(1{,}234, 5)", "(in () 1234 5)"),
        (r"1\,234", "1234"),
        ("1 234", "1234"),
        ("1_234_567", "1234567"),
        ("1.234,56", "1234.56"),
        ("1,23", "(list, 1 23)"),
        ("0,111", "(list, 0 111)"),
        ("0{,}5", "0.5"),
        ("12.003,15.000", "(list, 12.003 15.000)"),
        ("1,234,5", "(list, 1 234 5)"),
        ("0.50", "0.50"),
        (".5", "0.5"),
        ("5.1e-2", "0.051"),
        ("6.02e3", "6020"),
        (r"0.\overline{3}", "1/3"),
        (r"0.1\overline{6}", "1/6"),
        (r"0.\dot{3}", "1/3"),
        (r"0.1\dot{2}3\dot{4}", "137/1110"),
        ("0.1(6)", "1/6"),
        ("0.333...", "1/3"),
        (r"0.333\ldots", "1/3"),
        ("１２", "12"),
    ],
)
def test_numerals(text, expected):
    assert shape_of(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"2\sin x\cos x", "(. 2 (sin x) (cos x))"),
        (r"\sin^2 x", "(^ (sin x) 2)"),
        (r"\sin^{-1} x", "(arcsin x)"),
        (r"\sin^{-2} x", "(^ (sin x) -2)"),
        (r"\tan^{-1}\frac12", "(arctan (/ 1 2))"),
        (r"\sin(2x)y", "(. (sin (. 2 x)) y)"),
        (r"\sin\frac{x}{2}", "(sin (/ x 2))"),
        (r"\sin x/2", "(/ (sin x) 2)"),
        (r"\sin \pi/6", "(sin (/ #pi 6))"),
        (r"\sin x + 1", "(+ (sin x) 1)"),
        (r"\cos n\pi", "(cos (. n #pi))"),
        (r"\cos \sqrt{2} x", "(cos (. (sqrt 2) x))"),
        (r"\cos 30^\circ", "(cos (degrees 30))"),
        (r"\log_2 8", "(log 8 2)"),
        (r"\log_28", "(log 8 2)"),
        (r"\log_{\frac12} 8", "(log 8 (/ 1 2))"),
        ("log2(8)", "(log 8 2)"),
        ("log(8, 2)", "(log 8 2)"),
        (r"\lg 100", "(log 100 10)"),
        (r"\ln 2x", "(ln (. 2 x))"),
        (r"\ln|x|", "(ln (abs x))"),
        (r"\ln\ln x", "(ln (ln x))"),
        (r"\ln x^2", "(ln (^ x 2))"),
        ("ln 2/ln 3", "(/ (ln 2) (ln 3))"),
        ("exp(x)", "(exp x)"),
        ("arcsin(1/2)", "(arcsin (/ 1 2))"),
        ("asin x", "(arcsin x)"),
        (r"\operatorname{arcsin} x", "(arcsin x)"),
        (r"\sinh^{-1}x", "(arsinh x)"),
        ("csch x", "(csch x)"),
        ("arcsech(x)", "(arsech x)"),
        ("tanhx", "(tanh x)"),
        ("sinx", "(sin x)"),
        ("xsinx", "(. x (sin x))"),
        ("sinxcosx", "(. (sin x) (cos x))"),
        ("sin2x", "(sin (. 2 x))"),
        (r"\max(2,3)", "(max 2 3)"),
        (r"\min\{a,b\}", "(min a b)"),
        (r"\gcd(a,b)", "(gcd a b)"),
        (r"\operatorname{lcm}(4,6)", "(lcm 4 6)"),
        (r"\operatorname{Re}(z)", "(re z)"),
        (r"\Gamma(x)", "(gamma x)"),
        (r"3 \bmod 4", "(mod 3 4)"),
    ],
)
def test_functions(text, expected):
    assert shape_of(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("|x|", "(abs x)"),
        (r"\left|x\right|", "(abs x)"),
        ("||x|-1|", "(abs (+ (abs x) -1))"),
        ("|x||y|", "(. (abs x) (abs y))"),
        ("|2|x|-3|", "(abs (+ (. 2 (abs x)) -3))"),
        (r"\left|2\left|x\right|-3\right|", "(abs (+ (. 2 (abs x)) -3))"),
        (r"\lvert x \rvert", "(abs x)"),
        (r"\|v\|", "(abs v)"),
        (r"\lfloor x \rfloor", "(floor x)"),
        (r"\left\lceil \frac{n}{2} \right\rceil", "(ceil (/ n 2))"),
        ("⌊x⌋", "(floor x)"),
        (r"\bigl( x+1 \bigr)", "(+ x 1)"),
    ],
)
def test_bars_and_rounding(text, expected):
    assert shape_of(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"\binom{5}{2}", "(binom 5 2)"),
        (r"\binom52", "(binom 5 2)"),
        (r"{5 \choose 2}", "(binom 5 2)"),
        ("{}_5C_2", "(binom 5 2)"),
        ("_5C_2", "(binom 5 2)"),
        ("{}^5C_2", "(binom 5 2)"),
    ],
)
def test_binomials(text, expected):
    assert shape_of(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x_1", "x_1"),
        ("x_{12}", "x_12"),
        ("x_12", "x_12"),
        ("x_{n+1}^2", "(^ x_n+1 2)"),
        (r"a_{\text{max}}", "a_max"),
        ("x'", "x'"),
        (r"x^{\prime}", "x'"),
        (r"\mathbf{v}", "v"),
        (r"\mathrm{i}", "i"),
        (r"2+3\mathrm{i}", "(+ 2 (. 3 i))"),
        (r"\alpha", "alpha"),
        ("θ²", "(^ theta 2)"),
        (r"\vec{a}", "<vec a>"),
        (r"\hat{x}_1", "<hat x_1>"),
        (r"\overline{A B}", "<overline AB>"),
        (r"\angle A B C", "<angle ABC>"),
        (r"m\angle ABC = 30^\circ", "(rel <angle ABC> = (degrees 30))"),
        ("ABCD", "ABCD"),
        ("e^x", "(^ #e x)"),
        ("e_1", "e_1"),
        ("f(x)", "(@f x)"),
        ("f(x+1)", "(@f (+ x 1))"),
        ("f (x)", "(@f x)"),
        ("k(x+1)", "(. k (+ x 1))"),
        ("f'(x)", "(@f' x)"),
        (r"f^{\prime \prime}(x)", "(@f'' x)"),
        ("f^{-1}(x)", "(@f^-1 x)"),
        ("f^{(n)}(x)", "(@f^(n) x)"),
        ("S(n) = 2n", "(rel (@S n) = (. 2 n))"),
        ("P(x)", "(@P x)"),
        ("P(1+r)^t", "(. P (^ (+ 1 r) t))"),
        ("P(X=1)", "(@P (rel X = 1))"),
        (r"\phi(n)", "(@phi n)"),
        (r"\operatorname{Var}(X)", "(@Var X)"),
        ("Var[X]", "(@Var X)"),
        (r"\mathbb{E}[X^2]", "(@E (^ X 2))"),
        ("E(R+r)", "(. E (+ R r))"),
        (r"P(A \mid B)", "(@P (rel A given B))"),
        ("u(t)", "(@u t)"),
        ("O(n^2)", "(@O (^ n 2))"),
        (r"\nabla\times\vec F", "(@curl <vec F>)"),
        (r"\nabla f", "(@grad f)"),
        (r"2\vec a\times\vec b", "(. 2 (@cross <vec a> <vec b>))"),
        ("y^{(4)}", "y^(4)"),
        ("dy/dx", "dy/dx"),
        (r"\frac{dy}{dx}", "dy/dx"),
        (r"\frac{d^2y}{dx^2}", "d2y/dx2"),
        (r"\frac{\partial f}{\partial x}", "partialf/partialx"),
        ("x1", "x_1"),
        ("a11", "a_11"),
        ("x1 = 3, x2 = 4", "(list, (rel x_1 = 3) (rel x_2 = 4))"),
        (r"\mathbb{F}_2", "<mathbb F_2>"),
    ],
)
def test_names_and_calls(text, expected):
    assert shape_of(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"\{1, 2\}", "(in {} 1 2)"),
        ("{1,2}", "(in {} 1 2)"),
        (r"\left\{ 1, 2 \right\}", "(in {} 1 2)"),
        (r"\{90\}", "(in {} 90)"),
        (r"\{\}", "#empty"),
        ("[90]", "90"),
        (r"(3, \infty)", "(in () 3 #infinity)"),
        ("(-∞, 3]", "(in (] (- #infinity) 3)"),
        ("]0, 1[", "(in ][ 0 1)"),
        ("[0,1[", "(in [[ 0 1)"),
        (r"]a,b[ \cup ]c,d]", "(union (in ][ a b) (in ]] c d))"),
        (r"(1,2) \cup (3,4)", "(union (in () 1 2) (in () 3 4))"),
        ("[1,2]U[3,4]", "(union (in [] 1 2) (in [] 3 4))"),
        (r"(1,2) \bigcup (3,4)", "(union (in () 1 2) (in () 3 4))"),
        (r"\mathbb{R} \setminus \{0\}", "(difference #R (in {} 0))"),
        (r"\mathbb{R}^+", "#R+"),
        (r"\mathbb{Q}_{>0}", "#Q+"),
        (r"\mathbb{R}^3", "(^ #R 3)"),
        (r"\varnothing", "#empty"),
        (r"\{x \mid x > 3\}", "(all x (rel x > 3))"),
        (r"\{x : x > 3\}", "(all x (rel x > 3))"),
        ("{x : x > 3}", "(all x (rel x > 3))"),
        (r"\{x \in \mathbb{R} \mid |x| < 3\}", "(all (rel x in #R) (rel (abs x) < 3))"),
        ("{x: 3, y: 4}", "(in {} (rel x = 3) (rel y = 4))"),
        (r"x \in (1, 2)", "(rel x in (in () 1 2))"),
        (r"x \in R", "(rel x in #R)"),
        (r"\langle 1, 2\rangle", "(in <> 1 2)"),
    ],
)
def test_sets_and_intervals(text, expected):
    assert shape_of(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}", "(matrix (1 2) (3 4))"),
        (r"\begin{bmatrix}1\\2\end{bmatrix}", "(matrix (1) (2))"),
        (r"\left[\begin{array}{cc}1&2\\3&4\end{array}\right]", "(matrix (1 2) (3 4))"),
        (r"\begin{pmatrix} 1 \\[4pt] 2 \\ \end{pmatrix}", "(matrix (1) (2))"),
        (r"\begin{vmatrix} 1 & 2 \\ 3 & 4 \end{vmatrix}", "(det (1 2) (3 4))"),
        (r"\left|\begin{array}{cc}1 & 2 \\ 3 & 4\end{array}\right|", "(det (1 2) (3 4))"),
        ("[1,2;3,4]", "(matrix (1 2) (3 4))"),
        ("[[1,2],[3,4]]", "(in [] (in [] 1 2) (in [] 3 4))"),
    ],
)
def test_matrices(text, expected):
    assert shape_of(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 4", "(rel x = 4)"),
        ("y=2x+3", "(rel y = (+ (. 2 x) 3))"),
        ("x=1+2=3", "(rel x = (+ 1 2) = 3)"),
        (r"2 < x \le 5", "(rel 2 < x <= 5)"),
        ("x ≤ 3", "(rel x <= 3)"),
        (r"x \neq 3", "(rel x != 3)"),
        ("> 0", "(rel <> > 0)"),
        (r"x \approx 3.14", "(rel x ~ 3.14)"),
        (r"n \equiv 1 \pmod 13", "(rel n equiv (pmod 1 13))"),
        (r"n \equiv 1(\bmod 4)", "(rel n equiv (pmod 1 4))"),
        ("3 mod 4", "(mod 3 4)"),
        (r"x^2=4 \Rightarrow x=\pm 2", "(rel x = (+- 2))"),
        (r"\therefore x = 5", "(rel x = 5)"),
        (r"\begin{cases} x = 1 \\ y = 2 \end{cases}", "(listand (rel x = 1) (rel y = 2))"),
        (
            r"\left\{\begin{array}{l} x=1 \\ y=2\end{array}\right.",
            "(listand (rel x = 1) (rel y = 2))",
        ),
        (r"\begin{aligned} x &= 1 \\ y &= 2 \end{aligned}", "(listand (rel x = 1) (rel y = 2))"),
        (
            r"\begin{cases} x & \text{if } x>0 \\ -x & \text{otherwise} \end{cases}",
            "(listand (given x (rel x > 0)) (given (- x) 'otherwise'))",
        ),
        (
            r"\left\{\begin{array}{ll} x, & x>0 \\ -x, & x \le 0\end{array}\right.",
            "(listand (given x (rel x > 0)) (given (- x) (rel x <= 0)))",
        ),
    ],
)
def test_relations_and_systems(text, expected):
    assert shape_of(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1, 2", "(list, 1 2)"),
        (r"1 \text{ and } 2", "(listand 1 2)"),
        (r"1, 2, \text{ and } 3", "(listand 1 2 3)"),
        ("a < 1 or a > 2", "(listor (rel a < 1) (rel a > 2))"),
        (r"5 \qquad 7", "(list, 5 7)"),
        ("x=1 y=2", "(list, (rel x = 1) (rel y = 2))"),
        (
            "x = 1, y = 2; x = 3, y = 4",
            "(list; (list, (rel x = 1) (rel y = 2)) (list, (rel x = 3) (rel y = 4)))",
        ),
        (r"1, 3, \ldots, 2n-1", "(list, 1 3 ... (+ (. 2 n) -1))"),
        (r"1,2,3\ldots", "(list, 1 2 3 ...)"),
        (r"\text{5 and 7}", "(listand 5 7)"),
        (r"x = k\pi, k \in \mathbb{Z}", "(list, (rel x = (. k #pi)) (rel k in #Z))"),
        (r"x=k\pi \ (k \in \mathbb{Z})", "(list, (rel x = (. k #pi)) (rel k in #Z))"),
    ],
)
def test_lists(text, expected):
    assert shape_of(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"5 \text{ cm}", r"(unit 5 '\text{ cm}')"),
        (r"5 \mathrm{~cm}^2", r"(unit 5 '\text{ cm}^2')"),
        (r"5\mathrm{~m/s^{2}}", r"(unit 5 '\text{ m/s^2}')"),
        ("9.8 m/s^2", "(unit 9.8 'm/s^2')"),
        ("5 m", "(unit 5 'm')"),
        ("5m", "(. 5 m)"),
        ("2x+3m", "(+ (. 2 x) (. 3 m))"),
        ("x m", "(. x m)"),
        ("10 kg", "(unit 10 'kg')"),
        (r"\frac{1}{2} \pi\text{ inches}", r"(unit (. (/ 1 2) #pi) '\text{ inches}')"),
        (r"\$5", r"(unit 5 '\$')"),
        (r"-\$5", r"(unit -5 '\$')"),
        ("5 €", r"(unit 5 '\euro')"),
        (r"\$1,234.56", r"(unit 1234.56 '\$')"),
        (r"50\%", "(percent 50)"),
        (r"\frac12 \text{ percent}", "(percent (/ 1 2))"),
        (r"30^\circ", "(degrees 30)"),
        ("74°", "(degrees 74)"),
        ("90 degrees", "(degrees 90)"),
        (r"25^\circ C", r"(unit 25 '\text{ celsius}')"),
        ("101_2", "(base 101 2)"),
        ("(101)_2", "(base 101 2)"),
        (r"1010_{\text{two}}", "(base 1010 2)"),
        ("2A_{16}", "(base 2A 16)"),
        ("3:4", "(ratio 3 4)"),
        ("1:2:3", "(ratio 1 2 3)"),
    ],
)
def test_units_money_and_signs_behind_a_value(text, expected):
    assert shape_of(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"\text{Yes}", "'Yes'"),
        ("no solution", "'no solution'"),
        (r"\text{A}", "A"),
        (r"4 \text{ for } x > 0", r"(given 4 '\text{ for } x > 0')"),
        ("4 (for x > 0)", "(given 4 '(for x > 0)')"),
        (
            r"2k \text{ where } k \text{ is odd}",
            r"(given (. 2 k) '\text{ where } k \text{ is odd}')",
        ),
        ("5 people", "(given 5 'people')"),
        (r"\text{Area} = 5", "(rel 'Area' = 5)"),
        ("the value of x", "'the value of x'"),
    ],
)
def test_words_and_remarks(text, expected):
    assert shape_of(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"\sum_{k=1}^n k = 55", r"(rel (operator sum \sum_{k=1}^nk) = 55)"),
        (r"\int_0^1 x\,dx", r"(operator int \int_0^1xdx)"),
        (r"\lim_{x\to 0} \frac{\sin x}{x}", r"(operator lim \lim_{x\to0}\frac{\sin x}{x})"),
        (r"\max_{x} f(x)", r"(operator max \max_{x}f(x))"),
        (r"\frac{d}{dx} x^2", r"(operator derivative \frac{d}{dx}x^2)"),
        (r"\inf S", r"(operator inf \inf S)"),
    ],
)
def test_big_operators(text, expected):
    assert shape_of(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"\boxed{5}", "5"),
        (r"\color{red}{5}", "5"),
        (r"\textcolor{red}{x}", "x"),
        (r"\displaystyle \frac12", "(/ 1 2)"),
        (r"\large 5", "5"),
        (r"x = 5 \tag{1}", "(rel x = 5)"),
        (r"\underline{5}", "5"),
    ],
)
def test_looks_that_mean_nothing(text, expected):
    assert shape_of(text) == expected


@pytest.mark.parametrize(
    ("spaced", "plain"),
    [
        (r"\sin ^{2} x", r"\sin^2x"),
        (r"\log _{2}\left(x\right)", r"\log_2(x)"),
        (r"y = 2 { ( x - 3 ) } ^ { 2 }", "y=2(x-3)^2"),
        (r"\left\{ 1 , 2 \right\}", r"\{1,2\}"),
        (r"\left( - \infty , 3 \right]", "(-∞,3]"),
        (r"f \left( x \right) = 2 x", "f(x)=2x"),
        (r"\frac { 1 } { 2 }", r"\frac12"),
        (r"\Bigl[\, 0,\; 1 \,\Bigr)", "[0,1)"),
        (r"\\frac{\\pi}{2}", r"\frac{\pi}{2}"),
        ("frac{1}{2}", r"\frac{1}{2}"),
        (r"$x = 4$.", "x=4"),
        (r"\( \frac{1}{2} \)", r"\frac12"),
        (r"x^{2}\,y", "x²y"),
        ("2·3 × 4", r"2\cdot3\times4"),
        ("𝑥 + 𝟏", "x + 1"),
        ("（１，２）", "(1, 2)"),
        ("xₙ₊₁", "x_{n+1}"),
        ("x ∉ ℤ", r"x \notin \mathbb{Z}"),
        (r"\tfrac{\sqrt3}{2}", "√3/2"),
        (r"x \hspace{1cm} y", r"x \quad y"),
        (r"\begin{dcases} x=1 \\ y=2 \end{dcases}", r"\begin{cases} x=1 \\ y=2 \end{cases}"),
        ("$x_1 = 1$\n$x_2 = 2$", "x_1 = 1, x_2 = 2"),
        (r"\left| x \right| + |y|", "|x| + |y|"),
    ],
)
def test_habits_of_writing_read_alike(spaced, plain):
    assert shape_of(spaced) == shape_of(plain)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (r"\frac{1", "expected }"),
        ("(1, 2", "expected )"),
        ("1 +", "missing at the end"),
        ("5 ? 7", "cannot follow"),
        (r"7\heartsuit", "not known"),
        ("5 3 -2", "cannot follow"),
        ("The number is 3.", "a sentence with numbers"),
        (r"\begin{pmatrix} 1 & 2 \\ 3 \end{pmatrix}", "differ in length"),
        (r"\begin{pmatrix} 1 & 2", "to its end"),
        (r"\begin{theorem} 1 \end{theorem}", "not known"),
        (r"\sin", "missing at the end"),
        (r"\sum_{k=1 k", "do not match"),
        ("1.5...", "no period"),
        ("9" * 1300, "digits"),
        ("1e99999", "huge exponent"),
        ("x + 答", "cannot begin"),
        (r"\max S", "missing"),
    ],
)
def test_what_is_unreadable_says_why(text, reason):
    tree = read(text)
    assert isinstance(tree, Unreadable)
    assert reason in tree.reason
