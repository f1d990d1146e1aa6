"""Layouts drawn by chance, on which the parser was not developed: a seed gives the same layouts. Used by typeset_styles.py."""

from collections.abc import Iterator
from random import Random

FONTS = ("Liberation Serif", "DejaVu Serif", "Latin Modern Roman", "Bitstream Charter", "Liberation Sans")
PAPER = ((128, 198), (140, 216), (152, 229), (170, 240), (210, 297))  # mm
CALLS = ("", "; calls: * † ‡")


def random_styles(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """(name, CSS) of so many styles: drop caps, printed contents, small capitals and numbered paragraphs in turn, the rest by
    chance."""
    for n in range(count):
        yield f"random{seed}-{n}", "\n".join(lines(Random(f"{seed} {n}"), n % 4))


def lines(chance: Random, first: int) -> Iterator[str]:
    """The rules of a style. first: which of the four it has for sure; the others it has in one of three cases."""
    caps, contents, small, numbered = (first == n or chance.random() < 0.33 for n in range(4))
    font, size = chance.choice(FONTS), chance.choice((9.5, 10, 10.5, 11, 12))
    outline, roman = chance.choice(("yes", "no")), contents and chance.random() < 0.5
    opening, calls = chance.randint(2, 5), chance.choice(CALLS)
    yield (
        f"/* outline: {outline}; labels: no; front: {'roman' if roman else 'none'}; footnotes: yes;"
        f" offset: 1{'; caps: yes' if caps else ''}"
        f"{f'; opening: {opening}' if small else ''}{calls} */"
    )
    width, height = chance.choice(PAPER)
    top, side, foot = chance.randint(20, 28), chance.randint(17, 26), chance.randint(20, 27)
    yield f"@page {{ size: {width}mm {height}mm; margin: {top}mm {side}mm {foot}mm {side + 5 * numbered}mm }}"
    yield from furniture(chance, font, roman=roman)
    yield f'body {{ font: {size}pt/{chance.choice((1.2, 1.3, 1.4))} "{font}"; text-align: {chance.choice(("justify", "left"))};'
    yield f"  hyphens: {chance.choice(('auto', 'none'))}; counter-reset: para }} a {{ color: black; text-decoration: none }}"
    yield ".front, .contents { break-after: page; page: front } h1 { string-set: book content() }"
    yield contents_of(chance, shown=contents)
    yield from headings(chance, size)
    yield from paragraphs(chance, size, numbered=numbered)
    if caps:
        yield f".cap {{ float: left; font-size: {3.4 * size}pt; line-height: {2.6 * size}pt; padding: 1pt 3pt 0 0 }}"
        yield "main .chapter > h2 + p::before { content: none }"  # no number between a drop cap and its word
    if small:
        yield f".opening {{ {chance.choice(('font-variant-caps: small-caps', 'text-transform: uppercase; font-size: 85%'))} }}"
    yield f".fn {{ float: footnote; font-size: {size - 2}pt; line-height: 1.2 }}"
    if calls:
        yield ".fn::footnote-call, .fn::footnote-marker { content: none }"  # its own stand for them
    yield f"blockquote {{ margin: 3mm {chance.randint(5, 10)}mm }}"


def furniture(chance: Random, font: str, *, roman: bool) -> Iterator[str]:
    """Running heads and folios."""
    look = f'font: {chance.choice(("", "italic "))}{chance.choice((8, 9, 10))}pt "{font}"'
    folio = chance.choice(("bottom-center", "outer", "bottom-outer"))
    for side in ("left", "right"):
        place = {"outer": f"top-{side}", "bottom-outer": f"bottom-{side}"}.get(folio, folio)
        name = "book" if side == "left" else "chapter"
        heads = f"@{place} {{ content: counter(page); {look} }} @top-center {{ content: string({name}); {look} }}"
        yield f"@page :{side} {{ {heads} }}"
    if roman:
        yield "@page front { @top-center { content: none } @bottom-center { content: counter(page, lower-roman) } }"
        yield "main { page: body } @page :nth(1 of body) { counter-reset: page 1 }"


def contents_of(chance: Random, *, shown: bool) -> str:
    """The printed contents, with or without leaders; none if not shown."""
    leader = chance.choice(('leader(".") ', 'leader(" . ") ', '"   "'))
    listed = f".contents a::after {{ content: {leader} target-counter(attr(href), page) }} .contents ol {{ list-style: none }}"
    return listed if shown else ".contents { display: none }"


def headings(chance: Random, size: float) -> Iterator[str]:
    """Of chapters and sections."""
    align, weight = chance.choice(("center", "left")), chance.choice(("bold", "normal"))
    turn = chance.choice(("page", "right", "auto"))
    scale, above = chance.choice((1.4, 1.8, 2.4)), chance.randint(8, 30)
    yield f"h2 {{ string-set: chapter content(text); break-before: {turn}; break-after: avoid; text-align: {align} }}"
    yield f"h2 {{ hyphens: none; font-weight: {weight}; font-size: {size * scale}pt; margin: {above}mm 0 8mm }}"
    yield f"h2 .number {{ display: {chance.choice(('block', 'inline'))} }}"
    style = chance.choice(("italic", "normal"))
    yield f"h3 {{ font-size: {size * 1.1}pt; text-align: {align}; font-style: {style}; break-after: avoid }}"


def paragraphs(chance: Random, size: float, *, numbered: bool) -> Iterator[str]:
    """Indented or with space between them; with numbers in the margin or before the first word."""
    if numbered or chance.random() < 0.3:
        yield f"p {{ margin: 0 0 {size * 0.7}pt; text-indent: 0 }}"
    else:
        yield f"p {{ margin: 0; text-indent: {chance.choice((4, 5, 7))}mm }} h2 + p, h3 + p {{ text-indent: 0 }}"
    if numbered:
        margin = "float: left; margin-left: -11mm; width: 9mm; font-size: 85%" if chance.random() < 0.5 else ""
        yield "main .chapter > p { counter-increment: para }"
        yield f'main .chapter > p::before {{ content: counter(para) ". "; {margin} }}'
