"""Markdown as Docusaurus and mkdocs write it → HTML with the anchors that they give its headings."""

import re
from collections.abc import Sequence
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

from chapterverse.ingestion.site.anchors import Anchors

OWN_ID = re.compile(r"\s*\{(?::?\s*#|/\*\s*#)(?P<id>[^\s{}*]+)[^{}]*\}\s*$")
"""{#id} (Docusaurus), { #id } and {: #id .class } (mkdocs' attr_list), {/* #id */} (MDX)."""

TABS = re.compile(r'^([ \t]*)===[!+]* +"', re.MULTILINE)  # mkdocs' tabs are built like its admonitions
COMMANDS = re.compile(
    r"^[ \t]*(?:\[TOC\]|\{:\s*toc\s*\}|-{1,2}8<-{1,2}.*)[ \t]*$", re.MULTILINE
)  # for the tool, not the reader
TITLE = re.compile(r"\s*[\w-]+\s*(?:\[(?P<bracketed>.*)\]\s*|(?P<plain>[^{\[].*))?")


@cache
def reader() -> MarkdownIt:
    """CommonMark with tables, and what the two tools add that changes what is text."""
    md = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    md.use(admon_plugin).use(deflist_plugin).use(footnote_plugin).use(
        dollarmath_plugin, allow_space=False, allow_digits=False, double_inline=True
    )
    return md.use(container_plugin, name="admonition", validate=is_admonition, render=admonition)


def html_of(text: str, anchors: Anchors) -> str:
    """The page's HTML; each heading has as id what a link to it ends in."""
    environment: dict[str, Any] = {}
    tokens = reader().parse(COMMANDS.sub("", TABS.sub(r'\1!!! tab "', text)), environment)
    for number, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", anchor_of(tokens[number + 1], anchors))
    html: str = reader().renderer.render(tokens, reader().options, environment)
    return html


def anchor_of(heading: Token, anchors: Anchors) -> str:
    """The id that the author has given, which is then no part of the heading, else the tool's."""
    last = heading.children[-1] if heading.children else None
    own = OWN_ID.search(last.content) if last and last.type == "text" else None
    if last and own:
        last.content = last.content[: own.start()]
        return own["id"]
    return anchors(text_in(heading.children or ()))


def text_in(tokens: Sequence[Token]) -> str:
    """A heading's text as the tools see it: of code, links and pictures the words, nothing of tags."""
    parts = (" " if token.type in {"softbreak", "hardbreak"} else words_of(token) for token in tokens)
    return "".join(parts).strip()


def words_of(token: Token) -> str:
    """What one piece of a line says."""
    if token.type == "html_inline":
        return ""
    return text_in(token.children) if token.children else token.content


def is_admonition(params: str, *_: object) -> bool:
    """Any ":::" with a name is a box with text in it."""
    return bool(params.strip()[:1].isalpha())


def admonition(_renderer: object, tokens: Sequence[Token], at: int, *_: object) -> str:
    """A box; its title, where the author gave one, is text."""
    if tokens[at].nesting < 0:
        return "</div>\n"
    match = TITLE.fullmatch(tokens[at].info)
    title = (match["bracketed"] or match["plain"] or "").strip() if match else ""
    head = f"<p>{escape(title)}</p>\n" if title else ""
    return f'<div class="admonition">\n{head}'
