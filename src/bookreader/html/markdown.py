"""Markdown as Docusaurus writes it, to HTML with the same heading anchors as it makes.

It also removes what MDX adds (imports, components, expressions in tags; their text stays) and reads front matter: the YAML
between two lines of dashes at the top of a page."""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.container import container_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

Anchors = Callable[[str], str]
"""A heading's text to its anchor; one for each page, because it remembers what it has given."""


def github_anchors() -> Anchors:
    """Anchors by github-slugger 2, as Docusaurus makes them.

    Lower case, only letters, marks, digits, "_" and "-", each blank becomes "-"; equal headings get "intro", "intro-1",
    "intro-2", skipping names that are taken."""
    given: dict[str, int] = {}

    def anchor(text: str) -> str:
        plain = "".join(filter(stays, text.lower())).replace(" ", "-")
        free = plain
        while free in given:
            given[plain] += 1
            free = f"{plain}-{given[plain]}"
        given[free] = 0
        return free

    return anchor


def stays(character: str) -> bool:
    """Whether github-slugger keeps a character."""
    category = unicodedata.category(character)
    return character in " -" or category[0] in "LM" or category in {"Nd", "Nl", "Pc"}


OWN_ID = re.compile(r"\s*\{(?::?\s*#|/\*\s*#)(?P<id>[^\s{}*]+)[^{}]*\}\s*$")
"""{#id} (Docusaurus), { #id } and {: #id .class } (mkdocs' attr_list), {/* #id */} (MDX)."""

TABS = re.compile(r'^([ \t]*)===[!+]* +"', re.MULTILINE)  # mkdocs' tabs are built like its admonitions

COMMANDS = re.compile(
    r"^[ \t]*(?:\[TOC\]|(?:(?:[-*]|\d+\.)[ \t].*\n[ \t]*)?\{:\s*toc\s*\}|-{1,2}8<-{1,2}.*)[ \t]*$", re.MULTILINE
)  # for the tool, not for readers; of kramdown the item that its list of contents replaces

ATTRIBUTES = re.compile(r"""[ \t]*\{:?(?:\s*(?:[.#][\w-]+|[\w-]+=(?:"[^"{}]*"|'[^'{}]*')))+\s*\}""")
"""{: .class name="value" } (kramdown, mkdocs' attr_list) and { .class }, of the block or link before it, in no code."""

TITLE = re.compile(r"\s*[\w-]+\s*(?:\[(?P<bracketed>.*)\]\s*|(?P<plain>[^{\[].*))?")


@cache
def reader() -> MarkdownIt:
    """A CommonMark parser with tables and the additions of Docusaurus and mkdocs that change what is text."""
    md = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    md.use(admon_plugin).use(deflist_plugin).use(footnote_plugin)
    md.use(dollarmath_plugin, allow_space=False, allow_digits=False, double_inline=True)
    return md.use(container_plugin, name="admonition", validate=lambda name, *_: name.strip()[:1].isalpha(), render=admonition)


def html_of(text: str) -> str:
    """The page's HTML; each heading's id is its anchor."""
    anchors, environment = github_anchors(), dict[str, Any]()
    tokens = reader().parse(COMMANDS.sub("", TABS.sub(r'\1!!! tab "', text)), environment)
    for number, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", anchor_of(tokens[number + 1], anchors))
        for part in token.children or ():
            if part.type == "text":
                part.content = ATTRIBUTES.sub("", part.content)
    html: str = reader().renderer.render(tokens, reader().options, environment)
    return html


def anchor_of(heading: Token, anchors: Anchors) -> str:
    """The anchor given by the author, which is removed from the heading, else Docusaurus'."""
    last = heading.children[-1] if heading.children else None
    own = OWN_ID.search(last.content) if last and last.type == "text" else None
    if last and own:
        last.content = last.content[: own.start()]
        return own["id"]
    return anchors(text_in(heading.children or ()))


def text_in(tokens: Sequence[Token]) -> str:
    """A heading's text as the tools see it: words of code, links and pictures, without tags."""
    parts = (" " if token.type in {"softbreak", "hardbreak"} else words_of(token) for token in tokens)
    return "".join(parts).strip()


def words_of(token: Token) -> str:
    """The words of one inline element."""
    if token.type == "html_inline":
        return ""
    return text_in(token.children) if token.children else token.content


def admonition(_renderer: object, tokens: Sequence[Token], at: int, *_: object) -> str:
    """A box as HTML; the author's title of it, if any, is text."""
    if tokens[at].nesting < 0:
        return "</div>\n"
    match = TITLE.fullmatch(tokens[at].info)
    title = (match["bracketed"] or match["plain"] or "").strip() if match else ""
    head = f"<p>{escape(title)}</p>\n" if title else ""
    return f'<div class="admonition">\n{head}'


