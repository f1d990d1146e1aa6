"""Paragraphs of books in plain text and in TeX, as Project Gutenberg has them."""

import re
from collections.abc import Iterator, Sequence

from scripts.train.prose import Paragraph, one_of

START = one_of(
    r"\*\*\* ?START OF (?:THE|THIS) PROJECT[^\n]*", r"\*END\*? ?THE SMALL PRINT[^\n]*\n", r"\*END THE SMALL[^\n]*", flags=re.I
)
END = re.compile(r"(?im)\*\*\* ?END OF (?:THE|THIS) PROJECT|^End of (?:the |this )?Project Gutenberg")
SET_APART = re.compile(r"\[(Footnote|Illustration|Sidenote)(?:[^\[\]]|\[[^\]]{0,200}\]){0,4000}\]")
HEADING = re.compile(
    r"(?i)(chapter|lecture|book|part|section|letter|essay|preface|introduction|conclusion|appendix|contents|index"
    r"|footnotes?|notes?|illustrations|bibliography)\b"
)
DATE = re.compile(r"(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,? .{5,30}")  # heads an entry of a diary
NUMBERED = re.compile(r"[IVXLC]+\.\s+[A-Z].{2,60}")
WIDTH = 70  # characters of a line, where no line tells

GROUPS = r"((?:\{(?:[^{}]|\{[^{}]*\})*\})+)"  # arguments of a command of TeX
TEX_COMMENT = re.compile(r"(?m)^[ \t]*%.*\n|(?<!\\)%.*")
TEX_END = re.compile(r"\\PGLicense|End of (?:the )?Project Gutenberg|START: FULL LICENSE|\\printindex|\\end\{document\}")
TEX_HEADING = re.compile(r"\\(?:chapter|Chapter|Chap|section|Section|part|Part)\*?(?:\[[^\]]*\])?" + GROUPS)
TEX_APART = (  # commands whose words are not the paragraph's
    r"(?:\\(?:footnotetext|footnote|Footnote|index|label|PageSep|Pagelabel|Graphic|Figure|includegraphics|DPPageSep|marginpar|tag"
    rf"|Runningheads?|fancyhead)\*?(?:\[[^\]]*\])?{GROUPS}[ \t]*)+"
)
TEX_DISPLAYED = re.compile(r"\\\[|\$\$|\\begin\{|\\end\{|\\vspace|\\hspace|&|\\newcommand|\\def")
TEX_WORDS = re.compile(
    r"\\(?:textit|emph|textbf|textsc|Par|Add|Fig(?:\[[^\]]*\])?|Eg|ie|Name|Title|foreign|Inum|primo)\{([^{}]*)\}"
)
TEX_SIGNS = {  # replaced in this order
    **{"``": "“", "''": "”", "`": "‘", "'": "’", "---": "—", "--": "–"},
    **{"~": " ", "\\ ": " ", "\\,": " ", "\\@": "", "\\ldots": "…", "\\-": ""},
}
FORMULA = 14  # characters with both dollars; a paragraph with a longer one is left out


def gutenberg_text(data: str) -> Iterator[Paragraph]:
    """The paragraphs of a plain text between its licences, under the lines that look like headings; no verse, no tables."""
    text = SET_APART.sub("", _between_licences(data.replace("\r\n", "\n").replace("\r", "\n")))
    width = _width(text)
    chapter = ""
    for gap, block in re.findall(r"(\n{2,}|^)((?:[^\n]+\n)*[^\n]+)", re.sub(r"\n[ \t]+(?=\n)", "\n", text)):
        lines = [line.rstrip() for line in block.split("\n") if line.strip()]
        if not lines:
            continue
        joined = " ".join(line.strip() for line in lines)
        heading = _heading(joined, len(lines), alone=len(gap) > 2)
        if heading is not None:
            chapter = heading or chapter
        elif not _is_set_off(lines, width):
            yield Paragraph(chapter, joined)


def _between_licences(text: str) -> str:
    starts = [match for match in START.finditer(text) if match.start() < 0.3 * len(text)]
    begin = starts[-1].end() if starts else 0
    end = END.search(text, begin)
    return text[begin : end.start() if end else len(text)]


def _width(text: str) -> int:
    """The median length of full lines."""
    lengths = sorted(len(line) for line in text.split("\n") if len(line) > 40)
    return lengths[len(lengths) // 2] if lengths else WIDTH


def _heading(joined: str, lines: int, alone: bool) -> str | None:
    """A block's text as a heading: None if it is none, "" if it names no chapter. alone: after more than one empty line."""
    letters = [sign for sign in joined if sign.isalpha()]
    in_capitals = sum(sign.isupper() for sign in letters) > 0.7 * len(letters)
    marked = HEADING.match(joined) or in_capitals or DATE.fullmatch(joined)
    if letters and marked and len(joined) < 160 and lines <= 4 and not re.search(r"[a-z],$", joined):
        return joined.strip("_")[:150] if len(letters) > 2 else ""
    if lines == 1 and NUMBERED.fullmatch(joined):
        return joined
    if lines == 1 and alone and len(joined) < 65 and joined[0].isupper() and joined[-1] not in ".,;:!?\"'":
        return joined if len(letters) > 6 else ""
    return None


def _is_set_off(lines: Sequence[str], width: int) -> bool:
    """Whether a block is verse, a table or a list: indented, short or with columns."""
    if len(lines) >= 3:
        indented = sum(line.startswith("   ") for line in lines)
        short = sum(len(line.strip()) for line in lines[:-1]) / (len(lines) - 1) < 0.7 * width
        if short or indented > 0.6 * len(lines):
            return True
    return sum(bool(re.search(r"\S {3,}\S|\.{4,}|\|", line)) for line in lines) > 0.3 * len(lines)


def gutenberg_tex(data: str) -> Iterator[Paragraph]:
    """The paragraphs of a book in TeX without displayed or long formulas; a short formula becomes its letters."""
    data = TEX_COMMENT.sub("", data.replace("\r", ""))
    data = TEX_END.split(data[data.index("\\begin{document}") :])[0]
    data = re.sub(rf"(?m)^[ \t]*{TEX_APART}\n", "", data)
    chapter = ""
    for block in re.split(r"\n\s*\n", re.sub(TEX_APART, "", data)):
        if headings := TEX_HEADING.findall(block):
            chapter = re.sub(r"\\[a-zA-Z]+|[{}\\~]", " ", headings[-1]).strip()
        if chapter and not TEX_DISPLAYED.search(words := TEX_HEADING.sub("", block)):
            text = _without_commands(words)
            if text and re.match(r"\W*[A-Z]", text):  # else it goes on after a formula
                yield Paragraph(chapter, text)


def _without_commands(block: str) -> str:
    """The words of a block, empty where a formula is too long to leave out its signs."""
    block = TEX_WORDS.sub(r"\1", block)
    for sign, instead in TEX_SIGNS.items():
        block = block.replace(sign, instead)
    block = re.sub(r"\\['`^\"]\{?\\?(\w)\}?", r"\1", block)  # accents
    if any(len(formula) > FORMULA for formula in re.findall(r"\$[^$]*\$", block)):
        return ""
    block = re.sub(r"\$([^$]*)\$", lambda formula: re.sub(r"\\[a-zA-Z]+|[{}]", "", formula[1]), block)
    block = re.sub(r"\\(?:dots|ldots|dotsc)\b", "…", block)
    block = re.sub(r"\\[a-zA-Z]+\*?(\[[^\]]*\])?\{([^{}]*)\}", r"\2", block)
    return re.sub(r"\\[a-zA-Z]+\*?|[{}\\]", "", block)