IMPORTS = re.compile(
    r"^(?:import\s+(?:[\w*{\"'])[^\n]*(?:\n(?![ \t]*$)[^\n]*)*|export\s+(?:const|let|var|function|default|class|async|\{|\*)"
    r"[^\n]*(?:\n(?![ \t]*$)[^\n]*)*)",
    re.MULTILINE,
)

MODULE_LIKE = re.compile(r"import\s+(?:[\"']|[^\n]*\bfrom\s*[\"']|\{)|export\b")

TOKEN = re.compile(
    r"(?P<fence>^[ \t>]*(?P<mark>`{3,}|~{3,})[^\n]*\n.*?(?:^[ \t>]*(?P=mark)[`~]*[ \t]*$|\Z))"
    r"|(?P<code>(?<!`)(?P<ticks>`+)(?!`)(?:(?!\n[ \t]*\n).){0,5000}?(?<!`)(?P=ticks)(?!`))"
    r"|(?P<comment>\{/\*(?!\s*#\S+\s*\*/\}).{0,5000}?\*/\})"
    r"|(?P<tag></?(?:[A-Za-z][\w.:-]*(?=[\s/>])|(?=>)))",
    re.MULTILINE | re.DOTALL,
)

ALT = re.compile(r"\balt=(?:\"([^\"]*)\"|'([^']*)')")
LONGEST_TAG = 20_000  # characters; beyond them a "<" is a plain character
MAX_OPEN_TAGS = 50  # tags without an end; with more, a page is not MDX


def without_mdx(text: str) -> str:
    """The Markdown without MDX; HTML tags and code stay."""
    pieces: list[str] = []
    end = still_open = 0
    while still_open < MAX_OPEN_TAGS and (match := TOKEN.search(text, end)):
        pieces.append(without_imports(text[end : match.start()]))
        end = match.end()
        if match["tag"]:
            opened, end = tag_at(text, match)
            pieces.append(opened)
            still_open += end == match.end() and not opened.endswith(">")
        elif not match["comment"]:
            pieces.append(match[0])
    return "".join([*pieces, without_imports(text[end:])])


def without_imports(text: str) -> str:
    """The text without lines that import or define components, up to the next blank line."""
    return IMPORTS.sub(lambda match: "" if MODULE_LIKE.match(match[0]) else match[0], text)


def tag_at(text: str, match: re.Match[str]) -> tuple[str, int]:
    """The text to keep of the tag that begins at a position, and where the tag ends."""
    end = end_of_tag(text, match.end())
    name = match["tag"].lstrip("</")
    if end is None:
        return match[0], match.end()
    if name and name[0].islower() and "." not in name:
        return without_expressions(text[match.start() : end]), end
    alt = ALT.search(text, match.start(), end)
    return (alt[1] or alt[2] or "") if alt else "", end


def end_of_tag(text: str, start: int) -> int | None:
    """The end of a tag, which may hold quoted texts and {expressions}; None if it does not end."""
    depth, quote = 0, ""
    for at in range(start, min(len(text), start + LONGEST_TAG)):
        character = text[at]
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'`" and (depth or text[at - 1] in "={("):
            quote = character
        elif character in "{}":
            depth = max(0, depth + (1 if character == "{" else -1))
        elif character == ">" and not depth:
            return at + 1
    return None


def without_expressions(tag: str) -> str:
    """An HTML tag without attributes that are expressions, and with className as class."""
    plain, depth = [], 0
    for part in re.split(r"(\s+[\w:-]+=\{|\{|\})", tag):
        opens = part.endswith("{")
        if not depth and not opens and part != "}":
            plain.append(part)
        depth = max(0, depth + (1 if opens else -1 if part == "}" else 0))
    return "".join(plain).replace("className=", "class=")


FRONT = re.compile(r"\A---[ \t]*\n(.*?)(?:\n|\A|(?<=\n))(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)


def parted(text: str) -> tuple[Mapping[str, Any], str]:
    """Front matter and the rest of the text; front matter is empty if there is none. Raises ValueError for invalid YAML."""
    match = FRONT.match(text)
    return (mapping_of(match[1]), text[match.end() :]) if match else ({}, text)


def mapping_of(text: str) -> Mapping[str, Any]:
    """YAML or JSON with names and values. Raises ValueError."""
    import yaml  # most starts read no front matter

    try:
        found = yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError) as error:
        raise ValueError("no YAML") from error
    if found is not None and not isinstance(found, dict):
        raise ValueError("not names and values")
    return {str(name): value for name, value in (found or {}).items()}


def front_matter_text(facts: Mapping[str, Any], name: str) -> str | None:
    """A value as one line of text; None if it is missing or no single value."""
    value = facts.get(name)
    line = " ".join(str(value).split()) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
    return line or None


def number_in(facts: Mapping[str, Any], name: str) -> float | None:
    """A value as a number; None if it is missing or no number."""
    value = facts.get(name)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
